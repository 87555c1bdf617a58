// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many lanes run together (gang_width.h); see also alone_test.cpp,
// narrower_gangs_test.cpp and wider_in_steps_test.cpp.
#include "simd/wider.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// ---- Gangs wider than a warp -------------------------------------------------------------------

// As many values that each lane keeps while it sums.
std::string keeping(unsigned count, const std::string &type = "float") {
  std::string before, after;
  for (unsigned i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    before += "  %f" + n + " = getelementptr " + type + ", ptr %q, i64 " +
              std::to_string(1000 * i) + "\n  %p" + n + " = getelementptr " + type + ", ptr %f" +
              n + ", i64 %wide\n  %v" + n + " = load " + type + ", ptr %p" + n + "\n";
    after += "  store " + type + " %v" + n + ", ptr %p" + n + "\n";
  }
  return sum("", before, after);
}

TEST(WiderGangs, SumOneAfterTheOther) {
  EXPECT_EQ(wider(sum()).lanes, 128u);
  EXPECT_EQ(wider(sum("  call void @llvm.nvvm.barrier0()\n")).lanes, 128u);
}

// As many threads as lie in a row of the block, or in eight of its rows; all of them must exist.
TEST(WiderGangs, FitTheBlock) {
  const auto in = [](const char *variant, unsigned usual = 32) {
    return wider(sum(), avx512, variant, usual);
  };
  EXPECT_EQ(in("simd:128:full").kind, LaneLayout::Kind::Row);
  EXPECT_EQ(in("simd:64:full").lanes, 64u);
  EXPECT_EQ(in("simd:32:full").lanes, 32u);
  EXPECT_EQ(in("simd:32:partial").lanes, 32u);
  EXPECT_EQ(in("simd:16x128:partial").lanes, 32u);
  EXPECT_EQ(in("simd:16x32:full").lanes, 32u);
  EXPECT_EQ(in("simd:16:full").lanes, 16u);
  EXPECT_EQ(in("simd:32:full", 16).lanes, 16u); // what it was
  for (const auto &[variant, lanes, row] : {std::tuple("simd:16x128:full", 128u, 16u),
                                            {"simd:32x128:full", 128u, 32u},
                                            {"simd:32x64:full", 64u, 32u},
                                            {"simd:8x64:full", 64u, 8u}}) {
    const LaneLayout layout = in(variant);
    EXPECT_EQ(layout.lanes, lanes) << variant;
    EXPECT_EQ(layout.kind, LaneLayout::Kind::Tiled) << variant;
    EXPECT_EQ(layout.row, row) << variant;
  }
}

// One question, as for the grid's bounds, is not too much.
TEST(WiderGangs, PartOnce) {
  const auto asking = [](unsigned questions) {
    std::string before;
    for (unsigned i = 0; i < questions; ++i) {
      const std::string n = std::to_string(i);
      before += "  %c" + n + " = icmp slt i32 %x, " + std::to_string(20 + i) + "\n  br i1 %c" + n +
                ", label %then" + n + ", label %next" + n + "\nthen" + n +
                ":\n  store i32 1, ptr %q\n  br label %next" + n + "\nnext" + n + ":\n";
    }
    return wider(sum("", before)).lanes;
  };
  EXPECT_EQ(asking(0), 128u);
  EXPECT_EQ(asking(1), 128u);
  EXPECT_EQ(asking(2), 32u);
}

// All of a block that waits for itself need not wait; its values may take all registers. Rows have
// in common what does not ask for the row.
TEST(WiderGangs, AreTheBlock) {
  const std::string barrier = "  call void @llvm.nvvm.barrier0()\n";
  const auto in = [](const std::string &body, const char *variant) {
    return wider(body, avx512, variant);
  };
  EXPECT_EQ(in(sum(barrier), "simd:16x256:whole").lanes, 256u);
  EXPECT_TRUE(in(sum(barrier), "simd:16x256:whole").whole);
  EXPECT_EQ(in(sum(), "simd:16x256:whole").lanes, 128u);
  EXPECT_EQ(in(sum(barrier), "simd:16x128:full").lanes, 128u);
  // Not only for the sake of sums.
  const std::string plain = barrier + "  ret void\n";
  EXPECT_EQ(in(plain, "simd:16x64:whole").lanes, 64u);
  EXPECT_EQ(in(plain, "simd:16x64:full").lanes, 32u);
  EXPECT_EQ(in("  ret void\n", "simd:16x64:whole").lanes, 32u);
}

