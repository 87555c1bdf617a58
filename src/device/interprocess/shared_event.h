// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What processes share of an event: how often it has been recorded, and which of these records have
// been reached. Each process adds its own records and waits for those of all.
#pragma once

#include "device/interprocess/shared_file.h"

#include <memory>

namespace heddle {

/// Thread-safe, and safe between processes.
class SharedEvent {
public:
  /// Null if the host has no memory for it.
  static std::shared_ptr<SharedEvent> create();
  /// Null if the process that made it is gone.
  static std::shared_ptr<SharedEvent> open(const SharedFile &file);
  ~SharedEvent();
  SharedEvent(const SharedEvent &) = delete;
  SharedEvent &operator=(const SharedEvent &) = delete;

  SharedFile file() const { return describeSharedFile(descriptor); }

  /// Announces a record; it gets a number.
  uint64_t record();
  /// The stream has got to that record.
  void reach(uint64_t record);
  /// The newest record; 0 if there is none.
  uint64_t newest() const;
  bool reached(uint64_t record) const;
  /// Returns when the record has been reached, or when the process that was to do so is gone.
  void wait(uint64_t record) const;

private:
  struct State;
  /// Takes the descriptor; null if it is negative or the host has no room for the mapping.
  static std::shared_ptr<SharedEvent> map(int descriptor);
  SharedEvent(int descriptor, const SharedMapping &mapping);

  const int descriptor;
  const SharedMapping mapping;
  State &state;
};

} // namespace heddle
