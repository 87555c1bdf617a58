// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/build.h"

#include "frontend/command_line/environment.h"
#include "frontend/command_line/host_options.h"
#include "frontend/command_line/words.h"
#include "frontend/compile.h"
#include "frontend/kept_files.h"
#include "frontend/linking/device_inputs.h"
#include "frontend/linking/device_link.h"
#include "frontend/native_code.h"
#include "frontend/ptx_file.h"
#include "frontend/resource_usage.h"
#include "support/paths.h"
#include "support/process.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
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

struct Compiled {
  std::string source, object;
};

fs::path archiveFile(const Options &options) {
  return options.output.empty() ? fs::path("a.a") : fs::path(options.output);
}

fs::path deviceLinkedFile(const Options &options) {
  return fs::path(options.output_folder) / (options.output.empty() ? "a_dlink.o" : options.output);
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
  const fs::path output = options.action == Action::Archive      ? archiveFile(options)
                          : options.action == Action::DeviceLink ? deviceLinkedFile(options)
                                                                 : linkedFile(options);
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
  Progress progress(input.path);
  auto compiled = compileToObject(options, input, object, shown, progress);
  if (compiled && options.keep && !compiled->info)
    keepFiles(options, input, "", shown);
  if (!compiled || !compiled->info)
    return compiled;
  if (options.resource_usage)
    printResourceUsage(*compiled->info, options.max_registers);
  if (options.keep)
    keepFiles(options, input, compiled->image, shown);
  if (!compiled->image.empty())
    makeNativeCode(compiled->image, *compiled->info, &progress);
  return compiled;
}

// A library that the linker does not find may be one of CUDA's that Heddle does not have.
void explainLinkErrors(const std::string &output) {
  for (const std::string needle : {"cannot find -l", "unable to find library -l"}) // ld, lld
    for (size_t at = output.find(needle); at != std::string::npos;
         at = output.find(needle, at + 1)) {
      const size_t start = at + needle.size();
      const std::string name = output.substr(start, output.find_first_of(": \n", start) - start);
      if (const std::string why = explainMissing(name); !why.empty())
        fmt::print(stderr, "heddlecc: {}\n", why);
    }
}

int link(const Options &options, const std::vector<std::string> &objects,
         const std::string &output) {
  std::vector<std::string> command = {hostCompiler().string(), "-o", output};
  if (options.shared)
    command.push_back("-shared");
  const std::vector<std::string> host = linkOptions(options.host);
  if (!host.empty()) { // most of them mean nothing to a link
    command.push_back("-Qunused-arguments");
    command.insert(command.end(), host.begin(), host.end());
  }
  if (options.debug_host)
    command.push_back("-g");
  if (options.openmp)
    command.push_back("-fopenmp");
  command.insert(command.end(), objects.begin(), objects.end());
  command.insert(command.end(), options.linker.begin(), options.linker.end());
  // Also without the runtime: -lcuda and -lnvToolsExt are there.
  const fs::path library = installRoot() / "lib";
  if (options.cuda != 12) // -lcublas and the like of that release
    command.push_back(fmt::format("-L{}/cuda{}", library.string(), options.cuda));
  command.push_back("-L" + library.string());
  if (options.link_runtime)
    command.push_back("-lcudart");
  if (options.verbose || options.dry_run)
    fmt::print(stderr, "#$ {}\n{}", quoteCommand(command), describeLink(options, output));
  if (options.dry_run)
    return 0;
  const ProcessResult linker = runProcess(command, Capture::OutputAndErrors);
  std::fputs(linker.output.c_str(), stderr);
  if (linker.exit_code == 127)
    throw std::runtime_error("cannot run " + command[0] + ", a part of Heddle");
  if (linker.exit_code != 0)
    explainLinkErrors(linker.output);
  return linker.exit_code;
}

// `nvcc .c -Xcompiler --version`: scripts ask so with a source that does not exist.
int askHostCompiler(const Options &options) {
  std::vector<std::string> command = {hostCompiler().string()};
  command.insert(command.end(), options.host.begin(), options.host.end());
  if (options.verbose || options.dry_run)
    fmt::print(stderr, "#$ {}\n", quoteCommand(command));
  return options.dry_run ? 0 : runProcess(command, Capture::None).exit_code;
}

int archive(const Options &options, const std::vector<std::string> &objects,
            const std::string &output) {
  std::vector<std::string> command = {"ar", "rcs", output};
  command.insert(command.end(), objects.begin(), objects.end());
  if (options.verbose || options.dry_run)
    fmt::print(stderr, "#$ {}\n", quoteCommand(command));
  if (options.dry_run)
    return 0;
  const ProcessResult result = runProcess(command, Capture::None);
  if (result.exit_code == 127)
    throw std::runtime_error("cannot run ar (Debian package binutils)");
  return result.exit_code;
}

