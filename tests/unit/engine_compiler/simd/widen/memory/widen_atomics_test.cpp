// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics of a gang (widen.h, widen_atomics.cpp).
#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// Lanes that change one place, and do not ask what was there, agree on one change first.
TEST(WidenAtomic, OfAllLanesAtOnePlace) {
  const std::pair<const char *, const char *> forms[] = {
      {"add", "add"},  {"or", "or"},     {"and", "and"},  {"max", "smax"},
      {"min", "smin"}, {"umax", "umax"}, {"umin", "umin"}};
  for (auto [operation, reduction] : forms) {
    const std::string change = std::string("atomicrmw ") + operation + " ptr %p, i32 ";
    const std::string text = widened("  %old = " + change + "%u monotonic\n");
    EXPECT_EQ(count(text, "atomicrmw"), 1u) << operation;
    expectInOrder(text, {std::string("@llvm.vector.reduce.") + reduction + ".v8i32(", change});
  }
}

// Lanes that are not here contribute what changes nothing.
TEST(WidenAtomic, OfSomeLanesAtOnePlace) {
  const auto change = [](const std::string &operation) {
    return widened(masked + "  %old = atomicrmw " + operation + " ptr %p, i32 %u monotonic\n");
  };
  expectInOrder(change("add"), {"select <8 x i1> %c, <8 x i32> %u, <8 x i32> zeroinitializer",
                                "@llvm.vector.reduce.add", "atomicrmw add"});
  expectInOrder(change("and"), {"select <8 x i1> %c", "i32 -1", "@llvm.vector.reduce.and"});
  expectInOrder(change("min"),
                {"select <8 x i1> %c", "i32 2147483647", "@llvm.vector.reduce.smin"});
  expectInOrder(change("max"),
                {"select <8 x i1> %c", "i32 -2147483648", "@llvm.vector.reduce.smax"});
}

std::string places(const std::string &operation, WidenOptions options = {row(8)}) {
  return widened("  %old = atomicrmw " + operation + " monotonic\n  store i32 %old, ptr %e\n",
                 options);
}

// Lanes that ask what was there find what it would have been, one after the other.
TEST(WidenAtomic, PlacesInOrder) {
  const std::string text = places("add ptr %p, i32 1");
  expectInOrder(text, {"atomicrmw add ptr %p, i32 8", "add <8 x i32>",
                       "<i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>",
                       "store <8 x i32> %old"});
  expectInOrder(places("sub ptr %p, i32 3"),
                {"atomicrmw sub ptr %p, i32 24", "sub <8 x i32>", "<i32 0, i32 3, i32 6"});
  expectInOrder(places("add ptr %p, i32 %n"), {"mul i32 8, %n", "atomicrmw add ptr %p"});
}

// Those that are not here take no place.
TEST(WidenAtomic, PlacesOfSomeLanes) {
  const std::string text = widened(masked + "  %old = atomicrmw add ptr %p, i32 1 monotonic\n"
                                            "  store i32 %old, ptr %e\n");
  expectInOrder(text, {"bitcast <8 x i1> %c to i8",
                       "<i32 0, i32 1, i32 3, i32 7, i32 15, i32 31, i32 63, i32 127>",
                       "@llvm.ctpop.v8i32", "@llvm.ctpop.i32", "atomicrmw add ptr %p"});
}

// What each lane adds moves all lanes after it.
TEST(WidenAtomic, PlacesOfDifferentLengths) {
  const std::string body =
      "  %old = atomicrmw add ptr %p, i32 %u monotonic\n  store i32 %old, ptr %e\n";
  const std::string text = widened(body);
  EXPECT_EQ(count(text, "shufflevector <8 x i32> %"), 4u); // by 1, 2 and 4; the splat
  expectInOrder(text, {"sub <8 x i32>", "%u", "extractelement", "i64 7", "atomicrmw add ptr %p"});
  expectInOrder(widened(masked + body), {"select <8 x i1> %c, <8 x i32> %u, <8 x i32> zero"});
  EXPECT_EQ(count(places("add ptr %p, i32 1", {row(64)}), "atomicrmw add ptr %p, i32 64"), 1u);
}

