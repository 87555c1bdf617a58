// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/module/image.h"

#include "driver/module/jit_link.h"
#include "engine/debugged.h"
#include "support/readable_memory.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <span>

namespace heddle::driver {
namespace {

/// CUDA's wrapper of fat binaries, which nvcc and heddlecc put into programs.
struct FatBinaryWrapper {
  static constexpr uint32_t expected_magic = 0x466243b1;
  uint32_t magic, version;
  const void *data;
};

bool startsWith(const char *data, std::string_view letters) {
  return std::strncmp(data, letters.data(), letters.size()) == 0;
}

uint32_t firstWord(const void *data) {
  uint32_t word;
  std::memcpy(&word, data, sizeof word);
  return word;
}

// What a wrapper points to, or null if that cannot be: it is read from a file, or wraps another
// one. What is no wrapper is returned as it is.
const void *unwrap(const void *data, size_t limit) {
  if (firstWord(data) != FatBinaryWrapper::expected_magic)
    return data;
  const void *wrapped = static_cast<const FatBinaryWrapper *>(data)->data;
  const bool possible = limit == no_limit && readableBytes(wrapped) >= sizeof(FatBinaryWrapper) &&
                        firstWord(wrapped) != FatBinaryWrapper::expected_magic;
  return possible ? wrapped : nullptr;
}

CUresult refuse(CUresult error, const char *why, JitOptions &options) {
  options.writeErrors(why);
  notSupported(why);
  return error;
}

/// Why the devices cannot run what a text has become, as ptxas words it; or "".
std::string unfitFor(Platform &platform, std::span<const std::byte> image) {
  const engine::PtxNeeds needs = engine::needsOfImage(image);
  if (!platform.runs(needs.codes))
    return "ptxas fatal   : SM version specified by .target is higher than default SM version "
           "assumed";
  const size_t most = size_t(platform.device(0).gpu.shared_per_block_optin);
  if (needs.shared_bytes <= most)
    return "";
  return fmt::format("ptxas error   : Entry function '{}' uses too much shared data ({:#x} bytes, "
                     "{:#x} max)",
                     needs.kernel, needs.shared_bytes, most);
}

CUresult refuseUnknown(JitOptions &options) {
  options.writeErrors("error   : Binary format for key='0', ident='' is not recognized");
  return CUDA_ERROR_INVALID_IMAGE;
}

// Relocatable device code that needs no other.
CUresult linkAlone(std::string_view code, JitOptions &options, std::vector<std::byte> &image) {
  std::string log;
  const CUresult error =
      jitLink({{CU_JIT_INPUT_CUBIN, "application image", std::string(code)}}, image, log);
  if (error)
    std::fprintf(stderr, "heddle: relocatable device code as a module: %s", log.c_str());
  options.writeInformation("");
  options.writeErrors(log);
  return error;
}

CUresult errorOf(const engine::PtxProblem &problem) {
  return problem.kind == engine::PtxProblem::TooNew     ? CUDA_ERROR_UNSUPPORTED_PTX_VERSION
         : problem.kind == engine::PtxProblem::Internal ? CUDA_ERROR_JIT_COMPILER_NOT_FOUND
                                                        : CUDA_ERROR_INVALID_PTX;
}

CUresult readFatBinary(const void *data, size_t limit, JitOptions &options,
                       engine::PtxToRun &code) {
  std::string log;
  CUresult error = CUDA_SUCCESS;
  try {
    code = engine::openFatBinary(data, limit, Platform::instance().computeCapability());
  } catch (const engine::NoPtx &problem) {
    return refuse(CUDA_ERROR_NO_BINARY_FOR_GPU, problem.what(), options);
  } catch (const engine::PtxProblem &problem) {
    log = problem.what();
    error = errorOf(problem);
  } catch (const std::exception &problem) {
    log = problem.what() + std::string("\n");
    error = CUDA_ERROR_INVALID_IMAGE;
  }
  if (error)
    std::fprintf(stderr, "heddle: a fat binary as a module: %s", log.c_str());
  options.writeInformation("");
  options.writeErrors(log);
  return error;
}

/// Of a fat binary that nvFatbin has made; "" where there is none, or the fat binary is broken,
/// which readFatBinary says.
std::string ownCodeOf(const void *data, size_t limit) {
  try {
    if (limit == no_limit)
      limit = readableBytes(data);
    return ownCodeIn(data, limit, Platform::instance().computeCapability());
  } catch (const std::exception &) {
    return {};
  }
}

} // namespace

// PTX begins with comments, blanks and its version.
bool isText(const char *data) {
  while (true) {
    while (std::isspace(static_cast<unsigned char>(*data)))
      ++data;
    const char *end = nullptr;
    if (startsWith(data, "//"))
      end = std::strchr(data, '\n');
    else if (startsWith(data, "/*"))
      end = std::strstr(data + 2, "*/");
    if (!end)
      return startsWith(data, ".version");
    data = end + (*end == '\n' ? 1 : 2);
  }
}

void JitOptions::Log::write(std::string_view text) {
  while (text.ends_with('\n')) // lines are divided by it, and none ends
    text.remove_suffix(1);
  size_t written = 0;
  if (buffer && room > 0) {
    written = std::min(text.size(), room - 1);
    std::memcpy(buffer, text.data(), written);
    buffer[written++] = 0;
  }
  if (length)
    *length = reinterpret_cast<void *>(text.empty() ? 0 : written);
}

CUresult JitOptions::read(unsigned count, const CUjit_option *options, void **values) {
  if (count > 0 && (!options || !values))
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i) {
    const auto number = size_t(reinterpret_cast<uintptr_t>(values[i]));
    switch (options[i]) {
    case CU_JIT_INFO_LOG_BUFFER:
      information.buffer = static_cast<char *>(values[i]);
      break;
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
      information.room = unsigned(number);
      information.length = &values[i];
      break;
    case CU_JIT_ERROR_LOG_BUFFER:
      errors.buffer = static_cast<char *>(values[i]);
      break;
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
      errors.room = unsigned(number);
      errors.length = &values[i];
      break;
    default:
      if (unsigned(options[i]) >= CU_JIT_NUM_OPTIONS)
        return CUDA_ERROR_INVALID_VALUE;
      break;
    }
  }
  return CUDA_SUCCESS;
}

