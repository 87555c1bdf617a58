// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/check/report.h"
#include "support/paths.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace heddle::cli {
namespace {

using check::Finding;
using check::Kind;
using check::Place;

/// A source's line, without what it begins with; empty if it cannot be read.
std::string lineOf(const Place &place) {
  std::ifstream file(place.file);
  std::string line;
  for (uint32_t i = 0; i < place.line; ++i)
    if (!std::getline(file, line))
      return {};
  return line;
}

std::string placeText(const Place &place) {
  if (place.file.empty())
    return place.function; // a program without debug information: "program+0x123"
  if (!place.line)
    return fmt::format(
        "{} in {}, at a line that the optimiser has merged with others (-G keeps them apart)",
        shortName(place.file), place.function);
  std::string text = fmt::format("{}:{}", shortName(place.file), place.line);
  if (place.column)
    text += fmt::format(":{}", place.column);
  return text + " in " + place.function;
}

void printSource(std::FILE *file, const Place &place) {
  const std::string line = lineOf(place);
  if (line.empty())
    return;
  const std::string number = std::to_string(place.line);
  fmt::print(file, "    {} | {}\n", number, line);
  if (place.column == 0 || place.column > line.size())
    return;
  std::string gap; // tabs as in the line above
  for (char letter : line.substr(0, place.column - 1))
    gap += letter == '\t' ? '\t' : ' ';
  fmt::print(file, "    {} | {}^\n", std::string(number.size(), ' '), gap);
}

std::string dim(const std::array<uint32_t, 3> &index) {
  return fmt::format("({},{},{})", index[0], index[1], index[2]);
}

void printPlaces(std::FILE *file, const std::vector<Place> &places, const char *first) {
  for (const Place &place : places) {
    fmt::print(file, "  {} {}\n", first, placeText(place));
    printSource(file, place);
    first = "inlined at";
  }
}

// "main at prog.cu:12", with the calls down to it.
std::string launchText(const std::vector<Place> &launched) {
  std::string text;
  for (const Place &place : launched) {
    text += (text.empty() ? "" : ", called from ") + place.function;
    if (place.line)
      text += fmt::format(" at {}:{}", shortName(place.file), place.line);
  }
  return text;
}

void printLaunch(std::FILE *file, const std::vector<Place> &launched, const std::string &launcher) {
  if (!launcher.empty())
    fmt::print(file, "  launched by kernel {}\n", launcher);
  if (!launched.empty())
    fmt::print(file, "  {} in {}\n", launcher.empty() ? "launched" : "which was launched",
               launchText(launched));
}

void printCopy(std::FILE *file, const std::string &call, const std::vector<Place> &callers) {
  fmt::print(file, "  by {}{}\n", call, callers.size() > 1 ? " in " + launchText(callers) : "");
}

// The other one of two threads.
void printOther(std::FILE *file, const Finding &finding) {
  const Finding::Other &other = finding.other;
  if (other.kernel.empty())
    return;
  if (other.places.empty())
    fmt::print(file, "  the other {}: {}\n", other.copy ? "one" : "thread", other.what);
  else
    printPlaces(
        file, other.places,
        fmt::format("the other {}: {} at", other.copy ? "one" : "thread", other.what).c_str());
  if (other.copy)
    return printCopy(file, other.kernel, other.launched);
  fmt::print(file, "  kernel {}: block {}, {}thread {}{}\n", other.kernel, dim(other.block),
             other.any_of_warp ? "a thread of the warp of " : "", dim(other.thread),
             other.any_place ? ", here or where else it accesses these bytes" : "");
  if (other.launched != finding.launched)
    printLaunch(file, other.launched, {});
}

void print(std::FILE *file, const Finding &finding) {
  fmt::print(file, "heddle check: {}: {}\n", titleOf(finding.kind), finding.what);
  printPlaces(file, finding.places, "at");
  if (finding.copy) {
    printCopy(file, finding.kernel, finding.launched);
  } else if (!finding.kernel.empty()) {
    const std::string thread =
        fmt::format("block {}, thread {}", dim(finding.block), dim(finding.thread));
    fmt::print(file, "  kernel {}: {}\n", finding.kernel,
               finding.count == 1 ? thread
                                  : fmt::format("{} times, first in {}", finding.count, thread));
    printLaunch(file, finding.launched, finding.launcher);
    if (finding.places.empty())
      fmt::print(file, "  (the code has no line information)\n");
  } else if (finding.count > 1) {
    fmt::print(file, "  {} times\n", finding.count);
  }
  if (!finding.object.empty())
    fmt::print(file, "  {}\n", finding.object);
  if (!finding.freed.empty())
    fmt::print(file, "  {}\n", finding.freed);
  printOther(file, finding);
  if (!finding.why.empty())
    fmt::print(file, "  Why: {}.\n", finding.why);
  fmt::print(file, "  Remedy: {}\n\n", remedyFor(finding.kind));
}

// ---- NVIDIA's form ----

std::string spaceOf(Kind kind) {
  return kind == Kind::SharedOutOfBounds  ? "__shared__"
         : kind == Kind::LocalOutOfBounds ? "__local__"
                                          : "__global__";
}

std::string reasonOf(const Finding &finding) {
  if (finding.kind == Kind::Misaligned)
    return "Address is misaligned";
  if (finding.kind == Kind::Uninitialised)
    return "Address was never written";
  if (finding.kind == Kind::Forbidden)
    return finding.access == "read"    ? "Address is not readable"
           : finding.access == "write" ? "Address is not writable"
                                       : "Address is not readable/writable with atomic operations";
  return "Address is out of bounds";
}

constexpr const char *bar = "=========";

void printNvidiaPlaces(std::FILE *file, const std::vector<Place> &places, const char *before) {
  for (const Place &place : places)
    fmt::print(file, "{}     {}at {} in {}:{}\n", bar, before, place.function, place.file,
               place.line);
}

// As it does unless --show-backtrace is no or device.
void printNvidiaLaunch(std::FILE *file, const Finding &finding) {
  if (finding.launched.empty())
    return;
  fmt::print(file, "{}     Saved host backtrace up to driver entry point at kernel launch time\n",
             bar);
  for (const Place &place : finding.launched)
    fmt::print(file, "{}         Host Frame: {}{}\n", bar, place.function,
               place.line ? fmt::format(" in {}:{}", place.file, place.line) : "");
}

// As racecheck and synccheck do.
void printPairForNvidia(std::FILE *file, const Finding &finding) {
  if (groupOf(finding.kind) == check::Group::Race)
    fmt::print(file, "{} {}: Race reported: {} [{} hazards]\n", bar,
               finding.kind == Kind::SameValueRace ? "Warning" : "Error", finding.what,
               finding.count);
  else
    fmt::print(file, "{} Barrier error detected. {}.\n", bar, finding.what);
  printNvidiaPlaces(file, finding.places, "");
  const auto by = [&](const auto &side) {
    if (side.copy)
      fmt::print(file, "{}     by {}\n", bar, side.kernel);
    else if (!side.kernel.empty())
      fmt::print(file, "{}     by thread {} in block {}\n", bar, dim(side.thread), dim(side.block));
  };
  by(finding);
  printNvidiaPlaces(file, finding.other.places, "and ");
  by(finding.other);
}

void printForNvidia(std::FILE *file, const Finding &finding, bool host_stack) {
  const check::Group group = groupOf(finding.kind);
  if (group == check::Group::Race || group == check::Group::Sync) {
    printPairForNvidia(file, finding);
  } else if (finding.kernel.empty()) {
    fmt::print(file, "{} {}: {}\n", bar,
               finding.kind == Kind::Leak           ? "Leaked memory"
               : finding.kind == Kind::UnusedMemory ? "Unused memory"
               : finding.kind == Kind::FailedCall   ? "Program hit error on CUDA API call"
                                                    : "Program hit invalid argument",
               finding.what);
  } else {
    const std::string access = finding.access == "atomic operation" ? "atomic" : finding.access;
    if (finding.kind == Kind::Uninitialised)
      fmt::print(file, "{} Uninitialized {} memory read of size {} bytes\n", bar,
                 finding.object.empty() ? "__shared__" : "__global__", finding.bytes);
    else
      fmt::print(file, "{} Invalid {} {} of size {} bytes\n", bar, spaceOf(finding.kind), access,
                 finding.bytes);
    printNvidiaPlaces(file, finding.places, "");
    fmt::print(file, "{}     by thread {} in block {}\n", bar, dim(finding.thread),
               dim(finding.block));
    fmt::print(file, "{}     {}: {}\n", bar, reasonOf(finding), finding.what);
  }
  if (!finding.object.empty())
    fmt::print(file, "{}     {}\n", bar, finding.object);
  if (!finding.freed.empty())
    fmt::print(file, "{}     {}\n", bar, finding.freed);
  if (finding.count > 1)
    fmt::print(file, "{}     {} times in all\n", bar, finding.count);
  if (host_stack)
    printNvidiaLaunch(file, finding);
  fmt::print(file, "{}\n", bar);
}

size_t toTell(const std::vector<Finding> &findings, uint64_t most) {
  return size_t(std::min<uint64_t>(findings.size(), most));
}

} // namespace

