// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/compile.h"

#include "engine/launch_analysis/analyze.h"
#include "frontend/build.h"
#include "frontend/clang_run.h"
#include "frontend/command_line/architecture.h"
#include "frontend/command_line/environment.h"
#include "frontend/command_line/gpu_codes.h"
#include "frontend/device_limits.h"
#include "frontend/linking/relocatable_host.h"
#include "frontend/precompiled_prelude.h"
#include "frontend/source/device_reads.h"
#include "frontend/source/host_only_calls.h"
#include "frontend/source/managed_variables.h"
#include "module/linking/device_object.h"
#include "support/hash.h"
#include "support/paths.h"
#include "support/release.h"
#include "support/strict.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include "llvm/IR/LLVMContext.h"

#include <atomic>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

namespace fs = std::filesystem;

namespace heddle::frontend {
namespace {

// What nvcc's users expect beyond plain Clang. Narrowing in braces is an error in Clang and a
// warning in g++; the rest is noise about options.
const std::vector<std::string> common_arguments = {
    "-Wno-c++11-narrowing", "-Wno-unknown-cuda-version", "-Wno-unused-command-line-argument",
    "-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument", "-Wno-cuda-compat",
    // printf("%"PRIu64): no space is needed before a macro, as in C++98.
    "-Wno-reserved-user-defined-literal",
    // `b++` of a bool, and `t.template f(x)`, whose arguments are deduced.
    "-Wno-increment-bool", "-Wno-missing-template-arg-list-after-template-kw",
    // constexpr functions that call log(): constants for nvcc and g++, plain calls for Clang.
    "-Wno-invalid-constexpr",
    // A function that ends without its value returns; only who uses the value is wrong.
    "-fno-strict-return"};

void append(std::vector<std::string> &list, const std::vector<std::string> &more) {
  list.insert(list.end(), more.begin(), more.end());
}

bool has(const std::vector<std::string> &list, const std::string &word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string languageName(Language language) {
  return language == Language::Cuda ? "cuda" : language == Language::Cxx ? "c++" : "c";
}

// What nvcc defines in files of the host; .cu files get it, and more, from the prelude.
std::vector<std::string> nvccMacros(const Options &options) {
  std::vector<std::string> macros = {"-D__NVCC__", "-D__NVCC_DIAG_PRAGMA_SUPPORT__=1",
                                     "-D__CUDA_ARCH_LIST__=" + std::to_string(options.arch)};
  unsigned major = 0, minor = 0, build = 0;
  if (std::sscanf(releaseOf(options.cuda).compiler, "%u.%u.%u", &major, &minor, &build) == 3)
    append(macros, {fmt::format("-D__CUDACC_VER_MAJOR__={}", major),
                    fmt::format("-D__CUDACC_VER_MINOR__={}", minor),
                    fmt::format("-D__CUDACC_VER_BUILD__={}", build),
                    fmt::format("-D__CUDA_API_VER_MAJOR__={}", major),
                    fmt::format("-D__CUDA_API_VER_MINOR__={}", minor)});
  return macros;
}

// How a source of this language is read, whatever becomes of it.
std::vector<std::string> readingArguments(const Options &options, Language language,
                                          const std::string &toolkit_version = "12.4") {
  std::vector<std::string> arguments = common_arguments;
  append(arguments, {"-isystem", (installRoot() / "include").string()});
  // Before the MPI library's folder, which -I names.
  arguments.push_back("-I" + (installRoot() / "include" / "__heddle_mpi").string());
  if (fs::exists(cccl(options.cuda)))
    append(arguments, {"-isystem", cccl(options.cuda).string()});
  if (language == Language::Cuda)
    append(arguments, {"--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-Xclang",
                       "-target-sdk-version=" + toolkit_version,
                       // Traits are full of `f(...)`, which device code declares and never calls.
                       "-Xclang", "-fcuda-allow-variadic-functions",
                       // As nvcc. With them, Clang takes overloads for host and device that come
                       // from a precompiled header for definitions of one function.
                       "-Xclang", "-fno-cxx-modules"});
  arguments.push_back("-D__HEDDLE_CUDA__=" + std::to_string(options.cuda));
  if (language != Language::Cuda)
    append(arguments, nvccMacros(options));
  if (options.at_run_time) // no host code, so no host headers; the prelude comes precompiled
    append(arguments, {"-nostdlibinc", "-nostdinc++", "-D__CUDACC_RTC__=1"});
  else if (language == Language::Cuda)
    append(arguments, {"-include", prelude_header});
  append(arguments, options.preprocessor);
  if (options.fast_math && language == Language::Cuda)
    append(arguments, {"-fgpu-approx-transcendentals", "-D__USE_FAST_MATH__=1"});
  if (options.debug_device && language == Language::Cuda)
    arguments.push_back("-D__CUDACC_DEBUG__=1");
  if (options.rdc && language == Language::Cuda)
    append(arguments, {"-Xclang", "-fgpu-rdc", "-D__CUDACC_RDC__=1"});
  if (options.per_thread_default_stream) {
    if (language == Language::Cuda)
      append(arguments, {"-Xclang", "-fgpu-default-stream=per-thread"});
    else
      arguments.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  }
  return arguments;
}

// What all passes over a source share. `id`: of the object (objectId).
std::vector<std::string> baseArguments(const Options &options, const Input &input,
                                       const std::string &id) {
  std::vector<std::string> arguments = {clangDriver().string(), LikeGccsSymbols};
  append(arguments, readingArguments(options, input.language));
  // The driver would choose another one, but only for the device.
  if (input.language == Language::Cuda)
    append(arguments, {"-cuid=" + id, "-Xclang", "-cuid=" + id});
  if (input.language != Language::C)
    arguments.push_back("-std=" + (options.standard.empty() ? "gnu++17" : options.standard));
  else if (options.standard.starts_with("c") && !options.standard.starts_with("c++"))
    arguments.push_back("-std=" + options.standard);
  append(arguments, {"-x", languageName(input.language), input.path});
  return arguments;
}

} // namespace

std::vector<std::string> deviceArguments(const Options &options, const Input &input,
                                         const std::string &id) {
  std::vector<std::string> arguments = baseArguments(options, input, id);
  append(arguments,
         {"--cuda-device-only", "--cuda-gpu-arch=" + architectureForClang(options.arch),
          // Clang knows instructions by PTX version; ours is whatever it knows.
          "-Xclang", "-target-feature", "-Xclang", "+ptx84", "-emit-llvm", "-c", "-Xclang",
          "-disable-llvm-passes", options.fma ? "-ffp-contract=fast" : "-ffp-contract=off",
          // A lane may hand on what it has never set, as long as no lane uses it: when one lane has
          // set a variable, all take part in the shuffle that reads it.
          "-Xclang", "-no-enable-noundef-analysis",
          // nvcc lets memory be looked at as another type than it was stored as (measured).
          "-fno-strict-aliasing",
          // Lines for messages; everything for a debugger. (The driver's own -g gives
          // optimised device code what ptxas can use, which is less.)
          "-Xclang",
          options.debug_device            ? "-debug-info-kind=limited"
          : options.action == Action::Ptx ? "-debug-info-kind=line-directives-only"
                                          : "-debug-info-kind=line-tables-only",
          // PTX has DWARF 2. LLVM's NVPTX target crashes on what later versions say of calls.
          "-Xclang",
          options.at_run_time || options.action == Action::Ptx ? "-dwarf-version=2"
                                                               : "-dwarf-version=4",
          "-O2"});
  append(arguments, architectureMacros(options.arch, options.arch_suffix));
  append(arguments, options.messages.clang_errors);
  if (has(options.host, "-w"))
    arguments.push_back("-w");
  for (const std::string &option : options.host) // what builds that can be repeated say of places
    if (option.find("-prefix-map=") != std::string::npos)
      arguments.push_back(option);
  if (options.openmp) // host code only, but the program may ask
    arguments.push_back("-D_OPENMP=201511");
  return arguments;
}

namespace {

// Where --coverage's files go when the object is a temporary file: beside the program, as g++ names
// them.
std::vector<std::string> coverageArguments(const Options &options, const Input &input) {
  const bool counts = has(options.host, "--coverage") || has(options.host, "-fprofile-arcs");
  if (options.action == Action::Compile || !counts)
    return {};
  const std::string name =
      fs::absolute(linkedFile(options)).string() + "-" + fs::path(input.path).stem().string();
  return {"-Xclang", "-coverage-notes-file=" + name + ".gcno", "-Xclang",
          "-coverage-data-file=" + name + ".gcda"};
}

std::vector<std::string> hostArguments(const Options &options, const Input &input,
                                       const std::string &id, const std::string &image_file,
                                       const std::string &object) {
  std::vector<std::string> arguments = baseArguments(options, input, id);
  // Where signed sums overflow, g++ rarely makes use of it, so programs get away with relying on
  // numbers that wrap (hash functions, random generators).
  append(arguments, {"-c", "-o", object, "-fPIC", "-fwrapv"});
  if (input.language == Language::Cuda)
    append(arguments, {"--cuda-host-only", "-D__CUDA_ARCH_LIST__=" + std::to_string(options.arch)});
  if (!image_file.empty())
    append(arguments, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", image_file});
  append(arguments, options.host);
  if (has(options.host, "-fsanitize=undefined")) // as g++: sums are looked at, functions' types not
    append(arguments, {"-fno-wrapv", "-fno-sanitize=function"});
  append(arguments, coverageArguments(options, input));
  append(arguments, options.dependencies);
  if (options.debug_host || options.debug_device)
    arguments.push_back("-g");
  // Without -O, nvcc leaves host code as the host compiler does: not optimised.
  const int level = std::max(options.optimize, 0);
  arguments.push_back("-O" + std::to_string(level));
  if (options.openmp)
    arguments.push_back("-fopenmp");
  return arguments;
}

// What tells this object file from all others, in symbols that must not clash. The same command in
// the same place gives the same, so that builds can be repeated.
std::string objectId(const Options &options, const Input &input, const fs::path &object) {
  std::string all = fs::absolute(input.path).string() + '\n' + std::to_string(options.arch);
  if (options.action == Action::Compile) // else it is a temporary file
    all += '\n' + fs::absolute(object).string();
  for (const std::string &argument : options.preprocessor)
    all += '\n' + argument;
  return contentHash(all).substr(0, 16);
}

// What compiling the device side of a source gives.
struct DeviceSide {
  CompiledSource whole;
  std::string relocatable; // with -rdc=true; empty if there is no device code
  std::shared_ptr<clang::DependencyCollector> read;
};

DeviceObjectInfo objectInfo(const Options &options, const Input &input, const std::string &id) {
  DeviceObjectInfo info;
  info.id = id;
  info.source = input.path;
  info.archs = options.archs;
  info.debug = options.debug_device;
  info.optimize = unsigned(options.device_optimize);
  return info;
}

// nvcc refuses `__launch_bounds__(256, 1, 2)` for a GPU without clusters; Clang ignores it.
void refuseClustersBefore90(clang::CompilerInstance &instance) {
  if (strict())
    instance.getDiagnostics().setSeverity(clang::diag::warn_cuda_maxclusterrank_sm_90,
                                          clang::diag::Severity::Error, {});
}

// Returns nothing if it has errors. `took_prelude` says whether it took the precompiled prelude.
std::optional<DeviceSide> tryDevice(const Options &options, const Input &input,
                                    const std::string &id, ShownMessages &shown, bool may_take,
                                    bool &took_prelude) {
  ClangRun clang(shown, options.verbose);
  if (!clang.prepare(deviceArguments(options, input, id)))
    return std::nullopt;
  took_prelude = may_take && usePrecompiledPrelude(clang.instance(), options);
  refuseClustersBefore90(clang.instance());
  DeviceSide result;
  result.read = collectFiles(clang.instance(), has(options.dependencies, "-MD"));
  llvm::LLVMContext context;
  DeviceAction action(&context, options, strict());
  if (!clang.instance().ExecuteAction(action))
    return std::nullopt;
  std::unique_ptr<llvm::Module> module = action.takeModule();
  if (options.action == Action::Ptx) {
    result.whole.image = emitPtx(*module, ptxOptions(options, input.path));
    return result;
  }
  PrepareOptions prepare = prepareOptions(options, input.path);
  if (options.rdc) {
    result.relocatable = makeDeviceObject(*module, objectInfo(options, input, id), false, &prepare);
    if (!options.resource_usage)
      return result;
    prepare.whole = false;
  }
  PreparedImage image = prepareImage(*module, prepare);
  if (image.info.kernels.empty() && image.info.variables.empty())
    return result;
  if (!options.rdc)
    result.whole.image = std::move(image.bytes);
  result.whole.info = std::move(image.info);
  return result;
}

// Again and again while there are declarations to be changed (shared_objects.h, redeclarations.h):
// Clang complains of those in templates when these are used.
std::optional<DeviceSide> compileDevice(const Options &options, const Input &input,
                                        const std::string &id, ShownMessages &shown) {
  while (true) {
    HeldMessages held(shown);
    std::optional<DeviceSide> result;
    compileWithPrelude(held.messages(), [&](ShownMessages &messages, bool may_take) {
      bool took = false;
      result = tryDevice(options, input, id, messages, may_take, took);
      return Attempt{result.has_value(), took};
    });
    SharedObjects &shared = held.messages().shared_objects;
    Redeclarations &redeclared = held.messages().redeclarations;
    const bool again = int(shared.grew()) | int(redeclared.grew());
    if (result && result->whole.info && !keepsLimits(*result->whole.info, options))
      return std::nullopt;
    if (result || !again)
      return result;
    // Nothing of what was said: it may come from what is changed.
    shown.shared_objects = std::move(shared);
    shown.redeclarations = std::move(redeclared);
    held.drop();
  }
}

// In the temporary folder, so that an interrupted compilation leaves nothing beside the object.
fs::path temporaryName(const fs::path &object) {
  static std::atomic<unsigned> counter{0};
  return fs::temp_directory_path() / (object.string() + "." + std::to_string(getpid()) + "." +
                                      std::to_string(counter++) + ".heddle");
}

// A file that is deleted when it is no longer needed.
class TemporaryFile {
public:
  TemporaryFile(const fs::path &path, const std::string &content) : path_(path) {
    std::ofstream stream(path, std::ios::binary);
    stream << content;
    if (!stream.flush())
      throw std::runtime_error("cannot write " + path.string());
  }
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  std::string path() const { return path_.string(); }

private:
  fs::path path_;
};

// The device's side of -E and -M.
struct DeviceText {
  std::string text;
  std::shared_ptr<clang::DependencyCollector> read;
};

// False if there were errors.
bool preprocessDevice(const Options &options, const Input &input, ShownMessages &shown,
                      DeviceText &result) {
  const TemporaryFile file(temporaryName(fs::path(input.path).filename()), "");
  std::vector<std::string> arguments = deviceArguments(options, input, "");
  std::erase(arguments, "-c");
  append(arguments, {"-E", "-o", file.path()});
  ClangRun clang(shown, options.verbose);
  if (!clang.prepare(arguments))
    return false;
  result.read = collectFiles(clang.instance(), !has(options.dependencies, "-MM") &&
                                                   !has(options.dependencies, "-MMD"));
  if (!executeAction(clang.instance()))
    return false;
  std::ifstream stream(file.path(), std::ios::binary);
  result.text.assign(std::istreambuf_iterator<char>(stream), {});
  return true;
}

// To the standard output, if no file is named.
void appendTo(const std::string &file, const std::string &text) {
  if (file.empty() || file == "-") {
    std::fputs(text.c_str(), stdout);
    return;
  }
  std::ofstream stream(file, std::ios::binary | std::ios::app);
  stream << text;
  if (!stream.flush())
    throw std::runtime_error("cannot write " + file);
}

// What the host side gets of the device side, and where it goes.
struct HostParts {
  const DeviceSide &device;
  std::string image; // a file; empty if there is none
  fs::path object;
};

Attempt compileHost(const Options &options, const Input &input, const std::string &id,
                    const HostParts &parts, ShownMessages &shown, bool may_take) {
  ClangRun clang(shown, options.verbose);
  if (!clang.prepare(hostArguments(options, input, id, parts.image, parts.object.string())))
    return {};
  clang::CompilerInstance &instance = clang.instance();
  Attempt attempt;
  attempt.took_prelude =
      may_take && input.language == Language::Cuda && usePrecompiledPrelude(instance, options);
  if (parts.device.read)
    addDependencies(instance, parts.device.read, input.path);
  auto &passes = instance.getCodeGenOpts().PassBuilderCallbacks;
  passes.push_back(registerManagedVariables);
  if (!parts.device.relocatable.empty())
    passes.push_back([&](llvm::PassBuilder &builder) {
      embedDeviceObject(builder, id, parts.device.relocatable);
    });
  HostAction action(options);
  attempt.good = instance.ExecuteAction(action);
  return attempt;
}

} // namespace

PrepareOptions prepareOptions(const Options &options, const std::string &source) {
  PrepareOptions prepare;
  prepare.analyze = engine::simd::analyzeLaunches;
  prepare.source = source;
  prepare.arch = options.arch;
  prepare.arch_suffix = options.arch_suffix;
  // A cubin has code for one GPU, and no PTX.
  const bool is_cubin = options.at_run_time || options.image_suffix == ".cubin";
  prepare.codes = is_cubin ? machineCodes(options.codes) : options.codes;
  prepare.ptx_version = options.cuda == 12 ? 88 : 90;
  prepare.debug = options.debug_device;
  prepare.optimize = unsigned(options.device_optimize);
  prepare.max_registers = options.max_registers;
  prepare.device_library = installRoot() / "lib" / "heddle" / "devicelib.bc";
  return prepare;
}

PtxOptions ptxOptions(const Options &options, const std::string &source) {
  PtxOptions ptx;
  ptx.prepare = prepareOptions(options, source);
  ptx.lines = options.lines || options.debug_device;
  ptx.relocatable = options.rdc;
  ptx.arch_suffix = options.arch_suffix;
  ptx.flush_denormals = options.flush_denormals;
  ptx.max_registers = options.max_registers;
  return ptx;
}

std::optional<CompiledSource> compileToObject(const Options &options, const Input &input,
                                              const fs::path &object, ShownMessages &shown,
                                              Progress &progress) {
  const std::string id = objectId(options, input, object);
  DeviceSide device;
  std::optional<TemporaryFile> image_file;
  if (input.language == Language::Cuda) {
    progress.enter("device code");
    auto compiled = compileDevice(options, input, id, shown);
    if (!compiled)
      return std::nullopt;
    device = std::move(*compiled);
    // With -rdc=true the file says no more than that there is device code: Clang then registers it.
    const std::string &embedded = options.rdc ? device.relocatable : device.whole.image;
    if (!embedded.empty())
      image_file.emplace(temporaryName(object.filename()), options.rdc ? "linked" : embedded);
  }
  const std::string image = image_file ? image_file->path() : "";
  progress.enter("host code");
  const bool good = compileWithPrelude(shown, [&](ShownMessages &messages, bool may_take) {
    return compileHost(options, input, id, {device, image, object}, messages, may_take);
  });
  if (!good)
    return std::nullopt;
  return std::move(device.whole);
}

std::optional<CompiledSource> compileToImage(const Options &options, const Input &input,
                                             ShownMessages &shown) {
  Options whole = options;
  whole.rdc = false; // an image is complete
  auto compiled = compileDevice(whole, input, objectId(whole, input, input.path), shown);
  if (!compiled)
    return std::nullopt;
  if (!compiled->whole.info) {
    ImageInfo nothing;
    nothing.source = input.path;
    nothing.arch = options.arch;
    nothing.codes = prepareOptions(options, input.path).codes;
    compiled->whole.image = writeImage(nothing, "");
    compiled->whole.info = std::move(nothing);
  }
  return std::move(compiled->whole);
}

std::optional<std::string> compileToText(const Options &options, const Input &input,
                                         ShownMessages &shown) {
  auto compiled = compileDevice(options, input, objectId(options, input, input.path), shown);
  if (!compiled)
    return std::nullopt;
  return options.action == Action::Ptx ? compiled->whole.image : compiled->relocatable;
}

std::optional<std::string> preprocessedDevice(const Options &options, const Input &input,
                                              ShownMessages &shown) {
  DeviceText device;
  if (!preprocessDevice(options, input, shown, device))
    return std::nullopt;
  return std::move(device.text);
}

std::vector<std::vector<std::string>> describeCompilation(const Options &options,
                                                          const Input &input, const fs::path &image,
                                                          const fs::path &object) {
  // A program that can be run with these arguments: without the name of Clang's driver before them.
  const auto command = [](std::vector<std::string> arguments,
                          const std::vector<std::string> &more) {
    arguments.front() = hostCompiler().string();
    append(arguments, more);
    return arguments;
  };
  std::vector<std::vector<std::string>> commands;
  const std::string id = objectId(options, input, object);
  const bool cuda = input.language == Language::Cuda;
  if (cuda)
    commands.push_back(command(deviceArguments(options, input, id), {"-o", image.string()}));
  if (!object.empty())
    commands.push_back(command(
        hostArguments(options, input, id, cuda ? image.string() : "", object.string()), {}));
  return commands;
}

std::vector<std::string> editorArguments(const Options &options) {
  std::vector<std::string> arguments = {"-xcuda"};
  // An older Clang takes a version that it does not know for one before CUDA 9.2, and looks for
  // what launched kernels then; for what an editor does, all later ones are the same.
  append(arguments, readingArguments(options, Language::Cuda, "11.8"));
  // Host code has all of a file's text; in device code, headers of the host may be none.
  append(arguments, {"--cuda-host-only", "--cuda-gpu-arch=" + architectureForClang(options.arch),
                     "-D__CUDA_ARCH_LIST__=" + std::to_string(options.arch)});
  if (!options.standard.empty()) // else a project's own stays
    arguments.push_back("-std=" + options.standard);
  append(arguments, options.host);
  if (options.openmp)
    arguments.push_back("-fopenmp");
  return arguments;
}

bool preprocess(const Options &options, const Input &input, const std::string &output,
                ShownMessages &shown) {
  const bool text = options.action != Action::Dependencies;
  DeviceText device;
  if (input.language == Language::Cuda && !preprocessDevice(options, input, shown, device))
    return false;
  std::vector<std::string> arguments = baseArguments(options, input, "");
  if (input.language == Language::Cuda)
    arguments.push_back("--cuda-host-only");
  if (text)
    arguments.push_back("-E");
  append(arguments, options.dependencies);
  append(arguments, {"-o", output.empty() ? "-" : output});
  ClangRun clang(shown, options.verbose);
  if (!clang.prepare(arguments))
    return false;
  if (device.read)
    addDependencies(clang.instance(), device.read, input.path);
  if (!executeAction(clang.instance()))
    return false;
  if (device.read && text)
    appendTo(output, deviceTrailer(*device.read, device.text));
  return true;
}

} // namespace heddle::frontend
