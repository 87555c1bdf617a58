// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/output/suppressions.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fnmatch.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace heddle::check {
namespace {

using nlohmann::json;

bool fits(const std::string &pattern, const std::string &text) {
  return pattern.empty() || fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

std::string literally(const std::string &text) {
  std::string pattern;
  for (const char letter : text) {
    if (std::string_view("*?[\\").find(letter) != std::string_view::npos)
      pattern += '\\';
    pattern += letter;
  }
  return pattern;
}

Suppression parse(const json &entry, const std::string &path) {
  Suppression result;
  const std::pair<const char *, std::string &> fields[] = {{"kind", result.kind},
                                                           {"file", result.file},
                                                           {"kernel", result.kernel},
                                                           {"variable", result.variable}};
  if (!entry.is_object() || entry.empty())
    throw std::runtime_error(path + ": each suppression is an object with at least one pattern");
  for (const auto &[name, value] : entry.items()) {
    const auto *field = std::find_if(std::begin(fields), std::end(fields),
                                     [&](const auto &known) { return name == known.first; });
    if (field == std::end(fields) || !value.is_string())
      throw std::runtime_error(fmt::format("{}: \"{}\": there are the patterns kind, file, kernel "
                                           "and variable, which are strings",
                                           path, name));
    field->second = value;
  }
  return result;
}

} // namespace

bool Suppression::covers(const Finding &finding) const {
  const auto in_file = [&](const Place &place) {
    // By the whole name, the end of it, or the name in its folder.
    return fits(file, place.file) || fits("*/" + file, place.file);
  };
  return fits(kind, nameOf(finding.kind)) && fits(kernel, finding.kernel) &&
         fits(variable, finding.variable) &&
         (file.empty() || std::any_of(finding.places.begin(), finding.places.end(), in_file));
}

std::vector<Suppression> readSuppressions(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  const json all = json::parse(file, nullptr, false, true); // with comments
  if (all.is_discarded() || !all.is_object() || !all.contains("suppressions") ||
      !all["suppressions"].is_array())
    throw std::runtime_error(path + " is no file of suppressions; heddle check "
                                    "--write-suppressions writes one");
  std::vector<Suppression> result;
  for (const json &entry : all["suppressions"])
    result.push_back(parse(entry, path));
  return result;
}

void writeSuppressions(const std::string &path, const std::vector<Finding> &findings) {
  json list = json::array();
  for (const Finding &finding : findings) {
    json entry = {{"kind", nameOf(finding.kind)}};
    if (!finding.places.empty())
      entry["file"] =
          literally(std::filesystem::path(finding.places.front().file).filename().string());
    if (!finding.kernel.empty())
      entry["kernel"] = literally(finding.kernel);
    if (!finding.variable.empty())
      entry["variable"] = literally(finding.variable);
    if (std::find(list.begin(), list.end(), entry) == list.end())
      list.push_back(entry);
  }
  std::ofstream file(path);
  file << json{{"suppressions", list}}.dump(2, ' ', false, json::error_handler_t::replace) << "\n";
  if (!file.flush())
    throw std::runtime_error("cannot write " + path);
}

} // namespace heddle::check
