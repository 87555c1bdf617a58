// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses side by side in each thread (interleaved_groups.h, widen_interleaved.cpp). Gangs here
// are eight lanes. That each lane gets its own elements is shown by tests/conformance,
// "members_side_by_side".
#include "engine/compiler/simd/analysis/access/interleaved_groups.h"
#include "simd/widened.h"

#include "llvm/IR/InstIterator.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// %m0, %m1 … are the addresses of a structure's members, all of four bytes.
std::string structure(unsigned members) {
  std::string text = "  %i = mul i64 %wide, " + std::to_string(4 * members) +
                     "\n  %m0 = getelementptr i8, ptr %p, i64 %i\n";
  for (unsigned i = 1; i < members; ++i)
    text += "  %m" + std::to_string(i) + " = getelementptr i8, ptr %m0, i64 " +
            std::to_string(4 * i) + "\n";
  return text;
}

std::string load(unsigned member) {
  const std::string number = std::to_string(member);
  return "  %v" + number + " = load float, ptr %m" + number + ", align 4\n";
}

std::string use(unsigned member) {
  return "  store volatile float %v" + std::to_string(member) + ", ptr %e\n";
}

std::string store(unsigned member, const std::string &value = "%u") {
  return "  store i32 " + value + ", ptr %m" + std::to_string(member) + ", align 4\n";
}

constexpr const char *vector_load = "load <8 x float>", *vector_store = "store <8 x i32>";

TEST(InterleavedGroups, LoadsOfAllMembers) {
  const std::string text =
      widened(structure(2) + load(0) + load(1) + use(0) + use(1)); // two vectors for both
  EXPECT_EQ(count(text, vector_load), 2u);
  expectInOrder(text, {"i64 8",
                       "<8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, "
                       "i32 14>",
                       "<8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>"});
  expectNone(text, {"masked"});
}

// The vectors begin with the first member that is accessed, wherever the first access is.
TEST(InterleavedGroups, LoadsInAnyOrder) {
  const std::string text = widened(structure(2) + load(1) + load(0) + use(1) + use(0));
  EXPECT_EQ(count(text, vector_load), 2u);
  expectInOrder(text, {"getelementptr float, ptr %m1, i64 -1", vector_load,
                       "getelementptr float, ptr %m1, i64 7", vector_load});
}

// Behind the last lane's last member there may be nothing.
TEST(InterleavedGroups, DoNotGoBeyondTheLastMember) {
  const std::string text = widened(structure(4) + load(0) + load(1) + use(0) + use(1));
  EXPECT_EQ(count(text, vector_load), 4u);
  expectInOrder(text, {"i64 8", "i64 16", "i64 22", "shufflevector <8 x float>",
                       "<8 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 poison, "
                       "i32 poison>"});
}

// The last lane's elements may be several vectors, of which nothing is accessed.
TEST(InterleavedGroups, DoNotGoSeveralVectorsBeyondTheLastMember) {
  const std::string text = widened(structure(16) + load(0) + load(3) + use(0) + use(3));
  EXPECT_EQ(count(text, vector_load), 15u); // 116 elements
  expectInOrder(text, {"i64 96", "i64 104", "i64 108",
                       "<8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 poison, i32 poison, "
                       "i32 poison, i32 poison>"});
  expectNone(text, {"getelementptr float, ptr %m0, i64 112", "i64 120"});
  const std::string half = widened(structure(16) + load(0) + load(7) + use(0) + use(7));
  EXPECT_EQ(count(half, vector_load), 15u);
  expectInOrder(half, {"i64 104", "i64 112"});
}

// Unless that is known to be in the line of the last one that is accessed.
TEST(InterleavedGroups, LoadWholeLines) {
  const auto lines = [](const std::string &base) {
    return widened("  %base.place = getelementptr i8, ptr %parameters, i64 24\n"
                   "  %base = load ptr, ptr %base.place, !invariant.load !0, !align !64\n"
                   "  %i = mul i64 %wide, 16\n  %m = getelementptr i8, ptr %base, i64 %i\n"
                   "  %m0 = getelementptr i8, ptr %m, i64 " +
                       base + "\n  %m1 = getelementptr i8, ptr %m0, i64 4\n" + load(1) + load(0) +
                       use(0) + use(1),
                   {.layout = row(16)}, "!64 = !{i64 64}\n");
  };
  const std::string text = lines("4");
  EXPECT_EQ(count(text, "load <16 x float>"), 4u);
  expectInOrder(text, {"ptr %m1, i64 -2", "ptr %m1, i64 14", "ptr %m1, i64 30", "ptr %m1, i64 46"});
  // The second member of each thread is in the next one's part.
  expectInOrder(lines("12"), {"ptr %m1, i64 -1", "ptr %m1, i64 15", "ptr %m1, i64 45"});
}

TEST(InterleavedGroups, StoresOfAllMembers) {
  const std::string text = widened(structure(2) + store(0, "%n") + store(1));
  EXPECT_EQ(count(text, vector_store), 2u);
  expectInOrder(text, {"<8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>",
                       "<8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>"});
  expectNone(text, {"masked"});
}

