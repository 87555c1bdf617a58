// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gangs wider than a warp for loops in steps of the launch, and of several warps (gang_width.h,
// warp_uniformity.h).
#include "simd/wider.h"

#include <fmt/format.h>

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// ---- Loops in steps of the launch --------------------------------------------------------------

// for (i = threadIdx.x; i < n; i += step) with `inside` in each round; %v is an element, %s a sum.
// Without `inside`, four operations a round that depend on nothing keep it from being one long
// chain.
const std::string add_up = "  %t = fadd float %s, %v\n";
std::string steps(const std::string &inside = add_up, const std::string &after = "",
                  const std::string &compare = "slt i32 %next, %n", const std::string &step = "%n",
                  const std::string &array = "%q") {
  return "  %c = icmp slt i32 %x, %n\n  br i1 %c, label %head, label %end\nhead:\n"
         "  br label %loop\nloop:\n"
         "  %i = phi i32 [ %x, %head ], [ %next, %latch ]\n"
         "  %s = phi float [ 0.0, %head ], [ %t, %latch ]\n"
         "  %iw = sext i32 %i to i64\n  %a = getelementptr float, ptr " +
         array + ", i64 %iw\n  %v = load float, ptr %a\n" + inside +
         "  br label %latch\nlatch:\n  %next = add i32 %i, " + step + "\n  %go = icmp " + compare +
         "\n  br i1 %go, label %loop, label %left\nleft:\n  br label %end\nend:\n"
         "  %sum = phi float [ 0.0, %entry ], [ %t, %left ]\n" +
         after + "  store float %sum, ptr %own\n  ret void\n";
}

// Each lane's sum needs the whole loop: the wider the gang, the more it reads at a place.
TEST(WiderGangs, ForSumsInStepsOfTheLaunch) {
  EXPECT_EQ(wider(steps()).lanes, 128u);
  EXPECT_EQ(wider(steps(), avx512, "simd:64:full").lanes, 64u);
  EXPECT_EQ(wider(steps(), avx2).lanes, 32u);
  EXPECT_EQ(wider(steps(), avx512, "simd:16x128:full").lanes, 32u);
}

// A step that the compiler knows, memory that is near, or places that only memory knows.
TEST(WiderGangs, NotForSumsInOtherSteps) {
  EXPECT_EQ(wider(steps(add_up, "", "slt i32 %next, %n", "1024")).lanes, 32u);
  EXPECT_EQ(
      wider(steps("  %j = fptosi float %v to i64\n  %b = getelementptr float, ptr %p, i64 %j\n"
                  "  %w = load float, ptr %b\n  %t = fadd float %s, %w\n"))
          .lanes,
      32u);
}

// Lanes part at the bound in the last round, but in none by what they have read.
TEST(WiderGangs, InStepsOfTheLaunchPartAtBounds) {
  const auto parting = [](const std::string &condition) {
    return wider(steps("  %k = " + condition +
                       "\n  br i1 %k, label %then, label %join\nthen:\n  %u = fadd float %s, %v\n"
                       "  br label %join\njoin:\n"
                       "  %t = phi float [ %s, %loop ], [ %u, %then ]\n"))
        .lanes;
  };
  EXPECT_EQ(parting("icmp slt i32 %i, 1000"), 128u);
  EXPECT_EQ(parting("fcmp olt float %v, 0.0"), 32u);
  EXPECT_EQ(parting("icmp eq i32 %i, 1000"), 32u);
  EXPECT_EQ(wider(steps(add_up, "", "ult i32 %next, 1000000")).lanes, 128u);
  EXPECT_EQ(wider(steps(add_up + "  %w = fptosi float %v to i32\n", "", "slt i32 %w, %n")).lanes,
            32u);
}

