// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/linking/device_inputs.h"

#include "frontend/linking/relocatable_host.h"

#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"

#include <filesystem>
#include <set>
#include <stdexcept>

namespace fs = std::filesystem;

namespace heddle::frontend {
namespace {

using llvm::object::Archive;
using llvm::object::Binary;
using llvm::object::ObjectFile;

void check(llvm::Error error, const std::string &file) {
  if (error)
    throw std::runtime_error(file + ": " + llvm::toString(std::move(error)));
}

template <class T> T get(llvm::Expected<T> value, const std::string &file) {
  check(value.takeError(), file);
  return std::move(*value);
}

void splitIds(llvm::StringRef text, std::vector<std::string> &ids) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, '\0', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts)
    ids.push_back(part.str());
}

std::vector<DeviceObject> readSection(llvm::StringRef bytes, const std::string &name) {
  try {
    return readDeviceObjects({reinterpret_cast<const std::byte *>(bytes.data()), bytes.size()});
  } catch (const std::runtime_error &problem) {
    throw std::runtime_error(name + ": " + problem.what());
  }
}

void readObject(const ObjectFile &object, const std::string &name, bool member,
                DeviceInputs &inputs) {
  for (const llvm::object::SectionRef &section : object.sections()) {
    const llvm::StringRef kind = get(section.getName(), name);
    if (kind != device_code_section && kind != linked_ids_section)
      continue;
    const llvm::StringRef bytes = get(section.getContents(), name);
    if (kind == linked_ids_section) {
      splitIds(bytes, inputs.linked_ids);
      continue;
    }
    for (DeviceObject &found : readSection(bytes, name)) {
      found.file = name;
      found.member = member;
      inputs.objects.push_back(std::move(found));
    }
  }
}

void readArchive(const Archive &archive, const std::string &name, DeviceInputs &inputs) {
  llvm::Error error = llvm::Error::success();
  for (const Archive::Child &child : archive.children(error)) {
    const std::string member = name + ":" + get(child.getName(), name).str();
    auto binary = child.getAsBinary();
    if (!binary) { // text, LLVM IR of another version: not ours
      llvm::consumeError(binary.takeError());
      continue;
    }
    if (const auto *object = llvm::dyn_cast<ObjectFile>(binary->get()))
      readObject(*object, member, true, inputs);
  }
  check(std::move(error), name);
}

bool isAny(const fs::path &path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// Where the linker finds -lname or -l:file. Empty if it is a shared library, or nowhere.
std::string findLibrary(const std::string &name, const std::vector<std::string> &folders) {
  const bool exact = name.starts_with(":");
  for (const fs::path folder : folders) {
    if (!exact && isAny(folder / ("lib" + name + ".so")))
      return "";
    if (fs::path file = folder / (exact ? name.substr(1) : "lib" + name + ".a"); isAny(file))
      return file.string();
  }
  return "";
}

} // namespace

DeviceInputs readDeviceInputs(const std::vector<DeviceFile> &files) {
  DeviceInputs inputs;
  std::set<fs::path> seen;
  for (const auto &[path, name] : files) {
    if (!seen.insert(fs::weakly_canonical(path)).second)
      continue;
    auto binary = llvm::object::createBinary(path);
    if (!binary) {
      // A linker script, for example. What cannot be opened is reported by who opens all files.
      llvm::consumeError(binary.takeError());
      continue;
    }
    if (const auto *archive = llvm::dyn_cast<Archive>(binary->getBinary()))
      readArchive(*archive, name, inputs);
    else if (const auto *object = llvm::dyn_cast<ObjectFile>(binary->getBinary());
             object && object->isRelocatableObject())
      readObject(*object, name, false, inputs);
  }
  return inputs;
}

std::vector<DeviceFile> findLinkedFiles(const std::vector<std::string> &linker_arguments) {
  std::vector<std::string> folders;
  std::vector<DeviceFile> files;
  for (size_t i = 0; i < linker_arguments.size(); ++i)
    if (linker_arguments[i] == "-L" && i + 1 < linker_arguments.size())
      folders.push_back(linker_arguments[i + 1]);
    else if (linker_arguments[i].starts_with("-L"))
      folders.push_back(linker_arguments[i].substr(2));
  for (size_t i = 0; i < linker_arguments.size(); ++i) {
    const std::string &argument = linker_arguments[i];
    if (argument == "-Xlinker" || argument == "-L")
      ++i;
    else if (argument.starts_with("-l")) {
      if (std::string file = findLibrary(argument.substr(2), folders); !file.empty())
        files.push_back({file, file});
    } else if (!argument.starts_with("-")) {
      files.push_back({argument, argument});
    }
  }
  return files;
}

} // namespace heddle::frontend
