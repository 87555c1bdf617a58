// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lnccl
// env: HEDDLE_DEVICES=4
//
// Reductions beside those that NVIDIA's library made on GPUs (recorded/nccl.inc). Ours may differ
// from exact sums as much as NVIDIA's do, since both round in an order of their own. With the
// argument `record` the program prints that file, on a machine with two to four GPUs.
#include "nccl_check.h"

namespace {

constexpr int count = 16;

struct Case {
  int call;            // 0: ncclAllReduce, 1: ncclReduce, 2: ncclReduceScatter, rank 0's part
  int type, op, ranks; // op ncclNumOps: each rank's numbers times 0.3 * (rank + 1)
  double values[count];
};

const std::vector<Case> recorded = {
#include "recorded/nccl.inc"
};

/// Element i of what a rank gives, as the type has it.
std::vector<double> input(ncclDataType_t type, int rank, size_t size) {
  std::vector<double> values(size);
  for (size_t i = 0; i < size; ++i) {
    const int number = int((i * 37 + size_t(rank) * 101 + 13) % 199);
    values[i] = isFloating(type) ? (number - 99) / 70.0
                : isSigned(type) ? number / 4 - 20
                                 : number / 4;
  }
  return decode(type, encode(type, values));
}

double factor(ncclDataType_t type, int rank) {
  return decode(type, encode(type, {isFloating(type) ? 0.3 * (rank + 1) : rank + 1.0}))[0];
}

/// In double precision.
std::vector<double> exact(const Case &one) {
  const auto type = ncclDataType_t(one.type);
  std::vector<double> result(count);
  for (int rank = 0; rank < one.ranks; ++rank) {
    const auto values = input(type, rank, count * one.ranks);
    for (int i = 0; i < count; ++i) {
      const double value = values[i] * (one.op == ncclNumOps ? factor(type, rank) : 1);
      result[i] = rank == 0 ? value : reduced(ncclRedOp_t(one.op), result[i], value);
    }
  }
  for (double &value : result)
    if (one.op == ncclAvg)
      value = isFloating(type) ? value / one.ranks : std::trunc(value / one.ranks);
  return result;
}

std::vector<double> run(const Case &one, const std::vector<ncclComm_t> &comms) {
  const auto type = ncclDataType_t(one.type);
  const size_t size = size_t(count) * one.ranks;
  std::vector<Buffer> in, out;
  std::vector<ncclRedOp_t> ops(one.ranks, ncclRedOp_t(one.op));
  for (int rank = 0; rank < one.ranks; ++rank) {
    in.emplace_back(rank, type, input(type, rank, size));
    out.emplace_back(rank, type, size);
    auto scalar = encode(type, {factor(type, rank)});
    if (one.op == ncclNumOps)
      OK(ncclRedOpCreatePreMulSum(&ops[rank], scalar.data(), type, ncclScalarHostImmediate,
                                  comms[rank]));
  }
  OK(ncclGroupStart());
  for (int rank = 0; rank < one.ranks; ++rank)
    if (one.call == 0)
      OK(ncclAllReduce(in[rank], out[rank], count, type, ops[rank], comms[rank], nullptr));
    else if (one.call == 1)
      OK(ncclReduce(in[rank], out[rank], count, type, ops[rank], 0, comms[rank], nullptr));
    else
      OK(ncclReduceScatter(in[rank], out[rank], count, type, ops[rank], comms[rank], nullptr));
  OK(ncclGroupEnd());
  auto result = out[0].read();
  for (int rank = 0; rank < one.ranks; ++rank) {
    out[rank].read(); // all are done
    if (one.op == ncclNumOps)
      OK(ncclRedOpDestroy(ops[rank], comms[rank]));
  }
  result.resize(count);
  return result;
}

void record(const std::vector<ncclComm_t> &comms) {
  std::printf("// Made by nccl_recorded.cu on NVIDIA hardware, with NCCL %d.\n", NCCL_VERSION_CODE);
  std::printf("// clang-format off\n");
  for (int call = 0; call < 3; ++call)
    for (int type = 0; type < type_count; ++type)
      for (int op = 0; op <= ncclNumOps; ++op) {
        const bool floating = isFloating(ncclDataType_t(type));
        if ((call > 0 && (op != ncclSum || !floating)) ||
            (!floating && type != ncclInt32 && type != ncclUint8))
          continue;
        Case one{call, type, op, int(comms.size()), {}};
        const auto values = run(one, comms);
        std::printf("{%d, %d, %d, %d, {", call, type, op, one.ranks);
        for (int i = 0; i < count; ++i)
          std::printf("%s%a", i ? ", " : "", values[i]);
        std::printf("}},\n");
      }
}

/// The distance of a type's numbers at 1.
double precision(int type) {
  return type == ncclFloat16    ? 0x1p-10
         : type == ncclFloat32  ? 0x1p-23
         : type == ncclFloat64  ? 0x1p-52
         : type == ncclBfloat16 ? 0x1p-7
         : type == 10           ? 0x1p-3
         : type == 11           ? 0x1p-2
                                : 0;
}

void compareToRecorded(const Case &one, const std::vector<ncclComm_t> &comms) {
  const auto values = run(one, comms), sums = exact(one);
  double theirs = 0;
  for (int i = 0; i < count; ++i)
    theirs = std::max(theirs, std::fabs(one.values[i] - sums[i]));
  for (int i = 0; i < count; ++i)
    CHECK_NEAR(values[i], one.values[i],
               3 * theirs + 2 * precision(one.type) * std::fabs(one.values[i]));
}

} // namespace

int main(int argc, char **argv) {
  int devices = 0;
  CHECK_CUDA(cudaGetDeviceCount(&devices));
  devices = std::min(devices, 4);
  const bool recording = argc > 1 && std::string(argv[1]) == "record";
  for (int ranks = recording ? devices : 1; ranks <= devices; ++ranks) {
    std::vector<ncclComm_t> comms(ranks);
    OK(ncclCommInitAll(comms.data(), ranks, nullptr));
    if (recording)
      record(comms);
    else
      for (const Case &one : recorded)
        if (one.ranks == ranks && one.type < type_count)
          compareToRecorded(one, comms);
    for (const ncclComm_t comm : comms)
      OK(ncclCommDestroy(comm));
  }
  RETURN_RESULT();
}