// Counting in memory is done lane by lane in any case, in an order that is not observable; but the
// order of floating-point sums is, and so are old values, and which exchange was last.
TEST(WiderGangs, InStepsOfTheLaunchCount) {
  const auto count = [](const std::string &atomic) {
    return wider(steps(add_up +
                       "  %b = fptosi float %v to i64\n"
                       "  %e = getelementptr i32, ptr %p, i64 %b\n" +
                       atomic))
        .lanes;
  };
  EXPECT_EQ(count("  %o = atomicrmw add ptr %e, i32 1 monotonic\n"), 128u);
  EXPECT_EQ(count("  %o = atomicrmw fadd ptr %e, float 1.0 monotonic\n"), 32u);
  EXPECT_EQ(count("  %o = atomicrmw xchg ptr %e, i32 %i monotonic\n"), 32u);
  EXPECT_EQ(count("  %o = atomicrmw umax ptr %e, i32 %i monotonic\n"), 128u);
  EXPECT_EQ(count("  %o = atomicrmw add ptr %e, i32 1 monotonic\n  store i32 %o, ptr %own\n"), 32u);
  EXPECT_EQ(wider(steps(add_up, "  %o = atomicrmw fadd ptr %q, float %sum monotonic\n")).lanes,
            128u);
}

// Rounds that do not build on each other are launched as threads of their own.
TEST(WiderGangs, NotForMapsInStepsOfTheLaunch) {
  const auto loop = [](const std::string &inside) {
    return wider("  br label %loop\nloop:\n  %i = phi i32 [ %x, %entry ], [ %next, %loop ]\n"
                 "  %iw = sext i32 %i to i64\n  %a = getelementptr float, ptr %q, i64 %iw\n"
                 "  %v = load float, ptr %a\n  %f0 = fadd float %v, 1.0\n"
                 "  %f1 = fadd float %v, 2.0\n  %f2 = fadd float %v, 3.0\n"
                 "  %f3 = fadd float %v, 4.0\n" +
                 inside +
                 "  %next = add i32 %i, %n\n  %go = icmp slt i32 %next, 1000\n"
                 "  br i1 %go, label %loop, label %end\nend:\n  ret void\n")
        .lanes;
  };
  EXPECT_EQ(loop("  store float %f3, ptr %a\n"), 32u);
  EXPECT_EQ(loop("  %o = atomicrmw add ptr %p, i32 1 monotonic\n"), 128u);
}

// ---- Gangs of several warps --------------------------------------------------------------------

// A sum in steps of the launch, and then a shuffle behind the condition %if.
std::string shuffled(const std::string &condition = "true", const std::string &mask = "-1") {
  const std::string branch =
      condition == "true" ? "  %if = or i1 %same, true\n" : "  %if = icmp " + condition + "\n";
  return branch +
         "  br i1 %if, label %do, label %done\ndo:\n"
         "  %o = call float @llvm.nvvm.shfl.sync.down.f32(i32 " +
         mask + ", float %sum, i32 1, i32 31)\n  store float %o, ptr %own\n" +
         "  br label %done\ndone:\n";
}

unsigned lanesWith(const std::string &after) { return wider(steps(add_up, after)).lanes; }

TEST(WiderGangs, ShuffleWhereWarpsStayWhole) {
  EXPECT_EQ(lanesWith(shuffled()), 128u);
  EXPECT_EQ(lanesWith(shuffled("eq i32 %n, 3")), 128u);
  EXPECT_EQ(lanesWith(shuffled("ult i32 %x, 32")), 128u);
  EXPECT_EQ(lanesWith(shuffled("ult i32 %x, 96")), 128u);
  EXPECT_EQ(lanesWith("  %w = lshr i32 %x, 5\n" + shuffled("eq i32 %w, %n")), 128u);
  EXPECT_EQ(lanesWith(shuffled("ult i32 %x, 16")), 32u);
  EXPECT_EQ(lanesWith(shuffled("ult i32 %x, %n")), 32u);
  EXPECT_EQ(lanesWith("  %lane = and i32 %x, 31\n" + shuffled("eq i32 %lane, 0")), 32u);
}

