// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/explain.h"

#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

namespace heddle::engine {
namespace {

using simd::LaneLayout;
using simd::Remark;

const char *words(Remark::Kind kind, bool store) {
  switch (kind) {
  case Remark::Kind::Scalar:
    return store ? "one address for all lanes: stored once" : "the same in all lanes: done once";
  case Remark::Kind::Contiguous:
    return "neighbouring addresses: a vector at a time";
  case Remark::Kind::Reversed:
    return "neighbouring addresses backwards: a vector, reversed";
  case Remark::Kind::EveryFew:
    return "addresses a few elements apart: vectors, of which each lane has its element";
  case Remark::Kind::Interleaved:
    return "members side by side in each thread: vectors, transposed";
  case Remark::Kind::Scattered:
    return "members side by side, of lanes at any address: a vector for each lane, transposed";
  case Remark::Kind::Columns:
    return "down the columns of a matrix: a vector of each column, transposed";
  case Remark::Kind::Table:
    return "a table of few elements: in registers, of which each lane takes its element";
  case Remark::Kind::Pattern:
    return "neighbouring addresses in another order: a vector, of which each lane takes its "
           "element";
  case Remark::Kind::Strided:
    return "addresses a fixed distance apart: lane by lane";
  case Remark::Kind::Gather:
    return store ? "any address (scatter): lane by lane" : "any address (gather): lane by lane";
  case Remark::Kind::LaneByLane:
    return "lane by lane";
  case Remark::Kind::Branch:
    return "threads may part here: both ways are taken, under masks";
  }
  return "";
}

std::string describe(const LaneLayout &layout) {
  if (layout.lanes == 1)
    return "one thread at a time: most accesses would be lane by lane";
  std::string text = std::to_string(layout.lanes) + " threads at a time";
  if (layout.kind == LaneLayout::Kind::Tiled)
    text += ", in rows of " + std::to_string(layout.row);
  if (layout.kind == LaneLayout::Kind::General)
    text += ", of any block shape";
  return text;
}

} // namespace

std::string explain(const std::vector<KernelReport> &reports) {
  std::ostringstream out;
  for (const KernelReport &report : reports) {
    out << report.name << "\n";
    if (!report.fallback.empty()) {
      out << "  runs on the reference engine: " << report.fallback << "\n";
      continue;
    }
    out << "  " << describe(report.layout) << "\n";
    // Copies of a source line (unrolled, or versions for coherent gangs) are reported once.
    std::map<std::tuple<std::string, unsigned, std::string, std::string>, std::set<bool>> lines;
    for (const Remark &remark : report.remarks)
      lines[{std::filesystem::path(remark.file).filename().string(), remark.line, remark.what,
             words(remark.kind, remark.store)}]
          .insert(remark.masked);
    for (const auto &[line, masked] : lines) {
      const auto &[file, number, what, how] = line;
      out << "  " << (number ? file + ":" + std::to_string(number) : std::string("?")) << "  "
          << what << ": " << how << (masked.contains(false) ? "" : ", under a mask") << "\n";
    }
  }
  return out.str();
}

} // namespace heddle::engine
