// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host code that shares memory with kernels and copies, and waits for them. Nothing is wrong, and
// all of it works as without heddle check.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
constexpr int n = 4096; // four pages
static int failures = 0;
static void expect(bool right, int line) {
  if (right)
    return;
  std::printf("wrong in line %d\n", line);
  ++failures;
}
#define EXPECT(condition) expect(condition, __LINE__)

__global__ void fill(int *p, int value) { p[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void copy(const int *p, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = p[i];
}
__global__ void every(int *p, int step) { p[step * (blockIdx.x * blockDim.x + threadIdx.x)] = 3; }

static int *managed, *pinned, *device;
__managed__ int variable;
__managed__ char letters[3] = "ab";
__global__ void setVariables() {
  variable = 5;
  letters[0] = 'c';
}

static void waits() {
  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaEvent_t event;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  fill<<<n / 256, 256, 0, one>>>(managed, 1);
  cudaEventRecord(event, one);
  cudaEventSynchronize(event);
  EXPECT(managed[5] == 1);
  fill<<<n / 256, 256, 0, one>>>(managed, 2);
  while (cudaStreamQuery(one) == cudaErrorNotReady)
    ;
  EXPECT(managed[5] == 2);
  fill<<<n / 256, 256, 0, one>>>(managed, 3);
  cudaEventRecord(event, one);
  while (cudaEventQuery(event) == cudaErrorNotReady)
    ;
  EXPECT(managed[5] == 3);
  // One stream behind another one.
  fill<<<n / 256, 256, 0, one>>>(managed, 4);
  cudaEventRecord(event, one);
  cudaStreamWaitEvent(two, event, 0);
  copy<<<n / 256, 256, 0, two>>>(managed, device);
  cudaStreamSynchronize(two);
  EXPECT(managed[5] == 4);
  // Halves.
  fill<<<n / 512, 256, 0, one>>>(managed, 5);
  fill<<<n / 512, 256, 0, two>>>(managed + n / 2, 6);
  cudaStreamSynchronize(one);
  EXPECT(managed[n / 2 - 1] == 5);
  cudaStreamSynchronize(two);
  EXPECT(managed[n / 2] == 6);
  // Calls that wait by themselves.
  fill<<<n / 256, 256>>>(managed, 7);
  int value = 0;
  cudaMemcpy(&value, managed, sizeof(int), cudaMemcpyDefault);
  EXPECT(value == 7 && managed[6] == 7);
  fill<<<n / 256, 256>>>(managed, 8);
  int *other;
  cudaMalloc(&other, 4);
  cudaFree(other);
  EXPECT(managed[6] == 8);
  fill<<<n / 256, 256>>>(managed, 9);
  cudaMemPrefetchAsync(managed, n * sizeof(int), cudaCpuDeviceId, 0);
  cudaDeviceSynchronize();
  EXPECT(managed[6] == 9);
  // A stream that is destroyed before its work is waited for.
  cudaStream_t gone;
  cudaStreamCreateWithFlags(&gone, cudaStreamNonBlocking);
  fill<<<n / 256, 256, 0, gone>>>(managed, 11);
  cudaStreamDestroy(gone);
  cudaDeviceSynchronize();
  EXPECT(managed[6] == 11);
  // By another thread.
  fill<<<n / 256, 256, 0, one>>>(managed, 10);
  std::thread([&] { cudaStreamSynchronize(one); }).join();
  EXPECT(managed[6] == 10);
  cudaEventDestroy(event);
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
}

// What was read may be read, also by the operating system.
static void readers() {
  copy<<<n / 256, 256>>>(managed, device);
  EXPECT(managed[1] == 10);
  int ends[2];
  EXPECT(pipe(ends) == 0);
  EXPECT(write(ends[1], managed, 4096) == 4096);
  char text[4096];
  EXPECT(read(ends[0], text, 4096) == 4096);
  cudaDeviceSynchronize();
  close(ends[0]);
  close(ends[1]);
}

// Two buffers, one filled while the other one is copied.
static void twoBuffers() {
  constexpr int half = n / 2;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t free_again[2];
  for (cudaEvent_t &event : free_again)
    cudaEventCreate(&event);
  for (int step = 0; step < 6; ++step) {
    int *buffer = pinned + step % 2 * half;
    if (step >= 2)
      cudaEventSynchronize(free_again[step % 2]);
    for (int i = 0; i < half; ++i)
      buffer[i] = step;
    cudaMemcpyAsync(device + step % 2 * half, buffer, half * sizeof(int), cudaMemcpyHostToDevice,
                    stream);
    cudaEventRecord(free_again[step % 2], stream);
  }
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}

// A ring whose slots are smaller than a page: some are copied, others are filled by the operating
// system.
static void ring(int slot) {
  int ends[2];
  EXPECT(pipe(ends) == 0);
  FILE *in = fdopen(ends[0], "r");
  setvbuf(in, nullptr, _IONBF, 0);
  char *bytes = reinterpret_cast<char *>(pinned), text[4096];
  std::memset(text, 7, sizeof(text));
  const int slots = 8192 / slot;
  for (int i = 0; i + 1 < slots; i += 2) {
    cudaMemcpyAsync(bytes + i * slot, device, slot, cudaMemcpyDeviceToHost, 0);
    EXPECT(write(ends[1], text, slot) == slot);
    if (i % 4)
      EXPECT(read(ends[0], bytes + (i + 1) * slot, slot) == slot);
    else
      EXPECT(fread(bytes + (i + 1) * slot, 1, slot, in) == size_t(slot));
    EXPECT(bytes[(i + 1) * slot] == 7);
  }
  cudaDeviceSynchronize();
  fclose(in);
  close(ends[1]);
}

// Variables beside each other, one of which host code accesses meanwhile.
static void variables() {
  EXPECT(letters[1] == 'b');
  setVariables<<<1, 1>>>();
  letters[1] = 'd';
  cudaDeviceSynchronize();
  EXPECT(variable == 5 && letters[0] == 'c' && letters[1] == 'd');
}

// Registered memory, which shares pages with what the program uses otherwise.
static void registered() {
  char *block = static_cast<char *>(std::malloc(5 * 4096)), *middle = block + 1000;
  int ends[2];
  EXPECT(pipe(ends) == 0);
  EXPECT(cudaHostRegister(middle, 3 * 4096, cudaHostRegisterDefault) == cudaSuccess);
  cudaMemcpyAsync(middle, device, 3 * 4096, cudaMemcpyDeviceToHost, 0);
  EXPECT(write(ends[1], "text", 4) == 4);
  EXPECT(read(ends[0], block + 990, 4) == 4);
  EXPECT(block[990] == 't');
  EXPECT(cudaHostUnregister(middle) == cudaSuccess);
  middle[4096] = 1;
  std::free(block);
  close(ends[0]);
  close(ends[1]);
}

// Host code has the elements between those of the kernel's.
static void neighbours() {
  for (int step : {2, 4, 64}) {
    fill<<<n / 256, 256>>>(managed, 0);
    cudaDeviceSynchronize();
    every<<<4, 256 / step>>>(managed, step);
    for (int i = 1; i < 256; i += 2)
      managed[i] = i;
    EXPECT(managed[3] == 3);
    cudaDeviceSynchronize();
    EXPECT(managed[0] == 3 && managed[1] == 1);
  }
  // A small structure, half of it the host's.
  struct Both {
    int kernels, hosts;
  } *both;
  cudaMallocManaged(&both, sizeof(Both));
  fill<<<1, 1>>>(&both->kernels, 1);
  both->hosts = 2;
  cudaDeviceSynchronize();
  EXPECT(both->kernels + both->hosts == 3);
  cudaFree(both);
}

__global__ void produce(int *data, volatile int *flag) {
  data[threadIdx.x] = 11;
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0)
    *flag = 1;
}
__global__ void produceAtomically(int *data, int *flag) {
  data[threadIdx.x] = 12;
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0)
    atomicExch_system(flag, 2);
}
__global__ void count(int *data, int *progress) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = 13;
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(progress, 1);
}
// Waits for the host, and goes on beside it.
__global__ void serve(volatile int *request, int *data, volatile int *reply) {
  while (*request == 0)
    ;
  __threadfence_system();
  for (int i = 0; i < 1024; ++i)
    data[i] = data[i] + 1;
  __threadfence_system();
  *reply = 1;
}
static void flags() {
  struct Shared {
    int flag, data[1024];
  } *shared;
  cudaHostAlloc(&shared, sizeof(Shared), cudaHostAllocMapped);
  std::memset(shared, 0, sizeof(Shared));
  volatile int *flag = &shared->flag;
  produce<<<1, 1024>>>(shared->data, &shared->flag);
  while (*flag != 1)
    ;
  EXPECT(shared->data[1000] == 11);
  produceAtomically<<<1, 1024>>>(shared->data, &shared->flag);
  while (*flag != 2)
    ;
  EXPECT(shared->data[1000] == 12);
  *flag = 0;
  count<<<4, 256>>>(shared->data, &shared->flag);
  while (*flag != 4)
    ;
  EXPECT(shared->data[1000] == 13);
  *flag = 0;
  volatile int *request = pinned;
  *request = 0;
  serve<<<1, 1>>>(pinned, shared->data, flag);
  shared->data[1000] = 20;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  *request = 1;
  while (*flag != 1)
    ;
  EXPECT(shared->data[1000] == 21);
  cudaFreeHost(shared);
}

