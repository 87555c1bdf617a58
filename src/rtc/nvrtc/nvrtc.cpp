// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libnvrtc.so.12 (NVRTC guide, "User Interface").
#include "nvrtc.h"

#include "rtc/common/compiler_process.h"
#include "rtc/common/handles.h"
#include "rtc/nvrtc/options.h"

#include <__heddle_host/release.h>
#include <cstring>
#include <map>
#include <mutex>
#include <new>

using namespace heddle::rtc;

namespace {

struct Program {
  std::mutex mutex;
  std::string name, source;
  std::vector<std::pair<std::string, std::string>> headers;
  std::vector<std::string> expressions;
  bool compiled = false; // successfully or not
  Message answer;
  std::string log;
  std::map<std::string, std::string> symbols; // by expression
  int (*flow_callback)(void *, void *) = nullptr;
  void *flow_payload = nullptr;
};

// C++ exceptions must not leave the library; the only ones are about memory.
template <typename Call> nvrtcResult guarded(Call &&call) {
  try {
    return call();
  } catch (const std::bad_alloc &) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
}

template <typename Call> nvrtcResult withProgram(nvrtcProgram handle, Call &&call) {
  return guarded([&] {
    const auto program = handles<Program>().find(handle);
    if (!program)
      return NVRTC_ERROR_INVALID_PROGRAM;
    const std::lock_guard lock(program->mutex);
    return call(*program);
  });
}

/// The number of bytes of what the compiler has made; what it has not made has none.
nvrtcResult getSize(nvrtcProgram handle, const char *field, bool is_text, size_t *size) {
  return withProgram(handle, [&](Program &program) {
    if (!size)
      return NVRTC_ERROR_INVALID_INPUT;
    *size = program.answer.first(field).size() + (is_text ? 1 : 0);
    return NVRTC_SUCCESS;
  });
}

nvrtcResult getBytes(nvrtcProgram handle, const char *field, bool is_text, char *bytes) {
  return withProgram(handle, [&](Program &program) {
    if (!bytes)
      return NVRTC_ERROR_INVALID_INPUT;
    const std::string &made = program.answer.first(field);
    std::memcpy(bytes, made.data(), made.size());
    if (is_text)
      bytes[made.size()] = 0;
    return NVRTC_SUCCESS;
  });
}

Message requestFor(const Program &program, const NvrtcOptions &options) {
  Message request;
  request.add("kind", "compile");
  request.add("name", program.name);
  request.add("source", program.source);
  for (const auto &[name, text] : program.headers) {
    request.add("header-name", name);
    request.add("header-text", text);
  }
  for (const std::string &option : options.compiler)
    request.add("option", option);
  for (const std::string &expression : program.expressions)
    request.add("expression", expression);
  request.add("cuda", std::to_string(__HEDDLE_CUDA__));
  if (options.all_for_device)
    request.add("default-device", "1");
  if (options.link_later) {
    request.add("make", "ltoir");
    return request;
  }
  request.add("make", "ptx");
  if (options.real_architecture)
    request.add("make", "cubin");
  return request;
}

nvrtcResult compile(Program &program, const std::vector<std::string> &words) {
  program.compiled = false;
  program.answer = {};
  program.symbols.clear();
  program.log.clear();
  const NvrtcOptions options = parseNvrtcOptions(words);
  for (const std::string &message : options.bad)
    program.log += message + "\n";
  if (!options.bad.empty())
    return NVRTC_ERROR_INVALID_OPTION;
  std::function<bool()> is_cancelled;
  if (program.flow_callback)
    is_cancelled = [&] { return program.flow_callback(program.flow_payload, nullptr) == 1; };
  Message answer = ask(requestFor(program, options), is_cancelled);
  if (answer.first("status") == "cancelled")
    return NVRTC_ERROR_CANCELLED;
  program.answer = std::move(answer);
  program.compiled = true;
  program.log = program.answer.first("log");
  const std::string &status = program.answer.first("status");
  if (status == "errors")
    return NVRTC_ERROR_COMPILATION;
  if (status != "good")
    return NVRTC_ERROR_INTERNAL_ERROR;
  const std::vector<std::string> symbols = program.answer.all("symbol");
  for (size_t i = 0; i < symbols.size() && i < program.expressions.size(); ++i)
    program.symbols[program.expressions[i]] = symbols[i];
  return NVRTC_SUCCESS;
}

} // namespace

