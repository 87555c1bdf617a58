// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OpenCL host side that all workloads share: a CPU device, one program, buffers and launches.
//
//   bench::Device device("-DN=4");             // builds KERNEL_FILE, which bench/run.py defines
//   cl_mem a = device.toDevice(hostBuffer);
//   bench::Kernel add = device.kernel("add", a, b, cl_int(n));
//   device.launch(add, {global}, {local});     // returns at once; the queue is in order
//   device.finish();
//
// Objects live as long as the program does. Any error ends it with a message.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include "common/data.h"
#include "common/measure.h"
#include <CL/cl.h>
#include <fstream>
#include <initializer_list>
#include <sstream>

#ifndef KERNEL_FILE
#error "compile with -DKERNEL_FILE, the path of the kernels, as bench/run.py does"
#endif

namespace bench {

struct Kernel {
  cl_kernel handle;
};

/// A __local array as a kernel argument.
struct LocalBytes {
  std::size_t size;
};

class Device {
public:
  explicit Device(const std::string &buildOptions = "") {
    findCpu();
    cl_int status = 0;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    buildProgram(buildOptions);
  }

  /// A buffer with the contents of a host array.
  template <class T> cl_mem toDevice(const T *host, std::size_t count) {
    cl_mem memory = buffer(count * sizeof(T));
    check(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, count * sizeof(T), host, 0, nullptr,
                               nullptr),
          "clEnqueueWriteBuffer");
    return memory;
  }

  template <class T> cl_mem toDevice(const Buffer<T> &host) {
    return toDevice(host.data(), host.size());
  }

  /// A buffer of zeros.
  template <class T> cl_mem onDevice(std::size_t count) { return toDevice(Buffer<T>(count)); }

  template <class T> Buffer<T> toHost(cl_mem memory, std::size_t count) {
    Buffer<T> host(count);
    check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, host.bytes(), host.data(), 0, nullptr,
                              nullptr),
          "clEnqueueReadBuffer");
    return host;
  }

  /// A kernel with its arguments: cl_mem, LocalBytes, or numbers of the parameters' exact types.
  template <class... Arguments> Kernel kernel(const char *name, const Arguments &...arguments) {
    cl_int status = 0;
    const Kernel result{clCreateKernel(program, name, &status)};
    check(status, name);
    setArguments(result, arguments...);
    return result;
  }

  template <class... Arguments> void setArguments(Kernel kernel, const Arguments &...arguments) {
    cl_uint index = 0;
    (setArgument(kernel, index++, arguments), ...);
  }

  template <class T> void setArgument(Kernel kernel, cl_uint index, const T &value) {
    check(clSetKernelArg(kernel.handle, index, sizeof(T), &value), "clSetKernelArg");
  }

  void setArgument(Kernel kernel, cl_uint index, const LocalBytes &local) {
    check(clSetKernelArg(kernel.handle, index, local.size, nullptr), "clSetKernelArg");
  }

  /// Launches as many work-items as `global` says, 1 to 3 dimensions, in groups of `local`.
  void launch(Kernel kernel, std::initializer_list<std::size_t> global,
              std::initializer_list<std::size_t> local) {
    check(clEnqueueNDRangeKernel(queue, kernel.handle, cl_uint(global.size()), nullptr,
                                 global.begin(), local.begin(), 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  }

  void fillZero(cl_mem memory, std::size_t bytes) {
    const cl_uint zero = 0; // bytes: a multiple of 4
    check(clEnqueueFillBuffer(queue, memory, &zero, sizeof zero, 0, bytes, 0, nullptr, nullptr),
          "clEnqueueFillBuffer");
  }

  void copy(cl_mem from, cl_mem to, std::size_t bytes) {
    check(clEnqueueCopyBuffer(queue, from, to, 0, 0, bytes, 0, nullptr, nullptr),
          "clEnqueueCopyBuffer");
  }

  void finish() { check(clFinish(queue), "clFinish"); }

private:
  static void check(cl_int status, const std::string &what) {
    if (status != CL_SUCCESS)
      Options::fail(what + ": OpenCL error " + std::to_string(status));
  }

  cl_mem buffer(std::size_t bytes) {
    cl_int status = 0;
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &status);
    check(status, "clCreateBuffer");
    return memory;
  }

  void findCpu() {
    cl_platform_id platforms[16];
    cl_uint count = 0;
    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count && i < 16; ++i)
      if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS)
        return;
    Options::fail("no OpenCL platform has a CPU; install pocl-opencl-icd");
  }

  void buildProgram(const std::string &buildOptions) {
    std::ifstream file(KERNEL_FILE);
    std::stringstream text;
    text << file.rdbuf();
    const std::string source = text.str();
    if (source.empty())
      Options::fail(std::string("cannot read ") + KERNEL_FILE);
    const std::string path = KERNEL_FILE; // its #include "..." are relative to its folder
    const std::string flags = buildOptions + " -I" + path.substr(0, path.rfind('/'));
    const char *pointer = source.c_str();
    const std::size_t length = source.size();
    cl_int status = 0;
    program = clCreateProgramWithSource(context, 1, &pointer, &length, &status);
    check(status, "clCreateProgramWithSource");
    if (clBuildProgram(program, 1, &device, flags.c_str(), nullptr, nullptr) == CL_SUCCESS)
      return;
    std::string log(65536, '\0');
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    Options::fail(std::string(KERNEL_FILE) + " does not compile:\n" + log.c_str());
  }

  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;
};

} // namespace bench