// A matrix that is transposed: sixteen rows of the block are whole lines of a column. Its indices
// need no registers; to ask for bounds does not part such a gang.
TEST(WiderGangs, AccessColumns) {
  const auto transposing = [](unsigned questions) {
    std::string body =
        "  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
        "  %r = mul nsw i32 %y, %n\n  %k = add nsw i32 %r, %x\n"
        "  %kw = sext i32 %k to i64\n  %in = getelementptr float, ptr %p, i64 %kw\n"
        "  %c = mul nsw i32 %x, %n\n  %l = add nsw i32 %c, %y\n"
        "  %lw = sext i32 %l to i64\n  %out = getelementptr float, ptr %q, i64 %lw\n";
    for (unsigned i = 0; i < questions; ++i) {
      const std::string n = std::to_string(i);
      body += "  %m" + n + " = sub i32 %n, " + n + "\n  %b" + n + " = icmp slt i32 %y, %m" + n +
              "\n  br i1 %b" + n + ", label %then" + n + ", label %next" + n + "\nthen" + n +
              ":\n  %v" + n + " = load float, ptr %in\n  store float %v" + n +
              ", ptr %out\n  br label %next" + n + "\nnext" + n + ":\n";
    }
    return body + "  ret void\n";
  };
  const auto lanes = [&](unsigned questions, const char *variant, const TargetProfile &target) {
    return wider(transposing(questions), target, variant).lanes;
  };
  EXPECT_EQ(lanes(1, "simd:16x256:whole", avx512), 256u);
  EXPECT_EQ(lanes(4, "simd:16x256:whole", avx512), 256u);
  EXPECT_EQ(lanes(4, "simd:32x256:whole", avx512), 256u);
  EXPECT_EQ(lanes(4, "simd:16x128:full", avx512), 128u);
  EXPECT_EQ(lanes(1, "simd:16x256:whole", avx2), 64u);
  EXPECT_EQ(lanes(0, "simd:16x256:whole", avx512), 32u); // it has none then
}

