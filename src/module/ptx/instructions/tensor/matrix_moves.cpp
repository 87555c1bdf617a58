// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of 8x8 16-bit numbers between memory and a warp's registers, and transposed (PTX ISA,
// "ldmatrix", "stmatrix", "movmatrix"). Four neighbouring threads hold a row, one word each.
#include "module/ptx/instructions/instructions.h"
#include "module/ptx/instructions/memory.h"
#include "module/ptx/instructions/tensor/products.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {
namespace {

constexpr PtxType word{PtxType::Bits, 32};

Value *laneOf(PtxInstruction &in) {
  return in.builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {}, {});
}

// What the thread `lane` holds.
Value *fromLane(PtxInstruction &in, Value *value, Value *lane) {
  IRBuilder<> &builder = in.builder;
  return builder.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_idx_i32, {},
                                 {builder.getInt32(~0u), value, lane, builder.getInt32(31)});
}

void needSync(PtxInstruction &in) {
  if (!in.take("sync") || !in.take("aligned") || !in.take("m8n8"))
    throw PtxError("");
}

unsigned takeTiles(PtxInstruction &in) {
  const std::string count = in.takeOneOf({"x1", "x2", "x4"});
  if (count.empty())
    throw PtxError("");
  return unsigned(count[1] - '0');
}

void takeShared(PtxInstruction &in) {
  in.takeOneOf({"shared", "shared::cta"});
  if (!in.take("b16"))
    throw PtxError("");
}

// The address of this thread's word of tile `tile`: the addresses of its rows are those that eight
// threads give.
Value *wordAddress(PtxInstruction &in, Value *address, unsigned tile) {
  IRBuilder<> &builder = in.builder;
  Value *lane = laneOf(in);
  Value *row = builder.CreateOr(builder.CreateLShr(lane, 2), tile * 8);
  Value *start = fromLane(in, address, row);
  Value *place = builder.CreateOr(start, builder.CreateShl(builder.CreateAnd(lane, 3), 2));
  return builder.CreateIntToPtr(builder.CreateZExt(place, builder.getInt64Ty()),
                                builder.getPtrTy());
}

// Shared memory lies below 4 GiB, whatever the register's width. A row has 16 bytes, to which it is
// aligned.
Value *rowAddress(PtxInstruction &in, size_t i) {
  IRBuilder<> &builder = in.builder;
  Value *pointer = in.emitter.address(in.operand(i), true);
  return builder.CreateTrunc(builder.CreatePtrToInt(pointer, builder.getInt64Ty()),
                             builder.getInt32Ty());
}

void emitLoad(PtxInstruction &in) {
  needSync(in);
  const unsigned tiles = takeTiles(in);
  const bool transposes = in.take("trans");
  takeShared(in);
  Value *address = rowAddress(in, 1);
  const ArrayRef<PtxOperand> registers = elementsOf(in.operand(0), tiles);
  SmallVector<Value *> values;
  for (unsigned tile = 0; tile < tiles; ++tile) {
    Value *value = in.builder.CreateAlignedLoad(in.builder.getInt32Ty(),
                                                wordAddress(in, address, tile), Align(4));
    values.push_back(transposes ? transposedTile(in, value) : value);
  }
  for (unsigned tile = 0; tile < tiles; ++tile)
    in.emitter.write(registers[tile], word, values[tile]);
}

void emitStore(PtxInstruction &in) {
  needSync(in);
  const unsigned tiles = takeTiles(in);
  const bool transposes = in.take("trans");
  takeShared(in);
  Value *address = rowAddress(in, 0);
  const ArrayRef<PtxOperand> registers = elementsOf(in.operand(1), tiles);
  for (unsigned tile = 0; tile < tiles; ++tile) {
    Value *value = in.emitter.read(registers[tile], word);
    in.builder.CreateAlignedStore(transposes ? transposedTile(in, value) : value,
                                  wordAddress(in, address, tile), Align(4));
  }
}

void emitMove(PtxInstruction &in) {
  needSync(in);
  if (!in.take("trans") || !in.take("b16"))
    throw PtxError("");
  in.write(word, transposedTile(in, in.read(1, word)));
}

} // namespace

Value *transposedTile(PtxInstruction &in, Value *value) {
  IRBuilder<> &builder = in.builder;
  Value *lane = laneOf(in);
  Value *source = builder.CreateOr(builder.CreateShl(builder.CreateAnd(lane, 3), 3),
                                   builder.CreateLShr(lane, 3));
  Value *first = fromLane(in, value, source);
  Value *second = fromLane(in, value, builder.CreateOr(source, 4));
  Value *shift = builder.CreateShl(builder.CreateAnd(builder.CreateLShr(lane, 2), 1), 4);
  Value *low = builder.CreateAnd(builder.CreateLShr(first, shift), 0xffff);
  return builder.CreateOr(low, builder.CreateShl(builder.CreateLShr(second, shift), 16));
}

void addMatrixMoves(PtxTable &table) {
  table.any["ldmatrix"] = emitLoad;
  table.any["stmatrix"] = emitStore;
  table.any["movmatrix"] = emitMove;
}

} // namespace heddle
