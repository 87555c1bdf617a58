// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcufile -lcuda
//
// cuFile: files to and from device memory, at once, in streams and graphs, in batches; and what is
// refused.
#include "../check.h"

#include <cerrno>
#include <cufile.h>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#define OK(call) CHECK_EQ(int((call).err), int(CU_FILE_SUCCESS))
#define FAILS(call, error) CHECK_EQ(int((call).err), int(error))

namespace {

/// A file that goes when this does.
struct TemporaryFile {
  char name[64] = "/tmp/heddle-cufile-XXXXXX";
  int fd = mkstemp(name);
  ~TemporaryFile() {
    close(fd);
    unlink(name);
  }
};

struct Registered {
  CUfileHandle_t handle = nullptr;
  explicit Registered(int fd) {
    CUfileDescr_t description = {};
    description.type = CU_FILE_HANDLE_TYPE_OPAQUE_FD;
    description.handle.fd = fd;
    OK(cuFileHandleRegister(&handle, &description));
  }
  ~Registered() { cuFileHandleDeregister(handle); }
};

unsigned char pattern(size_t i) { return static_cast<unsigned char>((i * 2654435761u) >> 13); }

std::vector<unsigned char> patterns(size_t bytes, size_t from = 0) {
  std::vector<unsigned char> data(bytes);
  for (size_t i = 0; i < bytes; ++i)
    data[i] = pattern(from + i);
  return data;
}

std::vector<unsigned char> contents(int fd) {
  struct stat about;
  fstat(fd, &about);
  std::vector<unsigned char> data(size_t(about.st_size));
  CHECK_EQ(pread(fd, data.data(), data.size(), 0), ssize_t(data.size()));
  return data;
}

__global__ void fill(unsigned char *data, size_t bytes, unsigned char add) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < bytes; i += gridDim.x * blockDim.x)
    data[i] = static_cast<unsigned char>(((i * 2654435761u) >> 13) + add);
}

__global__ void addOne(unsigned char *data, size_t bytes) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < bytes; i += gridDim.x * blockDim.x)
    ++data[i];
}

void there_and_back() {
  const TemporaryFile file;
  const Registered registered(file.fd);
  constexpr size_t bytes = 100003;
  DeviceBuffer<unsigned char> device(bytes + 16);
  fill<<<4, 256>>>(device.data(), bytes, 0);
  CHECK_CUDA(cudaDeviceSynchronize());
  OK(cuFileBufRegister(device.data(), bytes + 16, 0));
  FAILS(cuFileBufRegister(device.data(), bytes + 16, 0), CU_FILE_MEMORY_ALREADY_REGISTERED);
  // All but the first three bytes, behind five bytes of the file.
  CHECK_EQ(cuFileWrite(registered.handle, device.data(), bytes - 3, 5, 3), ssize_t(bytes - 3));
  std::vector<unsigned char> expected(5, 0);
  for (const unsigned char byte : patterns(bytes - 3, 3))
    expected.push_back(byte);
  CHECK(contents(file.fd) == expected);

  CHECK_CUDA(cudaMemset(device.data(), 0, bytes + 16));
  CHECK_CUDA(cudaDeviceSynchronize()); // cuFile does not wait for streams
  // More than the file has: it ends after bytes + 2.
  CHECK_EQ(cuFileRead(registered.handle, device.data(), bytes, 5, 7), ssize_t(bytes - 3));
  const std::vector<unsigned char> back = device.download();
  for (size_t i = 0; i < 7; ++i)
    CHECK_EQ(back[i], 0);
  CHECK(std::equal(back.begin() + 7, back.begin() + 7 + bytes - 3, expected.begin() + 5));
  CHECK_EQ(back[7 + bytes - 3], 0);
  CHECK_EQ(cuFileRead(registered.handle, device.data(), 1, bytes + 100, 0), 0);

  CHECK_EQ(cuFileRead(registered.handle, device.data(), bytes, 0, 17),
           -CU_FILE_INVALID_MAPPING_RANGE);
  CHECK_EQ(cuFileRead(registered.handle, device.data(), 1, -1, 0), -CU_FILE_INVALID_VALUE);
  CHECK_EQ(cuFileRead(registered.handle, nullptr, 1, 0, 0), -CU_FILE_INVALID_VALUE);
  OK(cuFileBufDeregister(device.data()));
  FAILS(cuFileBufDeregister(device.data()), CU_FILE_MEMORY_NOT_REGISTERED);
  // Memory of the host, too.
  std::vector<unsigned char> host(10);
  CHECK_EQ(cuFileRead(registered.handle, host.data(), 10, 5, 0), 10);
  CHECK(host == patterns(10, 3));
}