extern "C" {

const char *nvrtcGetErrorString(nvrtcResult result) {
  static constexpr const char *names[] = {"NVRTC_SUCCESS",
                                          "NVRTC_ERROR_OUT_OF_MEMORY",
                                          "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                          "NVRTC_ERROR_INVALID_INPUT",
                                          "NVRTC_ERROR_INVALID_PROGRAM",
                                          "NVRTC_ERROR_INVALID_OPTION",
                                          "NVRTC_ERROR_COMPILATION",
                                          "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                          "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                          "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                          "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                          "NVRTC_ERROR_INTERNAL_ERROR",
                                          "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
                                          "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
                                          "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
                                          "NVRTC_ERROR_PCH_CREATE",
                                          "NVRTC_ERROR_CANCELLED"};
  const auto number = unsigned(result);
  return number < std::size(names) ? names[number] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (!major || !minor)
    return NVRTC_ERROR_INVALID_INPUT;
  *major = HEDDLE_CUDA_VERSION / 1000;
  *minor = HEDDLE_CUDA_VERSION % 1000 / 10;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
  if (!count)
    return NVRTC_ERROR_INVALID_INPUT;
  *count = int(supportedArchs().size());
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *archs) {
  if (!archs)
    return NVRTC_ERROR_INVALID_INPUT;
  for (int arch : supportedArchs())
    *archs++ = arch;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *handle, const char *source, const char *name,
                               int header_count, const char *const *headers,
                               const char *const *header_names) {
  return guarded([&] {
    if (!handle)
      return NVRTC_ERROR_INVALID_PROGRAM;
    if (!source || header_count < 0 || (header_count > 0 && (!headers || !header_names)))
      return NVRTC_ERROR_INVALID_INPUT;
    auto program = std::make_shared<Program>();
    program->source = source;
    program->name = name && *name ? name : "default_program";
    for (int i = 0; i < header_count; ++i) {
      if (!headers[i] || !header_names[i])
        return NVRTC_ERROR_INVALID_INPUT;
      program->headers.emplace_back(header_names[i], headers[i]);
    }
    *handle = static_cast<nvrtcProgram>(handles<Program>().add(std::move(program)));
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *handle) {
  return guarded([&] {
    if (!handle || !handles<Program>().remove(*handle))
      return NVRTC_ERROR_INVALID_PROGRAM;
    *handle = nullptr;
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram handle, int count, const char *const *options) {
  return withProgram(handle, [&](Program &program) {
    if (count < 0)
      return NVRTC_ERROR_INVALID_INPUT;
    if (count > 0 && !options)
      return NVRTC_ERROR_INVALID_OPTION;
    std::vector<std::string> words;
    for (int i = 0; i < count; ++i) {
      if (!options[i])
        return NVRTC_ERROR_INVALID_INPUT;
      words.push_back(options[i]);
    }
    return compile(program, words);
  });
}

#define HEDDLE_RESULT(NAME, FIELD, IS_TEXT)                                                        \
  nvrtcResult nvrtcGet##NAME##Size(nvrtcProgram program, size_t *size) {                           \
    return getSize(program, FIELD, IS_TEXT, size);                                                 \
  }                                                                                                \
  nvrtcResult nvrtcGet##NAME(nvrtcProgram program, char *bytes) {                                  \
    return getBytes(program, FIELD, IS_TEXT, bytes);                                               \
  }
HEDDLE_RESULT(PTX, "ptx", true)
HEDDLE_RESULT(CUBIN, "cubin", false)
HEDDLE_RESULT(LTOIR, "ltoir", false)
HEDDLE_RESULT(NVVM, "ltoir", false)
HEDDLE_RESULT(OptiXIR, "optixir", false)
#undef HEDDLE_RESULT

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram handle, size_t *size) {
  return withProgram(handle, [&](Program &program) {
    if (!size)
      return NVRTC_ERROR_INVALID_INPUT;
    *size = program.log.size() + 1;
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram handle, char *log) {
  return withProgram(handle, [&](Program &program) {
    if (!log)
      return NVRTC_ERROR_INVALID_INPUT;
    std::memcpy(log, program.log.c_str(), program.log.size() + 1);
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram handle, const char *expression) {
  return withProgram(handle, [&](Program &program) {
    if (!expression)
      return NVRTC_ERROR_INVALID_INPUT;
    if (program.compiled)
      return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    program.expressions.push_back(expression);
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram handle, const char *expression, const char **name) {
  return withProgram(handle, [&](Program &program) {
    if (!expression || !name)
      return NVRTC_ERROR_INVALID_INPUT;
    if (!program.compiled)
      return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const auto found = program.symbols.find(expression);
    if (found == program.symbols.end() || found->second.empty())
      return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *name = found->second.c_str();
    return NVRTC_SUCCESS;
  });
}

// Of CUDA 12.8. The callback runs on the thread that compiles (NVRTC guide,
// "nvrtcSetFlowCallback").
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram handle, int (*callback)(void *, void *),
                                 void *payload) {
  return withProgram(handle, [&](Program &program) {
    if (!callback)
      return NVRTC_ERROR_INVALID_INPUT;
    program.flow_callback = callback;
    program.flow_payload = payload;
    return NVRTC_SUCCESS;
  });
}

// Of CUDA 12.8. Heddle keeps its own precompiled headers where all programs find them, so there is
// no heap for them, and none is made of a program's headers.
nvrtcResult nvrtcGetPCHHeapSize(size_t *size) {
  if (!size)
    return NVRTC_ERROR_INVALID_INPUT;
  *size = 0;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcSetPCHHeapSize(size_t) { return NVRTC_SUCCESS; }
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram handle) {
  return withProgram(handle, [](Program &) { return NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED; });
}
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram handle, size_t *size) {
  return withProgram(handle, [&](Program &) {
    return size ? NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED : NVRTC_ERROR_INVALID_INPUT;
  });
}

} // extern "C"
