// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files.h"

#include "driver.h"

#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace heddle::cufile;

namespace {

struct Files {
  std::mutex mutex;
  std::map<CUfileHandle_t, std::shared_ptr<File>> files;
  std::map<const void *, size_t> buffers;
};

Files &files() {
  static auto &one = *new Files;
  return one;
}

/// Why such an open file cannot be used, or success.
CUfileError_t judge(const char *call, int fd, struct stat &about) {
  const int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || fstat(fd, &about) != 0)
    return refuse(call, CU_FILE_INVALID_VALUE, "the descriptor is of no open file");
  if (!S_ISREG(about.st_mode) && !S_ISBLK(about.st_mode))
    return refuse(call, CU_FILE_INVALID_FILE_TYPE, "neither a file nor a block device");
  if (flags & (O_APPEND | O_NONBLOCK | O_NOATIME))
    return refuse(call, CU_FILE_INVALID_FILE_OPEN_FLAG,
                  "opened with O_APPEND, O_NONBLOCK or O_NOATIME");
  return status(CU_FILE_SUCCESS);
}

std::shared_ptr<File> makeFile(int fd, const struct stat &about) {
  auto file = std::make_shared<File>();
  file->fd = fd;
  file->device = about.st_dev;
  file->inode = about.st_ino;
  if (const int flags = fcntl(fd, F_GETFL); flags & O_DIRECT)
    file->own_fd = open(("/proc/self/fd/" + std::to_string(fd)).c_str(),
                        (flags & (O_ACCMODE | O_SYNC | O_DSYNC)) | O_CLOEXEC);
  return file;
}

CUfileError_t add(const char *call, CUfileHandle_t *handle, int fd) {
  struct stat about;
  if (const CUfileError_t bad = judge(call, fd, about); bad.err != CU_FILE_SUCCESS)
    return bad;
  Files &all = files();
  const std::lock_guard lock(all.mutex);
  // Of the same number there may be a file that the program has closed since.
  std::erase_if(all.files, [&](const auto &entry) {
    const File &other = *entry.second;
    return other.fd == fd && (other.device != about.st_dev || other.inode != about.st_ino);
  });
  for (const auto &[other, file] : all.files)
    if (file->fd == fd)
      return refuse(call, CU_FILE_HANDLE_ALREADY_REGISTERED, "the descriptor is registered");
  auto file = makeFile(fd, about);
  *handle = file.get();
  all.files[*handle] = std::move(file);
  return status(CU_FILE_SUCCESS);
}

/// Whether the memory is CUDA's and ends before `base + length`.
bool exceedsAllocation(const void *base, size_t length) {
  CUdeviceptr start = 0;
  size_t size = 0;
  const auto address = reinterpret_cast<CUdeviceptr>(base);
  return cuMemGetAddressRange(&start, &size, address) == CUDA_SUCCESS &&
         length > size - (address - start);
}

} // namespace

File::~File() {
  if (own_fd >= 0)
    close(own_fd);
}

std::shared_ptr<File> heddle::cufile::findFile(CUfileHandle_t handle) {
  Files &all = files();
  const std::lock_guard lock(all.mutex);
  const auto found = all.files.find(handle);
  return found == all.files.end() ? nullptr : found->second;
}

bool heddle::cufile::isWithinBuffer(const void *base, off_t offset, size_t size) {
  Files &all = files();
  const std::lock_guard lock(all.mutex);
  const auto found = all.buffers.find(base);
  return found == all.buffers.end() ||
         (offset >= 0 && size_t(offset) <= found->second && size <= found->second - size_t(offset));
}

void heddle::cufile::forgetFiles() {
  const std::lock_guard lock(files().mutex);
  files().files.clear();
}
void heddle::cufile::forgetBuffers() {
  const std::lock_guard lock(files().mutex);
  files().buffers.clear();
}

CUfileError_t cuFileHandleRegister(CUfileHandle_t *fh, CUfileDescr_t *descr) {
  return guarded([&] {
    if (!fh || !descr)
      return status(CU_FILE_INVALID_VALUE);
    if (descr->type != CU_FILE_HANDLE_TYPE_OPAQUE_FD)
      return refuse("cuFileHandleRegister", CU_FILE_IO_NOT_SUPPORTED,
                    "only file descriptors are supported, no user-space file systems");
    openDriver();
    return add("cuFileHandleRegister", fh, descr->handle.fd);
  });
}

void cuFileHandleDeregister(CUfileHandle_t fh) {
  const std::lock_guard lock(files().mutex);
  if (files().files.erase(fh) == 0)
    heddle::library::explain("cuFileHandleDeregister", "ignored", "the handle is not registered");
}

CUfileError_t cuFileBufRegister(const void *bufPtr_base, size_t length, int flags) {
  return guarded([&] {
    if (!bufPtr_base || length == 0 || flags != 0)
      return status(CU_FILE_INVALID_VALUE);
    if (exceedsAllocation(bufPtr_base, length))
      return refuse("cuFileBufRegister", CU_FILE_CUDA_POINTER_RANGE_ERROR,
                    "the buffer is longer than its allocation");
    openDriver();
    const std::lock_guard lock(files().mutex);
    const bool added = files().buffers.emplace(bufPtr_base, length).second;
    return status(added ? CU_FILE_SUCCESS : CU_FILE_MEMORY_ALREADY_REGISTERED);
  });
}

CUfileError_t cuFileBufDeregister(const void *bufPtr_base) {
  const std::lock_guard lock(files().mutex);
  const bool removed = files().buffers.erase(bufPtr_base) != 0;
  return status(removed ? CU_FILE_SUCCESS : CU_FILE_MEMORY_NOT_REGISTERED);
}
