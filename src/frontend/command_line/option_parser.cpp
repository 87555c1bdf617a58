// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/command_line/option_parser.h"

#include "frontend/command_line/architecture.h"
#include "frontend/command_line/host_wrapper.h"
#include "frontend/command_line/option_table.h"
#include "frontend/command_line/words.h"
#include "module/arch_rank.h"
#include "support/release.h"
#include "support/strict.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <stdexcept>

namespace heddle::frontend {
namespace {

const Option *findOption(const std::string &name) {
  for (const Option &option : allOptions())
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end())
      return &option;
  return nullptr;
}

// One-letter options whose value may follow at once: -Idir, -DNAME, -O2, -lm …
const Option *findJoined(const std::string &argument) {
  if (argument.size() < 3 || !std::strchr("IDULlOoxt", argument[1]))
    return nullptr;
  return findOption(argument.substr(0, 2));
}

// With the dot. That of a file named ".c" is ".c": build scripts ask about compilers so.
std::string suffixOf(const std::string &path) {
  const std::string name = std::filesystem::path(path).filename().string();
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(dot);
}

bool isBetter(uint32_t arch, uint32_t than) {
  return than == 0 || archRank(arch * 10) > archRank(than * 10);
}

} // namespace

void OptionParser::addArch(const std::string &text) {
  for (std::string part : splitAtCommas(text)) {
    std::erase_if(part, [](char c) { return c == '[' || c == ']'; });
    if (part == "native" || part == "all" || part == "all-major")
      continue; // whatever device Heddle plays
    const Architecture named = parseArchitecture(part);
    const uint32_t known = nearestArchitecture(named.number);
    // Named twice: the code that may use most.
    const bool is_known = known == named.number * 10, has_all = options.arch_suffix == 'a';
    if (isBetter(named.number, arch)) {
      arch = named.number;
      options.arch_suffix = is_known ? named.suffix : 0;
    } else if (named.number == arch && is_known && named.suffix && !has_all) {
      options.arch_suffix = named.suffix;
    }
    if (std::find(options.archs.begin(), options.archs.end(), known) == options.archs.end())
      options.archs.push_back(known);
  }
}

void OptionParser::addGencode(const std::string &text) {
  gpu_codes.gencodes.push_back(text);
  if (text.find("arch=") == std::string::npos)
    throw std::runtime_error(fmt::format("option -gencode: '{}' does not say arch=", text));
  for (const std::string &part : splitAtCommas(text)) {
    const bool named = part.starts_with("arch=") || part.starts_with("code=");
    addArch(named ? part.substr(5) : part);
  }
}

void OptionParser::addPtxasOptions(const std::string &text) {
  for (const std::string &option : splitAtCommas(text))
    if (option == "-v" || option == "--verbose")
      options.resource_usage = true;
    else if (option.starts_with("-O") && option.size() == 3 && std::isdigit(option[2]))
      options.device_optimize = option[2] - '0';
    else if (option == "-Werror" || option == "--warning-as-error")
      options.ptxas_warnings_are_errors = true;
}

void OptionParser::addFrontEndOptions(const std::string &text) {
  for (const std::string &option : splitAtCommas(text))
    for (const auto &[name, treatment] : {std::pair("--diag_suppress=", Treatment::Suppress),
                                          {"--diag_error=", Treatment::Error},
                                          {"--diag_warning=", Treatment::Warning}})
      if (option.starts_with(name))
        treat("-Xcudafe", option.substr(std::strlen(name)), treatment);
}

void OptionParser::treat(const std::string &option, const std::string &numbers,
                         Treatment treatment) {
  for (const std::string &number : splitAtCommas(numbers)) {
    // Most names ("declared_but_not_referenced") are those of plain C++ messages, which are Clang's
    // here.
    const bool is_number = !number.empty() && std::all_of(number.begin(), number.end(), [](char c) {
      return std::isdigit(static_cast<unsigned char>(c));
    });
    if (!is_number && option != "-Xcudafe")
      throw std::runtime_error(fmt::format("option {}: '{}': expected a number", option, number));
    // Those of its C++ front end, and those that are CUDA's.
    constexpr unsigned most = 4000, first_of_cuda = 20000, last_of_cuda = 20999;
    const unsigned value = !is_number          ? numberOfMessage(number)
                           : number.size() < 6 ? unsigned(std::stoul(number))
                                               : 0;
    if (is_number &&
        (value == 0 || value > last_of_cuda || (value > most && value < first_of_cuda)))
      throw std::runtime_error(fmt::format("option {}: there is no message {}", option, number));
    if (value)
      options.messages.numbers[value] = treatment;
  }
}

void OptionParser::addErrorKinds(const std::string &text) {
  for (const std::string &kind : splitAtCommas(text))
    if (kind == "all-warnings") {
      options.host.push_back("-Werror");
      options.messages.warnings_are_errors = true;
    } else if (kind == "cross-execution-space-call") {
      options.messages.calls_are_errors = true;
    } else if (kind == "deprecated-declarations" || kind == "reorder") {
      options.host.push_back("-Werror=" + kind);
      options.messages.clang_errors.push_back("-Werror=" + kind);
    } else if (kind != "default-stream-launch" && kind != "missing-launch-bounds" &&
               kind != "ext-lambda-captures-this") {
      throw std::runtime_error(fmt::format("Value '{}' is not defined for option 'Werror'", kind));
    }
}

