// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/command_line/host_options.h"

#include "frontend/command_line/option_parser.h"
#include "frontend/command_line/words.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace heddle::frontend {
namespace {

using Names = std::initializer_list<const char *>;

bool isOneOf(const std::string &option, const Names &names) {
  return std::find(names.begin(), names.end(), option) != names.end();
}

bool startsWithOneOf(const std::string &option, const Names &starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](const char *start) { return option.starts_with(start); });
}

// Those whose value may be a word of its own.
constexpr Names preprocessor_options = {"-D",      "-I",         "-U",       "-isystem",
                                        "-iquote", "-idirafter", "-include", "-imacros"};
constexpr Names linker_options = {"-L", "-l", "-Xlinker", "-T", "-u", "-z"};
constexpr Names other_options = {"-MF",         "-MT",     "-MQ",
                                 "--param",     "-Xclang", "-Xpreprocessor",
                                 "-Xassembler", "-mllvm",  "-isysroot"};

bool awaitsValue(const std::string &option) {
  return isOneOf(option, preprocessor_options) || isOneOf(option, linker_options) ||
         isOneOf(option, other_options);
}

} // namespace

void OptionParser::addHostOptions(const std::string &text) {
  for (const std::string &option : splitAtCommas(text))
    addHostOption(option);
}

void OptionParser::addHostOption(const std::string &word) {
  if (awaiting_value.empty() && awaitsValue(word)) {
    awaiting_value = word;
    return;
  }
  std::vector<std::string> words = {word};
  if (!awaiting_value.empty())
    words.insert(words.begin(), std::exchange(awaiting_value, ""));
  const std::string &option = words.front();
  const auto addTo = [&](std::vector<std::string> &list) {
    list.insert(list.end(), words.begin(), words.end());
  };
  if (isOneOf(option, {"-fopenmp", "-openmp", "/openmp"}))
    options.openmp = true;
  else if (startsWithOneOf(option, preprocessor_options))
    addTo(options.preprocessor);
  else if (option.starts_with("-O") && option.size() == 3 && std::isdigit(option[2]))
    options.optimize = option[2] - '0';
  else if (isOneOf(option, linker_options) || startsWithOneOf(option, {"-l", "-L", "-Wl,"}) ||
           isOneOf(option, {"-rdynamic", "-static-libgcc", "-static-libstdc++"}))
    addTo(options.linker);
  else if (option == "-Wconversion" && std::find(options.host.begin(), options.host.end(),
                                                 "-Wsign-conversion") == options.host.end())
    // g++ leaves signs out of it in C++, unless they are named, too.
    options.host.insert(options.host.end(), {option, "-Wno-sign-conversion"});
  else if (option.starts_with("-std="))
    options.standard = option.substr(5);
  else
    addTo(options.host);
}

std::vector<std::string> linkOptions(const std::vector<std::string> &host) {
  std::vector<std::string> kept;
  for (const std::string &option : host)
    // Objects hold machine code with -flto, too; Heddle's library is a shared one.
    if (!option.starts_with("-flto") && option != "-static")
      kept.push_back(option);
  return kept;
}

bool asksHostCompiler(const std::vector<std::string> &host) {
  return std::any_of(host.begin(), host.end(), [](const std::string &option) {
    return isOneOf(option, {"--version", "--help"}) ||
           startsWithOneOf(option, {"-dump", "-print-", "--print-"});
  });
}

} // namespace heddle::frontend
