// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/device.h"
#include "device/event.h"

#include <future>
#include <gtest/gtest.h>
#include <thread>

using namespace heddle;
using namespace std::chrono_literals;

namespace {

class DeviceTest : public testing::Test {
protected:
  gpu::Gpu gpu;
  Memory memory{{size_t(64) << 20, size_t(64) << 20}};
  Device device{0, gpu, memory};
  Device other{1, gpu, memory};
  std::promise<void> promise;
  std::shared_future<void> gate = promise.get_future().share();

  std::shared_ptr<DeviceStream> blocking() { return device.createStream(StreamKind::Blocking, 0); }
  std::shared_ptr<DeviceStream> nonBlocking() {
    return device.createStream(StreamKind::NonBlocking, 0);
  }
  /// Work that lasts until the gate opens.
  Point occupy(DeviceStream &stream) {
    return stream.device->submit(stream, makeWork([gate = gate] { gate.wait(); }));
  }
  Point submitNothing(DeviceStream &stream) {
    return stream.device->submit(stream, makeWork([] {}));
  }
  void open() { promise.set_value(); }
};

TEST_F(DeviceTest, LegacyStreamWaitsForBlockingStreams) {
  auto stream = blocking();
  Point busy = occupy(*stream);
  Point legacy = submitNothing(*device.legacyStream());
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(legacy.reached());
  open();
  legacy.wait();
  EXPECT_TRUE(busy.reached());
}

TEST_F(DeviceTest, BlockingStreamsWaitForTheLegacyStream) {
  auto first = blocking(), second = blocking();
  Point legacy = occupy(*device.legacyStream());
  Point after = submitNothing(*first), also = submitNothing(*second);
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(after.reached());
  EXPECT_FALSE(also.reached());
  open();
  after.wait();
  also.wait();
  EXPECT_TRUE(legacy.reached());
}

TEST_F(DeviceTest, NonBlockingStreamsGoTheirOwnWay) {
  auto stream = nonBlocking();
  Point legacy = occupy(*device.legacyStream());
  submitNothing(*stream).wait();
  EXPECT_FALSE(legacy.reached());
  auto busy = nonBlocking();
  Point point = occupy(*busy);
  open();
  legacy.wait();
  point.wait();
}

TEST_F(DeviceTest, LegacyStreamDoesNotWaitForNonBlockingStreams) {
  auto stream = nonBlocking();
  Point busy = occupy(*stream);
  submitNothing(*device.legacyStream()).wait();
  EXPECT_FALSE(busy.reached());
  open();
  busy.wait();
}

TEST_F(DeviceTest, BlockingStreamsRunBesideEachOther) {
  auto first = blocking(), second = blocking();
  Point busy = occupy(*first);
  submitNothing(*second).wait();
  EXPECT_FALSE(busy.reached());
  open();
  busy.wait();
}

TEST_F(DeviceTest, DevicesRunBesideEachOther) {
  Point busy = occupy(*device.legacyStream());
  submitNothing(*other.legacyStream()).wait();
  EXPECT_EQ(other.synchronize(), cudaSuccess);
  EXPECT_FALSE(busy.reached());
  open();
  busy.wait();
}

TEST_F(DeviceTest, SynchronizesDestroyedStreamsToo) {
  auto stream = blocking();
  Point busy = occupy(*stream);
  device.destroyStream(stream);
  EXPECT_FALSE(Device::streamHandles().find(stream.get()));
  std::thread opener([this] {
    std::this_thread::sleep_for(20ms);
    open();
  });
  EXPECT_EQ(device.synchronize(), cudaSuccess);
  EXPECT_TRUE(busy.reached());
  opener.join();
}

TEST_F(DeviceTest, EachThreadHasADefaultStream) {
  // In threads of their own, as a thread's streams must end before these devices do.
  std::shared_ptr<DeviceStream> first;
  std::thread([&] {
    first = device.threadStream();
    EXPECT_EQ(first, device.threadStream());
    EXPECT_NE(first, other.threadStream());
    EXPECT_EQ(first, Device::streamHandles().find(first.get()));
  }).join();
  EXPECT_FALSE(Device::streamHandles().find(first.get()));
  std::thread([&] { EXPECT_NE(first, device.threadStream()); }).join();
}

TEST_F(DeviceTest, FailsOnceUntilReset) {
  device.fail(cudaErrorIllegalAddress);
  device.fail(cudaErrorAssert);
  EXPECT_EQ(device.error(), cudaErrorIllegalAddress);
  EXPECT_EQ(device.synchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(other.error(), cudaSuccess);
  void *block = memory.allocateOnDevice(0, 10), *kept = memory.allocateOnDevice(1, 10);
  device.reset();
  EXPECT_EQ(device.error(), cudaSuccess);
  EXPECT_FALSE(memory.find(block));
  EXPECT_TRUE(memory.find(kept));
}

TEST_F(DeviceTest, ResetEndsStreamsAndSettings) {
  auto stream = blocking();
  ASSERT_EQ(device.setLimit(cudaLimitStackSize, 4096), cudaSuccess);
  ASSERT_EQ(device.enablePeer(1), cudaSuccess);
  device.reset();
  EXPECT_FALSE(Device::streamHandles().find(stream.get()));
  size_t value = 0;
  EXPECT_EQ(device.getLimit(cudaLimitStackSize, value), cudaSuccess);
  EXPECT_EQ(value, 1024u);
  EXPECT_EQ(device.disablePeer(1), cudaErrorPeerAccessNotEnabled);
}

TEST_F(DeviceTest, ChecksLimits) {
  size_t value = 0;
  EXPECT_EQ(device.setLimit(cudaLimitStackSize, 1 << 20), cudaErrorInvalidValue);
  EXPECT_EQ(device.setLimit(cudaLimit(50), 1), cudaErrorInvalidValue);
  EXPECT_EQ(device.setLimit(cudaLimitPrintfFifoSize, 1), cudaSuccess);
  EXPECT_EQ(device.getLimit(cudaLimitPrintfFifoSize, value), cudaSuccess);
  EXPECT_EQ(value, 512u << 10);
  gpu.compute_major = 9;
  EXPECT_EQ(device.getLimit(cudaLimitDevRuntimeSyncDepth, value), cudaErrorUnsupportedLimit);
}

TEST_F(DeviceTest, PeersAreEnabledOnce) {
  EXPECT_EQ(device.enablePeer(1), cudaSuccess);
  EXPECT_EQ(device.enablePeer(1), cudaErrorPeerAccessAlreadyEnabled);
  EXPECT_EQ(device.disablePeer(1), cudaSuccess);
  EXPECT_EQ(device.disablePeer(1), cudaErrorPeerAccessNotEnabled);
}

// ---- Events -------------------------------------------------------------------------------------

TEST_F(DeviceTest, EventsTakeTheTimeWhenTheStreamGetsThere) {
  auto stream = blocking();
  Event start(device, 0), end(device, 0);
  ASSERT_EQ(start.record(*stream), cudaSuccess);
  device.submit(*stream, makeWork([] { std::this_thread::sleep_for(30ms); }));
  ASSERT_EQ(end.record(*stream), cudaSuccess);
  EXPECT_EQ(end.query(), cudaErrorNotReady);
  float milliseconds = 0;
  EXPECT_EQ(Event::elapsed(milliseconds, start, end), cudaErrorNotReady);
  EXPECT_EQ(end.synchronize(), cudaSuccess);
  EXPECT_EQ(end.query(), cudaSuccess);
  EXPECT_EQ(Event::elapsed(milliseconds, start, end), cudaSuccess);
  EXPECT_GE(milliseconds, 29);
  EXPECT_LT(milliseconds, 10000);
  EXPECT_EQ(Event::elapsed(milliseconds, end, start), cudaSuccess);
  EXPECT_LE(milliseconds, -29);
}

TEST_F(DeviceTest, EventsNeverRecordedAreComplete) {
  Event never(device, 0), once(device, 0), untimed(device, cudaEventDisableTiming);
  EXPECT_EQ(never.query(), cudaSuccess);
  EXPECT_EQ(never.synchronize(), cudaSuccess);
  EXPECT_EQ(never.waitIn(*device.legacyStream()), cudaSuccess);
  once.record(*device.legacyStream());
  untimed.record(*device.legacyStream());
  float milliseconds = 0;
  EXPECT_EQ(Event::elapsed(milliseconds, once, never), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(Event::elapsed(milliseconds, once, untimed), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(once.record(*other.legacyStream()), cudaErrorInvalidResourceHandle);
}

TEST_F(DeviceTest, StreamsWaitForEventsOfOtherStreamsAndDevices) {
  auto stream = nonBlocking();
  auto elsewhere = other.createStream(StreamKind::NonBlocking, 0);
  Point busy = occupy(*stream);
  Event event(device, 0);
  event.record(*stream);
  ASSERT_EQ(event.waitIn(*elsewhere), cudaSuccess);
  event.record(*device.legacyStream()); // the wait is for where the event was
  Point after = submitNothing(*elsewhere);
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(after.reached());
  open();
  after.wait();
  EXPECT_TRUE(busy.reached());
}

} // namespace