// What lies between must not be written.
TEST(InterleavedGroups, NotStoresOfSomeMembers) {
  const std::string text = widened(structure(3) + store(0) + store(2));
  EXPECT_EQ(count(text, vector_store), 0u);
  EXPECT_EQ(count(text, "@llvm.masked.store"), 6u);
}

TEST(InterleavedGroups, OddNumbersOfMembers) {
  const std::string text =
      widened(structure(3) + load(0) + load(1) + load(2) + use(0) + use(1) + use(2));
  EXPECT_EQ(count(text, vector_load), 3u);
  expectInOrder(text, {"<i32 1, i32 4, i32 7, i32 10, i32 13, i32 16, i32 19, i32 22>"});
}

TEST(InterleavedGroups, NotUnderAMask) {
  const std::string text = widened(structure(2) + masked + load(0) + load(1) + use(0) + use(1));
  EXPECT_EQ(count(text, "@llvm.masked.load"), 4u);
}

// A write in between may be to one of them.
TEST(InterleavedGroups, NotAcrossWritesOfUnknownPlaces) {
  const std::string other = "  store i32 1, ptr %q, align 4\n";
  const std::string text = widened(structure(2) + load(0) + other + load(1) + use(0) + use(1));
  EXPECT_EQ(count(text, vector_load), 4u);
  const std::string stored = widened(structure(2) + store(0) + other + store(1));
  EXPECT_EQ(count(stored, vector_store), 0u);
}

// Of the same structure, it is known: another member, or the same one.
TEST(InterleavedGroups, AcrossWritesOfOtherMembers) {
  const std::string other = structure(2) + load(0) + "  store float %v0, ptr %m0, align 4\n" +
                            load(1) + "  store float %v1, ptr %m1, align 4\n";
  EXPECT_EQ(count(widened(other), vector_load), 2u);
  EXPECT_EQ(count(widened(other), "store <8 x float>"), 2u);
  const std::string same =
      structure(2) + load(0) + "  store float 0.0, ptr %m1, align 4\n" + load(1) + use(0) + use(1);
  EXPECT_EQ(count(widened(same), vector_load), 4u);
}

// What has been stored to one of them must be there when it is loaded.
TEST(InterleavedGroups, StoresAreNotMovedBehindLoadsOfTheSame) {
  const std::string text = widened(structure(2) + store(0) +
                                   "  %v0 = load float, ptr %m0, align 4\n" + use(0) + store(1));
  EXPECT_EQ(count(text, vector_store), 0u);
}

// The stores wait for the last of them, so what they store cannot be loaded with the first load.
TEST(InterleavedGroups, LoadsAreNotMovedBeforeStoresThatWait) {
  const std::string text =
      widened(structure(2) + store(1) + load(0) + store(0) + load(1) + use(0) + use(1));
  expectInOrder(text, {vector_load, "%v0 =", vector_store, vector_load, "%v1 ="});
}

// What the launch passes does not point to shared memory: loads need not wait for stores there.
TEST(InterleavedGroups, SharedMemoryLiesElsewhere) {
  const std::string shared = "  %s = inttoptr i64 64 to ptr addrspace(3)\n"
                             "  store i32 1, ptr addrspace(3) %s, align 4\n";
  const std::string given =
      widened(structure(2) + load(0) + shared + load(1) + use(0) + use(1), {row(8)});
  EXPECT_EQ(count(given, vector_load), 2u);
  // A pointer from memory may lead anywhere.
  std::string body = structure(2) + load(0) + shared + load(1) + use(0) + use(1);
  body.replace(body.find("ptr %p"), 6, "ptr %any");
  const std::string unknown = widened("  %any = load ptr, ptr %q\n" + body, {row(8)});
  EXPECT_GT(count(unknown, vector_load), 2u);
}