// A block of one row: its threads' numbers are those of the lanes, so whatever they decide parts no
// gang; nor do bounds. What it keeps may be spilled, because it would be saved at barriers instead.
TEST(WiderGangs, AreTheRow) {
  const std::string barrier = "  call void @llvm.nvvm.barrier0()\n", end = "  ret void\n";
  const auto in = [](const std::string &body, const char *variant = "simd:256:whole") {
    return wider(body, avx512, variant);
  };
  EXPECT_EQ(in(barrier + end).lanes, 256u);
  EXPECT_TRUE(in(barrier + end).isWholeRow());
  EXPECT_EQ(in(barrier + end, "simd:128:full").lanes, 32u);
  EXPECT_EQ(in(end).lanes, 32u);
  const auto asking = [&](const std::string &number, const std::string &bound, unsigned times) {
    std::string body = barrier;
    for (unsigned i = 0; i < times; ++i) {
      const std::string name = std::to_string(i);
      body += "  %c" + name + " = icmp slt i32 " + number + ", " + bound + "\n  br i1 %c" + name +
              ", label %then" + name + ", label %end" + name + "\nthen" + name +
              ":\n  store float 0.0, ptr %own\n  br label %end" + name + "\nend" + name + ":\n";
    }
    return in(body + end).lanes;
  };
  EXPECT_EQ(asking("%x", "100", 5), 256u);
  EXPECT_EQ(asking("%x", "%n", 5), 256u);
  EXPECT_EQ(asking("%data", "%n", 0), 256u);
  const auto of_lanes = [&](const std::string &number) {
    return in(barrier + "  %r = " + number +
              "\n  %c = icmp eq i32 %r, 0\n  %d = icmp eq i32 %r, 1\n" +
              "  br i1 %c, label %a, label %b\na:\n  store float 0.0, ptr %own\n  br label %b\n"
              "b:\n  br i1 %d, label %e, label %f\ne:\n  store float 1.0, ptr %own\n"
              "  br label %f\nf:\n" +
              end)
        .lanes;
  };
  EXPECT_EQ(of_lanes("urem i32 %x, 6"), 256u);
  EXPECT_EQ(of_lanes("urem i32 %x, %n"), 32u);
  // What a few threads do for themselves, at the end.
  const auto for_first = [&](const char *count) {
    return in(barrier + "  %c = icmp ult i32 %x, " + count +
              "\n  br i1 %c, label %a, label %b\na:\n"
              "  %o = atomicrmw fadd ptr %q, float 1.0 monotonic\n  br label %b\nb:\n" +
              end)
        .lanes;
  };
  EXPECT_EQ(for_first("8"), 256u);
  EXPECT_EQ(for_first("9"), 32u);
  const std::string data = "  %data = load i32, ptr %own\n";
  EXPECT_EQ(in(data + barrier + end).lanes, 256u);
  // Every second element, where masked stores would be in the way of the next step's loads. In
  // shared memory, those that are changed are stored in whole lines.
  const auto every = [&](const char *step, const std::string &access, const char *space = "3") {
    const std::string pointer = std::string("ptr addrspace(") + space + ")";
    return in(barrier + "  %often = mul nuw nsw i64 %wide, " + step + "\n  %near = addrspacecast " +
              "ptr %p to " + pointer + "\n  %far = getelementptr i32, " + pointer +
              " %near, i64 %often\n" + access + "  store i32 0, " + pointer + " %far\n" + end)
        .lanes;
  };
  const std::string load = "  %old = load i32, ptr addrspace(3) %far\n";
  EXPECT_EQ(every("2", "", "1") + every("2", ""), 2 * 32u);
  EXPECT_EQ(every("2", load) + every("512", load), 2 * 256u);
  EXPECT_EQ(every("3", load) + every("1024", load), 2 * 32u);
  EXPECT_EQ(in(barrier + keeping(2)).lanes, 256u);
  EXPECT_EQ(in(barrier + keeping(3)).lanes, 64u);
  EXPECT_EQ(wider(barrier + keeping(2), avx2, "simd:256:whole").lanes, 256u); // in memory, mostly
  // So much code that the first level of cache would not hold it.
  std::string much = barrier + data + "  %m0 = mul i32 %data, %data\n";
  for (unsigned i = 0; i < 300; ++i)
    much += "  %m" + std::to_string(i + 1) + " = mul i32 %m" + std::to_string(i) + ", %data\n";
  EXPECT_EQ(in(much + "  store i32 %m300, ptr %own\n" + end).lanes, 128u);
}

// Longer blocks only if few go on behind the beginning, as in a tree of sums.
TEST(WiderGangs, AreLongRowsOfWhichFewGoOn) {
  const auto tree = [](const std::string &condition) {
    return wider("  %s = addrspacecast ptr %p to ptr addrspace(3)\n"
                 "  %e = getelementptr float, ptr addrspace(3) %s, i64 %wide\n"
                 "  %v = load float, ptr %own\n  store float %v, ptr addrspace(3) %e\n"
                 "  call void @llvm.nvvm.barrier0()\n  %c = icmp " +
                     condition +
                     "\n  br i1 %c, label %a, label %b\na:\n"
                     "  store float 0.0, ptr addrspace(3) %e\n"
                     "  %f = getelementptr float, ptr addrspace(3) %e, i64 9\n"
                     "  store float 1.0, ptr addrspace(3) %f\n  br label %b\nb:\n  ret void\n",
                 avx512, "simd:512:whole")
        .lanes;
  };
  EXPECT_EQ(tree("ult i32 %x, 256"), 512u);
  EXPECT_EQ(tree("ult i32 %x, 257"), 32u);
  EXPECT_EQ(tree("uge i32 %x, 1"), 32u);
  EXPECT_EQ(tree("uge i32 %x, 500"), 32u); // under masks
}

