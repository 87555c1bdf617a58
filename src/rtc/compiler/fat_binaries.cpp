// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rtc/compiler/fat_binaries.h"

#include "module/image/nvidia_fat_binary.h"

#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"

#include <stdexcept>

using namespace llvm;

namespace heddle::rtc {
namespace {

class Finder {
public:
  explicit Finder(unsigned capability) : capability_(capability) {}

  // Sections hold one fat binary behind another, with zeros between them.
  void addBytes(StringRef bytes, const std::string &name) {
    for (size_t size = 0; bytes.size() >= 16; bytes = bytes.drop_front(size)) {
      size = 8;
      if (!isNvidiaFatBinary(bytes.data()))
        continue;
      size = fatBinaryBytes(bytes.data(), bytes.size());
      std::string text = ptxOfFatBinary(bytes.data(), bytes.size(), capability_);
      if (text.empty())
        throw std::runtime_error("it has machine code of GPUs only, without PTX");
      if (!isDeviceRuntime(text))
        texts.push_back({name, std::move(text)});
    }
  }

  void addObject(const object::ObjectFile &file, const std::string &name) {
    for (const object::SectionRef &section : file.sections()) {
      auto kind = section.getName();
      auto bytes = section.getContents();
      if (kind && bytes && (*kind == "__nv_relfatbin" || *kind == ".nv_fatbin"))
        addBytes(*bytes, name);
      consumeError(kind.takeError());
      consumeError(bytes.takeError());
    }
  }

  void addArchive(const object::Archive &archive, const std::string &name) {
    Error error = Error::success();
    for (const object::Archive::Child &child : archive.children(error)) {
      auto binary = child.getAsBinary();
      auto member = child.getName();
      if (binary && member)
        if (const auto *file = dyn_cast<object::ObjectFile>(binary->get()))
          addObject(*file, name + ":" + member->str());
      consumeError(binary.takeError());
      consumeError(member.takeError());
    }
    consumeError(std::move(error)); // what could be read has been
  }

  std::vector<PtxText> texts;

private:
  const unsigned capability_;
};

} // namespace

std::vector<PtxText> textsOfFatBinaries(const std::string &bytes, const std::string &name,
                                        unsigned capability) {
  Finder finder(capability);
  if (bytes.size() >= 16 && isNvidiaFatBinary(bytes.data())) {
    finder.addBytes(bytes, name);
    return std::move(finder.texts);
  }
  auto binary = object::createBinary(MemoryBufferRef(bytes, name));
  if (!binary) {
    consumeError(binary.takeError());
    return {};
  }
  if (const auto *archive = dyn_cast<object::Archive>(binary->get()))
    finder.addArchive(*archive, name);
  else if (const auto *file = dyn_cast<object::ObjectFile>(binary->get()))
    finder.addObject(*file, name);
  return std::move(finder.texts);
}

} // namespace heddle::rtc
