// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/toolkit/images.h"

#include "frontend/compile.h"
#include "module/image/image_pair.h"
#include "module/ptx/module/compile.h"
#include "module/ptx_output/emit_ptx.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace heddle::cli {
namespace {

using DeviceCode = ImageFile::DeviceCode;

void addCode(llvm::StringRef bytes, DeviceCode &code);

// The length of what begins here, 0 if that is no device code.
size_t addCodeAt(llvm::StringRef bytes, DeviceCode &code) {
  const char *data = bytes.data();
  if (isNvidiaFatBinary(data)) {
    llvm::append_range(code.fat_binary_codes, codesOfFatBinary(data, bytes.size()));
    return fatBinaryBytes(data, bytes.size());
  }
  if (const auto pair = readImagePair(data);
      pair && pair->as_written.data() + pair->as_written.size() <= bytes.end()) {
    addCode({pair->optimised.data(), pair->optimised.size()}, code);
    return size_t(pair->as_written.data() + pair->as_written.size() - data);
  }
  const size_t size = imageBytes(data);
  if (size == 0 || size > bytes.size())
    return 0;
  code.images.push_back(readImage({reinterpret_cast<const std::byte *>(data), size}));
  return size;
}

// It lies one behind the other, with zeros between; images of code for debuggers are pairs.
void addCode(llvm::StringRef bytes, DeviceCode &code) {
  while (bytes.size() >= 24)
    bytes = bytes.drop_front(std::max<size_t>(addCodeAt(bytes, code), 1));
}

// nvcc's objects keep what is to be linked (-dc) in a section of its own.
bool holdsDeviceCode(llvm::StringRef section) {
  return section == ".nv_fatbin" || section == "__nv_relfatbin";
}

DeviceCode findCode(const llvm::MemoryBuffer &file) {
  DeviceCode code;
  auto object = llvm::object::ObjectFile::createObjectFile(file.getMemBufferRef());
  if (!object) {
    llvm::consumeError(object.takeError());
    addCode(file.getBuffer(), code);
    return code;
  }
  for (const llvm::object::SectionRef &section : (*object)->sections()) {
    auto name = section.getName();
    auto content = section.getContents();
    if (name && content && holdsDeviceCode(*name))
      addCode(*content, code);
    llvm::consumeError(name.takeError());
    llvm::consumeError(content.takeError());
  }
  return code;
}

} // namespace

ImageFile::ImageFile(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    throw std::runtime_error(fmt::format("cannot open {}: {}", path, file.getError().message()));
  file_ = std::move(*file);
  code_ = findCode(*file_);
  if (code_.images.empty() && code_.fat_binary_codes.empty())
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

ImageInfo infoOfPtx(const std::string &text, const std::string &name, unsigned capability) {
  frontend::Options options;
  options.arch = capability * 10;
  const PtxText input{name, text};
  return compilePtx({&input, 1}, frontend::prepareOptions(options, name)).info;
}

} // namespace heddle::cli
