// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a generator handle stands for.
#pragma once
#include <cuda_runtime.h>
// What the header declares is exported; everything else in the library is hidden.
#pragma GCC visibility push(default)
#include <curand.h>
#pragma GCC visibility pop

#include <cstddef>
#include <memory>

namespace heddle::curand {

enum class Kind {
  Raw,
  Uniform,
  UniformDouble,
  Normal,
  NormalDouble,
  LogNormal,
  LogNormalDouble,
  Poisson,
};

// How a word becomes a Poisson number: by a table in which one look is enough, by the inverse of
// the distribution function, or by a rounded normal number.
enum class PoissonWay { Table, Inverse, Rounded, Device }; // Device: as kernels make them
struct PoissonTable;

// One call of curandGenerate…: Count numbers of a kind at Out, which kernels can write.
struct Request {
  Kind What = Kind::Raw;
  void *Out = nullptr;
  size_t Count = 0;
  double Mean = 0;   // of normal, log-normal and Poisson numbers
  double Spread = 1; // their standard deviation
  PoissonWay Way = PoissonWay::Table;
  const PoissonTable *Table = nullptr; // of Poisson numbers, unless they are rounded ones
  cudaStream_t Stream = nullptr;
};

// What a sequence begins with.
struct Start {
  curandRngType_t Type;
  curandOrdering_t Ordering;
  unsigned long long Seed = 0;
  unsigned long long Offset = 0;
  unsigned Dimensions = 1;
};

// A sequence under way: states in device memory, which each fill carries on in the order of its
// stream.
class Sequence {
public:
  virtual ~Sequence() = default;
  virtual curandStatus_t begin(const Start &From, cudaStream_t Stream) = 0;
  virtual curandStatus_t fill(const Request &Asked) = 0;
};

std::unique_ptr<Sequence> makeXorwow();
std::unique_ptr<Sequence> makeMrg();
std::unique_ptr<Sequence> makePhilox();
std::unique_ptr<Sequence> makeMtgp();
std::unique_ptr<Sequence> makeMersenne();
std::unique_ptr<Sequence> makeSobol32(bool Scrambled);
std::unique_ptr<Sequence> makeSobol64(bool Scrambled);

// Says on stderr why a call is refused, and gives its status.
curandStatus_t refuse(curandStatus_t Status, const char *Function, const char *Why);

// The status of a call of the runtime, with its reason on stderr if it failed.
curandStatus_t fromRuntime(cudaError_t Error, curandStatus_t Failed);

} // namespace heddle::curand

struct curandGenerator_st {
  heddle::curand::Start From{};
  bool OnHost = false;
  bool Begun = false;
  int Device = 0;
  cudaStream_t Stream = nullptr;
  std::unique_ptr<heddle::curand::Sequence> Numbers;
  // What the last Poisson numbers were made with.
  std::shared_ptr<heddle::curand::PoissonTable> Table;
};
