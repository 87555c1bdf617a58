// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/toolkit/cuobjdump.h"

#include "frontend/compile.h"
#include "module/image/image.h"
#include "module/image/image_pair.h"
#include "module/ptx_output/emit_ptx.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdio>
#include <fmt/format.h>
#include <stdexcept>

namespace heddle::cli {
namespace {

enum class Wanted { Nothing, Ptx, ListElf, ListPtx, Resources };

constexpr const char *usage =
    "Usage: cuobjdump [options] file\n"
    "  -ptx, --dump-ptx                     PTX of all device images in the file\n"
    "  -lelf, --list-elf                    the images\n"
    "  -lptx, --list-ptx                    the same, as PTX\n"
    "  -res-usage, --dump-resource-usage    registers, memory and parameters of each kernel\n"
    "A file is an image (heddlecc -cubin, -fatbin), an object file, a program or a library.\n"
    "Heddle makes no machine code of GPUs: -sass and -elf have nothing to show.\n";

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

void showPtx(const Image &image) {
  fmt::print("\nFatbin ptx code:\n================\narch = sm_{}\ncode version = [8,4]\n"
             "host = linux\ncompile_size = 64bit\nidentifier = {}\n\n{}\n",
             image.info.arch / 10, image.info.source, ptxOf(image));
}

void showResources(const Image &image) {
  fmt::print("\nResource usage:\n");
  for (const KernelInfo &kernel : image.info.kernels)
    fmt::print(" Function {}:\n  REG:{} STACK:{} SHARED:{} LOCAL:0 CONSTANT[0]:{} CONSTANT[3]:{} "
               "TEXTURE:0 SURFACE:0 SAMPLER:0\n",
               kernel.name, kernel.registers, kernel.local_bytes, kernel.static_shared_bytes,
               kernel.parameter_bytes, kernel.constant_bytes);
}

int show(const std::string &path, Wanted wanted) {
  const auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    throw std::runtime_error(fmt::format("cannot open {}: {}", path, file.getError().message()));
  const std::vector<Image> images = findImages(**file);
  if (images.empty())
    throw std::runtime_error(fmt::format("File '{}' does not contain device code", path));
  size_t number = 1;
  for (const Image &image : images) {
    if (wanted == Wanted::Ptx)
      showPtx(image);
    else if (wanted == Wanted::Resources)
      showResources(image);
    else
      fmt::print("{} file {:4}: {}.{}.sm_{}.{}\n", wanted == Wanted::ListElf ? "ELF" : "PTX",
                 number, image.info.source, number, image.info.arch / 10,
                 wanted == Wanted::ListElf ? "cubin" : "ptx");
    ++number;
  }
  return 0;
}

} // namespace

int dumpObjects(int argc, char **argv) {
  Wanted wanted = Wanted::Nothing;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "-ptx" || word == "--dump-ptx")
      wanted = Wanted::Ptx;
    else if (word == "-lelf" || word == "--list-elf")
      wanted = Wanted::ListElf;
    else if (word == "-lptx" || word == "--list-ptx")
      wanted = Wanted::ListPtx;
    else if (word == "-res-usage" || word == "--dump-resource-usage")
      wanted = Wanted::Resources;
    else if (word == "-h" || word == "--help")
      return std::fputs(usage, stdout) < 0;
    else if (word.starts_with("-"))
      throw std::runtime_error(fmt::format("option '{}' is not supported", word));
    else
      files.push_back(word);
  }
  if (files.empty() || wanted == Wanted::Nothing) {
    std::fputs(usage, stderr);
    return 1;
  }
  for (const std::string &file : files)
    show(file, wanted);
  return 0;
}

} // namespace heddle::cli
