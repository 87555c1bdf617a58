// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/source/source_files.h"

#include "frontend/source/nvcc_syntax.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace heddle::frontend {
namespace {

// Headers of the system are not written for nvcc, but Debian's of Eigen.
bool isAsItIs(StringRef name) {
  return name.ends_with(".pch") || name.starts_with("/lib/") ||
         (name.starts_with("/usr/") && !name.contains("/Eigen/src/Core/util/"));
}

class RewrittenFile : public vfs::File {
public:
  RewrittenFile(vfs::Status status, std::unique_ptr<MemoryBuffer> buffer)
      : status_(std::move(status)), buffer_(std::move(buffer)) {}
  ErrorOr<vfs::Status> status() override { return status_; }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &, int64_t, bool, bool) override {
    return MemoryBuffer::getMemBufferCopy(buffer_->getBuffer(), buffer_->getBufferIdentifier());
  }
  std::error_code close() override { return {}; }

private:
  vfs::Status status_;
  std::unique_ptr<MemoryBuffer> buffer_;
};

class SourceFiles : public vfs::ProxyFileSystem {
public:
  SourceFiles(const SharedObjects &objects, const Redeclarations &redeclarations,
              IntrusiveRefCntPtr<vfs::FileSystem> disk)
      : ProxyFileSystem(std::move(disk)), objects_(objects), redeclarations_(redeclarations) {}

  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    const std::string name = path.str();
    if (!file || isAsItIs(name))
      return file;
    auto status = (*file)->status();
    if (!status)
      return file;
    auto buffer = (*file)->getBuffer(name, int64_t(status->getSize()));
    if (!buffer)
      return ProxyFileSystem::openFileForRead(path);
    const StringRef text = (*buffer)->getBuffer();
    std::optional<std::string> mended = mendNvccSyntax({text.data(), text.size()});
    if (auto changed = objects_.change(name, mended ? *mended : text.str()))
      mended = std::move(changed);
    if (auto changed = redeclarations_.change(name, mended ? *mended : text.str()))
      mended = std::move(changed);
    if (!mended)
      return ProxyFileSystem::openFileForRead(path);
    auto changed = MemoryBuffer::getMemBufferCopy(*mended, name);
    return std::make_unique<RewrittenFile>(vfs::Status::copyWithNewSize(*status, mended->size()),
                                           std::move(changed));
  }

private:
  const SharedObjects &objects_;
  const Redeclarations &redeclarations_;
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> makeSourceFiles(const SharedObjects &objects,
                                                    const Redeclarations &redeclarations,
                                                    IntrusiveRefCntPtr<vfs::FileSystem> disk) {
  return makeIntrusiveRefCnt<SourceFiles>(objects, redeclarations, std::move(disk));
}

} // namespace heddle::frontend
