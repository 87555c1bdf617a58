// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of nvFatbin. A handle is a fat binary that grows; what is refused is not in it.
#include "code.h"
#include "objects.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>
#include <unordered_map>

using namespace heddle::fatbin;

namespace {

struct Binary {
  std::mutex mutex; // guards what follows
  Settings settings;
  Container container;
  std::set<std::pair<unsigned, std::string>> objects_ptx; // by capability and name
};

struct Binaries {
  std::mutex mutex;
  std::unordered_map<nvFatbinHandle, std::shared_ptr<Binary>> all;

  static Binaries &instance() {
    static auto *binaries = new Binaries; // outlives the program's static objects
    return *binaries;
  }
};

template <class Call> nvFatbinResult guarded(Call call) noexcept {
  try {
    return call();
  } catch (...) { // only memory can be missing
    return NVFATBIN_ERROR_INTERNAL;
  }
}

template <class Call> nvFatbinResult withBinary(nvFatbinHandle handle, Call call) noexcept {
  return guarded([&] {
    std::shared_ptr<Binary> found;
    {
      Binaries &binaries = Binaries::instance();
      std::lock_guard lock(binaries.mutex);
      if (const auto it = binaries.all.find(handle); it != binaries.all.end())
        found = it->second;
    }
    if (!found)
      return NVFATBIN_ERROR_NULL_POINTER;
    std::lock_guard lock(found->mutex);
    return call(*found);
  });
}

/// nvFatbin documentation, "Supported Options". -c and -concat change nothing here.
bool readOption(std::string_view option, Settings &settings) {
  const auto is = [&](std::string_view name) { return option == name; };
  if (is("-32") || is("-64"))
    settings.is_64_bit = is("-64");
  else if (is("-g"))
    settings.debug = true;
  else if (is("-cuda") || is("-opencl"))
    settings.opencl = is("-opencl");
  else if (is("-compress=true") || is("-compress=false"))
    settings.compress = is("-compress=true");
  else if (is("-compress-mode=none"))
    settings.compress = settings.compress_all = false;
  else if (is("-compress-all"))
    settings.compress_all = true;
  else if (is("-host=linux"))
    settings.host = Settings::Host::Linux;
  else if (is("-host=windows"))
    settings.host = Settings::Host::Windows;
  else if (is("-host=mac"))
    settings.host = Settings::Host::Mac;
  else
    return is("-c") || is("-concat") || is("-compress-mode=default") || is("-compress-mode=size") ||
           is("-compress-mode=speed") || is("-compress-mode=balance");
  return true;
}

std::string_view textOrNone(const char *text) { return text ? text : ""; }

/// What all calls that add code check first.
nvFatbinResult checkCode(const void *code, size_t size) {
  return !code   ? NVFATBIN_ERROR_NULL_POINTER
         : !size ? NVFATBIN_ERROR_EMPTY_INPUT
                 : NVFATBIN_SUCCESS;
}

nvFatbinResult readArchOf(const char *text, Arch &arch) {
  if (!text)
    return NVFATBIN_ERROR_NULL_POINTER;
  const std::optional<Arch> found = readArch(text);
  if (!found)
    return NVFATBIN_ERROR_INVALID_ARCH;
  arch = *found;
  return NVFATBIN_SUCCESS;
}

/// What the calls that add code for a GPU are given.
struct Added {
  const void *code;
  size_t size;
  const char *arch, *identifier;
};

/// Adds the code once `complete` has looked at it and said what is its kind's own. The string stays
/// until then, for content that is another than what was given.
template <class Complete>
nvFatbinResult addCode(nvFatbinHandle handle, const Added &added, Complete complete) {
  return withBinary(handle, [&](Binary &binary) {
    Entry entry;
    std::string text;
    if (const nvFatbinResult result = checkCode(added.code, added.size))
      return result;
    if (const nvFatbinResult result = readArchOf(added.arch, entry.arch))
      return result;
    entry.name = textOrNone(added.identifier);
    entry.content = {static_cast<const char *>(added.code), added.size};
    if (const nvFatbinResult result = complete(entry, text))
      return result;
    binary.container.add(entry, binary.settings);
    return NVFATBIN_SUCCESS;
  });
}

} // namespace

const char *nvFatbinGetErrorString(nvFatbinResult result) {
  switch (result) {
  case NVFATBIN_SUCCESS:
    return nullptr;
  case NVFATBIN_ERROR_INTERNAL:
    return "internal error";
  case NVFATBIN_ERROR_ELF_ARCH_MISMATCH:
    return "the cubin is not for the architecture that was named";
  case NVFATBIN_ERROR_ELF_SIZE_MISMATCH:
    return "not a cubin, or one of another size than was said";
  case NVFATBIN_ERROR_MISSING_PTX_VERSION:
    return "the PTX says no version";
  case NVFATBIN_ERROR_NULL_POINTER:
    return "a null pointer, or a handle that is none";
  case NVFATBIN_ERROR_COMPRESSION_FAILED:
    return "compression failed";
  case NVFATBIN_ERROR_COMPRESSED_SIZE_EXCEEDED:
    return "the compressed code is too large for a fat binary";
  case NVFATBIN_ERROR_UNRECOGNIZED_OPTION:
    return "unknown option";
  case NVFATBIN_ERROR_INVALID_ARCH:
    return "invalid architecture: digits and 'a' or 'f', such as 90a";
  case NVFATBIN_ERROR_INVALID_NVVM:
    return "invalid NVVM IR";
  case NVFATBIN_ERROR_EMPTY_INPUT:
    return "empty input";
  case NVFATBIN_ERROR_MISSING_PTX_ARCH:
    return "the PTX says no architecture";
  case NVFATBIN_ERROR_PTX_ARCH_MISMATCH:
    return "the PTX is not for the architecture that was named";
  case NVFATBIN_ERROR_MISSING_FATBIN:
    return "the host's object has no fat binary";
  case NVFATBIN_ERROR_INVALID_INDEX:
    return "invalid index";
  case NVFATBIN_ERROR_IDENTIFIER_REUSE:
    return "relocatable PTX for one architecture has the same name twice";
  case NVFATBIN_ERROR_INTERNAL_PTX_OPTION:
    return "the PTX's options are internal ones";
  }
  return "unknown error";
}

