// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What host code that is compiled with --coverage calls when a program ends: it writes the .gcda
// files, with what is in them from earlier runs added up. Clang's own library for this is in a
// package that few have; host-c++ links this one where that is missing (instrumentation.h).
//
// The format is gcov's ("gcov-io.h"): a head, for each function a record and its counters, and a
// summary. Clang's generated code calls the functions below in that order.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  DataMagic = 0x67636461,
  FunctionTag = 0x01000000,
  CountersTag = 0x01a10000,
};
static const uint32_t SummaryTag = 0xa3000000; // of a program, until GCC 9

typedef void (*Step)(void);
static struct {
  Step *steps;
  size_t count;
} writers, resetters;

// The file being written: its new words, and those that it had.
static struct {
  int descriptor;
  uint32_t *words, *old;
  size_t count, room, old_count;
} file = {.descriptor = -1};

static void add(uint32_t word) {
  if (file.count == file.room) {
    const size_t room = file.room ? 2 * file.room : 256;
    uint32_t *words = realloc(file.words, room * sizeof *words);
    if (!words)
      return;
    file.words = words;
    file.room = room;
  }
  file.words[file.count++] = word;
}

// GCOV_PREFIX and GCOV_PREFIX_STRIP put files elsewhere.
static void placeOf(const char *name, char *path, size_t size) {
  const char *prefix = getenv("GCOV_PREFIX"), *strip = getenv("GCOV_PREFIX_STRIP");
  if (!prefix || !*prefix || *name != '/') {
    snprintf(path, size, "%s", name);
    return;
  }
  for (int left = strip ? atoi(strip) : 0; left > 0; --left) {
    const char *next = strchr(name + 1, '/');
    if (!next)
      break;
    name = next;
  }
  snprintf(path, size, "%s%s", prefix, name);
}

static void makeFolders(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(path, 0755);
    *slash = '/';
  }
}

static void readOld(void) {
  struct stat status;
  file.old_count = 0;
  if (fstat(file.descriptor, &status) != 0 || status.st_size == 0)
    return;
  file.old = malloc((size_t)status.st_size);
  const ssize_t got = file.old ? read(file.descriptor, file.old, (size_t)status.st_size) : 0;
  file.old_count = got > 0 ? (size_t)got / sizeof *file.old : 0;
}

void llvm_gcda_start_file(const char *name, uint32_t version, uint32_t checksum) {
  char path[PATH_MAX];
  file.count = 0;
  placeOf(name, path, sizeof path);
  file.descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file.descriptor < 0 && errno == ENOENT) {
    makeFolders(path);
    file.descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  }
  if (file.descriptor < 0) {
    fprintf(stderr, "coverage: cannot write %s: %s\n", path, strerror(errno));
    return;
  }
  // Processes that end at once write one after the other.
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  while (fcntl(file.descriptor, F_SETLKW, &lock) != 0 && errno == EINTR)
    ;
  readOld();
  // What another compilation has left counts other things.
  if (file.old_count < 3 || file.old[0] != DataMagic || file.old[1] != version ||
      file.old[2] != checksum)
    file.old_count = 0;
  add(DataMagic);
  add(version);
  add(checksum);
}

void llvm_gcda_emit_function(uint32_t id, uint32_t line_checksum, uint32_t graph_checksum) {
  add(FunctionTag);
  add(3);
  add(id);
  add(line_checksum);
  add(graph_checksum);
}

void llvm_gcda_emit_arcs(uint32_t count, uint64_t *counters) {
  const size_t at = file.count;
  const int known = at + 2 + 2 * (size_t)count <= file.old_count && file.old[at] == CountersTag &&
                    file.old[at + 1] == 2 * count;
  add(CountersTag);
  add(2 * count);
  for (uint32_t i = 0; i < count; ++i) {
    if (known)
      counters[i] += file.old[at + 2 + 2 * i] | (uint64_t)file.old[at + 3 + 2 * i] << 32;
    add((uint32_t)counters[i]);
    add((uint32_t)(counters[i] >> 32));
  }
}

void llvm_gcda_summary_info(void) {
  const size_t at = file.count;
  const int known = at + 5 <= file.old_count && file.old[at] == SummaryTag;
  add(SummaryTag);
  add(3);
  add(0);
  add(0);
  add((known ? file.old[at + 4] : 0) + 1); // runs
}

void llvm_gcda_end_file(void) {
  if (file.descriptor < 0)
    return;
  add(0);
  add(0);
  const size_t size = file.count * sizeof *file.words;
  if (pwrite(file.descriptor, file.words, size, 0) != (ssize_t)size ||
      ftruncate(file.descriptor, (off_t)size) != 0)
    fprintf(stderr, "coverage: a .gcda file cannot be written: %s\n", strerror(errno));
  close(file.descriptor); // and unlocks
  file.descriptor = -1;
  free(file.old);
  file.old = NULL;
  file.old_count = 0;
}

void __gcov_reset(void) {
  for (size_t i = 0; i < resetters.count; ++i)
    resetters.steps[i]();
}

void __gcov_dump(void) {
  for (size_t i = 0; i < writers.count; ++i)
    writers.steps[i]();
  __gcov_reset(); // what is written twice is counted once
}

static void append(Step step, Step **steps, size_t *count) {
  Step *longer = realloc(*steps, (*count + 1) * sizeof *longer);
  if (!longer)
    return;
  longer[(*count)++] = step;
  *steps = longer;
}

// Each object file's code calls this when the program starts.
void llvm_gcov_init(Step writer, Step resetter) {
  if (writers.count == 0) {
    atexit(__gcov_dump);
    pthread_atfork(NULL, NULL, __gcov_reset); // the parent counts what was before
  }
  append(writer, &writers.steps, &writers.count);
  append(resetter, &resetters.steps, &resetters.count);
}
