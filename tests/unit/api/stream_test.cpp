// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.h"

#include <atomic>
#include <future>
#include <thread>

using namespace program;
using namespace heddle;

extern "C" {
cudaError_t cudaLaunchKernel_ptsz(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t);
cudaError_t cudaMemcpy_ptds(void *, const void *, size_t, cudaMemcpyKind);
}

namespace {

class StreamTest : public program::Test {
protected:
  std::promise<void> promise;
  std::shared_future<void> gate = promise.get_future().share();
  cudaStream_t stream = nullptr;

  void SetUp() override {
    program::Test::SetUp();
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    fake::define("heavy", [gate = gate](const engine::Launch &) {
      gate.wait();
      return std::nullopt;
    });
  }
  /// A kernel that runs until the gate opens.
  cudaError_t occupy(cudaStream_t where) {
    return cudaLaunchKernel(&heavy, 1, 1, nullptr, 0, where);
  }
  void open() { promise.set_value(); }
};

TEST_F(StreamTest, LaunchesDoNotWait) {
  EXPECT_EQ(occupy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess); // that was no error
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  open();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
}

TEST_F(StreamTest, EventsOrderStreams) {
  cudaStream_t other = nullptr;
  cudaEvent_t event = nullptr;
  int first = 0;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  ASSERT_EQ(occupy(stream), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(other, event, 0), cudaSuccess);
  ASSERT_EQ(launchStore(&first, 1, other), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(cudaStreamQuery(other), cudaErrorNotReady);
  open();
  EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaErrorInvalidResourceHandle);
}

TEST_F(StreamTest, LegacyStreamWaitsAndHoldsUp) {
  int first = 0, second = 0;
  ASSERT_EQ(occupy(stream), cudaSuccess);
  ASSERT_EQ(launchStore(&first, 1), cudaSuccess);
  ASSERT_EQ(launchStore(&second, 2, stream), cudaSuccess);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(cudaStreamQuery(cudaStreamLegacy), cudaErrorNotReady);
  open();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 2);
}

TEST_F(StreamTest, ThreadsHaveTheirOwnDefaultStreams) {
  ASSERT_EQ(cudaLaunchKernel_ptsz(&heavy, 1, 1, nullptr, 0, nullptr), cudaSuccess);
  std::thread([] {
    int value = 0, *address = &value, three = 3;
    void *arguments[] = {&address, &three};
    EXPECT_EQ(cudaLaunchKernel_ptsz(&store, 1, 1, arguments, 0, nullptr), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize_ptsz(nullptr), cudaSuccess);
    EXPECT_EQ(value, 3);
    int copy = 0;
    EXPECT_EQ(cudaMemcpy_ptds(&copy, &value, 4, cudaMemcpyHostToHost), cudaSuccess);
    EXPECT_EQ(copy, 3);
  }).join();
  EXPECT_EQ(cudaStreamQuery(cudaStreamPerThread), cudaErrorNotReady);
  open();
  EXPECT_EQ(cudaStreamSynchronize_ptsz(nullptr), cudaSuccess);
}

struct Called {
  std::atomic<int> count = 0;
  std::atomic<cudaError_t> status = cudaErrorUnknown;
  std::shared_future<void> gate;
};

TEST_F(StreamTest, CallsHostFunctionsInOrder) {
  int value = 0;
  Called called;
  called.gate = gate;
  auto function = [](void *user) {
    static_cast<Called *>(user)->gate.wait();
    ++static_cast<Called *>(user)->count;
  };
  ASSERT_EQ(cudaLaunchHostFunc(stream, function, &called), cudaSuccess);
  ASSERT_EQ(launchStore(&value, 1, stream), cudaSuccess);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(value, 0);
  open();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(called.count, 1);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(cudaLaunchHostFunc(stream, nullptr, nullptr), cudaErrorInvalidValue);
}

TEST_F(StreamTest, TellsCallbacksOfErrors) {
  Called callback, function;
  auto note = [](cudaStream_t, cudaError_t status, void *user) {
    static_cast<Called *>(user)->status = status;
  };
  ASSERT_EQ(cudaStreamAddCallback(stream, note, &callback, 0), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(callback.status, cudaSuccess);
  ASSERT_EQ(cudaLaunchKernel(&heavy, 1, 1, nullptr, 0, stream), cudaSuccess);
  ASSERT_EQ(launchStore(nullptr, 1, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamAddCallback(stream, note, &callback, 0), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(
                stream, [](void *user) { ++static_cast<Called *>(user)->count; }, &function),
            cudaSuccess);
  open();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorIllegalAddress);
  EXPECT_EQ(callback.status, cudaErrorIllegalAddress);
  EXPECT_EQ(function.count, 0);
  EXPECT_EQ(cudaStreamAddCallback(stream, note, nullptr, 1), cudaErrorIllegalAddress);
}

TEST_F(StreamTest, ChecksHandlesAndFlags) {
  cudaStream_t bad = nullptr;
  int priority = 1;
  unsigned flags = 9;
  EXPECT_EQ(cudaStreamCreateWithFlags(&bad, 7), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
  ASSERT_EQ(cudaStreamCreateWithPriority(&bad, cudaStreamNonBlocking, -100), cudaSuccess);
  int least = 9, greatest = 9;
  ASSERT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
  EXPECT_EQ(least, 0);
  EXPECT_LT(greatest, 0);
  EXPECT_EQ(cudaStreamGetPriority(bad, &priority), cudaSuccess);
  EXPECT_EQ(priority, greatest);
  EXPECT_EQ(cudaStreamGetFlags(bad, &flags), cudaSuccess);
  EXPECT_EQ(flags, unsigned(cudaStreamNonBlocking));
  EXPECT_EQ(cudaStreamDestroy(bad), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(bad), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamSynchronize(bad), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(cudaStreamLegacy), cudaErrorInvalidResourceHandle);
  cudaEvent_t event = nullptr;
  EXPECT_EQ(cudaEventCreateWithFlags(&event, 99), cudaErrorInvalidValue);
  EXPECT_EQ(cudaEventCreateWithFlags(&event, cudaEventInterprocess), cudaErrorInvalidValue);
  EXPECT_EQ(cudaEventRecord(nullptr, nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamWaitEvent(stream, nullptr, 0), cudaErrorInvalidResourceHandle);
  open();
}

TEST_F(StreamTest, KernelsRunOnTheStreamsDeviceOnly) {
  int value = 0;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(launchStore(&value, 1, stream), cudaErrorInvalidResourceHandle);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(launchStore(&value, 1, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  open();
}

TEST_F(StreamTest, ServesManyThreads) {
  open();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      cudaStream_t mine = nullptr;
      int *memory = nullptr;
      ASSERT_EQ(cudaSetDevice(t % 2), cudaSuccess);
      ASSERT_EQ(cudaStreamCreate(&mine), cudaSuccess);
      ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&memory), 4), cudaSuccess);
      for (int i = 0; i < 200; ++i) {
        int value = -1;
        ASSERT_EQ(launchStore(memory, i, mine), cudaSuccess);
        ASSERT_EQ(cudaMemcpyAsync(&value, memory, 4, cudaMemcpyDeviceToHost, mine), cudaSuccess);
        ASSERT_EQ(value, i); // pageable: returns when done
        ASSERT_EQ(launchStore(memory, -i, nullptr), cudaSuccess);
        ASSERT_EQ(cudaStreamSynchronize(mine), cudaSuccess);
      }
      ASSERT_EQ(cudaStreamDestroy(mine), cudaSuccess);
    });
  for (auto &thread : threads)
    thread.join();
}

} // namespace