// The files that a link takes device code from: those compiled now, those named, and libraries.
std::vector<DeviceFile> deviceFiles(const Options &options, const std::vector<Compiled> &compiled) {
  std::vector<DeviceFile> files;
  for (const Compiled &one : compiled)
    files.push_back({one.object, one.source});
  for (DeviceFile &file : findLinkedFiles(options.linker))
    files.push_back(std::move(file));
  return files;
}

// Says so first if asked to, and does no more in a dry run.
DeviceLinkResult linkDeviceCode(const Options &options, const std::vector<Compiled> &compiled,
                                const fs::path &output) {
  const std::vector<DeviceFile> files = deviceFiles(options, compiled);
  if (options.verbose || options.dry_run) {
    std::vector<std::string> command = {"nvlink", "-o", output.string()};
    for (const DeviceFile &file : files)
      command.push_back(file.path);
    fmt::print(stderr, "#$ {}\n", quoteCommand(command));
  }
  return options.dry_run ? DeviceLinkResult::Nothing : linkDevice(options, files, output);
}

int linkDeviceOnly(const Options &options, const std::vector<Compiled> &compiled) {
  const fs::path output = deviceLinkedFile(options);
  const DeviceLinkResult result = linkDeviceCode(options, compiled, output);
  if (result == DeviceLinkResult::Nothing && !options.dry_run)
    writeEmptyObject(output);
  return result == DeviceLinkResult::Failed;
}

// What is left to do when all sources are object files.
int finish(const Options &options, const std::vector<Compiled> &compiled, const fs::path &scratch) {
  std::vector<std::string> objects;
  for (const Compiled &one : compiled)
    objects.push_back(one.object);
  if (options.action == Action::Archive) {
    for (const Input &input : options.inputs)
      if (input.language == Language::Object)
        objects.push_back(input.path);
    return archive(options, objects, archiveFile(options).string());
  }
  if (options.action == Action::DeviceLink)
    return linkDeviceOnly(options, compiled);
  if (options.device_link) {
    const fs::path linked = scratch / "device-link.o";
    const DeviceLinkResult result = linkDeviceCode(options, compiled, linked);
    if (result == DeviceLinkResult::Failed)
      return 1;
    if (result == DeviceLinkResult::Linked)
      objects.push_back(linked.string());
  }
  return link(options, objects, linkedFile(options).string());
}

void checkInputs(const Options &options) {
  if (options.inputs.empty())
    throw std::runtime_error("no input files");
  if (!options.keep_folder.empty() && !fs::is_directory(options.keep_folder))
    throw std::runtime_error(
        fmt::format("option --keep-dir: there is no folder {}", options.keep_folder));
  for (const Input &input : options.inputs)
    if (!fs::exists(input.path))
      throw std::runtime_error(fmt::format("{}: no such file", input.path));
  size_t sources = 0;
  for (const Input &input : options.inputs)
    sources += input.language != Language::Object;
  for (const Input &input : options.inputs)
    if (input.language == Language::Ptx && options.action != Action::Image)
      throw std::runtime_error(fmt::format("{}: of PTX files images are made (-cubin, -fatbin), "
                                           "which programs load",
                                           input.path));
  const bool per_file = options.action == Action::Compile || options.action == Action::Preprocess ||
                        options.action == Action::PreprocessToFiles ||
                        options.action == Action::Image || options.action == Action::Ptx ||
                        options.action == Action::LtoIr;
  if (per_file && sources > 1 && !options.output.empty())
    throw std::runtime_error("option -o names one file, but there are several to write");
}

// Where preprocessed text goes; empty is the standard output. With -cuda each .cu file gets a file
// of its own, as nvcc names it.
std::string preprocessedFile(const Options &options, const Input &input) {
  if (options.action != Action::PreprocessToFiles || !options.output.empty())
    return options.output;
  const std::string name = fs::path(input.path).filename().string() + ".cpp.ii";
  return (fs::path(options.output_folder) / name).string();
}

int preprocessAll(const Options &options) {
  ShownMessages shown;
  bool good = true;
  for (const Input &input : options.inputs)
    if (input.language != Language::Object)
      good &= preprocess(options, input, preprocessedFile(options, input), shown);
  return good ? 0 : 1;
}

void printCommands(const std::vector<std::vector<std::string>> &commands) {
  for (const std::vector<std::string> &command : commands)
    fmt::print(stderr, "#$ {}\n", quoteCommand(command));
}

