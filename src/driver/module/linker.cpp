// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuLink*: PTX texts become one image. What is one image already is as good as linked.
#include "driver/module/image.h"

#include <cstring>

using namespace heddle;
using namespace heddle::driver;

namespace {

/// What a CUlinkState points to.
struct Link {
  JitOptions options;
  std::vector<engine::PtxInput> texts;
  std::vector<std::byte> image; // the one that was added, or what all texts became
  bool complete = false;
};

Handles<Link> &links() {
  static auto *links = new Handles<Link>;
  return *links;
}

/// Runs a body with a link.
template <class Body> CUresult callLink(CUlinkState handle, Body body) {
  return callContext([&]() -> CUresult {
    const std::shared_ptr<Link> link = links().find(handle);
    return link ? body(*link) : CUDA_ERROR_INVALID_HANDLE;
  });
}

/// Texts are compiled by themselves first, so that what is wrong with one is said here. What it
/// lacks, another one may have.
CUresult addText(Link &link, std::string text, const char *name) {
  engine::PtxInput input{name && *name ? name : "application ptx input", std::move(text)};
  std::vector<std::byte> alone;
  std::string log;
  bool unresolved = false;
  const CUresult error = linkTexts({input}, alone, log, &unresolved);
  if (error && !unresolved) {
    link.options.writeErrors(log);
    return error;
  }
  link.texts.push_back(std::move(input));
  return CUDA_SUCCESS;
}

// Programs show the log, so the reason stands there, too.
CUresult lacking(Link &link, const char *what) {
  link.options.writeErrors(std::string("not supported yet: ") + what + '\n');
  return notSupported(what);
}

CUresult addData(Link &link, CUjitInputType type, const void *data, size_t size, const char *name,
                 unsigned count, const CUjit_option *names, void **values) {
  JitOptions own;
  if (!data || size == 0 || unsigned(type) >= CU_JIT_NUM_INPUT_TYPES || link.complete)
    return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult error = own.read(count, names, values))
    return error;
  if (type == CU_JIT_INPUT_LIBRARY || type == CU_JIT_INPUT_NVVM)
    return lacking(link, "libraries and NVVM in cuLink*");
  // A text need not end in a null byte.
  std::vector<char> copy(static_cast<const char *>(data), static_cast<const char *>(data) + size);
  copy.resize(size + 64);
  if (type == CU_JIT_INPUT_PTX || isText(copy.data())) {
    if (!link.image.empty())
      return lacking(link, "PTX text and an image of heddlecc's in one cuLink*");
    return addText(link, copy.data(), name);
  }
  if (!link.image.empty() || !link.texts.empty())
    return lacking(link, "several inputs of cuLink* of which one is no PTX text");
  return readModule(copy.data(), size, link.options, link.image);
}

/// CUDA_ERROR_INVALID_PTX, too, if functions or variables are missing or there twice.
CUresult complete(Link &link) {
  if (!link.texts.empty() && !link.complete) {
    std::string log;
    if (const CUresult error = linkTexts(link.texts, link.image, log)) {
      link.options.writeErrors(log);
      return error;
    }
  }
  if (link.image.empty())
    return CUDA_ERROR_INVALID_IMAGE;
  link.complete = true;
  link.options.writeInformation("");
  link.options.writeErrors("");
  return CUDA_SUCCESS;
}

} // namespace

CUresult cuLinkCreate(unsigned numOptions, CUjit_option *options, void **optionValues,
                      CUlinkState *state) {
  return callContext([&](Context &) {
    auto made = std::make_shared<Link>();
    if (!state)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = made->options.read(numOptions, options, optionValues))
      return error;
    *state = reinterpret_cast<CUlinkState>(made.get());
    links().add(std::move(made));
    return CUDA_SUCCESS;
  });
}
HEDDLE_OLDER_NAME("cuLinkCreate", "cuLinkCreate_v2")

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size,
                       const char *name, unsigned numOptions, CUjit_option *options,
                       void **optionValues) {
  return callLink(state, [&](Link &link) {
    return addData(link, type, data, size, name, numOptions, options, optionValues);
  });
}
HEDDLE_OLDER_NAME("cuLinkAddData", "cuLinkAddData_v2")

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path,
                       unsigned numOptions, CUjit_option *options, void **optionValues) {
  return callLink(state, [&](Link &link) {
    std::vector<std::byte> bytes;
    if (!path)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = readFile(path, bytes))
      return error;
    return addData(link, type, bytes.data(), bytes.size(), path, numOptions, options, optionValues);
  });
}
HEDDLE_OLDER_NAME("cuLinkAddFile", "cuLinkAddFile_v2")

CUresult cuLinkComplete(CUlinkState state, void **cubin, size_t *size) {
  return callLink(state, [&](Link &link) {
    if (!cubin)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = complete(link))
      return error;
    *cubin = link.image.data();
    if (size)
      *size = link.image.size();
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkDestroy(CUlinkState state) {
  return call([&] { return links().remove(state) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE; });
}
