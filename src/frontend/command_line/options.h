// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc's command line.
//
// heddlecc takes the place of nvcc in a makefile, so it understands nvcc's options in all their
// spellings (--name=value, --name value, -name value, -nameVALUE for one-letter names). What cannot
// matter here (how ptxas schedules, how many compile at once) is accepted and ignored; what
// Heddle cannot do, or does not know, is an error that names the option.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

enum class Action {
  Link,
  DeviceLink,
  Compile,
  Preprocess,
  PreprocessToFiles,
  Image,
  Ptx,
  LtoIr,
  Dependencies,
  Archive,
  ShowEditorFlags,
  ShowArchitectures,
  ShowCodes,
  ShowVersion,
  ShowHelp
};
enum class Language { Cuda, Cxx, C, Ptx, Object };

struct Input {
  std::string path;
  Language language = Language::Object;
};

/// How a message with a number of nvcc's is treated (rules/messages.h).
enum class Treatment { Default, Suppress, Warning, Error };

/// The number of CUDA's message that nvcc also knows by `name`, of those that programs name; or 0.
unsigned numberOfMessage(std::string_view name);

struct MessageSettings {
  std::map<unsigned, Treatment> numbers; // -diag-suppress, -diag-warn, -diag-error
  bool show_numbers = true;              // -no-display-error-number
  bool warnings_are_errors = false;      // -Werror all-warnings
  bool calls_are_errors = false;         // -Werror cross-execution-space-call
  std::vector<std::string> clang_errors; // -Werror deprecated-declarations …, as Clang's options
};

struct Options {
  Action action = Action::Link;
  std::vector<Input> inputs;
  std::string output;        // -o; empty: chosen from the inputs
  std::string output_folder; // -odir
  std::string image_suffix;  // of Action::Image, Ptx and LtoIr: .cubin, .fatbin, .ptx, .ltoir
  bool shared = false;       // -shared
  bool run = false;          // -run
  std::vector<std::string> run_arguments;
  bool verbose = false; // -v, -dryrun prints and does not run
  bool dry_run = false;
  bool keep = false;       // -keep: leave what lies between source and object in keep_folder
  std::string keep_folder; // -keep-dir; empty: the current one

  int cuda = 0;                   // --cuda: 12 or 13, the release of CUDA that is meant
  uint32_t arch = 750;            // the highest asked for, within what is known
  char arch_suffix = 0;           // 'a', 'f': that, and what later GPUs may not have
  std::vector<uint32_t> archs;    // all that were asked for; empty: none by name
  std::vector<std::string> codes; // that nvcc would put into the program (gpu_codes.h)
  bool rdc = false;               // -rdc=true, -dc
  bool device_link = true;        // -nodlink
  std::string standard;           // -std
  int optimize = -1;              // -O for the host; -1: not given
  int device_optimize = 2;
  bool debug_host = false, debug_device = false; // -g, -G
  bool fast_math = false, fma = true;
  bool lines = false;           // -lineinfo, for PTX: ours has lines always
  bool flush_denormals = false; // -ftz, for PTX: the engines compute with denormals
  bool at_run_time = false;     // for NVRTC: no host code, no host headers (runtime/)
  bool per_thread_default_stream = false;
  bool resource_usage = false;            // -Xptxas -v, --resource-usage
  uint32_t max_registers = 0;             // -maxrregcount
  bool ptxas_warnings_are_errors = false; // -Xptxas -Werror
  bool openmp = false;
  bool extended_lambda = false, relaxed_constexpr = false;
  MessageSettings messages;
  bool link_runtime = true;    // -cudart none
  bool shared_runtime = false; // -cudart shared: the default is static, where it matters

  std::vector<std::string> preprocessor; // -I -D -U -include -isystem …, for all compilations
  std::vector<std::string> host;         // -Xcompiler and warnings, for the host compiler
  std::vector<std::string> dependencies; // -MD -MF …
  std::vector<std::string> linker;       // -L -l -Xlinker, objects and libraries in their order
};

/// Parses the arguments after the program's name. Throws std::runtime_error that names the option.
Options parseOptions(const std::vector<std::string> &arguments);

/// The text of heddlecc --help and of heddlecc --version.
std::string optionsHelp();
std::string compilerVersion(int cuda);
/// What ptxas, cuobjdump or nvdisasm of the chosen release answer to --version.
std::string toolVersion(const std::string &tool);

/// How heddlecc --help and docs/compatibility.md list the options: name, argument, what it does.
struct OptionDescription {
  std::vector<std::string> names;
  std::string argument;
  std::string help;
  enum class Status { Works, Ignored, Unsupported } status;
};
std::vector<OptionDescription> describeOptions();

} // namespace heddle::frontend
