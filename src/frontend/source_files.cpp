// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/source_files.h"

#include "frontend/launch_syntax.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace heddle::frontend {
namespace {

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
  using ProxyFileSystem::ProxyFileSystem;

  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    const std::string name = path.str();
    if (!file || StringRef(name).starts_with("/usr/") || StringRef(name).starts_with("/lib/"))
      return file;
    auto status = (*file)->status();
    if (!status)
      return file;
    auto buffer = (*file)->getBuffer(name, int64_t(status->getSize()));
    if (!buffer)
      return ProxyFileSystem::openFileForRead(path);
    const StringRef text = (*buffer)->getBuffer();
    std::optional<std::string> joined = joinLaunchBrackets({text.data(), text.size()});
    if (!joined)
      return ProxyFileSystem::openFileForRead(path);
    auto changed = MemoryBuffer::getMemBufferCopy(*joined, name);
    return std::make_unique<RewrittenFile>(vfs::Status::copyWithNewSize(*status, joined->size()),
                                           std::move(changed));
  }
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> makeSourceFiles() {
  return makeIntrusiveRefCnt<SourceFiles>(vfs::getRealFileSystem());
}

} // namespace heddle::frontend