/// What a file that was opened with O_DIRECT asks for, the library sees to.
void unaligned_direct() {
  const TemporaryFile file;
  const int fd = open(file.name, O_RDWR | O_DIRECT);
  if (fd < 0)
    return; // this file system has no such thing
  {
    const Registered registered(fd);
    DeviceBuffer<unsigned char> device(patterns(1000));
    CHECK_EQ(cuFileWrite(registered.handle, device.data(), 333, 1, 1), 333);
    CHECK_CUDA(cudaMemset(device.data(), 0, 1000));
    CHECK_CUDA(cudaDeviceSynchronize()); // cuFile does not wait for streams
    CHECK_EQ(cuFileRead(registered.handle, device.data(), 999, 1, 3), 333);
    const std::vector<unsigned char> back = device.download();
    CHECK(std::vector<unsigned char>(back.begin() + 3, back.begin() + 336) == patterns(333, 1));
  }
  close(fd);
}

void streams() {
  const TemporaryFile file;
  const Registered registered(file.fd);
  constexpr size_t bytes = 1 << 16;
  DeviceBuffer<unsigned char> device(bytes);
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  OK(cuFileStreamRegister(stream, CU_FILE_STREAM_FIXED_FILE_OFFSET));
  size_t size = bytes;
  off_t place = 0, offset = 0;
  ssize_t written = 0, read = 0;
  // Write, change, read: each sees what the one before it has left.
  fill<<<4, 256, 0, stream>>>(device.data(), bytes, 1);
  OK(cuFileWriteAsync(registered.handle, device.data(), &size, &place, &offset, &written, stream));
  place = 1; // the write knows its place already
  CHECK_CUDA(cudaMemsetAsync(device.data(), 0, bytes, stream));
  off_t read_place = 0;
  OK(cuFileReadAsync(registered.handle, device.data(), &size, &read_place, &offset, &read, stream));
  addOne<<<4, 256, 0, stream>>>(device.data(), bytes);
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(written, ssize_t(bytes));
  CHECK_EQ(read, ssize_t(bytes));
  const std::vector<unsigned char> result = device.download(), stored = contents(file.fd);
  CHECK_EQ(stored.size(), bytes);
  for (size_t i = 0; i < bytes; i += 97) {
    CHECK_EQ(stored[i], static_cast<unsigned char>(pattern(i) + 1));
    CHECK_EQ(result[i], static_cast<unsigned char>(pattern(i) + 2));
  }
  // The size that counts is the one when the stream comes there, also in a graph.
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OK(cuFileReadAsync(registered.handle, device.data(), &size, &read_place, &offset, &read, stream));
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  CHECK_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  for (const size_t some : {10, 20}) {
    size = some;
    CHECK_CUDA(cudaGraphLaunch(executable, stream));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    CHECK_EQ(read, ssize_t(some));
  }
  OK(cuFileStreamDeregister(stream));
  FAILS(cuFileStreamRegister(stream, 0x10), CU_FILE_INVALID_VALUE);
  FAILS(cuFileReadAsync(registered.handle, device.data(), nullptr, &place, &offset, &read, stream),
        CU_FILE_INVALID_VALUE);
  CHECK_CUDA(cudaGraphExecDestroy(executable));
  CHECK_CUDA(cudaGraphDestroy(graph));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

void batches() {
  const TemporaryFile file;
  const Registered registered(file.fd);
  constexpr unsigned count = 8;
  constexpr size_t piece = 5000;
  const std::vector<unsigned char> data = patterns(count * piece);
  DeviceBuffer<unsigned char> device(data);
  CUfileBatchHandle_t batch;
  OK(cuFileBatchIOSetUp(&batch, count));
  int cookies[count] = {};
  CUfileIOParams_t operations[count] = {};
  for (unsigned i = 0; i < count; ++i) {
    operations[i].mode = CUFILE_BATCH;
    operations[i].fh = registered.handle;
    operations[i].opcode = CUFILE_WRITE;
    operations[i].cookie = &cookies[i];
    // The pieces in the other order.
    operations[i].u.batch = {device.data(), off_t((count - 1 - i) * piece), off_t(i * piece),
                             piece};
  }
  OK(cuFileBatchIOSubmit(batch, count, operations, 0));
  unsigned seen = 0;
  while (seen < count) {
    CUfileIOEvents_t events[count];
    unsigned some = count;
    OK(cuFileBatchIOGetStatus(batch, 1, &some, events, nullptr));
    CHECK(some >= 1);
    for (unsigned i = 0; i < some; ++i) {
      CHECK_EQ(int(events[i].status), int(CUFILE_COMPLETE));
      CHECK_EQ(events[i].ret, piece);
      ++*static_cast<int *>(events[i].cookie);
    }
    seen += some;
  }
  const std::vector<unsigned char> stored = contents(file.fd);
  for (unsigned i = 0; i < count; ++i) {
    CHECK_EQ(cookies[i], 1);
    CHECK(std::equal(data.begin() + i * piece, data.begin() + (i + 1) * piece,
                     stored.begin() + (count - 1 - i) * piece));
  }
  // One too many, and one that fails.
  CUfileIOParams_t too_many[count + 1] = {};
  std::fill(std::begin(too_many), std::end(too_many), operations[0]);
  FAILS(cuFileBatchIOSubmit(batch, count + 1, too_many, 0), CU_FILE_BATCH_FULL);
  operations[0].fh = nullptr;
  FAILS(cuFileBatchIOSubmit(batch, 1, operations, 0), CU_FILE_INVALID_VALUE);
  operations[1].u.batch.file_offset = -5;
  OK(cuFileBatchIOSubmit(batch, 1, operations + 1, 0));
  CUfileIOEvents_t event;
  unsigned one = 1;
  OK(cuFileBatchIOGetStatus(batch, 1, &one, &event, nullptr));
  CHECK_EQ(one, 1u);
  CHECK_EQ(int(event.status), int(CUFILE_FAILED));
  OK(cuFileBatchIOCancel(batch));
  cuFileBatchIODestroy(batch);
  FAILS(cuFileBatchIOCancel(batch), CU_FILE_INVALID_VALUE);
  FAILS(cuFileBatchIOSetUp(&batch, 0), CU_FILE_INVALID_VALUE);
}

void refused() {
  const TemporaryFile file;
  CUfileHandle_t handle = nullptr;
  CUfileDescr_t description = {};
  description.type = CU_FILE_HANDLE_TYPE_OPAQUE_FD;
  description.handle.fd = -1;
  FAILS(cuFileHandleRegister(&handle, &description), CU_FILE_INVALID_VALUE);
  FAILS(cuFileHandleRegister(nullptr, &description), CU_FILE_INVALID_VALUE);
  int ends[2];
  CHECK_EQ(pipe(ends), 0);
  description.handle.fd = ends[0];
  FAILS(cuFileHandleRegister(&handle, &description), CU_FILE_INVALID_FILE_TYPE);
  close(ends[0]), close(ends[1]);
  const int appending = open(file.name, O_WRONLY | O_APPEND);
  description.handle.fd = appending;
  FAILS(cuFileHandleRegister(&handle, &description), CU_FILE_INVALID_FILE_OPEN_FLAG);
  close(appending);
  description.type = CU_FILE_HANDLE_TYPE_USERSPACE_FS;
  FAILS(cuFileHandleRegister(&handle, &description), CU_FILE_IO_NOT_SUPPORTED);

  const int reader = open(file.name, O_RDONLY);
  {
    const Registered registered(reader);
    description.type = CU_FILE_HANDLE_TYPE_OPAQUE_FD;
    description.handle.fd = reader;
    FAILS(cuFileHandleRegister(&handle, &description), CU_FILE_HANDLE_ALREADY_REGISTERED);
    DeviceBuffer<unsigned char> device(patterns(16));
    errno = 0;
    CHECK_EQ(cuFileWrite(registered.handle, device.data(), 16, 0, 0), -1);
    CHECK_EQ(errno, EBADF);
    CHECK_EQ(contents(file.fd).size(), 0u);
    const TemporaryFile full;
    CHECK_EQ(write(full.fd, "0123456789", 10), 10);
    const Registered other(full.fd);
    void *const nowhere = reinterpret_cast<void *>(0x10000);
    CHECK_EQ(cuFileRead(other.handle, nowhere, 10, 0, 0), -CU_FILE_CUDA_POINTER_INVALID);
    size_t allocation = 64;
    void *small;
    CHECK_CUDA(cudaMalloc(&small, allocation));
    FAILS(cuFileBufRegister(small, allocation + 1, 0), CU_FILE_CUDA_POINTER_RANGE_ERROR);
    FAILS(cuFileBufRegister(small, allocation, 1), CU_FILE_INVALID_VALUE);
    CHECK_CUDA(cudaFree(small));
  }
  close(reader);
  CHECK_EQ(cuFileRead(&description, &description, 1, 0, 0), -CU_FILE_HANDLE_NOT_REGISTERED);
}

void driver() {
  const long before = cuFileUseCount();
  OK(cuFileDriverOpen());
  CHECK_EQ(cuFileUseCount(), before + 1);
  CUfileDrvProps_t properties;
  OK(cuFileDriverGetProperties(&properties));
  CHECK(properties.fflags & (1u << CU_FILE_STREAMS_SUPPORTED));
  OK(cuFileDriverSetMaxCacheSize(4096));
  OK(cuFileDriverGetProperties(&properties));
  CHECK_EQ(properties.max_device_cache_size, 4096u);
  FAILS(cuFileDriverSetMaxDirectIOSize(5), CU_FILE_DRIVER_UNSUPPORTED_LIMIT);
  FAILS(cuFileSetParameterBool(CUFILE_PARAM_PROFILE_NVTX, true), CU_FILE_DRIVER_ALREADY_OPEN);
  while (cuFileUseCount() > 0)
    OK(cuFileDriverClose());
  FAILS(cuFileDriverClose(), CU_FILE_DRIVER_NOT_INITIALIZED);
  FAILS(cuFileDriverGetProperties(&properties), CU_FILE_DRIVER_NOT_INITIALIZED);
  OK(cuFileSetParameterString(CUFILE_PARAM_LOGGING_LEVEL, "WARN"));
  char text[8] = "";
  OK(cuFileGetParameterString(CUFILE_PARAM_LOGGING_LEVEL, text, sizeof text));
  CHECK_EQ(std::string(text) == "WARN", true);
  FAILS(cuFileGetParameterString(CUFILE_PARAM_LOGGING_LEVEL, text, 4), CU_FILE_INVALID_VALUE);
  size_t value = 0;
  OK(cuFileSetParameterSizeT(CUFILE_PARAM_EXECUTION_MAX_IO_THREADS, 7));
  OK(cuFileGetParameterSizeT(CUFILE_PARAM_EXECUTION_MAX_IO_THREADS, &value));
  CHECK_EQ(value, 7u);
  int version = 0;
  OK(cuFileGetVersion(&version));
  CHECK(version >= 1000 && version < 2000);
  CHECK(std::string(cufileop_status_error(CU_FILE_INVALID_VALUE)) !=
        cufileop_status_error(CU_FILE_INTERNAL_ERROR));
}

} // namespace

int main() {
  there_and_back();
  unaligned_direct();
  streams();
  batches();
  refused();
  driver();
  RETURN_RESULT();
}