void printReport(std::FILE *file, const std::vector<Finding> &findings, uint64_t most) {
  const size_t told = toTell(findings, most);
  for (size_t i = 0; i < told; ++i)
    print(file, findings[i]);
  if (findings.empty())
    fmt::print(file, "heddle check: nothing found\n");
  else
    fmt::print(
        file, "heddle check: {} finding{}{}\n", findings.size(), findings.size() == 1 ? "" : "s",
        told < findings.size() ? fmt::format(", of which {} are told (--max-reports)", told) : "");
}

void printSanitizerReport(std::FILE *file, const std::vector<Finding> &findings, uint64_t most,
                          bool host_stacks) {
  const size_t told = toTell(findings, most);
  fmt::print(file, "========= COMPUTE-SANITIZER\n");
  for (size_t i = 0; i < told; ++i)
    printForNvidia(file, findings[i], host_stacks);
  if (const auto leaks = std::count_if(findings.begin(), findings.end(),
                                       [](const Finding &f) { return f.kind == Kind::Leak; })) {
    uint64_t bytes = 0;
    for (const Finding &finding : findings)
      bytes += finding.kind == Kind::Leak ? finding.bytes * finding.count : 0;
    fmt::print(file, "========= LEAK SUMMARY: {} bytes leaked in {} allocations\n", bytes, leaks);
  }
  fmt::print(file, "========= ERROR SUMMARY: {} error{}\n", findings.size(),
             findings.size() == 1 ? "" : "s");
}

void printJson(std::FILE *file, const std::vector<Finding> &findings, uint64_t most,
               int program_exit_code) {
  nlohmann::json json = {{"version", 1},
                         {"count", findings.size()},
                         {"program_exit_code", program_exit_code},
                         {"findings", nlohmann::json::array()}};
  for (size_t i = 0; i < toTell(findings, most); ++i)
    json["findings"].push_back(toJson(findings[i]));
  fmt::print(file, "{}\n", json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

} // namespace heddle::cli
