// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/interprocess/shared_file.h"

#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle {
namespace {

constexpr size_t page = 4096;

uint64_t inodeOf(int descriptor) {
  struct stat found = {};
  return fstat(descriptor, &found) == 0 ? found.st_ino : 0;
}

} // namespace

int createSharedFile(const char *name, size_t bytes) {
  const int descriptor = memfd_create(name, MFD_CLOEXEC);
  if (descriptor >= 0 && ftruncate(descriptor, off_t(bytes)) != 0) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

SharedFile describeSharedFile(int descriptor) {
  return {getpid(), descriptor, inodeOf(descriptor)};
}

int openSharedFile(const SharedFile &file) {
  const std::string path =
      "/proc/" + std::to_string(file.process) + "/fd/" + std::to_string(file.descriptor);
  const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor >= 0 && inodeOf(descriptor) != file.inode) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

SharedMapping mapSharedFile(int descriptor, uint64_t offset, size_t bytes) {
  const size_t before = offset % page;
  const size_t length = (before + bytes + page - 1) / page * page;
  SharedMapping mapping;
  mapping.whole_bytes = length + 2 * page;
  mapping.whole = mmap(nullptr, mapping.whole_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping.whole == MAP_FAILED)
    return {};
  char *place = static_cast<char *>(mapping.whole) + page;
  if (mmap(place, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor,
           off_t(offset - before)) == MAP_FAILED) {
    unmapSharedFile(mapping);
    return {};
  }
  mapping.start = place + before;
  return mapping;
}

void unmapSharedFile(const SharedMapping &mapping) {
  if (mapping.whole)
    munmap(mapping.whole, mapping.whole_bytes);
}

} // namespace heddle
