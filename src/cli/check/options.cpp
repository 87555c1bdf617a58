// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/check/options.h"

#include "cli/option_reader.h"
#include "cli/run.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace heddle::cli {
namespace {

uint64_t numberOf(const std::string &option, const std::string &text, uint64_t most) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number > most)
    throw UsageError(fmt::format("{} {}: a number from 0 to {} is needed", option, text, most));
  return number;
}

void choose(CheckOptions &options, const std::string &list) {
  options.memory = options.init = options.leaks = options.api = options.races = options.sync =
      options.unused = false;
  size_t begin = 0;
  while (begin <= list.size()) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    if (name == "memory")
      options.memory = true;
    else if (name == "init")
      options.init = true;
    else if (name == "leak")
      options.leaks = true;
    else if (name == "race")
      options.races = true;
    else if (name == "sync")
      options.sync = true;
    else if (name == "api")
      options.api = true;
    else if (name == "unused")
      options.unused = true;
    else
      throw UsageError(
          fmt::format("--only {}: there is no such check; there are memory, init, race, sync, "
                      "leak, api and unused",
                      name));
    begin = end + 1;
  }
}

constexpr uint64_t most_exit_code = 255, most_number = uint64_t(1) << 32;

bool commonOption(OptionReader &reader, CheckOptions &options) {
  std::string value;
  if (reader.option("--error-exitcode", value)) {
    options.error_code = int(numberOf("--error-exitcode", value, most_exit_code));
    return true;
  }
  if (reader.option("--suppressions", options.suppressions_file))
    return true;
  if (reader.option("--leak-check", value)) {
    if (value != "full" && value != "no")
      throw UsageError("--leak-check " + value + ": there are full and no");
    options.leaks = value == "full";
    return true;
  }
  return false;
}

// Alone, or with yes or no.
bool xmlOption(OptionReader &reader) {
  if (reader.flag("--xml=yes") || reader.flag("--xml=no"))
    return true;
  if (!reader.flag("--xml"))
    return false;
  if (!reader.atEnd() && (reader.peek() == "yes" || reader.peek() == "no"))
    reader.take();
  return true;
}

// What is so in any case: a wrong access does not happen, races are told by their lines, files have
// one form.
bool withoutEffect(OptionReader &reader) {
  std::string value;
  return reader.option("--destroy-on-device-error", value) ||
         reader.option("--racecheck-report", value) || reader.option("--nvtx", value) ||
         xmlOption(reader);
}

bool outputOption(OptionReader &reader, CheckOptions &options) {
  return reader.option("--report", options.log_file) ||
         reader.option("--json-file", options.json_file) ||
         reader.option("--sarif", options.sarif_file) ||
         reader.option("--junit", options.junit_file) ||
         reader.option("--write-suppressions", options.written_suppressions);
}

} // namespace

CheckOptions parseCheckOptions(const std::vector<std::string> &arguments) {
  CheckOptions options;
  OptionReader reader(arguments);
  std::string value;
  while (!reader.atEnd()) {
    if (reader.peek() == "--") {
      reader.take();
      options.program_arguments = reader.takeRest();
    } else if (reader.peek() == "--json") {
      reader.take();
      options.json = true;
    } else if (reader.option("--only", value)) {
      choose(options, value);
    } else if (reader.option("--max-reports", value)) {
      options.most_reports = numberOf("--max-reports", value, most_number);
    } else if (!outputOption(reader, options) && !commonOption(reader, options)) {
      options.rest.push_back(reader.take());
      if (options.rest.size() == 1 && isInPath(options.rest.front()))
        options.program_arguments = reader.takeRest();
    }
  }
  if (options.rest.empty())
    throw UsageError("no program to check; see heddle check --help");
  if (!options.error_code)
    options.error_code = 1;
  return options;
}

CheckOptions parseSanitizerOptions(const std::vector<std::string> &arguments) {
  CheckOptions options;
  options.nvidia = true;
  options.races = options.sync = false;
  options.api = true;
  OptionReader reader(arguments);
  std::string value;
  while (!reader.atEnd() && reader.peek().starts_with("-")) {
    if (reader.peek() == "--") {
      reader.take();
      break;
    }
    if (reader.option("--tool", value)) {
      options.memory = options.api = value == "memcheck";
      options.init = value == "initcheck";
      options.races = value == "racecheck";
      options.sync = value == "synccheck";
      if (!options.memory && !options.init && !options.races && !options.sync)
        throw UsageError("--tool " + value +
                         ": there are memcheck, initcheck, racecheck and synccheck");
    } else if (reader.option("--print-limit", value)) {
      options.most_reports = numberOf("--print-limit", value, most_number);
    } else if (reader.option("--log-file", value)) {
      options.log_file = value;
    } else if (reader.option("--target-processes", value)) {
      continue; // all that the program starts are checked
    } else if (reader.option("--track-unused-memory", value)) {
      options.unused = value != "no";
    } else if (reader.option("--show-backtrace", value)) {
      if (value != "yes" && value != "no" && value != "host" && value != "device")
        throw UsageError("--show-backtrace " + value + ": there are yes, no, host and device");
      options.host_stacks = value == "yes" || value == "host";
    } else if (reader.option("--save", options.written_suppressions)) {
      continue;
    } else if (!commonOption(reader, options) && !withoutEffect(reader)) {
      throw UsageError(reader.peek() + " is not supported; --tool, --leak-check, "
                                       "--error-exitcode, --print-limit, --log-file, --save, "
                                       "--suppressions and --target-processes are");
    }
  }
  if (reader.atEnd())
    throw UsageError("no program to check");
  options.rest = {reader.take()};
  options.program_arguments = reader.takeRest();
  return options;
}

} // namespace heddle::cli
