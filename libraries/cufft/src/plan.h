// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a handle of libcufft stands for.
#pragma once
// What the headers declare is exported; everything else in the library is hidden.
#pragma GCC visibility push(default)
#include <cufft.h>
#include <cufftXt.h>
#pragma GCC visibility pop

#include "callbacks.h"
#include "common/linked_code.h"
#include "common/task.h"
#include "engine.h"

#include <memory>
#include <vector>

namespace heddle::cufft {

using fft::Kind;

enum class Precision { Half, BFloat, Single, Double };

/// How one side of a transform lies in memory: element (b, x, y, z) is at
/// b * Distance + ((x * Embed[1] + y) * Embed[2] + z) * Stride.
struct Side {
  long long Embed[3] = {};
  long long Stride = 1;
  long long Distance = 0;
};

/// What is transformed: the arguments of a cufftMakePlan… call.
struct Shape {
  Kind What = Kind::Complex;
  Precision Of = Precision::Single;
  int Rank = 0;
  long long Size[3] = {};
  long long Batch = 1;
  bool Basic = true; // without strides: In and Out are then what follows from the sizes
  Side In, Out;
};

/// What a call asks for, before it is checked.
struct Request {
  int Rank;
  long long Size[3];
  const long long *InEmbed, *OutEmbed;
  long long InStride, InDistance, OutStride, OutDistance;
  long long Batch;
};

/// The sizes of a call that has them as int, as long long.
struct Wide {
  long long Size[3] = {}, InEmbed[3] = {}, OutEmbed[3] = {};
  bool Advanced = false;
  /// Returns false if there are no sizes.
  bool set(int Rank, const int *Sizes, const int *In, const int *Out);
  Request request(int Rank, long long InStride, long long InDistance, long long OutStride,
                  long long OutDistance, long long Batch) const;
};
Request request64(int Rank, const long long *Sizes, const long long *In, long long InStride,
                  long long InDistance, const long long *Out, long long OutStride,
                  long long OutDistance, long long Batch);

/// The layout of a side of a basic plan.
Side basicSide(const Shape &Of, bool OfInput, bool InPlace);

/// A callback as cufftXtSetJITCallback gave it.
struct JitCallback {
  std::string Name;
  std::vector<char> Code;
  cufftXtCallbackType Type;
  void *Info;
};

struct Plan {
  ~Plan();

  bool Made = false;
  Shape Of;
  cudaStream_t Stream = nullptr;
  long long Properties[2] = {0, 0};
  std::vector<int> Gpus; // of cufftXtSetGPUs
  Callback Load, Store;  // of cufftXtSetCallback, or of Code
  std::vector<JitCallback> Jit;
  std::unique_ptr<library::LinkedCode> Code; // what became of Jit when the plan was made
};

/// The plan of a handle, or null if it was not created or is destroyed.
std::shared_ptr<Plan> find(cufftHandle Handle);

/// Says on stderr why a call is refused; returns the status.
cufftResult refuse(const char *Function, cufftResult Status, const char *Why);

/// Checks a request and describes it.
cufftResult describe(const char *Function, const Request &Asked, Kind What, Precision Of,
                     Shape &Result);

/// Kind and precision of a type such as CUFFT_C2C; false if there is no such type.
bool split(cufftType Type, Kind &What, Precision &Of);

/// Puts a task on a stream; a capturing stream makes it a node, whose graph owns it.
cufftResult submit(const char *Function, cudaStream_t Stream, library::Task Work);

/// Transforms now, on the calling thread.
void transform(const Shape &Of, bool Forward, const void *In, void *Out);

/// Checks arguments of an execution and puts it on the plan's stream.
cufftResult execute(const char *Function, const std::shared_ptr<Plan> &Made, const void *In,
                    void *Out, int Direction);

/// What the elements of a side are; not of half precision.
ElementType elementType(const Shape &Of, bool OfInput);

/// Bytes of one element of a side.
size_t elementBytes(const Shape &Of, bool OfInput);

} // namespace heddle::cufft
