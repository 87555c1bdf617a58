// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's buffers that records are written to.
//
// The program's callbacks are called without a lock, by the thread that writes a record or flushes.
#pragma once

#include "cupti/result.h"

#include <mutex>
#include <vector>

namespace heddle::cupti {

class Buffers {
public:
  static Buffers &instance();

  void setCallbacks(CUpti_BuffersCallbackRequestFunc request,
                    CUpti_BuffersCallbackCompleteFunc complete);
  bool hasCallbacks();
  /// Dropped, and counted as such, if the program gives no buffer for it.
  template <class Record> void write(const Record &record) { write(&record, sizeof(record)); }
  /// Gives back all buffers that have records.
  void flush();
  /// Records that were dropped since this was last asked.
  size_t takeDropped();

private:
  struct Buffer {
    uint8_t *data = nullptr;
    size_t size = 0, most_records = 0; // 0: as many as fit
    size_t used = 0, records = 0;
    bool hasRoom(size_t bytes) const {
      return data && bytes <= size - used && (!most_records || records < most_records);
    }
  };

  void write(const void *record, size_t bytes);
  void append(const void *record, size_t bytes);
  Buffer writeFresh(const void *record, size_t bytes, const Buffer &fresh);
  Buffer request();
  void complete(const Buffer &buffer);

  std::mutex mutex_; // guards what follows
  CUpti_BuffersCallbackRequestFunc request_ = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete_ = nullptr;
  Buffer current_;
  std::vector<Buffer> spare_; // that several threads have asked for at once
  size_t dropped_ = 0;
};

} // namespace heddle::cupti
