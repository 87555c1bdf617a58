// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuLink*: PTX texts, images, objects and libraries become one image. What is one image already is
// as good as linked.
#include "driver/module/image.h"
#include "driver/module/jit_link.h"

#include <algorithm>
#include <cstdio>

using namespace heddle;
using namespace heddle::driver;

namespace {

/// What a CUlinkState points to.
struct Link {
  JitOptions options;
  std::vector<JitInput> inputs;
  std::vector<std::byte> image; // what they became
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
  link.inputs.push_back({CU_JIT_INPUT_PTX, std::move(input.name), std::move(input.text)});
  return CUDA_SUCCESS;
}

CUresult refuse(Link &link, const std::string &why) {
  link.options.writeErrors(why + '\n');
  std::fprintf(stderr, "heddle: %s\n", why.c_str());
  return CUDA_ERROR_INVALID_IMAGE;
}

// Of a fat binary of nvcc's, the text that suits this GPU.
CUresult addFatBinary(Link &link, const std::string &bytes, size_t size, const char *name) {
  std::string text;
  try {
    text = engine::ptxToRun(bytes.data(), size, Platform::instance().computeCapability());
  } catch (const engine::NoPtx &problem) {
    link.options.writeErrors(problem.what());
    notSupported(problem.what());
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  } catch (const std::exception &problem) {
    return refuse(link, problem.what());
  }
  return addText(link, std::move(text), name);
}

// Bytes are the image's own; the wrapper of a fat binary is left behind.
CUresult addImage(Link &link, const char *data, size_t size, const std::string &name) {
  engine::PtxToRun code;
  if (const CUresult error = readModule(data, size, link.options, code))
    return error;
  const auto *first = reinterpret_cast<const char *>(code.image.data());
  link.inputs.push_back({CU_JIT_INPUT_CUBIN, name, std::string(first, code.image.size())});
  return CUDA_SUCCESS;
}

CUresult addData(Link &link, CUjitInputType type, const void *data, size_t size, const char *name,
                 unsigned count, const CUjit_option *names, void **values) {
  JitOptions own;
  if (!data || size == 0 || unsigned(type) >= CU_JIT_NUM_INPUT_TYPES || link.complete)
    return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult error = own.read(count, names, values))
    return error;
  // A text need not end in a null byte.
  std::string bytes(static_cast<const char *>(data), size);
  bytes.resize(size + 64);
  if (bytes.front() == '\0')
    return CUDA_ERROR_INVALID_IMAGE;
  if (type == CU_JIT_INPUT_PTX || isText(bytes.c_str()))
    return addText(link, bytes.c_str(), name);
  if (engine::isFatBinary(bytes.data()))
    return addFatBinary(link, bytes, size, name);
  const std::string called = name && *name ? name : "application input";
  if (!looksLike(type, bytes)) {
    if (type == CU_JIT_INPUT_OBJECT || type == CU_JIT_INPUT_LIBRARY || type == CU_JIT_INPUT_NVVM)
      return refuse(link, called + " as an input of cuLink* is not of the type that it is said to "
                                   "be (NVVM IR: only what libnvvm makes of it with -gen-lto)");
    return addImage(link, bytes.data(), size, called);
  }
  bytes.resize(size);
  link.inputs.push_back({type, called, std::move(bytes)});
  return CUDA_SUCCESS;
}

bool areTexts(const std::vector<JitInput> &inputs) {
  return std::all_of(inputs.begin(), inputs.end(),
                     [](const JitInput &input) { return input.type == CU_JIT_INPUT_PTX; });
}

CUresult linkAll(Link &link, std::string &log) {
  if (areTexts(link.inputs)) {
    std::vector<engine::PtxInput> texts;
    for (const JitInput &input : link.inputs)
      texts.push_back({input.name, input.bytes});
    return linkTexts(texts, link.image, log);
  }
  const JitInput &first = link.inputs.front();
  if (link.inputs.size() == 1 && first.type == CU_JIT_INPUT_CUBIN &&
      !looksLike(first.type, first.bytes)) {
    const auto *bytes = reinterpret_cast<const std::byte *>(first.bytes.data());
    link.image.assign(bytes, bytes + first.bytes.size());
    return CUDA_SUCCESS;
  }
  const CUresult error = jitLink(link.inputs, link.image, log);
  if (error)
    std::fprintf(stderr, "heddle: cuLinkComplete: %s", log.c_str());
  return error;
}

/// CUDA_ERROR_INVALID_PTX, too, if functions or variables are missing or there twice.
CUresult complete(Link &link) {
  if (link.inputs.empty())
    return CUDA_ERROR_INVALID_IMAGE;
  if (!link.complete) {
    std::string log;
    if (const CUresult error = linkAll(link, log)) {
      link.options.writeErrors(log);
      return error;
    }
  }
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