// Threads at a block's ends have nothing to do in a loop with barriers: 0 < t && t < 255.
TEST(WiderGangs, AreTheRowIfLoopsLeaveItsEndsOut) {
  const auto in = [](const std::string &condition) {
    return wider("  br label %loop\nloop:\n  %t1 = add nsw i32 %x, -1\n  %c = icmp " + condition +
                     "\n  br i1 %c, label %then, label %end\n"
                     "then:\n  store float 0.0, ptr %own\n  br label %end\n"
                     "end:\n  call void @llvm.nvvm.barrier0()\n  %again = icmp eq i32 %n, 3\n"
                     "  br i1 %again, label %loop, label %done\ndone:\n  ret void\n",
                 avx512, "simd:256:whole")
        .lanes;
  };
  EXPECT_EQ(in("ult i32 %t1, 254"), 256u);
  EXPECT_EQ(in("sgt i32 %x, 0"), 256u);
  EXPECT_EQ(in("slt i32 %x, %n"), 32u); // a mask in each round
}

// A block that goes through an array in pieces of its own width does so piece by piece.
TEST(WiderGangs, GoThroughPieces) {
  const auto in = [](const std::string &between, const char *variant = "simd:256:whole") {
    return wider("  %v = load float, ptr %own\n" + between + "  store float %v, ptr %own\n" +
                     "  %next = getelementptr float, ptr %own, i64 256\n"
                     "  %w = load float, ptr %next\n  store float %w, ptr %next\n  ret void\n",
                 avx512, variant)
        .lanes;
  };
  EXPECT_EQ(in(""), 256u);
  EXPECT_EQ(in("", "simd:128:whole"), 128u);
  EXPECT_EQ(in("", "simd:128:full"), 32u);
  EXPECT_EQ(in("", "simd:512:whole"), 32u);
  EXPECT_EQ(in("  call void @llvm.nvvm.barrier0()\n", "simd:128:full"), 32u);
  EXPECT_EQ(wider("  %v = load float, ptr %own\n  %other = getelementptr float, ptr %q, i64 %wide\n"
                  "  store float %v, ptr %other\n  ret void\n",
                  avx512, "simd:256:whole")
                .lanes,
            32u);
}

// A sum each in double fills all registers of AVX-512, and would be stored and loaded in each
// round.
TEST(WiderGangs, KeepTheirSumsInRegisters) {
  const auto in = [](const std::string &type) {
    return wider("  br label %loop\nloop:\n  %i = phi i32 [ %x, %entry ], [ %next, %loop ]\n"
                 "  %s = phi " +
                     type +
                     " [ 0.0, %entry ], [ %t, %loop ]\n"
                     "  %iw = sext i32 %i to i64\n  %a = getelementptr " +
                     type +
                     ", ptr %p, i64 %iw\n"
                     "  %v = load " +
                     type + ", ptr %a\n  %t = fadd " + type +
                     " %s, %v\n"
                     "  %next = add nsw i32 %i, %n\n  %go = icmp slt i32 %next, 1000\n"
                     "  br i1 %go, label %loop, label %end\nend:\n"
                     "  %e = addrspacecast ptr %q to ptr addrspace(3)\n"
                     "  %f = getelementptr " +
                     type +
                     ", ptr addrspace(3) %e, i64 %wide\n"
                     "  store " +
                     type +
                     " %t, ptr addrspace(3) %f\n"
                     "  call void @llvm.nvvm.barrier0()\n  ret void\n",
                 avx512, "simd:256:whole")
        .lanes;
  };
  EXPECT_EQ(in("float"), 256u);
  EXPECT_LT(in("double"), 256u);
}

// So does one that goes on in steps of its width.
TEST(WiderGangs, GoOnWhereTheBlockEnds) {
  const auto in = [](const std::string &step, const char *variant = "simd:256:whole") {
    return wider("  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
                 "  %some = icmp slt i32 %x, %n\n  br i1 %some, label %loop, label %end\nloop:\n"
                 "  %j = phi i32 [ %x, %entry ], [ %next, %loop ]\n  %jw = sext i32 %j to i64\n"
                 "  %a = getelementptr float, ptr %p, i64 %jw\n  %v = load float, ptr %a\n"
                 "  %b = getelementptr float, ptr %q, i64 %jw\n  store float %v, ptr %b\n"
                 "  %next = add i32 %j, " +
                     step +
                     "\n  %go = icmp slt i32 %next, %n\n  br i1 %go, label %loop, label %end\n"
                     "end:\n  ret void\n",
                 avx512, variant)
        .lanes;
  };
  EXPECT_EQ(in("%size"), 256u);
  EXPECT_EQ(in("%size", "simd:128:full"), 32u);
  EXPECT_EQ(in("%n"), 32u);
}

