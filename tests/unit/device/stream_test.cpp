// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/stream.h"

#include <atomic>
#include <future>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace heddle;
using namespace std::chrono_literals;

namespace {

/// Opens once; work that waits for it keeps its stream busy.
class Gate {
public:
  void open() { promise.set_value(); }
  void wait() { future.wait(); }

private:
  std::promise<void> promise;
  std::shared_future<void> future = promise.get_future().share();
};

TEST(Stream, RunsInOrder) {
  auto stream = Stream::create();
  std::vector<int> order;
  Point last;
  for (int i = 0; i < 1000; ++i)
    last = stream->submit(makeWork([&order, i] { order.push_back(i); }));
  last.wait();
  ASSERT_EQ(order.size(), 1000u);
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(order[i], i);
  EXPECT_TRUE(stream->idle());
}

TEST(Stream, DoesNotHoldUpItsCaller) {
  auto stream = Stream::create();
  Gate gate;
  Point point = stream->submit(makeWork([&] { gate.wait(); }));
  EXPECT_FALSE(point.reached());
  EXPECT_FALSE(stream->idle());
  gate.open();
  point.wait();
  EXPECT_TRUE(point.reached());
}

TEST(Stream, StartsByItself) {
  auto stream = Stream::create();
  std::promise<std::thread::id> ran;
  stream->submit(makeWork([&] { ran.set_value(std::this_thread::get_id()); }));
  auto future = ran.get_future();
  ASSERT_EQ(future.wait_for(10s), std::future_status::ready);
  EXPECT_NE(future.get(), std::this_thread::get_id());
}

TEST(Stream, LetsAWaitingCallerDoTheWork) {
  auto stream = Stream::create();
  std::thread::id ran;
  stream->submit(makeWork([&] { ran = std::this_thread::get_id(); }), Start::ByCaller).wait();
  EXPECT_EQ(ran, std::this_thread::get_id());
  ran = {};
  Point point =
      stream->submit(makeWork([&] { ran = std::this_thread::get_id(); }), Start::AtOnceIfIdle);
  EXPECT_TRUE(point.reached());
  EXPECT_EQ(ran, std::this_thread::get_id());
}

TEST(Stream, QueuesBehindRunningWork) {
  auto stream = Stream::create();
  Gate gate;
  std::atomic<int> step = 0;
  stream->submit(makeWork([&] {
    gate.wait();
    step = 1;
  }));
  int seen = -1;
  Point point = stream->submit(makeWork([&] { seen = step; }), Start::AtOnceIfIdle);
  EXPECT_FALSE(point.reached());
  gate.open();
  point.wait();
  EXPECT_EQ(seen, 1);
}

TEST(Stream, RunsHostFunctionsOnItsOwnThread) {
  auto stream = Stream::create();
  std::mutex held;
  std::lock_guard lock(held); // what a host function may try to take
  std::thread::id ran;
  auto work = makeWork([&] { ran = std::this_thread::get_id(); });
  work->on_worker_only = true;
  stream->submit(std::move(work), Start::ByCaller).wait();
  EXPECT_NE(ran, std::this_thread::get_id());
}

TEST(Stream, WaitsForOtherStreams) {
  auto first = Stream::create(), second = Stream::create();
  Gate gate;
  std::atomic<bool> done = false;
  Point point = first->submit(makeWork([&] {
    gate.wait();
    done = true;
  }));
  bool seen = false;
  auto work = makeWork([&] { seen = done; });
  work->after.push_back(point);
  Point after = second->submit(std::move(work));
  EXPECT_FALSE(after.reached());
  gate.open();
  after.wait();
  EXPECT_TRUE(seen);
}

TEST(Stream, WaitsForAnIdleStreamsQueuedWork) {
  auto first = Stream::create(), second = Stream::create();
  bool ran = false, seen = false;
  Point point = first->submit(makeWork([&] { ran = true; }), Start::ByCaller); // not its turn yet
  auto work = makeWork([&] { seen = ran; });
  work->after.push_back(point);
  second->submit(std::move(work)).wait();
  EXPECT_TRUE(seen);
}

TEST(Stream, LetsWorkSpinOnAnotherStreamsResult) {
  auto first = Stream::create(), second = Stream::create();
  std::atomic<int> flag = 0;
  Point spinning = first->submit(makeWork([&] {
    while (!flag)
      std::this_thread::yield();
  }));
  second->submit(makeWork([&] { flag = 1; }));
  spinning.wait();
  EXPECT_EQ(flag, 1);
}

TEST(Stream, LetsABlockedHostFunctionWaitForAnotherStream) {
  auto first = Stream::create(), second = Stream::create();
  Gate gate;
  auto host = makeWork([&] { gate.wait(); });
  host->on_worker_only = true;
  Point blocked = first->submit(std::move(host));
  second->submit(makeWork([&] { gate.open(); })).wait();
  blocked.wait();
}

TEST(Stream, FinishesWhatIsLeftWhenDropped) {
  std::promise<void> ran;
  {
    auto stream = Stream::create();
    stream->submit(makeWork([] { std::this_thread::sleep_for(20ms); }));
    stream->submit(makeWork([&] { ran.set_value(); }));
    stream->close();
  }
  EXPECT_EQ(ran.get_future().wait_for(10s), std::future_status::ready);
}

TEST(Stream, EndsItsThreadWhenClosed) {
  std::weak_ptr<Stream> weak;
  {
    auto stream = Stream::create();
    weak = stream;
    stream->submit(makeWork([] {})).wait();
    stream->close();
  }
  for (int i = 0; i < 1000 && !weak.expired(); ++i)
    std::this_thread::sleep_for(5ms);
  EXPECT_TRUE(weak.expired());
}

TEST(Stream, HoldsUpWhoeverSubmitsTooMuch) {
  auto stream = Stream::create();
  Gate gate;
  std::atomic<int> submitted = 0, ran = 0;
  stream->submit(makeWork([&] { gate.wait(); }));
  std::thread submitter([&] {
    for (int i = 0; i < 20000; ++i, ++submitted)
      stream->submit(makeWork([&] { ++ran; }));
  });
  while (submitted < 1000)
    std::this_thread::yield();
  std::this_thread::sleep_for(50ms);
  EXPECT_LT(submitted, 10000);
  gate.open();
  submitter.join();
  stream->last().wait();
  EXPECT_EQ(ran, 20000);
}

TEST(Stream, ServesManyThreads) {
  auto streams = std::vector{Stream::create(), Stream::create(), Stream::create()};
  std::vector<std::atomic<int>> counts(3);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) {
        int mine = (t + i) % 3, other = (t + i + 1) % 3;
        auto work = makeWork([&counts, mine] { ++counts[mine]; });
        work->after.push_back(streams[other]->last());
        Point point =
            streams[mine]->submit(std::move(work), i % 5 ? Start::Now : Start::AtOnceIfIdle);
        if (i % 7 == 0)
          point.wait();
      }
    });
  for (auto &thread : threads)
    thread.join();
  for (auto &stream : streams)
    stream->last().wait();
  EXPECT_EQ(counts[0] + counts[1] + counts[2], 1200);
}

} // namespace
