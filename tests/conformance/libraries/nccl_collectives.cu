// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lnccl
// env: HEDDLE_DEVICES=4
//
// NCCL's collectives over the devices of one process: each data type and reduction, in place and
// out of it, sizes that are not multiples of anything, streams, graphs, sends and receives in
// groups.
#include "nccl_check.h"

namespace {

std::string nameOf(const char *call, ncclDataType_t type, ncclRedOp_t op) {
  return std::string(call) + " of type " + std::to_string(type) + ", operation " +
         std::to_string(op);
}

std::vector<double> allExpected(ncclDataType_t type, ncclRedOp_t op, int ranks, size_t count,
                                size_t start = 0) {
  std::vector<double> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = expected(type, op, ranks, start + i);
  return values;
}

/// An average over three ranks is not exact.
double allowed(ncclDataType_t type, ncclRedOp_t op, int ranks) {
  return op == ncclAvg && isFloating(type) && ranks == 3 ? 0.13 : 0;
}

void testAllReduce(const Ranks &ranks, ncclDataType_t type, ncclRedOp_t op, size_t count) {
  const auto wanted = allExpected(type, op, ranks.count, count);
  const double difference = allowed(type, op, ranks.count);
  const auto in = ranks.inputs(type, count), out = ranks.buffers(type, count);
  ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
    OK(ncclAllReduce(in[i], out[i], count, type, op, comm, stream));
  });
  for (int i = 0; i < ranks.count; ++i) {
    compare(out[i].read(), wanted, nameOf("ncclAllReduce", type, op), difference);
    compare(in[i].read(), elements(type, i, count), "the input");
  }
  ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
    OK(ncclAllReduce(in[i], in[i], count, type, op, comm, stream));
  });
  for (int i = 0; i < ranks.count; ++i)
    compare(in[i].read(), wanted, nameOf("ncclAllReduce in place", type, op), difference);
}

void testReduce(const Ranks &ranks, ncclDataType_t type, ncclRedOp_t op, size_t count) {
  const int root = ranks.count - 1 - int(count % size_t(ranks.count));
  const auto in = ranks.inputs(type, count), out = ranks.buffers(type, count);
  const auto untouched = out[0].read();
  for (const bool in_place : {false, true}) {
    ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
      OK(ncclReduce(in[i], in_place ? in[i] : out[i], count, type, op, root, comm, stream));
    });
    for (int i = 0; i < ranks.count; ++i) {
      const auto &result = in_place ? in[i] : out[i];
      if (i == root)
        compare(result.read(), allExpected(type, op, ranks.count, count),
                nameOf("ncclReduce", type, op), allowed(type, op, ranks.count));
      else if (in_place)
        compare(result.read(), elements(type, i, count), "what another rank gave");
      else
        CHECK(std::memcmp(result.read().data(), untouched.data(), count * sizeof(double)) == 0);
    }
  }
}

void testReduceScatter(const Ranks &ranks, ncclDataType_t type, ncclRedOp_t op, size_t count) {
  const auto in = ranks.inputs(type, count * ranks.count), out = ranks.buffers(type, count);
  const auto compareAll = [&](auto read) {
    for (int i = 0; i < ranks.count; ++i)
      compare(read(i), allExpected(type, op, ranks.count, count, count * i),
              nameOf("ncclReduceScatter", type, op), allowed(type, op, ranks.count));
  };
  ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
    OK(ncclReduceScatter(in[i], out[i], count, type, op, comm, stream));
  });
  compareAll([&](int i) { return out[i].read(); });
  ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
    OK(ncclReduceScatter(in[i], in[i].at(count * i), count, type, op, comm, stream));
  });
  compareAll([&](int i) {
    const auto all = in[i].read();
    return std::vector<double>(all.begin() + count * i, all.begin() + count * (i + 1));
  });
}

