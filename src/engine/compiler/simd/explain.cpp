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
    return store ? "uniform address: stored once" : "uniform: done once";
  case Remark::Kind::Contiguous:
    return "contiguous: vector access";
  case Remark::Kind::Reversed:
    return "contiguous, descending: vector access, reversed";
  case Remark::Kind::EveryFew:
    return "small stride: vector accesses and shuffles";
  case Remark::Kind::Interleaved:
    return "interleaved members: vector accesses, transposed";
  case Remark::Kind::Scattered:
    return "members at varying addresses: a vector access for each lane, transposed";
  case Remark::Kind::Columns:
    return "columns of a matrix: a vector access for each column, transposed";
  case Remark::Kind::Table:
    return "small table: held in registers";
  case Remark::Kind::Pattern:
    return "contiguous, permuted: vector access and permutation";
  case Remark::Kind::Strided:
    return "constant stride: an access for each lane";
  case Remark::Kind::Gather:
    return store ? "varying address (scatter): an access for each lane"
                 : "varying address (gather): an access for each lane";
  case Remark::Kind::LaneByLane:
    return "lane by lane";
  case Remark::Kind::Branch:
    return "divergent: both paths are executed, under masks";
  }
  return "";
}

std::string describe(const LaneLayout &layout) {
  if (layout.lanes == 1)
    return "scalar code: most vector accesses would be an access for each lane";
  std::string text = "gangs of " + std::to_string(layout.lanes) + " threads";
  if (layout.kind == LaneLayout::Kind::Tiled)
    text += ", whole rows of " + std::to_string(layout.row);
  if (layout.kind == LaneLayout::Kind::General)
    text += ", for any block shape";
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
          << what << ": " << how << (masked.contains(false) ? "" : ", masked") << "\n";
    }
  }
  return out.str();
}

} // namespace heddle::engine