// A stencil's threads have rows in common with those above and below.
TEST(WiderGangs, HaveRowsInCommon) {
  const auto in = [](const std::string &between, const char *variant, const char *way = "%n") {
    return wider("  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n  %r = mul nsw i32 %y, %n\n"
                 "  %i = add nsw i32 %r, %x\n  %k = sub nsw i32 %i, " +
                     std::string(way) + "\n  %l = add nsw i32 %i, " + way +
                     "\n  %kw = sext i32 %k to i64\n  %lw = sext i32 %l to i64\n"
                     "  %iw = sext i32 %i to i64\n  %a = getelementptr float, ptr %p, i64 %kw\n"
                     "  %b = getelementptr float, ptr %p, i64 %lw\n"
                     "  %c = getelementptr float, ptr %q, i64 %iw\n  %v = load float, ptr %a\n" +
                     between +
                     "  %w = load float, ptr %b\n  %s = fadd float %v, %w\n"
                     "  store float %s, ptr %c\n  ret void\n",
                 avx512, variant)
        .lanes;
  };
  EXPECT_EQ(in("", "simd:32x256:whole"), 128u);
  EXPECT_EQ(in("", "simd:16x64:full"), 64u);
  EXPECT_EQ(in("", "simd:128:full"), 32u);          // a gang is a row
  EXPECT_EQ(in("", "simd:32x256:whole", "1"), 32u); // neighbours in the same row
  EXPECT_EQ(in("  call void @llvm.nvvm.barrier0()\n", "simd:32x128:full"), 32u);
}

// What lives at a time must fit into three quarters of the registers: the sum's two values, and
// those that are kept meanwhile.
TEST(WiderGangs, FitTheRegisters) {
  const auto lanes = [](unsigned count, const char *type = "float") {
    return wider(keeping(count, type)).lanes;
  };
  EXPECT_EQ(lanes(1), 128u);
  EXPECT_EQ(lanes(2), 64u);
  EXPECT_EQ(lanes(4), 64u);
  EXPECT_EQ(lanes(5), 32u);
  EXPECT_EQ(lanes(20), 32u);
  EXPECT_EQ(lanes(1, "double"), 64u);
  EXPECT_EQ(lanes(2, "double"), 64u);
  EXPECT_EQ(lanes(3, "double"), 32u);
  EXPECT_EQ(lanes(1, "i8"), 128u);
}

// AVX2 has a quarter of that room: for one value.
TEST(WiderGangs, FitFewRegisters) {
  EXPECT_EQ(wider(sum(), avx2).lanes, 32u);
  const std::string one_value = R"(
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ %x, %entry ], [ %t, %loop ]
  %a = getelementptr i32, ptr %q, i64 %k
  %va = load i32, ptr %a
  %t = mul i32 %s, %va
  %next = add i64 %k, 1
  %go = icmp slt i64 %next, 1000
  br i1 %go, label %loop, label %end
end:
  store i32 %t, ptr %own
  ret void
)";
  EXPECT_EQ(wider(one_value, avx2).lanes, 64u);
  EXPECT_EQ(wider(one_value).lanes, 128u);
}

// Masks, and what has a scalar for all lanes, are not in vector registers.
TEST(WiderGangs, NeedNoRegistersForScalars) {
  std::string before, after;
  for (unsigned i = 0; i < 20; ++i) {
    const std::string n = std::to_string(i);
    before += "  %u" + n + " = mul i32 %n, " + n + "\n  %g" + n + " = add i32 %x, %u" + n +
              "\n  %c" + n + " = icmp slt i32 %g" + n + ", 50\n";
    after += "  %w" + n + " = select i1 %c" + n + ", i32 %u" + n + ", i32 %g" + n +
             "\n  store i32 %w" + n + ", ptr %own\n";
  }
  EXPECT_EQ(wider(sum("", before, after)).lanes, 128u);
}