void testAllGather(const Ranks &ranks, ncclDataType_t type, size_t count) {
  std::vector<double> wanted;
  for (int i = 0; i < ranks.count; ++i) {
    const auto part = elements(type, i, count);
    wanted.insert(wanted.end(), part.begin(), part.end());
  }
  const auto in = ranks.inputs(type, count), out = ranks.buffers(type, count * ranks.count);
  ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
    OK(ncclAllGather(in[i], out[i], count, type, comm, stream));
  });
  for (int i = 0; i < ranks.count; ++i)
    compare(out[i].read(), wanted, "ncclAllGather");
  const auto both = ranks.buffers(type, count * ranks.count);
  for (int i = 0; i < ranks.count; ++i) {
    CHECK_CUDA(cudaSetDevice(i));
    CHECK_CUDA(cudaMemcpy(both[i].at(count * i), in[i], count * sizeOf(type), cudaMemcpyDefault));
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
    OK(ncclAllGather(both[i].at(count * i), both[i], count, type, comm, stream));
  });
  for (int i = 0; i < ranks.count; ++i)
    compare(both[i].read(), wanted, "ncclAllGather in place");
}

#if defined(HEDDLE_NCCL) || NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
// Rank i's part for rank j is what comes from i at j.
void testExchanges(const Ranks &ranks, ncclDataType_t type, size_t count) {
  const auto in = ranks.inputs(type, count * ranks.count),
             out = ranks.buffers(type, count * ranks.count);
  const auto part = [&](int from, int to) {
    const auto all = elements(type, from, count * ranks.count);
    return std::vector<double>(all.begin() + count * to, all.begin() + count * (to + 1));
  };
  ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
    OK(ncclAlltoAll(in[i], out[i], count, type, comm, stream));
  });
  for (int i = 0; i < ranks.count; ++i) {
    std::vector<double> wanted;
    for (int from = 0; from < ranks.count; ++from)
      for (const double element : part(from, i))
        wanted.push_back(element);
    compare(out[i].read(), wanted, "ncclAlltoAll");
  }
  const int root = ranks.count - 1;
  const auto pieces = ranks.buffers(type, count);
  ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
    OK(ncclScatter(i == root ? in[i].at(0) : nullptr, pieces[i], count, type, root, comm, stream));
  });
  for (int i = 0; i < ranks.count; ++i)
    compare(pieces[i].read(), part(root, i), "ncclScatter");
  ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
    OK(ncclGather(pieces[i], i == root ? out[i].at(0) : nullptr, count, type, root, comm, stream));
  });
  compare(out[root].read(), elements(type, root, count * ranks.count), "ncclGather");
}
#endif

void testBroadcast(const Ranks &ranks, ncclDataType_t type, size_t count) {
  for (int root = 0; root < ranks.count; ++root) {
    const auto in = ranks.inputs(type, count), out = ranks.buffers(type, count);
    ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
      const void *own = in[i];
      OK(ncclBroadcast(i == root ? own : nullptr, out[i], count, type, root, comm, stream));
    });
    ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
      OK(ncclBcast(in[i], count, type, root, comm, stream));
    });
    for (int i = 0; i < ranks.count; ++i) {
      compare(out[i].read(), elements(type, root, count), "ncclBroadcast");
      compare(in[i].read(), elements(type, root, count), "ncclBcast");
    }
  }
}

void testOperations(const Ranks &ranks) {
  for (int t = 0; t < type_count; ++t)
    for (int op = 0; op < ncclNumOps; ++op)
      for (const size_t count : {size_t(1), size_t(10007)}) {
        testAllReduce(ranks, ncclDataType_t(t), ncclRedOp_t(op), count);
        testReduce(ranks, ncclDataType_t(t), ncclRedOp_t(op), count);
        testReduceScatter(ranks, ncclDataType_t(t), ncclRedOp_t(op), count);
      }
  for (const ncclDataType_t type : {ncclInt8, ncclInt64, ncclFloat16})
    for (const size_t count : {size_t(3), size_t(200003)}) {
      testAllGather(ranks, type, count);
#if defined(HEDDLE_NCCL) || NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
      testExchanges(ranks, type, count);
#endif
      testBroadcast(ranks, type, count);
    }
  // Many pieces.
  testAllReduce(ranks, ncclFloat, ncclSum, 500009);
  testReduce(ranks, ncclBfloat16, ncclMax, 300007);
  testReduceScatter(ranks, ncclDouble, ncclAvg, 100003);
}

