// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/command_line/option_table.h"

#include "frontend/command_line/words.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace heddle::frontend {
namespace {

using Status = OptionDescription::Status;
using Handler = OptionHandler;
using Parser = OptionParser;

bool parseBool(const std::string &option, const std::string &value) {
  if (value == "true" || value == "1")
    return true;
  if (value == "false" || value == "0")
    return false;
  throw std::runtime_error(fmt::format("option {}: '{}' is neither true nor false", option, value));
}

uint32_t parseCount(const std::string &option, const std::string &value) {
  if (value.empty() || value.size() > 9 ||
      !std::all_of(value.begin(), value.end(), [](unsigned char c) { return std::isdigit(c); }))
    throw std::runtime_error(fmt::format("option {}: '{}' is not a number", option, value));
  return uint32_t(std::stoul(value));
}

Handler ignore() {
  return [](Parser &, const std::string &) {};
}
template <typename T> Handler set(T Options::*member, T value) {
  return [=](Parser &p, const std::string &) { p.options.*member = value; };
}
Handler setAction(Action action) { return set(&Options::action, action); }
Handler setImage(const char *suffix, Action action = Action::Image) {
  return [suffix, action](Parser &p, const std::string &) {
    p.options.action = action;
    p.options.rdc |= action == Action::LtoIr; // code to be linked
    p.options.image_suffix = suffix;
  };
}
// Passes the option on to Clang as `prefix` + value, in one argument.
Handler forward(std::vector<std::string> Options::*list, std::string prefix) {
  return [list, prefix = std::move(prefix)](Parser &p, const std::string &value) {
    (p.options.*list).push_back(prefix + value);
  };
}
Handler forwardSeparately(std::vector<std::string> Options::*list, std::string name) {
  return [list, name = std::move(name)](Parser &p, const std::string &value) {
    (p.options.*list).push_back(name);
    (p.options.*list).push_back(value);
  };
}

const std::vector<Option> phase_options = {
    {{"-c", "--compile"}, "", "compile to an object file", setAction(Action::Compile)},
    {{"-dc", "--device-c"},
     "",
     "as -c -rdc=true",
     [](Parser &p, const std::string &) {
       p.options.action = Action::Compile;
       p.options.rdc = true;
     }},
    {{"-dw", "--device-w"},
     "",
     "as -c -rdc=false",
     [](Parser &p, const std::string &) {
       p.options.action = Action::Compile;
       p.options.rdc = false;
     }},
    {{"-rdc", "--relocatable-device-code"},
     "BOOL",
     "leave device code to be linked with other files' (default false)",
     [](Parser &p, const std::string &v) { p.options.rdc = parseBool("-rdc", v); }},
    {{"-dlink", "--device-link"},
     "",
     "link the device code of objects and static libraries to an object file",
     setAction(Action::DeviceLink)},
    {{"-nodlink", "--no-device-link"},
     "",
     "link without a device link before it",
     set(&Options::device_link, false)},
    {{"-E", "--preprocess"}, "", "preprocess only", setAction(Action::Preprocess)},
    {{"-cuda", "--cuda"},
     "",
     "preprocess each .cu file to .cu.cpp.ii",
     setAction(Action::PreprocessToFiles)},
    {{"-lib", "--lib"}, "", "make a static library", setAction(Action::Archive)},
    {{"-link", "--link"}, "", "compile and link (the default)", setAction(Action::Link)},
    {{"-shared", "--shared"}, "", "make a shared library", set(&Options::shared, true)},
    {{"-run", "--run"}, "", "compile, link and run", set(&Options::run, true)},
    {{"-run-args", "--run-args"},
     "ARGUMENTS",
     "arguments for -run",
     [](Parser &p, const std::string &value) {
       for (auto &word : splitWords(value))
         p.options.run_arguments.push_back(word);
     }},
    {{"-M", "--generate-dependencies"},
     "",
     "print dependencies",
     [](Parser &p, const std::string &) {
       p.options.action = Action::Dependencies;
       p.options.dependencies.push_back("-M");
     }},
    {{"-MM", "--generate-nonsystem-dependencies"},
     "",
     "print dependencies but system headers",
     [](Parser &p, const std::string &) {
       p.options.action = Action::Dependencies;
       p.options.dependencies.push_back("-MM");
     }},
    {{"-MD", "--generate-dependencies-with-compile"},
     "",
     "compile and write dependencies",
     forward(&Options::dependencies, "-MD")},
    {{"-MMD", "--generate-nonsystem-dependencies-with-compile"},
     "",
     "the same but system headers",
     forward(&Options::dependencies, "-MMD")},
    {{"-MP", "--generate-dependency-targets"},
     "",
     "an empty target for each dependency",
     forward(&Options::dependencies, "-MP")},
    {{"-MF", "--dependency-output"},
     "FILE",
     "where dependencies go",
     forwardSeparately(&Options::dependencies, "-MF")},
    {{"-MT", "--dependency-target-name"},
     "TARGET",
     "the target in dependencies",
     forwardSeparately(&Options::dependencies, "-MT")},
    {{"-o", "--output-file"},
     "FILE",
     "the output",
     [](Parser &p, const std::string &v) { p.options.output = v; }},
    {{"-odir", "--output-directory"},
     "FOLDER",
     "where outputs go",
     [](Parser &p, const std::string &v) { p.options.output_folder = v; }},
    {{"-x", "--x"},
     "LANGUAGE",
     "cu, c++ or c, whatever the files are called",
     [](Parser &p, const std::string &v) { p.setLanguage(v); }},
    {{"--editor-flags"},
     "",
     "print the flags, one a line, with which an editor's Clang reads .cu files (heddle "
     "lsp-config)",
     setAction(Action::ShowEditorFlags)},
    {{"-arch-ls", "--list-gpu-arch"},
     "",
     "the GPUs to compile for, as compute_XX",
     setAction(Action::ShowArchitectures)},
    {{"-code-ls", "--list-gpu-code"}, "", "the same, as sm_XX", setAction(Action::ShowCodes)},
    {{"-V", "--version"}, "", "the version", setAction(Action::ShowVersion)},
    {{"-h", "--help"}, "", "this text", setAction(Action::ShowHelp)},
    {{"-v", "--verbose"}, "", "say what is being done", set(&Options::verbose, true)},
    {{"-dryrun", "--dryrun"},
     "",
     "print the commands that would run, and run none",
     set(&Options::dry_run, true)},
    {{"-keep", "--keep", "-save-temps", "--save-temps"},
     "",
     "leave intermediate files: .ii, .ptx, .cubin, .fatbin and .o",
     set(&Options::keep, true)},
    {{"-keep-dir", "--keep-dir"},
     "FOLDER",
     "where to leave them",
     [](Parser &p, const std::string &v) { p.options.keep_folder = v; }},
    {{"-ptx", "--ptx"}, "", "compile to PTX", setImage(".ptx", Action::Ptx)},
    {{"-cubin", "--cubin"},
     "",
     "compile to an image that programs load with cuModuleLoad",
     setImage(".cubin")},
    {{"-fatbin", "--fatbin"}, "", "the same, named .fatbin", setImage(".fatbin")},
    {{"-optix-ir", "--optix-ir"}, "", "", nullptr, Status::Unsupported},
    {{"-ltoir", "--ltoir"},
     "",
     "compile to code that nvJitLink links",
     setImage(".ltoir", Action::LtoIr)},
    {{"-m32"}, "", "", nullptr, Status::Unsupported},
};

// Options about messages, and what else nvcc's front end asks for before it takes some code.
const std::vector<Option> message_options = {
    {{"-expt-relaxed-constexpr", "--expt-relaxed-constexpr"},
     "",
     "device code may call constexpr functions of the host",
     set(&Options::relaxed_constexpr, true)},
    {{"-extended-lambda", "--extended-lambda", "-expt-extended-lambda", "--expt-extended-lambda"},
     "",
     "lambdas may say __device__ and __host__",
     set(&Options::extended_lambda, true)},
    {{"-w", "--disable-warnings"}, "", "no warnings", forward(&Options::host, "-w")},
    {{"-no-display-error-number", "--no-display-error-number"},
     "",
     "leave out the numbers of warnings",
     [](Parser &p, const std::string &) { p.options.messages.show_numbers = false; }},
    {{"-Werror", "--Werror"},
     "KINDS",
     "make warnings errors: all-warnings, cross-execution-space-call, deprecated-declarations, …",
     [](Parser &p, const std::string &v) { p.addErrorKinds(v); }},
    {{"-diag-suppress", "--diag-suppress"},
     "NUMBERS",
     "give no warnings with these numbers",
     [](Parser &p, const std::string &v) { p.treat("-diag-suppress", v, Treatment::Suppress); }},
    {{"-diag-error", "--diag-error"},
     "NUMBERS",
     "make warnings with these numbers errors",
     [](Parser &p, const std::string &v) { p.treat("-diag-error", v, Treatment::Error); }},
    {{"-diag-warn", "--diag-warn"},
     "NUMBERS",
     "give warnings with these numbers",
     [](Parser &p, const std::string &v) { p.treat("-diag-warn", v, Treatment::Warning); }},
    {{"-Xcudafe", "--cudafe-options"},
     "OPTIONS",
     "--diag_suppress=NUMBERS and its kin; others are ignored",
     [](Parser &p, const std::string &v) { p.addFrontEndOptions(v); }},
};

void addArchitecture(Parser &p, const std::string &value) {
  p.gpu_codes.arch = value;
  p.addArch(value);
}
void addCode(Parser &p, const std::string &value) {
  p.gpu_codes.code += (p.gpu_codes.code.empty() ? "" : ",") + value;
  p.addArch(value);
}

const std::vector<Option> language_options = {
    {{"-arch", "--gpu-architecture"},
     "ARCH",
     "the GPU to compile for: any sm_XX or compute_XX, also sm_90a, sm_100f; native, all",
     addArchitecture},
    {{"-code", "--gpu-code"}, "ARCH", "the same", addCode},
    {{"-gencode", "--generate-code"},
     "SPECIFICATION",
     "the same, as arch=…,code=…",
     [](Parser &p, const std::string &v) { p.addGencode(v); }},
    {{"-std", "--std"},
     "STANDARD",
     "c++11, c++14, c++17 (default) or c++20",
     [](Parser &p, const std::string &v) { p.setStandard(v); }},
    {{"-O", "--optimize"},
     "LEVEL",
     "optimisation of host code",
     [](Parser &p, const std::string &v) {
       if (v.size() != 1 || v[0] < '0' || v[0] > '9')
         throw std::runtime_error(fmt::format("option -O: there is no level '{}'", v));
       p.options.optimize = std::min(v[0] - '0', 3); // as the host compilers do
     }},
    {{"-g", "--debug"}, "", "debug information for host code", set(&Options::debug_host, true)},
    {{"-G", "--device-debug"},
     "",
     "debug information for device code; under a debugger it is not optimised",
     set(&Options::debug_device, true)},
    {{"-use_fast_math", "--use_fast_math"},
     "",
     "sinf as __sinf and so on, fused multiply-add",
     set(&Options::fast_math, true)},
    {{"-fmad", "--fmad"},
     "BOOL",
     "fuse multiplications and additions (default true)",
     [](Parser &p, const std::string &v) { p.options.fma = parseBool("-fmad", v); }},
    {{"-lineinfo", "--generate-line-info"},
     "",
     "lines in PTX (Heddle's own code has them always)",
     set(&Options::lines, true)},
    {{"-ftz", "--ftz"},
     "BOOL",
     "mark instructions .ftz in PTX; Heddle computes with denormals",
     [](Parser &p, const std::string &v) { p.options.flush_denormals = parseBool("-ftz", v); }},
    {{"-default-stream", "--default-stream"},
     "KIND",
     "legacy (default) or per-thread",
     [](Parser &p, const std::string &v) {
       if (v != "per-thread" && v != "legacy" && v != "null")
         throw std::runtime_error(
             fmt::format("option --default-stream: '{}' is not legacy, null or per-thread", v));
       p.options.per_thread_default_stream = v == "per-thread";
     }},
    {{"-maxrregcount", "--maxrregcount"},
     "COUNT",
     "registers a thread at most (bounds the estimate)",
     [](Parser &p, const std::string &v) {
       p.options.max_registers = parseCount("-maxrregcount", v);
     }},
    {{"-res-usage", "--resource-usage"},
     "",
     "print registers, shared and constant memory of each kernel",
     set(&Options::resource_usage, true)},
    {{"-Xptxas", "--ptxas-options"},
     "OPTIONS",
     "-v as --resource-usage; others are ignored",
     [](Parser &p, const std::string &v) { p.addPtxasOptions(v); }},
    {{"-Xcompiler", "--compiler-options"},
     "OPTIONS",
     "options for the host compiler: both passes' preprocessor, host code, the link",
     [](Parser &p, const std::string &v) { p.addHostOptions(v); }},
    {{"-ccbin", "--compiler-bindir"},
     "COMPILER",
     "with the options that mpicxx adds, if it is that; other compilers are ignored",
     [](Parser &p, const std::string &v) { p.host_compiler = v; }},
    {{"-Xlinker", "--linker-options"},
     "OPTIONS",
     "options for the linker",
     [](Parser &p, const std::string &v) {
       for (auto &option : splitAtCommas(v)) {
         p.options.linker.push_back("-Xlinker");
         p.options.linker.push_back(option);
       }
     }},
    {{"-I", "--include-path"},
     "FOLDER",
     "where to look for headers",
     forward(&Options::preprocessor, "-I")},
    {{"-isystem", "--system-include"},
     "FOLDER",
     "where to look for system headers",
     forwardSeparately(&Options::preprocessor, "-isystem")},
    {{"-D", "--define-macro"}, "MACRO", "define a macro", forward(&Options::preprocessor, "-D")},
    {{"-U", "--undefine-macro"},
     "MACRO",
     "undefine a macro",
     forward(&Options::preprocessor, "-U")},
    {{"-include", "--pre-include"},
     "FILE",
     "include a file first",
     forwardSeparately(&Options::preprocessor, "-include")},
    {{"-l", "--library"},
     "NAME",
     "link a library",
     [](Parser &p, const std::string &v) { p.addLibrary(v); }},
    {{"-L", "--library-path"},
     "FOLDER",
     "where to look for libraries",
     forward(&Options::linker, "-L")},
    // --cuda without a value is nvcc's, and something else.
    {{"--cuda=12"}, "", "with headers and libraries of CUDA 12.9", set(&Options::cuda, 12)},
    {{"--cuda=13"},
     "",
     "with those of CUDA 13.0 (the default, if HEDDLE_CUDA does not say 12)",
     set(&Options::cuda, 13)},
    {{"-cudart", "--cudart"},
     "KIND",
     "none, shared or static: all but none link Heddle's runtime library",
     [](Parser &p, const std::string &v) {
       if (v != "none" && v != "shared" && v != "static")
         throw std::runtime_error(
             fmt::format("option --cudart: '{}' is not none, shared or static", v));
       p.options.link_runtime = v != "none";
       p.options.shared_runtime = v == "shared";
     }},
    {{"-t", "--threads"},
     "COUNT",
     "as nvcc; Heddle decides by itself",
     [](Parser &, const std::string &v) { parseCount("-threads", v); }},
    {{"-split-compile", "--split-compile"},
     "COUNT",
     "the same",
     [](Parser &, const std::string &v) { parseCount("-split-compile", v); }},
    {{"-pg", "--profile"}, "", "host profiling", forward(&Options::host, "-pg")},
    {{"-fopenmp"}, "", "as -Xcompiler -fopenmp", set(&Options::openmp, true)},
    {{"-pthread"}, "", "link with threads", forward(&Options::linker, "-pthread")},
    {{"-fPIC", "-fpic"}, "", "position-independent host code", forward(&Options::host, "-fPIC")},
    {{"-forward-unknown-to-host-compiler", "--forward-unknown-to-host-compiler"},
     "",
     "options that are not nvcc's are the host compiler's",
     [](Parser &p, const std::string &) { p.forward_unknown = true; }},
    {{"-forward-unknown-to-host-linker", "--forward-unknown-to-host-linker"},
     "",
     "the same for the linker's (-Wl,…)",
     [](Parser &p, const std::string &) { p.forward_unknown = true; }},
    {{"-optf", "--options-file"},
     "FILE",
     "read more options from a file",
     [](Parser &p, const std::string &v) {
       std::ifstream file(v);
       if (!file)
         throw std::runtime_error(fmt::format("option --options-file: cannot read {}", v));
       if (++p.option_files > 32)
         throw std::runtime_error("option --options-file: the files name each other");
       std::stringstream text;
       text << file.rdbuf();
       p.parse(splitWords(text.str()));
     }},
};

// Options that direct tools Heddle does not have, or that it always behaves as if given.
std::vector<Option> ignoredOptions() {
  std::vector<Option> options;
  auto flags = [&](std::vector<std::string> names) {
    options.push_back({std::move(names), "", "", ignore(), Status::Ignored});
  };
  auto valued = [&](std::vector<std::string> names) {
    options.push_back({std::move(names), "VALUE", "", ignore(), Status::Ignored});
  };
  flags({"-m64", "--m64"});
  flags({"-restrict", "--restrict"});
  flags({"-extra-device-vectorization", "--extra-device-vectorization"});
  flags({"-clean", "--clean-targets"});
  flags({"-noprof", "--dont-use-profile"});
  flags({"-src-in-ptx", "--source-in-ptx"});
  flags({"-Wno-deprecated-gpu-targets", "--Wno-deprecated-gpu-targets"});
  flags({"-Wno-deprecated-declarations", "--Wno-deprecated-declarations"});
  flags({"-Wreorder", "--Wreorder"});
  flags({"-Wdefault-stream-launch", "--Wdefault-stream-launch"});
  flags({"-Wext-lambda-captures-this", "--Wext-lambda-captures-this"});
  flags({"-Wmissing-launch-bounds", "--Wmissing-launch-bounds"});
  flags({"-allow-unsupported-compiler", "--allow-unsupported-compiler"});
  flags({"-display-error-number", "--display-error-number", "-err-no"});
  flags({"-dlto", "--dlink-time-opt", "-lto", "--lto"});
  flags({"-ewp", "--extensible-whole-program"});
  flags({"-dopt", "--dopt"});
  flags({"-use-local-env", "--use-local-env"});
  flags({"-noeh", "--no-exceptions"});
  flags({"-no-compress", "--no-compress"});
  flags({"-static-global-template-stub", "--static-global-template-stub"});
  valued({"-compress-mode", "--compress-mode"});
  valued({"-prec-div", "--prec-div"});
  valued({"-prec-sqrt", "--prec-sqrt"});
  valued({"-Xnvlink", "--nvlink-options"});
  valued({"-Xfatbin", "--fatbin-options"});
  valued({"-Xarchive", "--archive-options"});
  valued({"-Xnvvm", "--nvvm-options"});
  valued({"-time", "--time"});
  valued({"-target-dir", "--target-directory"});
  valued({"-arbin", "--archiver-binary"});
  valued({"-idp", "--input-drive-prefix"});
  valued({"-brief-diagnostics", "--brief-diagnostics"});
  valued({"-nvlink-options"});
  return options;
}
} // namespace

const std::vector<Option> &allOptions() {
  static const std::vector<Option> all = [] {
    std::vector<Option> options = phase_options;
    for (auto &group : {language_options, message_options, ignoredOptions()})
      options.insert(options.end(), group.begin(), group.end());
    return options;
  }();
  return all;
}

} // namespace heddle::frontend