// A host function comes behind what lies before it in its stream, and tells another thread so.
static void hostFunctions() {
  static std::atomic<int> done{0};
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  fill<<<n / 256, 256, 0, stream>>>(managed, 14);
  cudaLaunchHostFunc(
      stream,
      [](void *) {
        EXPECT(managed[77] == 14);
        managed[78] = 15;
        done = 1;
      },
      nullptr);
  while (done != 1)
    ;
  EXPECT(managed[77] == 14 && managed[78] == 15);
  copy<<<n / 256, 256, 0, stream>>>(managed, device);
  cudaStreamAddCallback(stream, [](cudaStream_t, cudaError_t, void *) { done = 2; }, nullptr, 0);
  while (done != 2)
    ;
  managed[77] = 16;
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}

// A forked process has memory of its own.
static void forks() {
  copy<<<n / 256, 256>>>(managed, device);
  fill<<<1, 256>>>(pinned, 17);
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < n; ++i)
      managed[i] = pinned[i] = 18;
    _exit(managed[5] == 18 ? 0 : 1);
  }
  int status = 1;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  cudaDeviceSynchronize();
  EXPECT(pinned[5] == 17);
}

int main() {
  cudaMallocManaged(&managed, n * sizeof(int));
  cudaMallocHost(&pinned, n * sizeof(int));
  cudaMalloc(&device, n * sizeof(int));
  cudaMemset(device, 0, n * sizeof(int));
  cudaDeviceSynchronize();
  waits();
  readers();
  twoBuffers();
  for (int slot : {64, 128, 256, 1024, 2048})
    ring(slot);
  variables();
  registered();
  neighbours();
  flags();
  hostFunctions();
  forks();
  return failures || cudaDeviceSynchronize() ? 3 : 0;
}
