// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heddle::cli {

size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t change = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::vector<std::string> nearestNames(const std::string &name, std::vector<std::string> known,
                                      size_t most) {
  std::sort(known.begin(), known.end(), [&](const std::string &a, const std::string &b) {
    return std::pair(editDistance(name, a), a) < std::pair(editDistance(name, b), b);
  });
  known.resize(std::min(known.size(), most));
  return known;
}

} // namespace heddle::cli