// Where the CPU has enough to do meanwhile, a warp's vectors are as good: two of them for each of
// four sums are eight operations at a time.
TEST(WiderGangs, NotForManySumsAtATime) {
  const auto sums = [](unsigned count) {
    std::string phis, adds, stores;
    for (unsigned i = 0; i < count; ++i) {
      const std::string n = std::to_string(i);
      phis += "  %s" + n + " = phi i32 [ %x, %entry ], [ %t" + n + ", %loop ]\n";
      adds += "  %t" + n + " = xor i32 %s" + n + ", %n\n";
      stores += "  store i32 %t" + n + ", ptr %own\n";
    }
    return wider("  br label %loop\nloop:\n  %k = phi i64 [ 0, %entry ], [ %next, %loop ]\n" +
                 phis + adds +
                 "  %next = add i64 %k, 1\n  %go = icmp slt i64 %next, 1000\n"
                 "  br i1 %go, label %loop, label %end\nend:\n" +
                 stores + "  ret void\n")
        .lanes;
  };
  EXPECT_EQ(sums(1), 128u);
  EXPECT_EQ(sums(3), 128u);
  EXPECT_EQ(sums(4), 32u);
  EXPECT_EQ(sums(8), 32u);
}

// Without a loop, a chain must be long.
TEST(WiderGangs, ForLongChains) {
  const auto chain = [](unsigned length) {
    std::string code = "  %v0 = load i32, ptr %own\n";
    for (unsigned i = 0; i < length; ++i)
      code += "  %v" + std::to_string(i + 1) + " = mul i32 %v" + std::to_string(i) + ", %n\n";
    return wider(code + "  store i32 %v" + std::to_string(length) + ", ptr %own\n  ret void\n")
        .lanes;
  };
  EXPECT_EQ(chain(7), 32u);
  EXPECT_EQ(chain(8), 128u);
}

// Where all elements are small, more lanes take hardly more registers than a warp's floats.
TEST(WiderGangs, ForSmallElements) {
  const auto lanes = [](const std::string &type, const TargetProfile &target = avx512,
                        const std::string &more = "") {
    const std::string pointer = "  %o = getelementptr " + type + ", ptr %p, i64 %wide\n";
    return wider(pointer + "  %v = load " + type + ", ptr %o\n" + more + "  store " + type +
                     " %v, ptr %o\n  ret void\n",
                 target)
        .lanes;
  };
  EXPECT_EQ(lanes("i8"), 128u);
  EXPECT_EQ(lanes("i16"), 64u);
  EXPECT_EQ(lanes("half"), 64u);
  EXPECT_EQ(lanes("i32"), 32u);
  EXPECT_EQ(lanes("i8", avx2), 32u); // it has no masks for them
  EXPECT_EQ(lanes("i8", avx512, "  %f = load float, ptr %own\n  store float %f, ptr %own\n"), 32u);
  EXPECT_EQ(lanes("i8", avx512, "  %f = load float, ptr %q\n"), 128u); // the same for all
  // They may part more often, as at the borders of an image: masks are few.
  std::string borders;
  for (const std::string n : {"1", "2", "3", "4"})
    borders += "  %c" + n + " = icmp slt i32 %x, 2" + n + "\n  br i1 %c" + n + ", label %then" + n +
               ", label %next" + n + "\nthen" + n + ":\n  store i32 1, ptr %q\n  br label %next" +
               n + "\nnext" + n + ":\n";
  EXPECT_EQ(lanes("i8", avx512, borders), 128u);
}

// What is chosen at a border has a scalar in most gangs.
TEST(WiderGangs, NeedNoRegistersForChosenIndices) {
  std::string code, sum = "  %s0 = load i8, ptr %p\n";
  for (unsigned i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    code += "  %x" + n + " = add nsw i32 %x, " + n + "\n  %c" + n + " = icmp slt i32 %x" + n +
            ", %n\n  %i" + n + " = select i1 %c" + n + ", i32 %x" + n + ", i32 0\n  %w" + n +
            " = sext i32 %i" + n + " to i64\n";
    sum += "  %a" + n + " = getelementptr i8, ptr %p, i64 %w" + n + "\n  %v" + n +
           " = load i8, ptr %a" + n + "\n  %s" + next + " = add i8 %s" + n + ", %v" + n + "\n";
  }
  EXPECT_EQ(wider(code + sum +
                  "  %o = getelementptr i8, ptr %q, i64 %wide\n"
                  "  store i8 %s8, ptr %o\n  ret void\n")
                .lanes,
            128u);
}

