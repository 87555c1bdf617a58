// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libnvJitLink.so.12 (nvJitLink documentation).
#include "nvJitLink.h"

#include "rtc/common/compiler_process.h"
#include "rtc/common/handles.h"

#include <__heddle_host/release.h>
#include <cctype>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

using namespace heddle::rtc;

namespace {

struct Link {
  std::mutex mutex;
  std::vector<std::string> options; // heddlecc's
  bool ptx = false, complete = false;
  struct Input {
    std::string kind, name, bytes;
  };
  std::vector<Input> inputs;
  std::string errors, information, cubin, text;
};

template <typename Call> nvJitLinkResult guarded(Call &&call) {
  try {
    return call();
  } catch (...) { // only memory can be missing
    return NVJITLINK_ERROR_INTERNAL;
  }
}

template <typename Call> nvJitLinkResult withLink(nvJitLinkHandle handle, Call &&call) {
  return guarded([&] {
    const auto link = handles<Link>().find(handle);
    if (!link)
      return NVJITLINK_ERROR_INVALID_INPUT;
    const std::lock_guard lock(link->mutex);
    return call(*link);
  });
}

bool isOneOf(const std::string &text, std::initializer_list<const char *> names) {
  for (const char *name : names)
    if (text == name)
      return true;
  return false;
}

/// nvJitLink documentation, "Supported Link Options".
nvJitLinkResult addOption(const std::string &option, Link &link, bool &has_arch) {
  const size_t equals = option.find('=');
  const std::string name = option.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : option.substr(equals + 1);
  if (name == "-arch") {
    const bool known = value.starts_with("sm_") || value.starts_with("compute_");
    const size_t digits = value.find_first_of("0123456789");
    if (!known || digits == std::string::npos || value.size() - digits > 4)
      return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
    has_arch = true;
    link.options.push_back(option);
  } else if (option == "-ptx") {
    link.ptx = true;
  } else if (isOneOf(name, {"-maxrregcount", "-ftz", "-fma", "-lineinfo", "-g"})) {
    link.options.push_back(name == "-fma" ? "-fmad=" + value : option);
  } else if (!isOneOf(name, {"-time", "-verbose", "-lto", "-O0", "-O1", "-O2", "-O3", "-prec-div",
                             "-prec-sqrt", "-kernels-used", "-variables-used",
                             "-optimize-unused-variables", "-Xptxas", "-Xnvvm", "-split-compile",
                             "-split-compile-extended", "-no-cache", "-jump-table-density",
                             "-device-stack-protector"}) &&
             !option.starts_with("-Xptxas") && !option.starts_with("-Xnvvm")) {
    link.errors += fmt::format("ERROR: unrecognized option '{}'\n", option);
    return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
  }
  return NVJITLINK_SUCCESS;
}

const char *kindName(nvJitLinkInputType type) {
  switch (type) {
  case NVJITLINK_INPUT_CUBIN:
  case NVJITLINK_INPUT_FATBIN:
    return "image";
  case NVJITLINK_INPUT_PTX:
    return "ptx";
  case NVJITLINK_INPUT_LTOIR:
    return "ltoir";
  case NVJITLINK_INPUT_OBJECT:
  case NVJITLINK_INPUT_LIBRARY:
    return "object";
  case NVJITLINK_INPUT_ANY:
    return "any";
  default:
    return nullptr;
  }
}

nvJitLinkResult complete(Link &link) {
  if (link.inputs.empty())
    return NVJITLINK_ERROR_INVALID_INPUT;
  Message request;
  request.add("kind", "link");
  for (const Link::Input &input : link.inputs) {
    request.add("input-kind", input.kind);
    request.add("input-name", input.name);
    request.add("input", input.bytes);
  }
  for (const std::string &option : link.options)
    request.add("option", option);
  request.add("make", link.ptx ? "ptx" : "cubin");
  const Message answer = ask(request);
  const bool good = answer.first("status") == "good";
  (good ? link.information : link.errors) = answer.first("log");
  link.cubin = answer.first("cubin");
  link.text = answer.first("ptx");
  link.complete = good;
  const std::string &reason = answer.first("reason");
  return good                                 ? NVJITLINK_SUCCESS
         : reason == "ptx"                    ? NVJITLINK_ERROR_PTX_COMPILE
         : reason == "input"                  ? NVJITLINK_ERROR_UNRECOGNIZED_INPUT
         : answer.first("status") == "errors" ? NVJITLINK_ERROR_FINALIZE
                                              : NVJITLINK_ERROR_INTERNAL;
}

// The results only come when the link is complete; logs always.
nvJitLinkResult getSize(nvJitLinkHandle handle, std::string Link::*result, bool is_text,
                        bool when_complete, size_t *size) {
  return withLink(handle, [&](Link &link) {
    if (!size || (when_complete && (!link.complete || (link.*result).empty())))
      return NVJITLINK_ERROR_INVALID_INPUT;
    *size = (link.*result).size() + (is_text ? 1 : 0);
    return NVJITLINK_SUCCESS;
  });
}

nvJitLinkResult getBytes(nvJitLinkHandle handle, std::string Link::*result, bool is_text,
                         bool when_complete, void *bytes) {
  return withLink(handle, [&](Link &link) {
    if (!bytes || (when_complete && (!link.complete || (link.*result).empty())))
      return NVJITLINK_ERROR_INVALID_INPUT;
    std::memcpy(bytes, (link.*result).c_str(), (link.*result).size() + (is_text ? 1 : 0));
    return NVJITLINK_SUCCESS;
  });
}

} // namespace

