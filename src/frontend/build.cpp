// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/build.h"

#include "engine/compiled_module.h"
#include "frontend/compile.h"
#include "support/paths.h"
#include "support/process.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>
#include <unistd.h>

namespace fs = std::filesystem;

namespace heddle::frontend {
namespace {

class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "heddle-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      throw std::runtime_error("cannot make a temporary folder in " +
                               fs::temp_directory_path().string());
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path &path() const { return path_; }

private:
  fs::path path_;
};

// As `nvcc -Xptxas -v` prints it; build scripts read these lines. The registers are an estimate.
void printResourceUsage(const ImageInfo &info, uint32_t max_registers) {
  // On compute capability 7.0 and later parameters start at byte 352 of constant bank 0.
  constexpr uint32_t parameter_start = 352;
  for (const KernelInfo &kernel : info.kernels) {
    const uint32_t registers =
        max_registers ? std::min(kernel.registers, max_registers) : kernel.registers;
    std::string line = fmt::format("ptxas info    : Used {} registers", registers);
    if (kernel.static_shared_bytes)
      line += fmt::format(", {} bytes smem", kernel.static_shared_bytes);
    line += fmt::format(", {} bytes cmem[0]", parameter_start + kernel.parameter_bytes);
    if (kernel.constant_bytes)
      line += fmt::format(", {} bytes cmem[3]", kernel.constant_bytes);
    fmt::print(stderr,
               "ptxas info    : Compiling entry function '{}' for 'sm_{}'\n"
               "ptxas info    : Function properties for {}\n"
               "    {} bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n{}\n",
               kernel.name, info.arch / 10, kernel.name, kernel.local_bytes, line);
  }
}

fs::path archiveFile(const Options &options) {
  return options.output.empty() ? fs::path("a.a") : fs::path(options.output);
}

fs::path objectName(const Options &options, const Input &input) {
  if (!options.output.empty() && options.action == Action::Compile)
    return options.output;
  return fs::path(options.output_folder) / (fs::path(input.path).stem().string() + ".o");
}

// Where dependencies go when the object is a temporary file: beside the program, about the program.
Options nameDependencies(Options options, const Input &input) {
  auto has = [&](const char *name) {
    const auto &list = options.dependencies;
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  const fs::path output =
      options.action == Action::Archive ? archiveFile(options) : linkedFile(options);
  if (!has("-MD") && !has("-MMD"))
    return options;
  if (!has("-MF")) {
    const fs::path file = output.parent_path() / (fs::path(input.path).stem().string() + ".d");
    options.dependencies.insert(options.dependencies.end(), {"-MF", file.string()});
  }
  if (!has("-MT"))
    options.dependencies.insert(options.dependencies.end(), {"-MT", output.string()});
  return options;
}

std::optional<CompiledSource> compileOne(const Options &options, const Input &input,
                                         const fs::path &object, ShownMessages &shown) {
  auto compiled = compileToObject(options, input, object, shown);
  if (!compiled || !compiled->info)
    return compiled;
  if (options.resource_usage)
    printResourceUsage(*compiled->info, options.max_registers);
  // Native code now, so that the program's first run finds it in the cache.
  const engine::CompiledFile native = engine::compiledModule(
      compiled->image, compiled->info->debug ? "reference" : engine::chosenEngine());
  if (native.temporary)
    fs::remove(native.path);
  return compiled;
}

// A library that the linker does not find may be one of CUDA's that Heddle does not have.
void explainLinkErrors(const std::string &output) {
  const std::string needle = "cannot find -l";
  for (size_t at = output.find(needle); at != std::string::npos; at = output.find(needle, at + 1)) {
    const size_t start = at + needle.size();
    const std::string name = output.substr(start, output.find_first_of(": \n", start) - start);
    if (const std::string why = explainMissing(name); !why.empty())
      fmt::print(stderr, "heddlecc: {}\n", why);
  }
}

int link(const Options &options, const std::vector<std::string> &objects,
         const std::string &output) {
  std::vector<std::string> command = {clangDriver().string(), "-o", output};
  if (options.shared)
    command.push_back("-shared");
  if (options.debug_host)
    command.push_back("-g");
  if (options.openmp)
    command.push_back("-fopenmp");
  command.insert(command.end(), objects.begin(), objects.end());
  command.insert(command.end(), options.linker.begin(), options.linker.end());
  if (options.link_runtime) {
    const std::string library = (installRoot() / "lib").string();
    for (const std::string &argument :
         {"-L" + library, std::string("-lcudart"), "-Wl,-rpath," + library})
      command.push_back(argument);
  }
  if (options.verbose || options.dry_run)
    fmt::print(stderr, "{}\n", fmt::join(command, " "));
  const ProcessResult linker = runProcess(command, Capture::OutputAndErrors);
  std::fputs(linker.output.c_str(), stderr);
  if (linker.exit_code == 127)
    throw std::runtime_error("cannot run " + command[0] + " (Debian package clang-19)");
  if (linker.exit_code != 0)
    explainLinkErrors(linker.output);
  return linker.exit_code;
}

int archive(const std::vector<std::string> &objects, const std::string &output) {
  std::vector<std::string> command = {"ar", "rcs", output};
  command.insert(command.end(), objects.begin(), objects.end());
  const ProcessResult result = runProcess(command, Capture::None);
  if (result.exit_code == 127)
    throw std::runtime_error("cannot run ar (Debian package binutils)");
  return result.exit_code;
}

void checkInputs(const Options &options) {
  if (options.inputs.empty())
    throw std::runtime_error("no input files");
  for (const Input &input : options.inputs)
    if (!fs::exists(input.path))
      throw std::runtime_error(fmt::format("{}: no such file", input.path));
  size_t sources = 0;
  for (const Input &input : options.inputs)
    sources += input.language != Language::Object;
  const bool per_file = options.action == Action::Compile || options.action == Action::Preprocess;
  if (per_file && sources > 1 && !options.output.empty())
    throw std::runtime_error("option -o names one file, but there are several to write");
}

int preprocessAll(const Options &options) {
  ShownMessages shown;
  bool good = true;
  for (const Input &input : options.inputs)
    if (input.language != Language::Object)
      good &= preprocess(options, input, options.output, shown);
  return good ? 0 : 1;
}

} // namespace

fs::path linkedFile(const Options &options) {
  const std::string otherwise = options.shared ? "a.so" : "a.out";
  return fs::path(options.output_folder) / (options.output.empty() ? otherwise : options.output);
}

int build(const Options &options) {
  checkInputs(options);
  if (options.action == Action::Preprocess || options.action == Action::Dependencies)
    return preprocessAll(options);

  const bool keep_objects = options.action == Action::Compile;
  TemporaryFolder folder;
  ShownMessages shown;
  std::vector<std::string> objects;
  for (size_t i = 0; i < options.inputs.size(); ++i) {
    const Input &input = options.inputs[i];
    if (input.language == Language::Object)
      continue;
    const fs::path object =
        keep_objects
            ? objectName(options, input)
            : folder.path() / fmt::format("{}-{}.o", i, fs::path(input.path).stem().string());
    if (options.dry_run) {
      fmt::print(stderr, "compile {} to {}\n", input.path, object.string());
    } else if (!compileOne(keep_objects ? options : nameDependencies(options, input), input, object,
                           shown)) {
      return 1;
    }
    objects.push_back(object.string());
  }
  if (keep_objects || options.dry_run)
    return 0;
  if (options.action == Action::Archive)
    return archive(objects, archiveFile(options).string());
  return link(options, objects, linkedFile(options).string());
}

} // namespace heddle::frontend