// Lanes that wait for each other at the end of a loop, or part in it.
TEST(WiderGangs, NotWhereLanesPartInTheLoop) {
  EXPECT_EQ(wider(sum("", "", "", "%wide")).lanes, 32u);
  const auto choice = [](const std::string &condition) {
    return wider(sum("  %c = icmp slt i32 " + condition +
                     ", 40\n  br i1 %c, label %then, label %latch\nthen:\n"
                     "  store float %s, ptr %own\n"))
        .lanes;
  };
  EXPECT_EQ(choice("%x"), 32u);
  EXPECT_EQ(choice("%n"), 128u);
  // Before it, they may.
  EXPECT_EQ(
      wider(sum("", "  %c = icmp slt i32 %x, %n\n  br i1 %c, label %then, label %head0\nthen:\n"
                    "  store float 1.0, ptr %own\n  br label %head0\nhead0:\n"))
          .lanes,
      128u);
}

// Nor where they part in any other loop.
TEST(WiderGangs, NotWhereLanesPartInAnotherLoop) {
  const auto before = [](const std::string &last) {
    return wider(sum("", "  br label %other\nother:\n"
                         "  %i = phi i32 [ 0, %entry ], [ %i1, %other ]\n  %i1 = add i32 %i, 1\n"
                         "  %more = icmp slt i32 %i1, " +
                             last + "\n  br i1 %more, label %other, label %head0\nhead0:\n"))
        .lanes;
  };
  EXPECT_EQ(before("%x"), 32u);
  EXPECT_EQ(before("%n"), 128u);
}

// A gang that waits does so as a whole, at a barrier of all threads.
TEST(WiderGangs, NotIfItWaitsInParts) {
  const auto before = [](const std::string &code) { return wider(sum("", code)).lanes; };
  const std::string where = " label %then, label %head0\nthen:\n  call void @llvm.nvvm.barrier0()\n"
                            "  br label %head0\nhead0:\n";
  EXPECT_EQ(before("  %c = icmp ult i32 %x, %n\n  br i1 %c," + where), 32u);
  EXPECT_EQ(before("  %c = icmp ult i32 %x, 128\n  br i1 %c," + where), 128u);
  EXPECT_EQ(before("  br i1 %same," + where), 128u);
  EXPECT_EQ(before("  call void @llvm.nvvm.barrier.sync(i32 0)\n"), 128u);
}

// The runtime counts and asks lane by lane, with masks of 32 bits.
TEST(WiderGangs, NotWithOtherBarriers) {
  const auto before = [](const std::string &code) { return wider(sum("", code)).lanes; };
  EXPECT_EQ(before("  call void @llvm.nvvm.barrier.sync(i32 1)\n"), 32u);
  EXPECT_EQ(before("  call void @llvm.nvvm.barrier.sync(i32 %n)\n"), 32u);
  EXPECT_EQ(before("  call void @llvm.nvvm.barrier.sync.cnt(i32 0, i32 256)\n"), 32u);
  EXPECT_EQ(wider(sum("",
                      "  %i = zext i1 %same to i32\n"
                      "  %many = call i32 @llvm.nvvm.barrier0.popc(i32 %i)\n",
                      "  store i32 %many, ptr %q\n"))
                .lanes,
            32u);
}

TEST(WiderGangs, NotIfThreadsAskForTheirPlaceInAWarp) {
  for (const char *name : {"laneid", "warpid"})
    EXPECT_EQ(wider(sum("", std::string("  %w = call i32 @llvm.nvvm.read.ptx.sreg.") + name +
                                "()\n  store i32 %w, ptr %own\n"))
                  .lanes,
              32u)
        << name;
}

// 128 lanes that do something one by one are much code, and gain nothing.
TEST(WiderGangs, NotForWhatIsDoneLaneByLane) {
  const auto inside = [](const std::string &code) { return wider(sum(code)).lanes; };
  EXPECT_EQ(inside("  %o = atomicrmw add ptr %own, i32 1 monotonic\n"), 32u);
  EXPECT_EQ(inside("  %o = load volatile float, ptr %q\n"), 32u);
  EXPECT_EQ(inside("  store volatile float %t, ptr %own\n"), 32u);
  EXPECT_EQ(inside("  call void @A()\n"), 32u);
  EXPECT_EQ(inside("  %o = call i32 @pure(i32 %x)\n  store i32 %o, ptr %own\n"), 32u);
}

