// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libnvvm.so.4 (libNVVM API documentation).
#include "nvvm.h"

#include "rtc/common/compiler_process.h"
#include "rtc/common/handles.h"

#include <cctype>
#include <cstring>
#include <fmt/format.h>
#include <new>

using namespace heddle::rtc;

namespace {

struct Program {
  std::mutex mutex;
  struct Input {
    std::string name, bytes;
    bool lazy;
  };
  std::vector<Input> modules;
  std::string result, log;
};

template <typename Call> nvvmResult withProgram(nvvmProgram handle, Call &&call) {
  try {
    const auto program = handles<Program>().find(handle);
    if (!program)
      return NVVM_ERROR_INVALID_PROGRAM;
    const std::lock_guard lock(program->mutex);
    return call(*program);
  } catch (...) { // only memory can be missing
    return NVVM_ERROR_OUT_OF_MEMORY;
  }
}

nvvmResult addModule(nvvmProgram handle, const char *buffer, size_t size, const char *name,
                     bool lazy) {
  return withProgram(handle, [&](Program &program) {
    if (!buffer || size == 0)
      return NVVM_ERROR_INVALID_INPUT;
    program.modules.push_back({name && *name ? name : "<unnamed>", {buffer, size}, lazy});
    return NVVM_SUCCESS;
  });
}

struct Options {
  std::vector<std::string> compiler; // heddlecc's
  bool link_later = false;           // -gen-lto
  std::string bad;
};

bool isArchitecture(const std::string &text) {
  const size_t digits = text.find_first_of("0123456789");
  const std::string prefix = text.substr(0, std::min(digits, text.size()));
  if (digits == std::string::npos || (prefix != "compute_" && prefix != "sm_"))
    return false;
  const size_t end = text.find_first_not_of("0123456789", digits);
  return text.size() - digits <= 4 &&
         (end == std::string::npos || (end + 1 == text.size() && std::isalpha(text[end])));
}

/// libNVVM API documentation, nvvmCompileProgram: name=value in one string.
void parseOption(const std::string &option, Options &options) {
  const size_t equals = option.find('=');
  const std::string name = option.substr(0, equals),
                    value = equals == std::string::npos ? "" : option.substr(equals + 1);
  const bool is_switch = value == "0" || value == "1";
  bool good = true;
  if (name == "-arch" && (good = isArchitecture(value)))
    options.compiler.push_back(option);
  else if (name == "-opt" && value == "0")
    options.compiler.push_back("-Xptxas=-O0");
  else if (name == "-opt")
    good = value == "3";
  else if (name == "-ftz" && (good = is_switch))
    options.compiler.push_back(option);
  else if (name == "-fma" && (good = is_switch))
    options.compiler.push_back("-fmad=" + value);
  else if (name == "-prec-sqrt" || name == "-prec-div")
    good = is_switch; // square roots and quotients are always exact
  else if (option == "-g")
    options.compiler.push_back("-g");
  else if (option == "-generate-line-info" || option == "-lineinfo")
    options.compiler.push_back("-lineinfo");
  else if (option == "-gen-lto")
    options.link_later = true;
  else if (name == "-split-compile" || name == "-jump-table-density" ||
           option == "-discard-value-names" || name == "-opt-fdiv" || name == "-nvvm-version")
    good = true;
  else if (name != "-arch" && name != "-ftz" && name != "-fma")
    good = false;
  if (!good)
    options.bad += fmt::format("libnvvm : error: {} is an unsupported option\n", option);
}

nvvmResult run(nvvmProgram handle, int count, const char **words, bool compile) {
  return withProgram(handle, [&](Program &program) {
    if (count < 0 || (count > 0 && !words))
      return NVVM_ERROR_INVALID_INPUT;
    program.result.clear();
    program.log.clear();
    Options options;
    for (int i = 0; i < count; ++i) {
      if (!words[i])
        return NVVM_ERROR_INVALID_INPUT;
      parseOption(words[i], options);
    }
    if (!options.bad.empty()) {
      program.log = options.bad;
      return NVVM_ERROR_INVALID_OPTION;
    }
    if (program.modules.empty())
      return NVVM_ERROR_NO_MODULE_IN_PROGRAM;
    Message request;
    request.add("kind", "nvvm");
    for (const Program::Input &module : program.modules) {
      request.add("module-name", module.name);
      request.add("module", module.bytes);
      request.add("lazy", module.lazy ? "1" : "0");
    }
    for (const std::string &option : options.compiler)
      request.add("option", option);
    const char *make = !compile ? "" : options.link_later ? "ltoir" : "ptx";
    request.add("make", make);
    const Message answer = ask(request);
    program.log = answer.first("log");
    const std::string &status = answer.first("status");
    if (status == "errors")
      return compile ? NVVM_ERROR_COMPILATION : NVVM_ERROR_INVALID_IR;
    if (status != "good")
      return NVVM_ERROR_COMPILATION;
    if (compile)
      program.result = answer.first(make) + std::string(options.link_later ? 0 : 1, '\0');
    return NVVM_SUCCESS;
  });
}

} // namespace

