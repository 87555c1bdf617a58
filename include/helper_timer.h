// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// helper_timer.h: the stop watch of NVIDIA's samples. Host wall-clock time in milliseconds,
// accumulated over every start/stop pair until reset.
#ifndef COMMON_HELPER_TIMER_H_
#define COMMON_HELPER_TIMER_H_

#include <chrono>

class StopWatchInterface {
public:
  StopWatchInterface() {}
  virtual ~StopWatchInterface() {}
  virtual void start() = 0;
  virtual void stop() = 0;
  virtual void reset() = 0;
  /// Milliseconds so far, of a running watch too.
  virtual float getTime() = 0;
  /// Milliseconds a start/stop pair took on average.
  virtual float getAverageTime() = 0;
};

class StopWatchLinux : public StopWatchInterface {
public:
  void start() override {
    start_time = Clock::now();
    running = true;
  }
  void stop() override {
    total_ms += sinceStart();
    running = false;
    ++sessions;
  }
  void reset() override {
    total_ms = 0;
    sessions = 0;
    if (running)
      start_time = Clock::now();
  }
  float getTime() override {
    return static_cast<float>(running ? total_ms + sinceStart() : total_ms);
  }
  float getAverageTime() override {
    return sessions > 0 ? static_cast<float>(total_ms / sessions) : 0.0f;
  }

private:
  typedef std::chrono::steady_clock Clock;
  double sinceStart() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - start_time).count();
  }

  Clock::time_point start_time;
  double total_ms = 0;
  int sessions = 0;
  bool running = false;
};

inline bool sdkCreateTimer(StopWatchInterface **timer) {
  *timer = new StopWatchLinux();
  return true;
}

inline bool sdkDeleteTimer(StopWatchInterface **timer) {
  if (*timer) {
    delete *timer;
    *timer = nullptr;
  }
  return true;
}

inline bool sdkStartTimer(StopWatchInterface **timer) {
  if (*timer)
    (*timer)->start();
  return true;
}

inline bool sdkStopTimer(StopWatchInterface **timer) {
  if (*timer)
    (*timer)->stop();
  return true;
}

inline bool sdkResetTimer(StopWatchInterface **timer) {
  if (*timer)
    (*timer)->reset();
  return true;
}

inline float sdkGetAverageTimerValue(StopWatchInterface **timer) {
  return *timer ? (*timer)->getAverageTime() : 0.0f;
}

inline float sdkGetTimerValue(StopWatchInterface **timer) {
  return *timer ? (*timer)->getTime() : 0.0f;
}

#endif