// All lanes that count in one place make one change: the fewer gangs, the fewer changes.
TEST(WiderGangs, ForCountsInOnePlace) {
  const auto width = [](const std::string &code) {
    return wider("  %e = getelementptr i32, ptr %p, i32 %x\n  %v = load i32, ptr %e\n" + code +
                 "  ret void\n")
        .lanes;
  };
  EXPECT_EQ(width("  %o = atomicrmw add ptr %q, i32 %v monotonic\n"), 128u);
  EXPECT_EQ(width("  %o = atomicrmw umax ptr %q, i32 %v monotonic\n"), 128u);
  EXPECT_EQ(width("  %o = atomicrmw xor ptr %q, i32 %v monotonic\n"), 32u);
  EXPECT_EQ(width("  %o = atomicrmw add ptr %q, i32 %v monotonic\n  store i32 %o, ptr %e\n"), 32u);
  EXPECT_EQ(width("  %f = sitofp i32 %v to float\n"
                  "  %o = atomicrmw fadd ptr %q, float %f monotonic\n"),
            32u);
}

// An index from memory leads anywhere; what is computed from threadIdx, but in 32 bits, or chosen
// at a border, leads to neighbours as a rule.
TEST(WiderGangs, NotForGathers) {
  const auto load = [](const std::string &index) {
    return wider(sum(index +
                     "  %w = sext i32 %i to i64\n  %d = getelementptr float, ptr %q, i64 %w\n"
                     "  %e = load float, ptr %d\n  store float %e, ptr %own\n"))
        .lanes;
  };
  EXPECT_EQ(load("  %i = fptosi float %vb to i32\n"), 32u);
  EXPECT_EQ(load("  %i = mul i32 %x, %n\n"), 32u);
  EXPECT_EQ(load("  %i = add i32 %x, %n\n"), 128u);
  EXPECT_EQ(load("  %g = add i32 %x, %n\n  %c = icmp slt i32 %g, 9\n"
                 "  %i = select i1 %c, i32 %g, i32 %x\n"),
            128u);
  EXPECT_EQ(load("  %g = add i32 %x, %n\n  %i = call i32 @llvm.smin.i32(i32 %g, i32 9)\n"), 128u);
  EXPECT_EQ(wider(sum("  %i = fptosi float %vb to i64\n  %d = getelementptr float, ptr %q, i64 %i\n"
                      "  store float %t, ptr %d\n"))
                .lanes,
            32u);
}

// ---- What a kernel needs -----------------------------------------------------------------------

GangWidth widthOf(const std::string &body, unsigned register_bytes = 64) {
  Ir ir(declarations + "define void @f(ptr %p, double %d) {\nentry:\n" + body + "  ret void\n}\n");
  return gangWidth(ir.function("f"), register_bytes);
}

TEST(GangWidth, FollowsFromTheCode) {
  const GangWidth plain = widthOf("  store i32 1, ptr %p\n");
  EXPECT_EQ(plain.lanes, 32u);
  EXPECT_FALSE(plain.whole_warps || plain.may_wait || plain.spins);
  // Values of 64 bits take twice the registers; large ones have room for them.
  const std::string doubles = "  %e = fadd double %d, 1.0\n  store double %e, ptr %p\n";
  EXPECT_EQ(widthOf(doubles, 64).lanes, 32u);
  EXPECT_EQ(widthOf(doubles, 32).lanes, 16u);
  const GangWidth barrier = widthOf("  call void @llvm.nvvm.barrier0()\n");
  EXPECT_TRUE(barrier.may_wait);
  EXPECT_FALSE(barrier.spins || barrier.whole_warps);
  const GangWidth spins = widthOf("  br label %loop\nloop:\n  %v = load volatile i32, ptr %p\n"
                                  "  %go = icmp eq i32 %v, 0\n"
                                  "  br i1 %go, label %loop, label %end\nend:\n");
  EXPECT_TRUE(spins.spins && spins.may_wait);
}

} // namespace