// Integers wrap, and NaN is no maximum.
void testSpecialNumbers(const Ranks &ranks) {
  if (ranks.count < 2)
    return;
  auto small = ranks.buffers(ncclInt8, 1);
  for (auto &buffer : small)
    buffer.write({100});
  ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
    OK(ncclAllReduce(small[i], small[i], 1, ncclInt8, ncclSum, comm, stream));
  });
  CHECK_EQ(small[0].read()[0], double(int8_t(100 * ranks.count)));
  std::vector<Buffer> values;
  for (int i = 0; i < ranks.count; ++i)
    values.emplace_back(i, ncclFloat, std::vector<double>{i == 0 ? NAN : i, -INFINITY * (i + 1)});
  ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
    OK(ncclAllReduce(values[i], values[i], 2, ncclFloat, ncclMax, comm, stream));
  });
  CHECK_EQ(values[0].read()[0], ranks.count - 1.0);
  CHECK_EQ(values[0].read()[1], -INFINITY);
}

void testScaledSums(const Ranks &ranks) {
  const size_t count = 777;
  for (const ncclDataType_t type :
       {ncclInt32, ncclUint64, ncclFloat16, ncclFloat, ncclDouble, ncclBfloat16})
    for (const bool on_device : {false, true}) {
      std::vector<ncclRedOp_t> ops(ranks.count);
      std::vector<Buffer> scalars;
      for (int i = 0; i < ranks.count; ++i) {
        const std::vector<double> factor = {i + 1.0};
        scalars.emplace_back(i, type, factor);
        auto bytes = encode(type, factor);
        OK(ncclRedOpCreatePreMulSum(
            &ops[i], on_device ? static_cast<void *>(scalars[i]) : bytes.data(), type,
            on_device ? ncclScalarDevice : ncclScalarHostImmediate, ranks.comms[i]));
        CHECK(ops[i] >= ncclNumOps);
        std::fill(bytes.begin(), bytes.end(), 0); // it has been read
      }
      std::vector<double> wanted(count, 0);
      for (int i = 0; i < ranks.count; ++i)
        for (size_t k = 0; k < count; ++k)
          wanted[k] += (i + 1) * element(type, i, k);
      const auto in = ranks.inputs(type, count), out = ranks.buffers(type, count);
      ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
        OK(ncclAllReduce(in[i], out[i], count, type, ops[i], comm, stream));
        OK(ncclReduce(in[i], in[i], count, type, ops[i], 0, comm, stream));
      });
      for (int i = 0; i < ranks.count; ++i) {
        compare(out[i].read(), wanted, "a scaled sum of type " + std::to_string(type));
        compare(in[i].read(), i == 0 ? wanted : elements(type, i, count), "a scaled reduction");
        OK(ncclRedOpDestroy(ops[i], ranks.comms[i]));
      }
    }
}

__global__ void fill(float *data, int count, float value) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    data[i] = value;
}
__global__ void twice(float *data, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    data[i] *= 2;
}

// Each call takes its place between kernels; consecutive calls may be on different streams.
void testStreamOrder(const Ranks &ranks) {
  const int count = 5000;
  const auto data = ranks.buffers(ncclFloat, count);
  std::vector<cudaStream_t> others(ranks.count);
  for (int i = 0; i < ranks.count; ++i) {
    CHECK_CUDA(cudaSetDevice(i));
    CHECK_CUDA(cudaStreamCreate(&others[i]));
    fill<<<1, 64, 0, ranks.streams[i]>>>(reinterpret_cast<float *>(data[i].at(0)), count, i + 1);
  }
  ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
    OK(ncclAllReduce(data[i], data[i], count, ncclFloat, ncclSum, comm, stream));
  });
  for (int i = 0; i < ranks.count; ++i) {
    CHECK_CUDA(cudaSetDevice(i));
    twice<<<1, 64, 0, ranks.streams[i]>>>(reinterpret_cast<float *>(data[i].at(0)), count);
  }
  // Twice the sum; then, on the other streams after an event, its maximum, which is the same.
  for (int i = 0; i < ranks.count; ++i) {
    cudaEvent_t event;
    CHECK_CUDA(cudaSetDevice(i));
    CHECK_CUDA(cudaEventCreate(&event));
    CHECK_CUDA(cudaEventRecord(event, ranks.streams[i]));
    CHECK_CUDA(cudaStreamWaitEvent(others[i], event, 0));
    CHECK_CUDA(cudaEventDestroy(event));
  }
  ranks.group([&](int i, ncclComm_t comm, cudaStream_t) {
    OK(ncclAllReduce(data[i], data[i], count, ncclFloat, ncclMax, comm, others[i]));
  });
  const double sum = ranks.count * (ranks.count + 1) / 2;
  for (int i = 0; i < ranks.count; ++i) {
    compare(data[i].read(), std::vector<double>(count, 2 * sum), "after kernels");
    CHECK_CUDA(cudaStreamDestroy(others[i]));
  }
}

