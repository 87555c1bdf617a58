// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle: the command for people. heddlecc is the one for makefiles.
#include "cli/commands.h"
#include "cli/editor/lsp_config.h"
#include "cli/nearest.h"
#include "cli/toolkit/openacc_compiler.h"
#include "support/release.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>

using namespace heddle::cli;

namespace {

constexpr const char *environment_help =
    "Environment variables:\n"
    "  HEDDLE_GPU            the GPU that the devices say they are (default t4; see heddle "
    "devices)\n"
    "  HEDDLE_DEVICES        how many devices there are (default 1)\n"
    "  HEDDLE_ENGINE         how kernels run: simd (default), warps in vector registers; or\n"
    "                        reference, every thread by itself\n"
    "  HEDDLE_WORKERS        how many threads run a launch (default: as many as there are cores)\n"
    "  HEDDLE_CPU            compile kernels for this CPU (as clang -mcpu names it; default: the\n"
    "                        machine's own)\n"
    "  HEDDLE_QUIET=1        no explanations on stderr when a kernel fails\n"
    "  HEDDLE_DEBUG=1        code compiled with -G runs as written, for a debugger that comes "
    "later\n"
    "  HEDDLE_VERBOSE=1      say which kernels run on the slower reference engine, and why\n"
    "  HEDDLE_EXPLAIN=1      what heddle run --explain-codegen says, for any program\n"
    "  HEDDLE_SIMD_DISABLE=NAMES  without these choices at launches (docs/engine.md), or all\n"
    "  HEDDLE_SIMD_SKIP=NAMES     without these optional passes (docs/engine.md), or all\n"
    "  HEDDLE_SIMD_DUMP=1    show each kernel after each pass of the SIMD compiler\n"
    "  HEDDLE_PASS_TIMES=1   show how long each of its passes takes\n"
    "  HEDDLE_VERIFY=1       check the code behind each of them\n"
    "  HEDDLE_STRICT         0: take programs that only NVIDIA's tools refuse; 1: launches fail\n"
    "                        where the compiler finds a mistake of its own\n"
    "  HEDDLE_LAZY=1         compile kernels when they are launched, none in heddlecc\n"
    "  HEDDLE_CACHE          the folder of compiled kernels (default ~/.cache/heddle)\n"
    "  HEDDLE_CACHE_SIZE     its largest size in megabytes (default 1024)\n"
    "  HEDDLE_CUDA           12 or 13: the release of CUDA that heddlecc compiles for (default "
    "13)\n"
    "  HEDDLE_HOME           where Heddle is installed (default: found by itself)\n"
    "  CUDA_VISIBLE_DEVICES  which devices a process sees: numbers or UUIDs\n"
    "  CUDA_DEVICE_ORDER     FASTEST_FIRST or PCI_BUS_ID, which are the same\n"
    "  CUDA_FORCE_PTX_JIT    1: only a program's PTX counts when code is chosen for a GPU\n"
    "  CUDA_LAUNCH_BLOCKING  1 makes every kernel launch wait for its kernel\n"
    "  CUDA_LOG_FILE         stdout, stderr or a file: where errors of CUDA calls are logged\n"
    "  CUDA_MPS_PIPE_DIRECTORY  where nvidia-cuda-mps-control keeps what it was told\n";

constexpr const char *run_help =
    "Builds a CUDA program and runs it. Nothing is left behind.\n"
    "\n"
    "Usage: heddle run FILE... [nvcc options] [-- program arguments]\n"
    "\n"
    "Files may be .cu, .cpp, .c, .o, .a and .so, as for nvcc. The exit code is the program's own\n"
    "(128 + the signal's number if a signal ended it), 1 if it does not compile and 2 if the\n"
    "command line makes no sense.\n"
    "\n"
    "Options: all of heddlecc's (see heddlecc --help), of which most used here:\n"
    "  -v, --verbose    show the commands that are run; say which kernels run slowly, and why\n"
    "  --explain-codegen  say for each kernel that runs what became of its memory accesses and\n"
    "                   branches: vectors or lane by lane, masks or jumps, with source lines\n"
    "  -o FILE          keep the program\n"
    "  -g -G            for gdb; -G also makes kernels' variables visible\n"
    "  -h, --help       this text\n";

constexpr const char *check_help =
    "Runs a CUDA program and reports wrong accesses to memory, races and misused barriers.\n"
    "\n"
    "Usage: heddle check [options] FILE... [nvcc options] [-- program arguments]\n"
    "       heddle check [options] PROGRAM [-- program arguments]\n"
    "       heddle check [options] python3 prog.py ...  (or another name found in PATH)\n"
    "\n"
    "A program that has been built needs no rebuilding. Wrong accesses do not happen: they load\n"
    "zeros and store nothing, and the program goes on. The exit code is 1 if anything was found,\n"
    "else the program's own. docs/checks.md explains each kind of finding.\n"
    "\n"
    "Options:\n"
    "  --only LIST          of memory, init, race, sync, leak, api and unused, by commas\n"
    "                       (default: memory, race and sync)\n"
    "  --leak-check full    tell memory that is never freed, too\n"
    "  --json               the report as the last line on stdout; --json-file FILE: in a file\n"
    "  --report FILE        the text in a file, and not on stderr\n"
    "  --max-reports N      tell so many findings (default 100)\n"
    "  --sarif FILE         the report for code scanning (SARIF 2.1.0), --junit FILE: for test "
    "runners\n"
    "  --suppressions FILE  findings that are not to be told; --write-suppressions FILE writes "
    "one\n"
    "  --error-exitcode N   the exit code if anything was found (default 1)\n"
    "  -h, --help           this text\n";

constexpr const char *profile_help =
    "Runs a CUDA program and tells what a GPU would do: which lines make warps diverge, how many\n"
    "sectors loads cost, which accesses collide in banks. The numbers are exact, and the same on\n"
    "every run (docs/metrics.md defines them); only times are this computer's.\n"
    "\n"
    "Usage: heddle profile [options] FILE... [nvcc options] [-- program arguments]\n"
    "       heddle profile [options] PROGRAM [-- program arguments]\n"
    "       heddle profile [options] python3 prog.py ...  (or another name found in PATH)\n"
    "\n"
    "A program that has been built needs no rebuilding. The exit code is the program's own.\n"
    "\n"
    "Options:\n"
    "  --lines              the source with counters beside each line\n"
    "  --kernel REGEX       only kernels whose names it matches\n"
    "  --launch N           only the N-th launch of each kernel\n"
    "  --metrics NAME,...   these numbers; also by Nsight Compute's and nvprof's names; or all\n"
    "  --csv                metrics as CSV, on stdout\n"
    "  --json               everything as JSON, the last line on stdout\n"
    "  --from-api           only between cudaProfilerStart and cudaProfilerStop\n"
    "  --caches             hits of the L1 and L2 caches and traffic to memory, as a model\n"
    "  --expect FILE        fail if a number is not as FILE says (see heddle expect --help)\n"
    "  --report FILE        the text in a file, and not on stderr\n"
    "  --trace FILE         a timeline for chrome://tracing or ui.perfetto.dev\n"
    "  --html FILE          a page for a browser: source with counters, pictures of accesses,\n"
    "                       charts; it needs no network\n"
    "  --gpu NAME           the GPU that the numbers are for (see heddle devices)\n"
    "  -h, --help           this text\n";

constexpr const char *expect_help =
    "Runs a program as heddle profile does, and fails if a number is not what FILE expects.\n"
    "\n"
    "Usage: heddle expect FILE [options of heddle profile] FILE.cu... [-- program arguments]\n"
    "       heddle expect FILE [options of heddle profile] PROGRAM [-- program arguments]\n"
    "\n"
    "A line of FILE is KERNEL METRIC RELATION NUMBER, such as\n"
    "  transpose  bank_conflicts == 0        # for each kernel whose name has this\n"
    "  .          global_load_efficiency > 80\n"
    "KERNEL is a regular expression without spaces. What is behind a # is a comment.\n"
    "The exit code is 1 if something does not hold; else the program's own.\n";

constexpr const char *occupancy_help =
    "Says how many blocks of each kernel a multiprocessor (SM) holds, what limits it, and what "
    "other\n"
    "block sizes would give, by NVIDIA's published rules. Nothing is run.\n"
    "\n"
    "Usage: heddle occupancy [options] FILE.cu... [nvcc options]\n"
    "       heddle occupancy [options] PROGRAM\n"
    "\n"
    "Options:\n"
    "  --block N       threads of a block (default 256)\n"
    "  --shared BYTES  dynamic shared memory of a block\n"
    "  --registers N   of a thread (default: estimated from the code)\n"
    "  --gpu NAME      the GPU (see heddle devices)\n"
    "  --json          for programs to read\n"
    "  -h, --help      this text\n";

constexpr const char *release_help = "12 or 13: the release of CUDA (default: HEDDLE_CUDA, or 13)";

// A word where a command should be.
std::string unknownCommand(const std::vector<CLI::App *> &commands, const std::string &word) {
  const std::string message = fmt::format("unknown command '{}'", word);
  if (word.ends_with(".cu"))
    return message + fmt::format("; did you mean 'heddle run {}'?", word);
  std::string nearest;
  size_t distance = 3; // farther is not a slip of the finger
  for (const CLI::App *command : commands)
    if (const size_t d = editDistance(word, command->get_name()); d < distance)
      nearest = command->get_name(), distance = d;
  return message +
         (nearest.empty() ? "; see heddle --help" : fmt::format("; did you mean '{}'?", nearest));
}

bool wantsHelp(const std::vector<std::string> &arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  return std::any_of(arguments.begin(), end,
                     [](const std::string &a) { return a == "-h" || a == "--help"; });
}

// A command whose arguments are nvcc's, with options of its own, and so not for CLI11's parser.
struct ProgramCommand {
  const char *name, *summary, *help;
  int (*run)(const std::vector<std::string> &arguments);
};

constexpr ProgramCommand program_commands[] = {
    {"run", "Build a CUDA program and run it", run_help, runCommand},
    {"check", "Run a CUDA program and report wrong accesses to memory, races, misused barriers",
     check_help, checkCommand},
    {"profile", "Run a CUDA program and tell what a GPU would do, line by line", profile_help,
     profileCommand},
    {"expect", "Run a CUDA program and fail if its counters are not as expected", expect_help,
     expectCommand},
    {"occupancy", "Say how many blocks of a program's kernels an SM holds, and why", occupancy_help,
     occupancyCommand},
};

int dispatchTo(const ProgramCommand &command, const std::vector<std::string> &arguments) {
  if (!wantsHelp(arguments))
    return command.run(arguments);
  std::fputs(command.help, stdout);
  return 0;
}

/// Lets the parser read a command; the exit code if that is all (--help, --version).
std::optional<int> parse(CLI::App &app, std::vector<std::string> arguments) {
  const std::vector<CLI::App *> commands = app.get_subcommands(nullptr);
  if (!arguments[0].starts_with("-") &&
      std::none_of(commands.begin(), commands.end(),
                   [&](const CLI::App *known) { return known->get_name() == arguments[0]; }))
    throw UsageError(unknownCommand(commands, arguments[0]));
  try {
    std::reverse(arguments.begin(), arguments.end()); // as CLI11 wants them
    app.parse(arguments);
  } catch (const CLI::ParseError &result) {
    if (result.get_exit_code() == 0) // --help and --version arrive here too
      return app.exit(result);
    throw UsageError(result.what());
  }
  return std::nullopt;
}

CLI::App *addToolkit(CLI::App &app, std::string &folder, std::string &release) {
  CLI::App *toolkit = app.add_subcommand(
      "toolkit", "Make a folder in the shape of /usr/local/cuda, for makefiles and notebooks");
  toolkit->add_option("FOLDER", folder, "Where: a new or empty folder, or an earlier one")
      ->required();
  toolkit->add_option("--cuda", release, release_help);
  return toolkit;
}

CLI::App *addEnv(CLI::App &app, std::string &folder, std::string &release, bool &libraries_only,
                 bool &json) {
  CLI::App *env = app.add_subcommand(
      "env", "Print what makes a shell use Heddle as CUDA: eval \"$(heddle env)\"");
  env->add_option("FOLDER", folder, "A folder that heddle toolkit made (default: Heddle's own)");
  env->add_option("--cuda", release, release_help);
  env->add_flag("--lib", libraries_only,
                "Only the folder of the libraries: LD_LIBRARY_PATH=$(heddle env --lib) python3 …");
  env->add_flag("--json", json, "For programs to read: what to set, and what to put before lists");
  return env;
}

/// Takes off what is behind --, which is not for the parser.
std::vector<std::string> takeBehindSeparator(std::vector<std::string> &arguments) {
  const auto separator = std::find(arguments.begin(), arguments.end(), "--");
  std::vector<std::string> behind;
  if (separator != arguments.end())
    behind.assign(separator + 1, arguments.end());
  arguments.erase(separator, arguments.end());
  return behind;
}

void addLspConfig(CLI::App &app, LspConfigOptions &options) {
  CLI::App *command = app.add_subcommand(
      "lsp-config", "Make clangd, and editors behind it, read CUDA sources as heddlecc does");
  command->footer("Behind -- go the options of nvcc that the project is compiled with:\n"
                  "  heddle lsp-config . -- -std=c++20 -Iinclude -arch=sm_80");
  command->add_option("FOLDER", options.folder,
                      "The project, where .clangd is written (default: print it)");
  command->add_flag("--vscode", options.vscode,
                    "Also .vscode/launch.json and tasks.json, for gdb in VS Code");
  command->add_flag("--force", options.force, "Replace files that heddle lsp-config has not made");
}

int dispatch(int argc, char **argv) {
  CLI::App app("Compiles and runs CUDA programs on the CPU.", "heddle");
  app.set_version_flag("--version",
                       fmt::format("Heddle {} (CUDA {} and {})", HEDDLE_VERSION,
                                   heddle::releaseOf(13).level, heddle::releaseOf(12).level));
  app.require_subcommand(0, 1);
  for (const ProgramCommand &command : program_commands)
    app.add_subcommand(command.name, command.summary);
  bool json = false;
  CLI::App *devices = app.add_subcommand("devices", "Show the virtual GPUs and what there is to "
                                                    "choose from");
  devices->add_flag("--json", json, "For programs to read");
  CLI::App *doctor =
      app.add_subcommand("doctor", "Check that everything Heddle needs is there and works");
  CLI::App *cache = app.add_subcommand("cache", "Show the cache of compiled kernels, or clear it");
  cache->require_subcommand(0, 1);
  cache->add_subcommand("status", "Folder, entries, size and limit (default)");
  CLI::App *clear = cache->add_subcommand("clear", "Delete all entries");
  std::string folder, release;
  CLI::App *toolkit = addToolkit(app, folder, release);
  bool libraries_only = false;
  CLI::App *env = addEnv(app, folder, release, libraries_only, json);
  LspConfigOptions editor;
  addLspConfig(app, editor);
  app.footer(environment_help); // last: the commands would inherit it

  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments[0] == "help") { // heddle help run: heddle run --help
    arguments.erase(arguments.begin());
    arguments.push_back("--help");
  }
  if (arguments.empty()) {
    std::fputs(app.help().c_str(), stderr);
    return 2;
  }
  for (const ProgramCommand &command : program_commands)
    if (arguments[0] == command.name)
      return dispatchTo(command, {arguments.begin() + 1, arguments.end()});
  if (arguments[0] == "lsp-config")
    editor.nvcc = takeBehindSeparator(arguments);
  if (const std::optional<int> code = parse(app, std::move(arguments)))
    return *code;
  if (devices->parsed())
    return devicesCommand(json);
  if (doctor->parsed())
    return doctorCommand();
  if (clear->parsed())
    return cacheClearCommand();
  if (cache->parsed())
    return cacheStatusCommand();
  if (toolkit->parsed())
    return toolkitCommand(folder, release);
  if (env->parsed())
    return environmentCommand(folder, release, libraries_only, json);
  if (app.got_subcommand("lsp-config"))
    return lspConfigCommand(editor);
  throw UsageError("no command; see heddle --help");
}

} // namespace

