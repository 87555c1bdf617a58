// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/toolkit/images.h"

#include "frontend/compile.h"
#include "module/image/image_pair.h"
#include "module/ptx_output/emit_ptx.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>
#include <stdexcept>

namespace heddle::cli {
namespace {

// Images lie one behind the other, with zeros between them; of code for debuggers there are two.
void addImages(llvm::StringRef bytes, std::vector<Image> &images) {
  for (size_t at = 0; at + 24 <= bytes.size();) {
    const char *data = bytes.data() + at;
    if (const auto pair = readImagePair(data);
        pair && pair->as_written.data() + pair->as_written.size() <= bytes.end()) {
      addImages({pair->optimised.data(), pair->optimised.size()}, images);
      at = size_t(pair->as_written.data() + pair->as_written.size() - bytes.data());
      continue;
    }
    const size_t size = imageBytes(data);
    if (size == 0 || size > bytes.size() - at) {
      ++at;
      continue;
    }
    images.push_back(readImage({reinterpret_cast<const std::byte *>(data), size}));
    at += size;
  }
}

std::vector<Image> findImages(const llvm::MemoryBuffer &file) {
  std::vector<Image> images;
  auto object = llvm::object::ObjectFile::createObjectFile(file.getMemBufferRef());
  if (!object) {
    llvm::consumeError(object.takeError());
    addImages(file.getBuffer(), images);
    return images;
  }
  for (const llvm::object::SectionRef &section : (*object)->sections()) {
    auto name = section.getName();
    auto content = section.getContents();
    if (name && content && *name == ".nv_fatbin")
      addImages(*content, images);
    llvm::consumeError(name.takeError());
    llvm::consumeError(content.takeError());
  }
  return images;
}

} // namespace

ImageFile::ImageFile(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    throw std::runtime_error(fmt::format("cannot open {}: {}", path, file.getError().message()));
  file_ = std::move(*file);
  images_ = findImages(*file_);
  if (images_.empty())
    throw std::runtime_error(fmt::format("File '{}' does not contain device code", path));
}

ImageFile::~ImageFile() = default;

std::string ptxOf(const Image &image) {
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef({image.bitcode.data(), image.bitcode.size()}, image.info.source),
      context);
  if (!module)
    throw std::runtime_error(toString(module.takeError()));
  frontend::Options options;
  options.arch = image.info.arch;
  return emitPtx(**module, frontend::ptxOptions(options, image.info.source));
}

} // namespace heddle::cli