void testGraphs(const Ranks &ranks) {
  const int count = 3001;
  auto data = ranks.buffers(ncclFloat, count);
  std::vector<cudaGraph_t> captured(ranks.count);
  std::vector<cudaGraphExec_t> graphs(ranks.count);
  for (int i = 0; i < ranks.count; ++i) {
    CHECK_CUDA(cudaSetDevice(i));
    CHECK_CUDA(cudaStreamBeginCapture(ranks.streams[i], cudaStreamCaptureModeThreadLocal));
  }
  ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
    OK(ncclAllReduce(data[i], data[i], count, ncclFloat, ncclSum, comm, stream));
  });
  for (int i = 0; i < ranks.count; ++i) {
    CHECK_CUDA(cudaSetDevice(i));
    twice<<<1, 64, 0, ranks.streams[i]>>>(reinterpret_cast<float *>(data[i].at(0)), count);
    CHECK_CUDA(cudaStreamEndCapture(ranks.streams[i], &captured[i]));
  }
  for (int i = 0; i < ranks.count; ++i) {
    CHECK_CUDA(cudaGraphInstantiateWithFlags(&graphs[i], captured[i], 0));
    CHECK_CUDA(cudaGraphDestroy(captured[i]));
  }
  double wanted = 1;
  for (auto &buffer : data) // nothing has run so far
    buffer.write(std::vector<double>(count, 1));
  for (int round = 0; round < 3; ++round) {
    wanted *= 2 * ranks.count;
    for (int i = 0; i < ranks.count; ++i) {
      CHECK_CUDA(cudaSetDevice(i));
      CHECK_CUDA(cudaGraphLaunch(graphs[i], ranks.streams[i]));
    }
  }
  for (int i = 0; i < ranks.count; ++i) {
    compare(data[i].read(), std::vector<double>(count, wanted), "a graph run three times");
    CHECK_CUDA(cudaGraphExecDestroy(graphs[i]));
  }
}

// Each rank sends each one, itself too, a part of its own size; then twice around a ring, on two
// streams of one group.
void testPointToPoint(const Ranks &ranks) {
  const size_t count = 40001, n = size_t(ranks.count);
  const auto size = [&](int from, int to) { return count + 1000 * from + to; };
  const auto in = ranks.inputs(ncclInt32, 50000 * n), out = ranks.buffers(ncclInt32, 50000 * n);
  ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
    for (int other = 0; other < ranks.count; ++other) {
      OK(ncclSend(in[i].at(50000 * other), size(i, other), ncclInt32, other, comm, stream));
      OK(ncclRecv(out[i].at(50000 * other), size(other, i), ncclInt32, other, comm, stream));
    }
  });
  for (int i = 0; i < ranks.count; ++i) {
    const auto result = out[i].read();
    for (int other = 0; other < ranks.count; ++other) {
      const auto all = elements(ncclInt32, other, 50000 * n);
      const auto got = result.begin() + 50000 * other, sent = all.begin() + 50000 * i;
      compare({got, got + size(other, i)}, {sent, sent + size(other, i)}, "what was received");
    }
  }
  const auto a = ranks.inputs(ncclUint8, 10), b = ranks.buffers(ncclUint8, 20);
  std::vector<cudaStream_t> others(ranks.count);
  OK(ncclGroupStart());
  for (int i = 0; i < ranks.count; ++i) {
    CHECK_CUDA(cudaSetDevice(i));
    CHECK_CUDA(cudaStreamCreate(&others[i]));
    const int next = (i + 1) % ranks.count, previous = (i + ranks.count - 1) % ranks.count;
    OK(ncclGroupStart());
    OK(ncclSend(a[i], 5, ncclUint8, next, ranks.comms[i], ranks.streams[i]));
    OK(ncclSend(a[i].at(5), 5, ncclUint8, next, ranks.comms[i], others[i]));
    OK(ncclGroupEnd());
    OK(ncclRecv(b[i].at(10), 5, ncclUint8, previous, ranks.comms[i], others[i]));
    OK(ncclRecv(b[i], 5, ncclUint8, previous, ranks.comms[i], ranks.streams[i]));
  }
  OK(ncclGroupEnd());
  for (int i = 0; i < ranks.count; ++i) {
    const auto got = b[i].read(),
               sent = elements(ncclUint8, (i + ranks.count - 1) % ranks.count, 10);
    compare({got.begin() + 10, got.begin() + 15}, {sent.begin(), sent.begin() + 5}, "sent first");
    compare({got.begin(), got.begin() + 5}, {sent.begin() + 5, sent.end()}, "sent second");
    CHECK_CUDA(cudaStreamDestroy(others[i]));
  }
}