int main(int argc, char **argv) {
  if (std::string_view(argv[0]).ends_with("nvidia-smi"))
    return nvidiaSmi({argv + 1, argv + argc});
  if (std::string_view(argv[0]).ends_with("nvidia-cuda-mps-control"))
    return mpsControl({argv + 1, argv + argc});
  constexpr std::pair<const char *, int (*)(const std::vector<std::string> &)> tools[] = {
      {"bin2c", bin2c},
      {"compute-sanitizer", sanitizerCommand},
      {"cuda-memcheck", sanitizerCommand},
      {"nvprof", nvprofCommand},
      {"ncu", ncuCommand},
      {"nsys", nsysCommand}};
  for (const auto &[name, tool] : tools)
    if (std::string_view(argv[0]).ends_with(name)) {
      try {
        return tool({argv + 1, argv + argc});
      } catch (const std::exception &error) {
        fmt::print(stderr, "{}: {}\n", name, error.what());
        return 1;
      }
    }
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  try {
    if (gccCommand(name, {}))
      return openAccCompiler(name, {argv + 1, argv + argc});
  } catch (const std::exception &error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    return 1;
  }
  const std::string command = argc > 1 && argv[1][0] != '-' ? fmt::format(" {}", argv[1]) : "";
  try {
    return dispatch(argc, argv);
  } catch (const UsageError &error) {
    const bool known = std::string_view(error.what()).starts_with("unknown command");
    fmt::print(stderr, "heddle{}: {}\n", known ? "" : command, error.what());
    return 2;
  } catch (const std::exception &error) {
    fmt::print(stderr, "heddle{}: {}\n", command, error.what());
    return 1;
  }
}