// A vector is of all members, whatever the program said of one of them.
TEST(InterleavedGroups, AliasesWhateverAMemberDoes) {
  const std::string tags = "!10 = !{!\"root\"}\n!11 = !{!\"float\", !10}\n"
                           "!12 = !{!\"pair\", !11, i64 0, !11, i64 4}\n"
                           "!13 = !{!12, !11, i64 0}\n!14 = !{!12, !11, i64 4}\n";
  Ir ir(threadCode(structure(2) + R"(
  %v0 = load float, ptr %m0, align 4, !tbaa !13
  %v1 = load float, ptr %m1, align 4, !tbaa !14
  store float %v1, ptr %m0, align 4, !tbaa !13
  store float %v0, ptr %m1, align 4, !tbaa !14
  ret void
)") + tags);
  unsigned accesses = 0;
  for (const llvm::Instruction &instruction :
       instructions(*widen(ir.function("f"), {row(8)}, nullptr))) {
    const llvm::MDNode *tag = instruction.getMetadata(llvm::LLVMContext::MD_tbaa);
    if (!tag)
      continue;
    ++accesses;
    EXPECT_EQ(tag->getOperand(0), tag->getOperand(1)); // a float, of whatever structure
  }
  EXPECT_EQ(accesses, 4u);
}

TEST(InterleavedGroups, HasARemark) {
  std::vector<Remark> remarks;
  widened(structure(2) + load(0) + load(1), {row(8)}, "", &remarks);
  ASSERT_GE(remarks.size(), 2u);
  EXPECT_EQ(remarks.back().kind, Remark::Kind::Interleaved);
}

// The first lanes, if it is known how many: vectors that are as short, unless so few lanes go one
// by one.
TEST(InterleavedGroups, OfTheFirstLanes) {
  const auto first = [](unsigned lanes, const std::string &body) {
    return widened("  %l = call i32 @heddle.lane()\n  %few = icmp ult i32 %l, " +
                       std::to_string(lanes) + "\n  call void @heddle.mask(i1 %few)\n" + body,
                   {row(64)}, "declare i32 @heddle.lane()\n");
  };
  const std::string loads = structure(2) + load(0) + load(1) + use(0) + use(1);
  const std::string text = first(16, loads);
  EXPECT_EQ(count(text, "load <16 x float>"), 2u);
  expectNone(text, {"@llvm.masked.load", "load float"});
  EXPECT_EQ(count(first(8, loads), "load float"), 16u);
  expectInOrder(first(24, loads), {"@llvm.masked.load"});
  const std::string stores = first(16, structure(2) + store(0) + store(1, "%x"));
  EXPECT_EQ(count(stores, "store <16 x i32>"), 2u);
  expectNone(stores, {"@llvm.masked.store"});
}

// ---- Of lanes that are anywhere ----

// %m0, %m1 … are members of p[u].
std::string anywhere(unsigned members) {
  std::string text = "  %uw = sext i32 %u to i64\n  %i = mul i64 %uw, " +
                     std::to_string(4 * members) + "\n  %m0 = getelementptr i8, ptr %p, i64 %i\n";
  for (unsigned i = 1; i < members; ++i)
    text += "  %m" + std::to_string(i) + " = getelementptr i8, ptr %m0, i64 " +
            std::to_string(4 * i) + "\n";
  return text;
}

// A vector for each lane, as long as what is accessed.
TEST(Scattered, LoadsAVectorForEachLane) {
  const std::string text = widened(anywhere(2) + load(0) + load(1) + use(0) + use(1));
  EXPECT_EQ(count(text, "load <2 x float>"), 8u);
  expectInOrder(text, {"<8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>",
                       "<8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>"});
  const std::string three = widened(anywhere(8) + load(3) + load(1) + use(1) + use(3));
  EXPECT_EQ(count(three, "load <3 x float>"), 8u);
  expectInOrder(three,
                {"i64 4", "load <3 x float>", "<4 x i32> <i32 0, i32 1, i32 2, i32 poison>"});
}

// A lane that is not here loads what the first one does that is.
TEST(Scattered, UnderAMaskToo) {
  const std::string text = widened(anywhere(2) + masked + load(0) + load(1) + use(0) + use(1));
  expectInOrder(text, {"@llvm.cttz.i32(", "select <8 x i1> %c, <8 x ", "load <2 x float>"});
  EXPECT_EQ(count(text, "load <2 x float>"), 8u);
}

// One member; elements that the code has stored to in between; as many members as lanes, and more.
TEST(Scattered, OtherLoadsAreNot) {
  EXPECT_EQ(count(widened(anywhere(2) + load(1) + use(1)), "load float"), 8u);
  expectNone(
      widened(anywhere(2) + load(0) + use(0) + "  store float 0.0, ptr %q\n" + load(1) + use(1)),
      {"load <2 x float>"});
  EXPECT_EQ(count(widened(anywhere(8) + load(0) + load(7) + use(0) + use(7)), "load <8 x float>"),
            8u);
  expectNone(widened(anywhere(16) + load(0) + load(15) + use(0) + use(15)), {"load <16 x float>"});
}

// Lanes are neighbours as a rule: that is asked, and one load of a vector serves all.
TEST(Scattered, NotIfTheyGrowAsARule) {
  const std::string clamped =
      "  %k = call i32 @llvm.smin.i32(i32 %x, i32 %n)\n  %kw = sext i32 %k to i64\n"
      "  %m0 = getelementptr float, ptr %p, i64 %kw\n  %m1 = getelementptr i8, ptr %m0, i64 4\n";
  expectNone(widened(clamped + load(0) + load(1) + use(0) + use(1), {row(8)},
                     "declare i32 @llvm.smin.i32(i32, i32)\n"),
             {"load <2 x float>"});
}

TEST(Scattered, HasARemark) {
  std::vector<Remark> remarks;
  widened(anywhere(2) + load(0) + load(1), {row(8)}, "", &remarks);
  ASSERT_GE(remarks.size(), 2u);
  EXPECT_EQ(remarks.back().kind, Remark::Kind::Scattered);
}

} // namespace