CUresult loadModuleText(std::string_view text, std::vector<std::byte> &image, std::string &log) {
  return linkTexts({{"application ptx input", std::string(text)}}, image, log);
}

CUresult linkTexts(const std::vector<engine::PtxInput> &texts, std::vector<std::byte> &image,
                   std::string &log, bool *unresolved) {
  try {
    image = engine::imageOfPtx(texts);
    return CUDA_SUCCESS;
  } catch (const engine::PtxProblem &problem) {
    log = problem.what();
    if (unresolved && problem.kind == engine::PtxProblem::Unresolved)
      *unresolved = true;
    else
      std::fprintf(stderr, "heddle: PTX text as a module: %s", log.c_str());
    return errorOf(problem);
  } catch (const std::exception &problem) { // a full disk
    log = problem.what() + std::string("\n");
    std::fprintf(stderr, "heddle: PTX text as a module: %s", log.c_str());
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
}

CUresult readModule(const void *data, size_t limit, JitOptions &options, engine::PtxToRun &code) {
  std::vector<std::byte> &image = code.image;
  if (!data)
    return CUDA_ERROR_INVALID_VALUE;
  const auto *letters = static_cast<const char *>(data);
  if (*letters == 0) // too short to look any further
    return refuseUnknown(options);
  if (isText(letters)) {
    std::string log;
    CUresult error = loadModuleText(letters, image, log);
    if (!error)
      log = unfitFor(Platform::instance(), image);
    if (!log.empty() && !error)
      error = CUDA_ERROR_INVALID_PTX;
    options.writeInformation("");
    options.writeErrors(log);
    return error;
  }
  if (startsWith(letters, "\x7f"
                          "ELF"))
    return refuse(CUDA_ERROR_NO_BINARY_FOR_GPU,
                  "machine code of GPUs (a cubin, or an object file) as a module", options);
  if (engine::isFatBinary(data)) {
    const std::string own = ownCodeOf(data, limit);
    return own.empty() ? readFatBinary(data, limit, options, code)
                       : readModule(own.data(), own.size(), options, code);
  }
  if (const void *wrapped = unwrap(data, limit); wrapped != data)
    return wrapped ? readModule(wrapped, no_limit, options, code) : CUDA_ERROR_INVALID_IMAGE;
  if (const size_t size = engine::relocatableBytes(letters))
    return size > limit ? CUDA_ERROR_INVALID_IMAGE : linkAlone({letters, size}, options, image);
  try {
    const std::span<const std::byte> bytes = engine::imageToRun(data);
    if (bytes.size() > limit)
      throw std::runtime_error("device image: truncated");
    image.assign(bytes.begin(), bytes.end());
  } catch (const std::exception &problem) {
    options.writeErrors(problem.what());
    return CUDA_ERROR_INVALID_IMAGE;
  }
  if (image.empty())
    return refuseUnknown(options);
  options.writeInformation("");
  options.writeErrors("");
  return CUDA_SUCCESS;
}

CUresult readFile(const char *path, std::vector<std::byte> &bytes) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return CUDA_ERROR_OUT_OF_MEMORY; // the driver asks for as much memory as a folder has bytes
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return CUDA_ERROR_FILE_NOT_FOUND;
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad())
    return CUDA_ERROR_FILE_NOT_FOUND;
  const auto *first = reinterpret_cast<const std::byte *>(text.data());
  bytes.assign(first, first + text.size());
  return CUDA_SUCCESS;
}

} // namespace heddle::driver
