// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/profile/expectations.h"

#include "cli/commands.h"
#include "cli/profile/assertions.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>

namespace heddle::cli {
namespace {

std::optional<Expectation> expectationIn(const std::string &line, const std::string &place) {
  std::istringstream words(line.substr(0, line.find('#')));
  std::string kernel, metric, number, more;
  Expectation result;
  result.place = place;
  if (!(words >> kernel))
    return std::nullopt;
  words >> metric >> result.relation >> number;
  static const std::regex relations("==|!=|<=|>=|<|>"),
      numbers(R"([-+]?[0-9.]+([eE][-+]?[0-9]+)?)");
  if (!std::regex_match(result.relation, relations) || !std::regex_match(number, numbers) ||
      words >> more)
    throw UsageError(place + ": a line is KERNEL METRIC RELATION NUMBER");
  result.text = fmt::format("{} {} {} {}", kernel, metric, result.relation, number);
  try {
    result.kernel.assign(kernel);
    result.number = std::stod(number);
    result.metric = &findMetric(metric);
  } catch (const std::regex_error &) {
    throw UsageError(fmt::format("{}: {} is not a regular expression", place, kernel));
  } catch (const UsageError &problem) {
    throw UsageError(place + ": " + problem.what());
  } catch (const std::exception &) {
    throw UsageError(fmt::format("{}: {} is not a number", place, number));
  }
  return result;
}

} // namespace

std::vector<Expectation> readExpectations(const std::string &path) {
  std::ifstream file(path);
  std::vector<Expectation> result;
  std::string line;
  for (uint32_t number = 1; std::getline(file, line); ++number)
    if (auto one = expectationIn(line, fmt::format("{}:{}", path, number)))
      result.push_back(std::move(*one));
  if (!file.eof())
    throw UsageError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  if (result.empty())
    throw UsageError(path + " expects nothing");
  return result;
}

std::vector<std::string> brokenExpectations(const std::vector<Expectation> &expectations,
                                            const profile::Profile &profile) {
  std::vector<std::string> broken;
  for (const Expectation &one : expectations) {
    bool named = false;
    for (const profile::Kernel &kernel : profile.kernels) {
      if (!std::regex_search(kernel.name, one.kernel))
        continue;
      named = true;
      const double value = one.metric->value(totalsOf(kernel));
      if (!kernel.counted)
        broken.push_back(
            fmt::format("{}: {}: nothing is counted of {}, which runs on the reference "
                        "engine",
                        one.place, one.text, kernel.name));
      else if (!holds(value, one.relation, one.number))
        broken.push_back(fmt::format("{}: {}: does not hold for {}, it is {}", one.place, one.text,
                                     kernel.name, numberText(value)));
    }
    if (!named)
      broken.push_back(fmt::format("{}: {}: no kernel of that name was run", one.place, one.text));
  }
  return broken;
}

} // namespace heddle::cli
