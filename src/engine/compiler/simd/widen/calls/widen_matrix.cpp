// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/calls/widen_matrix.h"
#include "engine/abi_extensions.h"
#include "engine/compiler/errors.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/analysis/warp_uniformity.h"
#include "module/matrix_operation.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

using Words = SmallVector<Value *>;

AllocaInst *memoryFor(VectorBuilder &v, size_t words) {
  auto &unused = v.emitters.unused_fragments[words];
  if (!unused.empty())
    return unused.pop_back_val();
  return v.temporary(ArrayType::get(v.wide(v.b.getInt32Ty()), words), "matrix");
}

Value *wordIn(VectorBuilder &v, AllocaInst *memory, unsigned i) {
  return v.b.CreateConstGEP1_64(v.wide(v.b.getInt32Ty()), memory, i);
}

// Where these words are, after they have been written if they were nowhere.
AllocaInst *fragmentOf(VectorBuilder &v, Words words) {
  for (const FragmentInMemory &fragment : v.emitters.fragments)
    if (fragment.words == words)
      return fragment.memory;
  AllocaInst *memory = memoryFor(v, words.size());
  for (unsigned i = 0; i < words.size(); ++i)
    v.b.CreateStore(v.vectorOf(words[i]), wordIn(v, memory, i));
  v.emitters.fragments.push_back({std::move(words), memory});
  return memory;
}

// The values that the program calls the result's words.
Words wordsOfResult(CallBase &old, unsigned count) {
  Words words(count);
  for (User *user : old.users())
    if (auto *word = dyn_cast<ExtractValueInst>(user); word && word->getNumIndices() == 1)
      words[word->getIndices()[0]] = word;
  return words;
}

} // namespace

Value *widenMatrixProduct(VectorBuilder &v, CallBase &old, uint32_t code) {
  if (v.lanes != warp_lanes)
    throw Unsupported("it multiplies matrices in gangs that are no warps");
  const MatrixOperation operation = MatrixOperation::decode(code);
  unsigned next = 0;
  const auto take = [&](uint32_t count) {
    Words words(old.arg_begin() + next, old.arg_begin() + next + count);
    next += count;
    return fragmentOf(v, std::move(words));
  };
  AllocaInst *a = take(operation.wordsOfA()), *b = take(operation.wordsOfB()),
             *c = take(operation.wordsOfC()), *d = c;
  auto &fragments = v.emitters.fragments;
  if (operation.c == operation.d && c != a && c != b)
    erase_if(fragments, [&](const FragmentInMemory &one) { return one.memory == c; });
  else
    d = memoryFor(v, operation.wordsOfD());
  callRuntime(v.b, v.gang, offsetof(ExtendedRuntimeTable, multiply_of_warp), v.b.getVoidTy(),
              {v.b.getInt32(code), a, b, c, d});
  fragments.push_back({wordsOfResult(old, operation.wordsOfD()), d});
  Value *result = PoisonValue::get(v.wide(old.getType()));
  for (uint32_t i = 0; i < operation.wordsOfD(); ++i)
    result =
        v.b.CreateInsertValue(result, v.b.CreateLoad(v.wide(v.b.getInt32Ty()), wordIn(v, d, i)), i);
  return result;
}

void forgetFragments(VectorBuilder &v) {
  for (const FragmentInMemory &fragment : v.emitters.fragments)
    v.emitters.unused_fragments[fragment.words.size()].push_back(fragment.memory);
  v.emitters.fragments.clear();
}

} // namespace heddle::engine::simd