// Masks are those of a single warp otherwise.
TEST(WiderGangs, ShuffleOnlyAmongAll) {
  EXPECT_EQ(lanesWith(shuffled("true", "65535")), 32u);
  EXPECT_EQ(lanesWith(shuffled("true", "%n")), 32u);
  EXPECT_EQ(lanesWith("  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"), 128u);
  EXPECT_EQ(lanesWith("  call void @llvm.nvvm.bar.warp.sync(i32 1)\n"), 32u);
  EXPECT_EQ(lanesWith("  %any = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %same)\n"), 32u);
  EXPECT_EQ(lanesWith("  %here = call i32 @llvm.nvvm.activemask()\n"), 32u);
}

// A warp's lanes stay in step in a gang of several warps, too.
TEST(WiderGangs, SpeakThroughVolatileSharedMemory) {
  const std::string shared = "  %s3 = addrspacecast ptr %p to ptr addrspace(3)\n"
                             "  %e3 = getelementptr i32, ptr addrspace(3) %s3, i32 ";
  EXPECT_EQ(lanesWith(shared + "%x\n  store volatile i32 1, ptr addrspace(3) %e3\n"), 128u);
  EXPECT_EQ(lanesWith(shared + "%x\n  %v3 = addrspacecast ptr addrspace(3) %e3 to ptr\n"
                               "  %o = load volatile i32, ptr %v3\n"),
            128u);
  const std::string square = "  %square = mul i32 %x, %x\n";
  EXPECT_EQ(lanesWith(square + shared + "%square\n  store volatile i32 1, ptr addrspace(3) %e3\n"),
            32u);
}

// Of a long block's warps that add up, fewer lanes have a use for each step than for the one
// before, so that the registers suffice. A scan needs all, and what they had before.
TEST(WiderGangs, AddUpLongBlocks) {
  const auto block = [](const std::string &kept, const std::string &condition) {
    std::string sums = "  %v0 = load float, ptr %own\n  %lane = and i32 %x, 31\n";
    for (int i = 0; i < 5; ++i)
      sums += fmt::format(
          "  %o{0} = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v{0}, i32 8, i32 31)\n"
          "  %w{0} = fadd float %v{0}, %o{0}\n  %c{0} = icmp {2}\n"
          "  %v{1} = select i1 %c{0}, float %w{0}, float {3}\n",
          i, i + 1, "uge i32 %lane, " + std::to_string(i), kept + std::to_string(i));
    return wider(sums + "  %place = addrspacecast ptr %q to ptr addrspace(3)\n  %c = icmp " +
                     condition +
                     "\n  br i1 %c, label %first, label %all\nfirst:\n"
                     "  store float %v5, ptr addrspace(3) %place\n  br label %all\nall:\n"
                     "  call void @llvm.nvvm.barrier0()\n  ret void\n",
                 avx512, "simd:1024:whole")
        .lanes;
  };
  EXPECT_EQ(block("%w", "eq i32 %lane, 0"), 1024u);
  EXPECT_EQ(block("%v", "sge i32 %n, 0"), 32u);
}

// Only for the loop's sake, and in blocks that have rows of so many threads.
TEST(WiderGangs, DoNotShuffleForOtherReasons) {
  EXPECT_EQ(wider(sum("", "", "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n")).lanes, 32u);
  EXPECT_EQ(wider(steps(add_up, shuffled()), avx512, "simd:64:full").lanes, 64u);
  EXPECT_EQ(wider(steps(add_up, shuffled()), avx512, "simd:32:full").lanes, 32u);
  EXPECT_EQ(wider(steps(add_up, shuffled()), avx512, "simd:128:partial").lanes, 32u);
}

// What a warp does in one place, or beside each other, costs as much in any gang; but not in loops.
TEST(WiderGangs, StoreForEachWarp) {
  const std::string of_warp = "  %w = lshr i32 %x, 5\n  %ww = zext i32 %w to i64\n"
                              "  %place = getelementptr float, ptr %q, i64 %ww\n";
  const std::string sync = "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n";
  const std::string store = "  store float %v, ptr %place\n";
  EXPECT_EQ(lanesWith(sync + of_warp + "  store float %sum, ptr %place\n"), 128u);
  EXPECT_EQ(lanesWith(of_warp + "  store float %sum, ptr %place\n"), 32u);
  EXPECT_EQ(wider(steps(of_warp + store + add_up, sync)).lanes, 32u);
}

} // namespace
