// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lnvshmem_host
// hardware: skip it checks how Heddle refuses
//
// NVSHMEM is not there: what programs that are linked with its library are told.
#include "../check.h"

#include <cstdint>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
struct Version {
  int major, minor, patch;
};
int nvshmemid_hostlib_init_attr(int, int *, unsigned, void *, Version, void (*)(void **, void **));
void nvshmemid_hostlib_finalize(void *, void *);
int nvshmemid_init_status();
void nvshmem_info_get_version(int *, int *);
int nvshmemx_get_uniqueid(void *);
int nvshmemx_set_attr_uniqueid_args(int, int, const void *, void *);
int nvshmemx_cumodule_init(void *);
void *nvshmem_malloc(size_t);
void *nvshmem_ptr(const void *, int);
void nvshmem_free(void *);
void *nvshmemx_mc_ptr(int32_t, const void *);
void nvshmem_barrier_all();
extern int nvshmem_selected_device_transport;
int nvshmem_team_n_pes(int32_t);
int nvshmem_team_split_strided(int32_t, int, int, int, const void *, long, int32_t *);
int nvshmemx_alltoallmem_on_stream(int32_t, void *, const void *, size_t, cudaStream_t);
int nvshmemx_broadcastmem_on_stream(int32_t, void *, const void *, size_t, int, cudaStream_t);
void nvshmemx_putmem_on_stream(void *, const void *, size_t, int, cudaStream_t);
}

int main() {
  int provided = 0, major = 0, minor = 0;
  char data[256] = {};
  CHECK(nvshmemid_hostlib_init_attr(0, &provided, 0, data, {3, 4, 5}, nullptr) != 0);
  CHECK_EQ(nvshmemid_init_status(), 0); // not initialised
  nvshmemid_hostlib_finalize(nullptr, nullptr);
  nvshmem_info_get_version(&major, &minor);
  CHECK_EQ(major, 1);
  CHECK(nvshmemx_get_uniqueid(data) != 0);
  CHECK(nvshmemx_set_attr_uniqueid_args(0, 1, data, data) != 0);
  CHECK(nvshmemx_cumodule_init(nullptr) != 0);
  CHECK(nvshmem_malloc(100) == nullptr);
  CHECK(nvshmem_ptr(data, 0) == nullptr);
  CHECK(nvshmemx_mc_ptr(0, data) == nullptr);
  CHECK_EQ(nvshmem_selected_device_transport, 0);
  nvshmem_free(nullptr);
  CHECK_EQ(nvshmem_team_n_pes(0), -1);
  int32_t team = 5;
  CHECK(nvshmem_team_split_strided(0, 0, 1, 1, nullptr, 0, &team) != 0);
  CHECK_EQ(team, -1);
  CHECK(nvshmemx_alltoallmem_on_stream(0, data, data, 1, nullptr) != 0);
  CHECK(nvshmemx_broadcastmem_on_stream(0, data, data, 1, 0, nullptr) != 0);
  // What cannot answer does not go on as if it had been done.
  for (const bool barrier : {false, true}) {
    const pid_t child = fork();
    if (child == 0) {
      barrier ? nvshmem_barrier_all() : nvshmemx_putmem_on_stream(data, data, 1, 0, nullptr);
      _exit(0);
    }
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
  }
  RETURN_RESULT();
}