// Floats are added in the order of lanes, on which the sum depends, but put back only once.
TEST(WidenAtomic, FloatsOneByOneAtOnce) {
  const std::string body = "  %f = bitcast i32 %u to float\n"
                           "  %old = atomicrmw fadd ptr %p, float %f monotonic\n";
  const std::string all = widened(body);
  expectInOrder(all, {"load atomic i32, ptr %p monotonic",
                      "br label %add\n\nadd:", "%expected = phi i32 [ %",
                      "bitcast i32 %expected to float", "i32 0\n", "fadd float", "i32 7\n",
                      "fadd float", "bitcast float %", "cmpxchg ptr %p, i32 %expected, i32 %",
                      "monotonic monotonic", "label %added, label %add"});
  EXPECT_EQ(count(all, "fadd float"), 8u);
  // Of some lanes, those that are here.
  const std::string some = widened(masked + body);
  expectInOrder(
      some, {"\nadd:", "\nlane:", "fadd float", "label %lanes.end, label %lane", "cmpxchg ptr %p"});
  EXPECT_EQ(count(some, "fadd float"), 1u);
  const std::string shared =
      widened("  %f = bitcast i32 %u to float\n  %s = inttoptr i32 64 to ptr addrspace(3)\n"
              "  %old = atomicrmw fadd ptr addrspace(3) %s, float %f monotonic\n");
  expectInOrder(shared, {"load float", "fadd float", "store float"});
  expectNone(shared, {"cmpxchg", "atomic"});
  expectInOrder(widened("  %d = load double, ptr %q\n"
                        "  %old = atomicrmw volatile fadd ptr %p, double %d seq_cst\n"),
                {"atomicrmw fadd ptr %p, double"});
}

// Otherwise they follow one another: if the answer is used, and at different places.
TEST(WidenAtomic, LaneByLane) {
  for (const char *body :
       {"  %old = atomicrmw max ptr %p, i32 %u monotonic\n  store i32 %old, ptr %e\n",
        "  %old = atomicrmw add ptr %e, i32 1 monotonic\n",
        "  %f = bitcast i32 %u to float\n  %old = atomicrmw fadd ptr %e, float %f monotonic\n",
        "  %f = bitcast i32 %u to float\n  %old = atomicrmw fadd ptr %p, float %f monotonic\n"
        "  store float %old, ptr %e\n",
        "  %old = atomicrmw xchg ptr %p, i32 %u monotonic\n",
        "  %old = atomicrmw xor ptr %e, i32 %u monotonic\n"}) {
    const std::string text = widened(body);
    EXPECT_EQ(count(text, "= atomicrmw"), 8u) << text;
    EXPECT_EQ(count(widened(masked + body), "= atomicrmw"), 1u) << body; // in a loop
  }
}

TEST(WidenAtomic, Exchanges) {
  const std::string body = "  %r = cmpxchg ptr %p, i32 %n, i32 %u seq_cst monotonic\n"
                           "  %old = extractvalue {i32, i1} %r, 0\n"
                           "  %won = extractvalue {i32, i1} %r, 1\n"
                           "  %w = select i1 %won, i32 %old, i32 7\n"
                           "  store i32 %w, ptr %e\n";
  for (const std::string &text : {widened(body), widened(masked + body)})
    expectInOrder(text, {"cmpxchg ptr %p, i32 %", "seq_cst monotonic"});
}

// One worker runs all threads of a block: in shared memory no other thread interferes.
TEST(WidenAtomic, InSharedMemoryArePlain) {
  const std::string shared = "  %s = inttoptr i32 64 to ptr addrspace(3)\n"
                             "  %a = getelementptr i32, ptr addrspace(3) %s, i32 %u\n";
  const std::string one =
      widened(shared + "  %old = atomicrmw add ptr addrspace(3) %s, i32 %u monotonic\n");
  expectInOrder(one, {"@llvm.vector.reduce.add", "load i32", "add i32", "store i32"});
  expectNone(one, {"atomicrmw"});
  const std::string answer =
      widened(shared + "  %old = atomicrmw add ptr addrspace(3) %s, i32 1 monotonic\n"
                       "  store i32 %old, ptr %e\n");
  expectInOrder(answer, {"load i32", "%new = add i32", "8", "store i32", "store <8 x i32>"});
  expectNone(answer, {"atomicrmw"});
  const std::string many =
      widened(shared + "  %old = atomicrmw add ptr addrspace(3) %a, i32 1 monotonic\n");
  EXPECT_EQ(count(many, "store i32"), 8u);
  expectNone(many, {"atomicrmw"});
}

} // namespace
