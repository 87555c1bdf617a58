// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle check: runs a program in code that tells each access to a checker (src/check), and reports
// what that has found. The program's processes leave their findings in a folder, also if they
// crash.
#include "check/finding.h"
#include "check/output/sarif.h"
#include "check/output/suppressions.h"
#include "cli/check/options.h"
#include "cli/check/report.h"
#include "cli/commands.h"
#include "cli/run.h"
#include "cli/supervise.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

namespace fs = std::filesystem;

namespace heddle::cli {
namespace {

struct Result {
  std::vector<check::Finding> findings;
  size_t processes = 0; // that have used CUDA
  bool complete = true; // all of them have come to their end
};

bool isWanted(check::Group group, const CheckOptions &options) {
  switch (group) {
  case check::Group::Memory:
    return options.memory;
  case check::Group::Init:
    return options.init;
  case check::Group::Race:
    return options.races;
  case check::Group::Sync:
    return options.sync;
  case check::Group::Leak:
    return options.leaks;
  case check::Group::Api:
    return options.api;
  case check::Group::Unused:
    return options.unused;
  }
  return true;
}

Result collect(const fs::path &folder, const CheckOptions &options) {
  Result result;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json")
      continue;
    std::ifstream file(entry.path());
    const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
    if (json.is_discarded())
      continue;
    ++result.processes;
    result.complete &= json.value("complete", false);
    for (const nlohmann::json &one : json.at("findings")) {
      check::Finding finding = check::fromJson(one);
      if (isWanted(check::groupOf(finding.kind), options) ||
          (finding.kind == check::Kind::FailedLaunch &&
           options.memory)) // as compute-sanitizer does
        result.findings.push_back(std::move(finding));
    }
  }
  check::sortAndMerge(result.findings);
  return result;
}

int runChecked(const CheckOptions &options, const fs::path &findings) {
  Words settings = {"HEDDLE_CHECK_FOLDER=" + findings.string(),
                    std::string("HEDDLE_CHECKS=") + (options.races || options.sync ? "race," : "") +
                        (options.init || options.unused ? "init," : "") +
                        (options.unused ? "unused," : "") +
                        (options.api && !options.nvidia ? "api" : "")};
  // Code compiled with -G as it was written: an optimiser leaves out accesses that it knows to be
  // wrong.
  if (!std::getenv("HEDDLE_DEBUG"))
    settings.push_back("HEDDLE_DEBUG=1");
  if (options.nvidia && findProgram(options.rest.front()).empty())
    throw UsageError(options.rest.front() + ": no such program, neither here nor in PATH");
  return runWatched(options.rest, options.program_arguments, settings);
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;

/// Null for an empty path.
File openToWrite(const std::string &path) {
  File file(path.empty() ? nullptr : std::fopen(path.c_str(), "w"), std::fclose);
  if (!file && !path.empty())
    throw std::runtime_error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  return file;
}

/// Writes a file by `print`; nothing for an empty path.
template <class Print> void writeFile(const std::string &path, const Print &print) {
  File file = openToWrite(path);
  if (!file)
    return;
  bool good = true;
  try {
    print(file.get());
  } catch (const std::system_error &) { // as fmt::print says it, without the file's name
    good = false;
  }
  good = std::ferror(file.get()) == 0 && good;
  if (std::fclose(file.release()) != 0 || !good)
    throw std::runtime_error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

/// Takes out what is suppressed; returns how many.
size_t suppress(std::vector<check::Finding> &findings,
                const std::vector<check::Suppression> &suppressions) {
  return std::erase_if(findings, [&](const check::Finding &finding) {
    return std::any_of(suppressions.begin(), suppressions.end(),
                       [&](const check::Suppression &one) { return one.covers(finding); });
  });
}

void writeFiles(const CheckOptions &options, const std::vector<check::Finding> &findings,
                int program_exit_code) {
  writeFile(options.json_file, [&](std::FILE *file) {
    printJson(file, findings, options.most_reports, program_exit_code);
  });
  writeFile(options.sarif_file, [&](std::FILE *file) { check::printSarif(file, findings); });
  writeFile(options.junit_file, [&](std::FILE *file) { check::printJunit(file, findings); });
  if (!options.written_suppressions.empty())
    check::writeSuppressions(options.written_suppressions, findings);
}

void printText(std::FILE *file, const CheckOptions &options, const Result &result) {
  if (options.nvidia)
    printSanitizerReport(file, result.findings, options.most_reports, options.host_stacks);
  else
    printReport(file, result.findings, options.most_reports);
}

void tell(const CheckOptions &options, const Result &result, int program_exit_code) {
  if (options.json)
    printJson(stdout, result.findings, options.most_reports, program_exit_code);
  const bool log = !options.log_file.empty();
  if (!log && !options.json)
    printText(options.nvidia ? stdout : stderr, options, result);
  try {
    writeFile(options.log_file, [&](std::FILE *file) { printText(file, options, result); });
  } catch (...) {
    printText(stderr, options, result); // what was found is not lost
    throw;
  }
}

// Why nothing more is known.
void tellUnfinished(int code) {
  const std::string death = describeDeath(code);
  fmt::print(stderr,
             "heddle check: the program did not come to its end{}; this is what was found until "
             "then{}\n",
             death.empty() ? "" : " (" + death + ")",
             code == 128 + SIGKILL ? ". If memory ran out, --only memory needs least of it" : "");
}

/// Whether a place in host code is told as program+0x1234.
bool lacksLines(const std::vector<check::Finding> &findings) {
  return std::any_of(findings.begin(), findings.end(), [](const check::Finding &finding) {
    return (finding.what + finding.object + finding.freed).find("+0x") != std::string::npos;
  });
}

int check(const CheckOptions &options) {
  std::vector<check::Suppression> suppressions; // read first: a wrong file is told at once
  if (!options.suppressions_file.empty())
    suppressions = check::readSuppressions(options.suppressions_file);
  const ScratchFolder folder;
  const int code = runChecked(options, folder.path());
  Result result = collect(folder.path(), options);
  const size_t suppressed = suppress(result.findings, suppressions);
  // It did not compile, or did not even start.
  if (result.processes == 0 && code != 0)
    return code;
  if (result.processes == 0)
    fmt::print(stderr, "heddle check: the program has not used Heddle's CUDA library\n");
  else if (!result.complete)
    tellUnfinished(code);
  tell(options, result, code);
  if (!options.nvidia && lacksLines(result.findings))
    fmt::print(stderr, "heddle check: the program has no debug information, so places in its host "
                       "code are told by addresses; compile it with -g\n");
  writeFiles(options, result.findings, code);
  if (suppressed)
    fmt::print(stderr, "heddle check: {} more {} suppressed by {}\n", suppressed,
               suppressed == 1 ? "is" : "are", options.suppressions_file);
  return !result.findings.empty() && options.error_code ? *options.error_code : code;
}

} // namespace

int checkCommand(const std::vector<std::string> &arguments) {
  return check(parseCheckOptions(arguments));
}

int sanitizerCommand(const std::vector<std::string> &arguments) {
  return check(parseSanitizerOptions(arguments));
}

} // namespace heddle::cli