fs::path imageFile(const Options &options, const Input &input) {
  if (!options.output.empty())
    return options.output;
  return fs::path(options.output_folder) /
         (fs::path(input.path).stem().string() + options.image_suffix);
}

void writeFile(const fs::path &output, const std::string &content) {
  std::ofstream file(output, std::ios::binary);
  file << content;
  if (!file.flush())
    throw std::runtime_error("cannot write " + output.string());
}

bool buildImage(const Options &options, const Input &input, const fs::path &output,
                ShownMessages &shown) {
  Progress progress(input.path);
  progress.enter("device code");
  // With -rdc=true, an image is an input of cuLink*.
  if (options.action != Action::Image || (options.rdc && input.language == Language::Cuda)) {
    const auto text = compileToText(options, input, shown);
    if (text && (options.action != Action::Image || !text->empty()))
      writeFile(output, *text);
    if (!text || !text->empty())
      return text.has_value();
  }
  const auto compiled = input.language == Language::Ptx ? compilePtxToImage(options, input)
                                                        : compileToImage(options, input, shown);
  if (!compiled)
    return false;
  if (options.resource_usage)
    printResourceUsage(*compiled->info, options.max_registers);
  writeFile(output, compiled->image);
  if (options.keep && input.language == Language::Cuda)
    keepFiles(options, input, compiled->image, shown);
  if (!compiled->info->kernels.empty())
    makeNativeCode(compiled->image, *compiled->info, &progress);
  return true;
}

// Images of device code, PTX and the like, for programs that load them.
int buildImages(const Options &options) {
  ShownMessages shown;
  for (const Input &input : options.inputs) {
    const bool is_ptx = input.language == Language::Ptx;
    if (input.language != Language::Cuda && !is_ptx)
      continue;
    const fs::path output = imageFile(options, input);
    if (options.dry_run && !is_ptx)
      printCommands(describeCompilation(options, input, output, ""));
    else if (options.verbose || options.dry_run)
      fmt::print(stderr, "#$ {} -arch compute_{} {} -o {}\n", is_ptx ? "ptxas" : "clang for CUDA",
                 options.arch / 10, quoteCommand({input.path}), quoteCommand({output.string()}));
    if (options.dry_run)
      continue;
    if (!buildImage(options, input, output, shown))
      return 1;
  }
  return 0;
}

// The object of the input of this number: the output, or a temporary or kept file.
fs::path objectFile(const Options &options, size_t number, const fs::path &scratch) {
  const Input &input = options.inputs[number];
  if (options.action == Action::Compile)
    return objectName(options, input);
  if (options.keep)
    return keptFile(options, input, ".o");
  return scratch / fmt::format("{}-{}.o", number, fs::path(input.path).stem().string());
}

void announce(const Options &options, const Input &input, const fs::path &object,
              const fs::path &scratch) {
  if (options.dry_run) {
    const fs::path image = options.keep ? keptFile(options, input, ".fatbin")
                                        : scratch / (object.stem().string() + ".fatbin");
    printCommands(describeCompilation(options, input, image, object));
  } else if (options.verbose) {
    fmt::print(stderr, "#$ {} -arch compute_{} {} -o {}\n",
               input.language == Language::Cuda ? "clang for CUDA" : "clang", options.arch / 10,
               quoteCommand({input.path}), quoteCommand({object.string()}));
  }
}

} // namespace

fs::path linkedFile(const Options &options) {
  const std::string otherwise = options.shared ? "a.so" : "a.out";
  return fs::path(options.output_folder) / (options.output.empty() ? otherwise : options.output);
}

int build(const Options &options) {
  if (options.verbose || options.dry_run)
    std::fputs(describeEnvironment(options).c_str(), stderr);
  if (asksHostCompiler(options.host) && !options.inputs.empty())
    return askHostCompiler(options);
  checkInputs(options);
  if (options.action == Action::Preprocess || options.action == Action::PreprocessToFiles ||
      options.action == Action::Dependencies)
    return preprocessAll(options);
  if (!options.image_suffix.empty())
    return buildImages(options);

  TemporaryFolder folder;
  ShownMessages shown;
  std::vector<Compiled> compiled;
  for (size_t i = 0; i < options.inputs.size(); ++i) {
    const Input &input = options.inputs[i];
    if (input.language == Language::Object)
      continue;
    const fs::path object = objectFile(options, i, folder.path());
    announce(options, input, object, folder.path());
    const bool temporary = options.action != Action::Compile;
    if (!options.dry_run &&
        !compileOne(temporary ? nameDependencies(options, input) : options, input, object, shown))
      return 1;
    compiled.push_back({input.path, object.string()});
  }
  if (options.action == Action::Compile)
    return 0;
  return finish(options, compiled, folder.path());
}

} // namespace heddle::frontend