extern "C" {

const char *nvvmGetErrorString(nvvmResult result) {
  static constexpr const char *names[] = {"NVVM_SUCCESS",
                                          "NVVM_ERROR_OUT_OF_MEMORY",
                                          "NVVM_ERROR_PROGRAM_CREATION_FAILURE",
                                          "NVVM_ERROR_IR_VERSION_MISMATCH",
                                          "NVVM_ERROR_INVALID_INPUT",
                                          "NVVM_ERROR_INVALID_PROGRAM",
                                          "NVVM_ERROR_INVALID_IR",
                                          "NVVM_ERROR_INVALID_OPTION",
                                          "NVVM_ERROR_NO_MODULE_IN_PROGRAM",
                                          "NVVM_ERROR_COMPILATION",
                                          "NVVM_ERROR_CANCELLED"};
  const auto number = unsigned(result);
  return number < std::size(names) ? names[number] : "NVVM_ERROR unknown";
}

nvvmResult nvvmVersion(int *major, int *minor) {
  if (!major || !minor)
    return NVVM_ERROR_INVALID_INPUT;
  *major = 2;
  *minor = 0;
  return NVVM_SUCCESS;
}

nvvmResult nvvmIRVersion(int *major, int *minor, int *major_debug, int *minor_debug) {
  if (!major || !minor || !major_debug || !minor_debug)
    return NVVM_ERROR_INVALID_INPUT;
  *major = 2;
  *minor = 0;
  *major_debug = 3;
  *minor_debug = 1;
  return NVVM_SUCCESS;
}

nvvmResult nvvmCreateProgram(nvvmProgram *handle) {
  if (!handle)
    return NVVM_ERROR_INVALID_INPUT;
  try {
    *handle = static_cast<nvvmProgram>(handles<Program>().add(std::make_shared<Program>()));
    return NVVM_SUCCESS;
  } catch (...) {
    return NVVM_ERROR_OUT_OF_MEMORY;
  }
}

nvvmResult nvvmDestroyProgram(nvvmProgram *handle) {
  if (!handle || !handles<Program>().remove(*handle))
    return NVVM_ERROR_INVALID_PROGRAM;
  *handle = nullptr;
  return NVVM_SUCCESS;
}

nvvmResult nvvmAddModuleToProgram(nvvmProgram program, const char *buffer, size_t size,
                                  const char *name) {
  return addModule(program, buffer, size, name, false);
}
nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram program, const char *buffer, size_t size,
                                      const char *name) {
  return addModule(program, buffer, size, name, true);
}

nvvmResult nvvmCompileProgram(nvvmProgram program, int count, const char **options) {
  return run(program, count, options, true);
}
nvvmResult nvvmVerifyProgram(nvvmProgram program, int count, const char **options) {
  return run(program, count, options, false);
}

#define HEDDLE_RESULT(NAME, FIELD)                                                                 \
  nvvmResult nvvmGet##NAME##Size(nvvmProgram handle, size_t *size) {                               \
    return withProgram(handle, [&](Program &program) {                                             \
      if (!size)                                                                                   \
        return NVVM_ERROR_INVALID_INPUT;                                                           \
      *size = program.FIELD;                                                                       \
      return NVVM_SUCCESS;                                                                         \
    });                                                                                            \
  }
HEDDLE_RESULT(CompiledResult, result.size())
HEDDLE_RESULT(ProgramLog, log.size() + 1)
#undef HEDDLE_RESULT

nvvmResult nvvmGetCompiledResult(nvvmProgram handle, char *buffer) {
  return withProgram(handle, [&](Program &program) {
    if (!buffer)
      return NVVM_ERROR_INVALID_INPUT;
    std::memcpy(buffer, program.result.data(), program.result.size());
    return NVVM_SUCCESS;
  });
}

nvvmResult nvvmGetProgramLog(nvvmProgram handle, char *buffer) {
  return withProgram(handle, [&](Program &program) {
    if (!buffer)
      return NVVM_ERROR_INVALID_INPUT;
    std::memcpy(buffer, program.log.c_str(), program.log.size() + 1);
    return NVVM_SUCCESS;
  });
}

} // extern "C"
