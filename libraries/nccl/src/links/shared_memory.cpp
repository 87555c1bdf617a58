// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "links/shared_memory.h"
#include "bootstrap.h"

#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::nccl {

namespace {

void *map(int descriptor, size_t bytes) {
  void *const start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return start == MAP_FAILED ? nullptr : start;
}

} // namespace

SharedMemory SharedMemory::make(size_t bytes) {
  SharedMemory made;
  made.descriptor_ = memfd_create("heddle-nccl", MFD_CLOEXEC);
  if (made.descriptor_ < 0 || ftruncate(made.descriptor_, off_t(bytes)) != 0)
    return {};
  made.data_ = map(made.descriptor_, bytes);
  made.bytes_ = bytes;
  if (made)
    *made.as<uint64_t>() = randomNumber();
  return made;
}

SharedMemory SharedMemory::open(const Offer &offer, size_t bytes) {
  if (offer.descriptor < 0)
    return {};
  const std::string path =
      "/proc/" + std::to_string(offer.process) + "/fd/" + std::to_string(offer.descriptor);
  // In another namespace of processes the number may be that of another file.
  struct stat status;
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size != off_t(bytes))
    return {};
  SharedMemory opened;
  opened.descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (opened.descriptor_ < 0)
    return {};
  opened.data_ = map(opened.descriptor_, bytes);
  opened.bytes_ = bytes;
  opened.closeFile();
  if (opened && *opened.as<uint64_t>() != offer.mark)
    return {};
  return opened;
}

SharedMemory &SharedMemory::operator=(SharedMemory &&other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

SharedMemory::~SharedMemory() {
  if (data_)
    munmap(data_, bytes_);
  closeFile();
}

SharedMemory::Offer SharedMemory::offer() const {
  return data_ ? Offer{getpid(), descriptor_, *as<uint64_t>()} : Offer{};
}

void SharedMemory::closeFile() {
  if (descriptor_ >= 0)
    close(std::exchange(descriptor_, -1));
}

} // namespace heddle::nccl
