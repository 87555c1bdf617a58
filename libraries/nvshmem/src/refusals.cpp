// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of NVSHMEM's host library that PyTorch's libraries name, so that they can be
// loaded. There is no shared heap between processes: nothing can be initialised, and every function
// that answers says so. Those that have no answer cannot be reached in a right program; like
// NVSHMEM's own before its initialisation, they end the process rather than leave undone what was
// asked.
#include "common/refuse.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <driver_types.h>

namespace {

// Values of NVSHMEM's interface 3.
constexpr int error_not_supported = 3;
constexpr int status_not_initialized = 0;
constexpr int32_t team_invalid = -1;
constexpr int interface_major = 1, interface_minor = 3;

struct Version {
  int major, minor, patch;
};

int refuse(const char *call) {
  heddle::library::explain(call, "not supported",
                           "NVSHMEM is not implemented; use NCCL (torch.distributed's \"nccl\")");
  return error_not_supported;
}

[[noreturn]] void end(const char *call) {
  std::fprintf(stderr, "heddle: %s: NVSHMEM is not implemented and was not initialized; exiting\n",
               call);
  std::exit(EXIT_FAILURE);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void nvshmem_info_get_version(int *major, int *minor) {
  if (major)
    *major = interface_major;
  if (minor)
    *minor = interface_minor;
}

// What kernels would reach the network by: nothing.
int nvshmem_selected_device_transport = 0;

int nvshmemid_init_status() { return status_not_initialized; }

int nvshmemid_hostlib_init_attr(int, int *, unsigned, void *, Version, void (*)(void **, void **)) {
  return refuse(__func__);
}
void nvshmemid_hostlib_finalize(void *, void *) {} // as nothing was initialised

int nvshmemx_get_uniqueid(void *) { return refuse(__func__); }
int nvshmemx_set_attr_uniqueid_args(int, int, const void *, void *) { return refuse(__func__); }
int nvshmemx_cumodule_init(void *) { return refuse(__func__); }

void *nvshmem_malloc(size_t) {
  refuse(__func__);
  return nullptr;
}
void *nvshmem_ptr(const void *, int) { return nullptr; } // no memory of others can be reached
void nvshmem_free(void *memory) {
  if (memory) // it is not from nvshmem_malloc
    end(__func__);
}

void *nvshmemx_mc_ptr(int32_t, const void *) { return nullptr; } // nor by multicast
void nvshmem_barrier_all() { end(__func__); }

int nvshmem_team_n_pes(int32_t) { return team_invalid; } // no team is valid
int nvshmem_team_split_strided(int32_t, int, int, int, const void *, long, int32_t *team) {
  if (team)
    *team = team_invalid;
  return refuse(__func__);
}

int nvshmemx_alltoallmem_on_stream(int32_t, void *, const void *, size_t, cudaStream_t) {
  return refuse(__func__);
}
int nvshmemx_broadcastmem_on_stream(int32_t, void *, const void *, size_t, int, cudaStream_t) {
  return refuse(__func__);
}
void nvshmemx_getmem_on_stream(void *, const void *, size_t, int, cudaStream_t) { end(__func__); }
void nvshmemx_putmem_on_stream(void *, const void *, size_t, int, cudaStream_t) { end(__func__); }
void nvshmemx_putmem_signal_on_stream(void *, const void *, size_t, uint64_t *, uint64_t, int, int,
                                      cudaStream_t) {
  end(__func__);
}
void nvshmemx_signal_wait_until_on_stream(uint64_t *, int, uint64_t, cudaStream_t) {
  end(__func__);
}
}
#pragma GCC visibility pop