/// Makes what `second` gets wait for what `first` has got.
void follow(cudaStream_t first, cudaStream_t second) {
  cudaEvent_t event;
  CHECK_CUDA(cudaEventCreate(&event));
  CHECK_CUDA(cudaEventRecord(event, first));
  CHECK_CUDA(cudaStreamWaitEvent(second, event, 0));
  CHECK_CUDA(cudaEventDestroy(event));
}

// A group whose sends and receives are on two captured streams of each rank.
void testCapturedExchange(const Ranks &ranks) {
  const size_t count = 2500;
  const auto in = ranks.inputs(ncclFloat, count), out = ranks.buffers(ncclFloat, count);
  std::vector<cudaStream_t> others(ranks.count);
  std::vector<cudaGraph_t> graphs(ranks.count);
  for (int i = 0; i < ranks.count; ++i) {
    CHECK_CUDA(cudaSetDevice(i));
    CHECK_CUDA(cudaStreamCreate(&others[i]));
    CHECK_CUDA(cudaStreamBeginCapture(ranks.streams[i], cudaStreamCaptureModeRelaxed));
    follow(ranks.streams[i], others[i]);
  }
  ranks.group([&](int i, ncclComm_t comm, cudaStream_t stream) {
    const int next = (i + 1) % ranks.count, previous = (i + ranks.count - 1) % ranks.count;
    OK(ncclSend(in[i], count, ncclFloat, next, comm, stream));
    OK(ncclRecv(out[i], count, ncclFloat, previous, comm, others[i]));
  });
  std::vector<cudaGraphExec_t> ready(ranks.count);
  for (int i = 0; i < ranks.count; ++i) {
    CHECK_CUDA(cudaSetDevice(i));
    follow(others[i], ranks.streams[i]);
    CHECK_CUDA(cudaStreamEndCapture(ranks.streams[i], &graphs[i]));
    CHECK_CUDA(cudaGraphInstantiateWithFlags(&ready[i], graphs[i], 0));
  }
  for (int i = 0; i < ranks.count; ++i) {
    CHECK_CUDA(cudaSetDevice(i));
    CHECK_CUDA(cudaGraphLaunch(ready[i], ranks.streams[i]));
  }
  for (int i = 0; i < ranks.count; ++i) {
    compare(out[i].read(), elements(ncclFloat, (i + ranks.count - 1) % ranks.count, count),
            "a captured exchange");
    CHECK_CUDA(cudaGraphExecDestroy(ready[i]));
    CHECK_CUDA(cudaGraphDestroy(graphs[i]));
    CHECK_CUDA(cudaStreamDestroy(others[i]));
  }
}

} // namespace

int main() {
  const Ranks ranks;
  testOperations(ranks);
  testSpecialNumbers(ranks);
  testScaledSums(ranks);
  testStreamOrder(ranks);
  testGraphs(ranks);
  testPointToPoint(ranks);
  testCapturedExchange(ranks);
  RETURN_RESULT();
}
