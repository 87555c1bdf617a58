// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a load or store becomes and what it costs, before anything is emitted (access_plan.h).
#include "engine/compiler/simd/plan/access_plan.h"

#include "engine/compiler/simd/plan/cost.h"
#include "simd/wider.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

struct Planned {
  std::string kind;
  double cost = 0;
  bool lane_by_lane = false;

  bool operator==(const std::string &other) const { return kind == other; }
};

std::ostream &operator<<(std::ostream &out, const Planned &plan) { return out << plan.kind; }

// The plan of the last access in `body`, in which %x is threadIdx.x, %y threadIdx.y, %wide and
// %down the same in 64 bits, and %own the thread's float of %p.
Planned planned(const std::string &body, const LaneLayout &layout = row(32),
                const TargetProfile &target = avx512) {
  Ir ir(declarations + "@tile = internal addrspace(3) global [1024 x float] poison\n" +
        "define void @f(ptr %p, ptr %q, i32 %n, i64 %m) {\nentry:\n"
        "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
        "  %wide = zext i32 %x to i64\n"
        "  %down = zext i32 %y to i64\n"
        "  %own = getelementptr float, ptr %p, i64 %wide\n" +
        body + "  ret void\n}\n");
  llvm::Function &function = ir.function("f");
  canonicalizeLoops(function);
  const PlannedCode code(function, layout, target);
  const llvm::Instruction *access = nullptr;
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block)
      if (llvm::getLoadStorePointerOperand(&instruction))
        access = &instruction;
  const AccessPlan plan = code.planOf(*access);
  return {plan.kind->name, plan.cost, isLaneByLane(*access, code)};
}

std::string load(const std::string &index, const std::string &type = "float") {
  return index + "  %a = getelementptr " + type + ", ptr %p, i64 %i\n  %v = load " + type +
         ", ptr %a\n";
}

const std::string any = "  %r = load i32, ptr %own\n  %i = sext i32 %r to i64\n";

LaneLayout tiled() {
  return {.lanes = 64, .kind = LaneLayout::Kind::Tiled, .row = 16, .x_multiple = 16};
}

TEST(AccessPlan, FollowsTheStride) {
  EXPECT_EQ(planned("  %v = load float, ptr %p\n"), "scalar");
  EXPECT_EQ(planned("  %v = load float, ptr %own\n"), "contiguous");
  EXPECT_EQ(planned(load("  %i = sub i64 1000, %wide\n")), "reversed");
  EXPECT_EQ(planned(load("  %i = mul i64 %wide, 3\n")), "strided");
  EXPECT_EQ(planned(load("  %i = mul i64 %wide, 100\n")), "gather");
}

TEST(AccessPlan, OfStores) {
  EXPECT_EQ(planned("  store float 0.0, ptr %p\n"), "scalar");
  EXPECT_EQ(planned("  store float 0.0, ptr %own\n"), "contiguous");
  EXPECT_EQ(planned(any + "  %a = getelementptr [4 x float], ptr %p, i64 %i\n"
                          "  store float 0.0, ptr %a\n"),
            "gather");
}

TEST(AccessPlan, KindsOfOneRowOrSeveral) {
  const std::string at_row = "  %i = mul i64 %down, %m\n";
  EXPECT_EQ(planned(load(at_row), tiled()), "scalar-rows");
  EXPECT_EQ(planned(load(at_row)), "scalar");
  const std::string down = "  %s = mul i64 %wide, %m\n  %i = add i64 %s, %down\n";
  EXPECT_EQ(planned(load(down), tiled()), "columns");
  EXPECT_EQ(planned(load(down)), "likely-contiguous");
}

TEST(AccessPlan, DependsOnTheCpu) {
  const std::string table = "  %r = load i32, ptr %own\n  %k = and i32 %r, 15\n"
                            "  %i = zext i32 %k to i64\n";
  EXPECT_EQ(planned(load(table)), "table");
  EXPECT_EQ(planned(load(table), row(32), avx2), "likely-contiguous");
}

TEST(AccessPlan, PermutedAndPiecewise) {
  EXPECT_EQ(planned(load("  %i = lshr i64 %wide, 1\n")), "permuted");
  EXPECT_EQ(planned(load("  %first = icmp eq i64 %wide, 0\n  %left = sub i64 %wide, 1\n"
                         "  %i = select i1 %first, i64 %m, i64 %left\n")),
            "piecewise");
}

// The same access costs a narrow gang as much as a wide one, unless each lane has its own.
TEST(AccessPlan, CostsOfLanes) {
  const auto cost = [](const std::string &body, unsigned lanes) {
    return planned(body, row(lanes)).cost;
  };
  const std::string own = "  %v = load float, ptr %own\n",
                    far = load("  %i = mul i64 %wide, 100\n");
  EXPECT_EQ(cost(own, 32), cost(own, 64));
  EXPECT_EQ(2 * cost(load(any), 32), cost(load(any), 64));
  EXPECT_LT(cost(own, 32), cost(far, 32));
  EXPECT_LT(cost(far, 32), cost(load(any), 32)); // which computes addresses, too
}

TEST(AccessPlan, LaneByLaneIfScalarCodeCostsLess) {
  EXPECT_TRUE(planned(load(any)).lane_by_lane);
  EXPECT_FALSE(planned("  %v = load float, ptr %own\n").lane_by_lane);
  EXPECT_FALSE(planned(load("  %i = lshr i64 %wide, 1\n")).lane_by_lane);
  // A 32-bit index may wrap until index_widening.h; it mostly does not.
  EXPECT_FALSE(planned(load("  %j = add i32 %x, %n\n  %i = sext i32 %j to i64\n")).lane_by_lane);
  EXPECT_TRUE(planned("  %v = load volatile float, ptr %own\n").lane_by_lane);
}

} // namespace
