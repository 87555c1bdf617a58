// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/output/sarif.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>

namespace heddle::check {
namespace {

using nlohmann::json;

// Below the current folder without that, as a reference; else as a file's URI. Code scanning finds
// sources by these names, so none begins with "./", as those of included files do.
std::string uriOf(const std::string &file) {
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::current_path(ignored);
  const std::filesystem::path whole = (here / file).lexically_normal();
  const std::filesystem::path near = whole.lexically_proximate(here);
  const bool below = !near.empty() && !near.native().starts_with("..");
  std::string uri = below ? "" : "file://";
  for (const char letter : below ? near.native() : whole.native())
    if (std::isalnum(static_cast<unsigned char>(letter)) ||
        std::string_view("/._-~+,@:").find(letter) != std::string_view::npos)
      uri += letter;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  return uri;
}

json locationOf(const Place &place) {
  json region = {{"startLine", std::max(place.line, 1u)}};
  if (place.column)
    region["startColumn"] = place.column;
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", uriOf(place.file)}}}, {"region", region}}},
          {"logicalLocations",
           json::array({{{"fullyQualifiedName", place.function}, {"kind", "function"}}})}};
}

std::string dim(const std::array<uint32_t, 3> &index) {
  return fmt::format("({},{},{})", index[0], index[1], index[2]);
}

std::string textOf(const Finding &finding) {
  std::string text = fmt::format("{}: {}.", titleOf(finding.kind), finding.what);
  if (!finding.kernel.empty() && !finding.copy)
    text += fmt::format(" Kernel {}, first in block {}, thread {}; {} in all.", finding.kernel,
                        dim(finding.block), dim(finding.thread), finding.count);
  for (const std::string &more : {finding.object, finding.freed, finding.why})
    if (!more.empty())
      text += fmt::format(" {}.", more);
  return text + " " + remedyFor(finding.kind);
}

json resultOf(const Finding &finding) {
  json result = {{"ruleId", nameOf(finding.kind)},
                 {"ruleIndex", int(finding.kind)},
                 {"level", finding.kind == Kind::Leak || finding.kind == Kind::SameValueRace
                               ? "warning"
                               : "error"},
                 {"message", {{"text", textOf(finding)}}},
                 {"occurrenceCount", finding.count}};
  result["locations"] = json::array();
  for (size_t i = 0; i < finding.places.size(); ++i) {
    json location = locationOf(finding.places[i]);
    if (i > 0)
      location["message"] = {{"text", "inlined at"}};
    result[i == 0 ? "locations" : "relatedLocations"].push_back(location);
  }
  for (const Place &place : finding.other.places) {
    json location = locationOf(place);
    location["message"] = {{"text", "the other thread: " + finding.other.what}};
    result["relatedLocations"].push_back(location);
  }
  for (const Place &place : finding.launched) {
    if (!place.line)
      continue;
    json location = locationOf(place);
    location["message"] = {
        {"text", &place == &finding.launched.front() ? "launched from here" : "called from here"}};
    result["relatedLocations"].push_back(location);
  }
  return result;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text)
    switch (letter) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default: // XML has no place for other control characters
      result += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
    }
  return result;
}

} // namespace

void printSarif(std::FILE *file, const std::vector<Finding> &findings) {
  json rules = json::array(), results = json::array();
  for (int i = 0; i < kind_count; ++i)
    rules.push_back({{"id", nameOf(Kind(i))},
                     {"shortDescription", {{"text", titleOf(Kind(i))}}},
                     {"help", {{"text", remedyFor(Kind(i))}}}});
  for (const Finding &finding : findings)
    results.push_back(resultOf(finding));
  json run = json::object();
  run["tool"]["driver"] = {{"name", "heddle check"}, {"rules", rules}};
  run["results"] = results;
  const json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", json::array({run})}};
  fmt::print(file, "{}\n", log.dump(2, ' ', false, json::error_handler_t::replace));
}

void printJunit(std::FILE *file, const std::vector<Finding> &findings) {
  fmt::print(file,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<testsuites>\n  <testsuite name=\"heddle check\" tests=\"{}\" failures=\"{}\">\n",
             std::max<size_t>(findings.size(), 1), findings.size());
  if (findings.empty())
    fmt::print(file, "    <testcase classname=\"heddle check\" name=\"nothing found\"/>\n");
  for (const Finding &finding : findings) {
    const Place place = finding.places.empty() ? Place() : finding.places.front();
    fmt::print(file,
               "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\">\n"
               "      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
               escaped(finding.kernel.empty() ? "host" : finding.kernel),
               escaped(titleOf(finding.kind)), escaped(place.file), place.line,
               nameOf(finding.kind), escaped(finding.what), escaped(textOf(finding)));
  }
  fmt::print(file, "  </testsuite>\n</testsuites>\n");
}

} // namespace heddle::check