nvFatbinResult nvFatbinCreate(nvFatbinHandle *handle, const char **options, size_t count) {
  return guarded([&] {
    if (!handle || (count && !options))
      return NVFATBIN_ERROR_NULL_POINTER;
    auto made = std::make_shared<Binary>();
    for (size_t i = 0; i < count; ++i) {
      if (!options[i])
        return NVFATBIN_ERROR_NULL_POINTER;
      if (!readOption(options[i], made->settings))
        return NVFATBIN_ERROR_UNRECOGNIZED_OPTION;
    }
    *handle = reinterpret_cast<nvFatbinHandle>(made.get());
    Binaries &binaries = Binaries::instance();
    std::lock_guard lock(binaries.mutex);
    binaries.all[*handle] = std::move(made);
    return NVFATBIN_SUCCESS;
  });
}

nvFatbinResult nvFatbinDestroy(nvFatbinHandle *handle) {
  if (!handle)
    return NVFATBIN_ERROR_NULL_POINTER;
  Binaries &binaries = Binaries::instance();
  std::lock_guard lock(binaries.mutex);
  if (!binaries.all.erase(*handle))
    return NVFATBIN_ERROR_NULL_POINTER;
  *handle = nullptr;
  return NVFATBIN_SUCCESS;
}

nvFatbinResult nvFatbinAddPTX(nvFatbinHandle handle, const char *code, size_t size,
                              const char *arch, const char *identifier, const char *options) {
  return addCode(handle, {code, size, arch, identifier}, [&](Entry &entry, std::string &text) {
    text.assign(code, strnlen(code, size));
    if (text.empty())
      return NVFATBIN_ERROR_EMPTY_INPUT;
    const auto version = ptxVersion(text);
    if (!version)
      return NVFATBIN_ERROR_MISSING_PTX_VERSION;
    text.push_back('\0');
    std::tie(entry.major, entry.minor) = *version;
    entry.options = textOrNone(options);
    entry.content = text;
    return NVFATBIN_SUCCESS;
  });
}

nvFatbinResult nvFatbinAddCubin(nvFatbinHandle handle, const void *code, size_t size,
                                const char *arch, const char *identifier) {
  return addCode(handle, {code, size, arch, identifier}, [&](Entry &entry, std::string &) {
    entry.kind = Kind::MachineCode;
    entry.major = 1;
    entry.minor = 7;
    return checkCubin(entry.content, entry.arch);
  });
}

nvFatbinResult nvFatbinAddLTOIR(nvFatbinHandle handle, const void *code, size_t size,
                                const char *arch, const char *identifier, const char *options) {
  return addCode(handle, {code, size, arch, identifier}, [&](Entry &entry, std::string &) {
    entry.kind = Kind::LtoIr;
    entry.major = 1;
    entry.options = textOrNone(options);
    return isLtoIr(entry.content) ? NVFATBIN_SUCCESS : NVFATBIN_ERROR_INTERNAL;
  });
}

// Nothing makes such files (nvFatbin documentation).
nvFatbinResult nvFatbinAddIndex(nvFatbinHandle handle, const void *code, size_t size,
                                const char *) {
  return withBinary(handle, [&](Binary &) {
    const nvFatbinResult result = checkCode(code, size);
    return result ? result : NVFATBIN_ERROR_INVALID_INDEX;
  });
}

nvFatbinResult nvFatbinAddReloc(nvFatbinHandle handle, const void *code, size_t size) {
  return withBinary(handle, [&](Binary &binary) {
    if (const nvFatbinResult result = checkCode(code, size))
      return result;
    std::vector<ObjectPtx> found;
    if (const nvFatbinResult result = ptxOfObject({static_cast<const char *>(code), size}, found))
      return result;
    for (const ObjectPtx &ptx : found) {
      if (!binary.objects_ptx.emplace(ptx.capability, std::string(ptx.name)).second)
        return NVFATBIN_ERROR_IDENTIFIER_REUSE;
      binary.container.addWhole(ptx.entry);
    }
    return NVFATBIN_SUCCESS;
  });
}

nvFatbinResult nvFatbinSize(nvFatbinHandle handle, size_t *size) {
  return withBinary(handle, [&](Binary &binary) {
    if (!size)
      return NVFATBIN_ERROR_NULL_POINTER;
    *size = binary.container.bytes().size();
    return NVFATBIN_SUCCESS;
  });
}

nvFatbinResult nvFatbinGet(nvFatbinHandle handle, void *buffer) {
  return withBinary(handle, [&](Binary &binary) {
    if (!buffer)
      return NVFATBIN_ERROR_NULL_POINTER;
    const std::string &bytes = binary.container.bytes();
    std::memcpy(buffer, bytes.data(), bytes.size());
    return NVFATBIN_SUCCESS;
  });
}
