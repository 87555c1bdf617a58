// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels ask of their device: launches of other kernels, and CUDA's device runtime API.
//
// All go through one function of the engine's, with the number of what is asked and a record of
// its arguments. The runtime library has the other end (src/device/kernel_calls).
#pragma once

namespace __heddle {

enum DeviceCall {
  device_call_launch,           // LaunchCall
  device_call_parameter_buffer, // LaunchCall; out: the buffer in place of the stream
  device_call_launch_buffer,    // LaunchCall; the parameters are such a buffer
  // The others have SimpleCall's values, from the first one on.
  device_call_synchronize,
  device_call_get_last_error,
  device_call_peek_at_last_error,
  device_call_fail,                // error, to be remembered
  device_call_check_stream,        // stream; neither the tail nor fire-and-forget
  device_call_stream_create,       // flags, out
  device_call_stream_destroy,      // stream
  device_call_stream_wait_event,   // stream, event, flags
  device_call_event_create,        // flags, out
  device_call_event_destroy,       // event
  device_call_event_record,        // event, stream
  device_call_malloc,              // bytes, out
  device_call_free,                // pointer
  device_call_get_device,          // out
  device_call_get_device_count,    // out
  device_call_get_attribute,       // attribute, device, out
  device_call_get_limit,           // limit, out
  device_call_get_cache_config,    // out
  device_call_function_attributes, // kernel, where a cudaFuncAttributes is
  device_call_active_blocks,       // kernel, threads, dynamic shared bytes, out
  device_call_error_text,          // error, 1 for its name, out
  device_call_graph_launch,        // executable graph, stream
  device_call_current_graph,       // out
  device_call_update_nodes,        // cudaGraphKernelNodeUpdates, how many
};

/// Kernels are known by number, from here on: no address of anything.
enum : unsigned long long { first_kernel = 0x4b00000000000000ull };

struct LaunchCall {
  unsigned long long kernel;
  unsigned grid[3], block[3];
  unsigned long long shared_bytes, stream;
  const void *parameters; // packed, as many bytes as the kernel has
};

struct SimpleCall {
  unsigned long long values[4];
};

} // namespace __heddle