extern "C" {

// Programs that were compiled with NVIDIA's headers call the functions of the version they know.
#define HEDDLE_VERSION(VERSION, FUNCTION, PARAMETERS, ARGUMENTS)                                   \
  nvJitLinkResult __##FUNCTION##_##VERSION PARAMETERS { return FUNCTION ARGUMENTS; }
#if __HEDDLE_CUDA__ >= 13
#define HEDDLE_VERSIONS(FUNCTION, PARAMETERS, ARGUMENTS)                                           \
  HEDDLE_VERSION(13_0, FUNCTION, PARAMETERS, ARGUMENTS)                                            \
  HEDDLE_VERSION(13_1, FUNCTION, PARAMETERS, ARGUMENTS)                                            \
  HEDDLE_VERSION(13_2, FUNCTION, PARAMETERS, ARGUMENTS)                                            \
  HEDDLE_VERSION(13_3, FUNCTION, PARAMETERS, ARGUMENTS)                                            \
  HEDDLE_VERSION(13_4, FUNCTION, PARAMETERS, ARGUMENTS)                                            \
  HEDDLE_VERSION(13_5, FUNCTION, PARAMETERS, ARGUMENTS)
#else
#define HEDDLE_VERSIONS(FUNCTION, PARAMETERS, ARGUMENTS)                                           \
  HEDDLE_VERSION(12_0, FUNCTION, PARAMETERS, ARGUMENTS)                                            \
  HEDDLE_VERSION(12_1, FUNCTION, PARAMETERS, ARGUMENTS)                                            \
  HEDDLE_VERSION(12_2, FUNCTION, PARAMETERS, ARGUMENTS)                                            \
  HEDDLE_VERSION(12_3, FUNCTION, PARAMETERS, ARGUMENTS)                                            \
  HEDDLE_VERSION(12_4, FUNCTION, PARAMETERS, ARGUMENTS)                                            \
  HEDDLE_VERSION(12_5, FUNCTION, PARAMETERS, ARGUMENTS)                                            \
  HEDDLE_VERSION(12_6, FUNCTION, PARAMETERS, ARGUMENTS)                                            \
  HEDDLE_VERSION(12_7, FUNCTION, PARAMETERS, ARGUMENTS)                                            \
  HEDDLE_VERSION(12_8, FUNCTION, PARAMETERS, ARGUMENTS)                                            \
  HEDDLE_VERSION(12_9, FUNCTION, PARAMETERS, ARGUMENTS)
#endif

nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t count, const char **options) {
  return guarded([&] {
    if (!handle || (count > 0 && !options))
      return NVJITLINK_ERROR_INVALID_INPUT;
    auto link = std::make_shared<Link>();
    bool has_arch = false;
    for (uint32_t i = 0; i < count; ++i) {
      if (!options[i])
        return NVJITLINK_ERROR_INVALID_INPUT;
      if (const nvJitLinkResult result = addOption(options[i], *link, has_arch))
        return result;
    }
    if (!has_arch)
      return NVJITLINK_ERROR_MISSING_ARCH;
    *handle = static_cast<nvJitLinkHandle>(handles<Link>().add(std::move(link)));
    return NVJITLINK_SUCCESS;
  });
}

nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *handle) {
  if (!handle || !handles<Link>().remove(*handle))
    return NVJITLINK_ERROR_INVALID_INPUT;
  *handle = nullptr;
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType type, const void *data,
                                 size_t size, const char *name) {
  return withLink(handle, [&](Link &link) {
    const char *kind = kindName(type);
    if (!data || size == 0 || !kind || link.complete)
      return NVJITLINK_ERROR_INVALID_INPUT;
    link.inputs.push_back({kind, name && *name ? name : "<unnamed>",
                           std::string(static_cast<const char *>(data), size)});
    return NVJITLINK_SUCCESS;
  });
}

nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType type,
                                 const char *file_name) {
  return withLink(handle, [&](Link &link) {
    const char *kind = kindName(type);
    if (!file_name || !kind || link.complete)
      return NVJITLINK_ERROR_INVALID_INPUT;
    std::ifstream file(file_name, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file || bytes.empty()) {
      link.errors += fmt::format("ERROR: cannot read {}\n", file_name);
      return NVJITLINK_ERROR_INVALID_INPUT;
    }
    link.inputs.push_back({kind, file_name, std::move(bytes)});
    return NVJITLINK_SUCCESS;
  });
}

nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle) {
  return withLink(handle, [](Link &link) { return complete(link); });
}

nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t *size) {
  return getSize(handle, &Link::cubin, false, true, size);
}
nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void *cubin) {
  return getBytes(handle, &Link::cubin, false, true, cubin);
}
nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t *size) {
  return getSize(handle, &Link::text, true, true, size);
}
nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char *ptx) {
  return getBytes(handle, &Link::text, true, true, ptx);
}
nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t *size) {
  return getSize(handle, &Link::errors, true, false, size);
}
nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char *log) {
  return getBytes(handle, &Link::errors, true, false, log);
}
nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t *size) {
  return getSize(handle, &Link::information, true, false, size);
}
nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char *log) {
  return getBytes(handle, &Link::information, true, false, log);
}

nvJitLinkResult nvJitLinkVersion(unsigned int *major, unsigned int *minor) {
  if (!major || !minor)
    return NVJITLINK_ERROR_INVALID_INPUT;
  *major = HEDDLE_CUDA_VERSION / 1000;
  *minor = HEDDLE_CUDA_VERSION % 1000 / 10;
  return NVJITLINK_SUCCESS;
}

HEDDLE_VERSIONS(nvJitLinkCreate, (nvJitLinkHandle * handle, uint32_t count, const char **options),
                (handle, count, options))
HEDDLE_VERSIONS(nvJitLinkDestroy, (nvJitLinkHandle * handle), (handle))
HEDDLE_VERSIONS(nvJitLinkAddData,
                (nvJitLinkHandle handle, nvJitLinkInputType type, const void *data, size_t size,
                 const char *name),
                (handle, type, data, size, name))
HEDDLE_VERSIONS(nvJitLinkAddFile,
                (nvJitLinkHandle handle, nvJitLinkInputType type, const char *file_name),
                (handle, type, file_name))
HEDDLE_VERSIONS(nvJitLinkComplete, (nvJitLinkHandle handle), (handle))
HEDDLE_VERSIONS(nvJitLinkGetLinkedCubinSize, (nvJitLinkHandle handle, size_t *size), (handle, size))
HEDDLE_VERSIONS(nvJitLinkGetLinkedCubin, (nvJitLinkHandle handle, void *cubin), (handle, cubin))
HEDDLE_VERSIONS(nvJitLinkGetLinkedPtxSize, (nvJitLinkHandle handle, size_t *size), (handle, size))
HEDDLE_VERSIONS(nvJitLinkGetLinkedPtx, (nvJitLinkHandle handle, char *ptx), (handle, ptx))
HEDDLE_VERSIONS(nvJitLinkGetErrorLogSize, (nvJitLinkHandle handle, size_t *size), (handle, size))
HEDDLE_VERSIONS(nvJitLinkGetErrorLog, (nvJitLinkHandle handle, char *log), (handle, log))
HEDDLE_VERSIONS(nvJitLinkGetInfoLogSize, (nvJitLinkHandle handle, size_t *size), (handle, size))
HEDDLE_VERSIONS(nvJitLinkGetInfoLog, (nvJitLinkHandle handle, char *log), (handle, log))

} // extern "C"