void OptionParser::setStandard(const std::string &name) {
  static const std::vector<std::string> cuda = {"c++03", "c++11", "c++14", "c++17", "c++20"};
  const bool known = std::find(cuda.begin(), cuda.end(), name) != cuda.end();
  if (!known && strict())
    throw std::runtime_error(fmt::format("Value '{}' is not defined for option 'std'", name));
  // CUDA's own headers need C++11, here.
  options.standard = name == "c++03" ? "c++11" : name;
}

void OptionParser::addLibrary(const std::string &name) {
  // Part of every program here, in the one runtime library.
  if (name == "cudart" || name == "cudart_static" || name == "cudadevrt")
    return;
  options.linker.push_back("-l" + name);
}

void OptionParser::addInput(const std::string &path) {
  const std::string extension = suffixOf(path);
  static const std::map<std::string, Language> languages = {
      {".cu", Language::Cuda}, {".cpp", Language::Cxx}, {".cc", Language::Cxx},
      {".cxx", Language::Cxx}, {".c++", Language::Cxx}, {".C", Language::Cxx},
      {".c", Language::C},     {".ptx", Language::Ptx}};
  const auto known = languages.find(extension);
  if (extension == ".cubin" || extension == ".fatbin")
    throw std::runtime_error(fmt::format("{}: binary GPU code as an input is not supported", path));
  if (known == languages.end() && !forced) {
    const bool object = extension == ".o" || extension == ".obj" || extension == ".a" ||
                        extension == ".so" || extension.empty() ||
                        path.find(".so.") != std::string::npos;
    if (!object)
      throw std::runtime_error(fmt::format(
          "{}: don't know what a '{}' file is (use -x cu if it is CUDA C++)", path, extension));
    options.inputs.push_back({path, Language::Object});
    options.linker.push_back(path);
    return;
  }
  options.inputs.push_back(
      {path, forced.value_or(known == languages.end() ? Language::Cuda : known->second)});
}

void OptionParser::setLanguage(const std::string &name) {
  if (name == "cu")
    forced = Language::Cuda;
  else if (name == "c++")
    forced = Language::Cxx;
  else if (name == "c")
    forced = Language::C;
  else
    throw std::runtime_error(fmt::format("option -x: unknown language '{}'", name));
}
void OptionParser::parse(const std::vector<std::string> &arguments) {
  // Wherever it stands.
  forward_unknown |= std::any_of(arguments.begin(), arguments.end(), [](const std::string &a) {
    return a == "-forward-unknown-to-host-compiler" || a == "--forward-unknown-to-host-compiler";
  });
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (argument.size() < 2 || argument[0] != '-') {
      addInput(argument);
      continue;
    }
    std::string name = argument, value;
    const size_t equals = argument.find('=');
    const Option *option = findOption(name);
    bool has_value = false;
    if (!option && equals != std::string::npos &&
        (option = findOption(argument.substr(0, equals)))) {
      name = argument.substr(0, equals);
      value = argument.substr(equals + 1);
      has_value = true;
    }
    if (!option && (option = findJoined(argument))) {
      name = argument.substr(0, 2);
      value = argument.substr(argument[2] == '=' && argument[1] != 'D' ? 3 : 2);
      has_value = true;
    }
    const bool warning = argument.starts_with("-W") && !argument.starts_with("-Wl,");
    if (!option && (warning || forward_unknown)) {
      addHostOption(argument);
      continue;
    }
    if (!option)
      throw std::runtime_error(fmt::format("unknown option '{}'", argument));
    if (!option->handle)
      throw std::runtime_error(fmt::format(
          "option '{}' is not supported: Heddle makes no OptiX IR and no 32-bit code", name));
    if (name == "--cuda" && has_value) { // nvcc's --cuda has none
      options.cuda = parseRelease("option --cuda", value);
      continue;
    }
    if (option->argument.empty() && has_value)
      throw std::runtime_error(fmt::format("option '{}' takes no value", name));
    if (!option->argument.empty() && !has_value) {
      if (++i == arguments.size())
        throw std::runtime_error(fmt::format("option '{}' needs a value", name));
      value = arguments[i];
    }
    try {
      option->handle(*this, value);
    } catch (const std::logic_error &) { // std::stoul
      throw std::runtime_error(fmt::format("option '{}': '{}' is not a number", name, value));
    }
  }
}
Options OptionParser::finish() {
  // Libraries come after what needs them.
  for (const std::string &option : wrapperOptions(host_compiler))
    addHostOption(option);
  if (!awaiting_value.empty())
    throw std::runtime_error(fmt::format("option -Xcompiler: '{}' needs a value", awaiting_value));
  // -x, wherever it stands, is for all files (nvcc's rule).
  if (forced)
    for (Input &input : options.inputs)
      if (input.language != Language::Object)
        input.language = *forced;
  if (arch)
    options.arch = nearestArchitecture(arch);
  if (strict())
    checkCodes(gpu_codes);
  options.codes = embeddedCodes(gpu_codes);
  if (!options.cuda)
    options.cuda = chosenRelease();
  return options;
}

} // namespace heddle::frontend
