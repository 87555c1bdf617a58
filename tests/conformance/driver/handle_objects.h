// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One object of each kind that the driver API has handles for, and one that has been destroyed,
// for wrong_handles.cu.
#pragma once

#include "driver.h"

#include <map>
#include <typeindex>

namespace handles {

/// What a number may be that the API calls unsigned long long: it names an object, or is an
/// address.
enum class Wide { Address, Texture, Surface, Memory, Number };

/// The kind of node that a function is about, by a part of its name; the first one is for all.
inline const char *const node_kinds[] = {"",         "KernelNode",     "MemcpyNode",  "MemsetNode",
                                         "HostNode", "ChildGraphNode", "EventRecord", "EventWait"};

/// The handles' types of which there are objects.
inline bool isKnown(std::type_index type) {
  static const std::type_index known[] = {
      typeid(CUcontext),  typeid(CUstream),         typeid(CUevent),     typeid(CUmodule),
      typeid(CUfunction), typeid(CUlibrary),        typeid(CUkernel),    typeid(CUlinkState),
      typeid(CUarray),    typeid(CUmipmappedArray), typeid(CUtexref),    typeid(CUmemoryPool),
      typeid(CUgraph),    typeid(CUgraphNode),      typeid(CUgraphExec), typeid(CUuserObject)};
  for (const std::type_index &one : known)
    if (one == type)
      return true;
  return false;
}

/// An object of each type. The context is the current one, in which they all are.
class Objects {
public:
  void make();
  void destroy();

  template <class Handle> Handle get() const {
    return Handle(handles_.at(std::type_index(typeid(Handle))));
  }
  void *handle(std::type_index type, const std::string &function) const;
  unsigned long long wide(Wide role) const { return wide_.at(role); }

private:
  template <class Handle> void put(Handle handle) {
    handles_[std::type_index(typeid(Handle))] = (void *)handle;
  }
  void makeStreams();
  void makeModules();
  void makeMemory();
  void makeTextures();
  void makeGraphs();
  void addNodes(CUgraph graph, CUcontext context, CUevent event);

  std::map<std::type_index, void *> handles_;
  std::map<Wide, unsigned long long> wide_;
  std::vector<CUgraphNode> nodes_; // in the order of node_kinds
};

/// Null if there is no such object.
inline void *Objects::handle(std::type_index type, const std::string &function) const {
  if (type == typeid(CUgraphNode))
    for (size_t i = 1; i < nodes_.size(); ++i)
      if (function.find(node_kinds[i]) != std::string::npos)
        return nodes_[i];
  const auto found = handles_.find(type);
  return found == handles_.end() ? nullptr : found->second;
}

inline void nothingOnHost(void *) {}

inline void Objects::makeStreams() {
  CUstream stream = nullptr;
  CHECK_DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  put(stream);
  CUevent event = nullptr;
  CHECK_DRIVER(cuEventCreate(&event, 0));
  put(event);
}

inline void Objects::makeModules() {
  static const void *const image = driver::ownImage();
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUlinkState link = nullptr;
  CHECK_DRIVER(cuModuleLoadData(&module, image));
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "touch"));
  CHECK_DRIVER(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK_DRIVER(cuLibraryGetKernel(&kernel, library, "touch"));
  CHECK_DRIVER(cuLinkCreate(0, nullptr, nullptr, &link));
  put(module), put(function), put(library), put(kernel), put(link);
}

inline void Objects::makeMemory() {
  CUdeviceptr address = 0;
  CHECK_DRIVER(cuMemAlloc(&address, 4096));
  CHECK_DRIVER(cuMemsetD8(address, 0, 4096));
  wide_[Wide::Address] = address;

  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  size_t granularity = 0;
  CHECK_DRIVER(
      cuMemGetAllocationGranularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUmemGenericAllocationHandle handle = 0;
  CHECK_DRIVER(cuMemCreate(&handle, granularity, &properties, 0));
  wide_[Wide::Memory] = handle;

  CUmemPoolProps pool_properties = {};
  pool_properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  pool_properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemoryPool pool = nullptr;
  CHECK_DRIVER(cuMemPoolCreate(&pool, &pool_properties));
  put(pool);
}

inline void Objects::makeTextures() {
  CUDA_ARRAY3D_DESCRIPTOR description = {};
  description.Width = description.Height = 64;
  description.Format = CU_AD_FORMAT_UNSIGNED_INT8;
  description.NumChannels = 1;
  description.Flags = CUDA_ARRAY3D_SURFACE_LDST;
  CUarray array = nullptr;
  CUmipmappedArray mipmap = nullptr;
  CUtexref reference = nullptr;
  CHECK_DRIVER(cuArray3DCreate(&array, &description));
  CHECK_DRIVER(cuMipmappedArrayCreate(&mipmap, &description, 2));
  CHECK_DRIVER(cuTexRefCreate(&reference));
  put(array), put(mipmap), put(reference);
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC how = {};
  CUtexObject texture = 0;
  CUsurfObject surface = 0;
  CHECK_DRIVER(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  CHECK_DRIVER(cuSurfObjectCreate(&surface, &resource));
  wide_[Wide::Texture] = texture;
  wide_[Wide::Surface] = surface;
}

inline void Objects::addNodes(CUgraph graph, CUcontext context, CUevent event) {
  nodes_.assign(std::size(node_kinds), nullptr);
  auto next = nodes_.begin();
  CHECK_DRIVER(cuGraphAddEmptyNode(&*next++, graph, nullptr, 0));
  CUDA_KERNEL_NODE_PARAMS kernel = {};
  kernel.func = get<CUfunction>();
  kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = kernel.blockDimY = kernel.blockDimZ = 1;
  CHECK_DRIVER(cuGraphAddKernelNode(&*next++, graph, nullptr, 0, &kernel));
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = wide(Wide::Address);
  copy.dstDevice = wide(Wide::Address) + 2048;
  copy.WidthInBytes = copy.Height = copy.Depth = 1;
  CHECK_DRIVER(cuGraphAddMemcpyNode(&*next++, graph, nullptr, 0, &copy, context));
  CUDA_MEMSET_NODE_PARAMS fill = {};
  fill.dst = wide(Wide::Address);
  fill.elementSize = fill.width = fill.height = 1;
  CHECK_DRIVER(cuGraphAddMemsetNode(&*next++, graph, nullptr, 0, &fill, context));
  CUDA_HOST_NODE_PARAMS host = {};
  host.fn = nothingOnHost;
  CHECK_DRIVER(cuGraphAddHostNode(&*next++, graph, nullptr, 0, &host));
  CUgraph child;
  CUgraphNode in_child;
  CHECK_DRIVER(cuGraphCreate(&child, 0));
  CHECK_DRIVER(cuGraphAddEmptyNode(&in_child, child, nullptr, 0));
  CHECK_DRIVER(cuGraphAddChildGraphNode(&*next++, graph, nullptr, 0, child));
  CHECK_DRIVER(cuGraphDestroy(child));
  CHECK_DRIVER(cuGraphAddEventRecordNode(&*next++, graph, nullptr, 0, event));
  CHECK_DRIVER(cuGraphAddEventWaitNode(&*next++, graph, nullptr, 0, event));
}

inline void Objects::makeGraphs() {
  CUcontext current = nullptr;
  CHECK_DRIVER(cuCtxGetCurrent(&current));
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  CUuserObject object = nullptr;
  CHECK_DRIVER(cuGraphCreate(&graph, 0));
  addNodes(graph, current, get<CUevent>());
  put(graph);
  put(nodes_[0]);
  CHECK_DRIVER(cuGraphInstantiateWithFlags(&executable, graph, 0));
  put(executable);
  const unsigned no_sync = CU_USER_OBJECT_NO_DESTRUCTOR_SYNC;
  CHECK_DRIVER(cuUserObjectCreate(&object, nullptr, nothingOnHost, 1, no_sync));
  put(object);
}

/// Makes all of them; earlier ones are left behind.
inline void Objects::make() {
  CUcontext context = nullptr;
  CHECK_DRIVER(cuCtxGetCurrent(&context));
  put(context);
  makeStreams();
  makeModules();
  makeMemory();
  makeTextures();
  makeGraphs();
}

/// All but the context.
inline void Objects::destroy() {
  CHECK_DRIVER(cuUserObjectRelease(get<CUuserObject>(), 1));
  CHECK_DRIVER(cuGraphExecDestroy(get<CUgraphExec>()));
  CHECK_DRIVER(cuGraphDestroy(get<CUgraph>()));
  CHECK_DRIVER(cuTexObjectDestroy(wide(Wide::Texture)));
  CHECK_DRIVER(cuSurfObjectDestroy(wide(Wide::Surface)));
  CHECK_DRIVER(cuTexRefDestroy(get<CUtexref>()));
  CHECK_DRIVER(cuArrayDestroy(get<CUarray>()));
  CHECK_DRIVER(cuMipmappedArrayDestroy(get<CUmipmappedArray>()));
  CHECK_DRIVER(cuMemFree(wide(Wide::Address)));
  CHECK_DRIVER(cuMemRelease(wide(Wide::Memory)));
  CHECK_DRIVER(cuMemPoolDestroy(get<CUmemoryPool>()));
  CHECK_DRIVER(cuModuleUnload(get<CUmodule>()));
  CHECK_DRIVER(cuLibraryUnload(get<CUlibrary>()));
  CHECK_DRIVER(cuLinkDestroy(get<CUlinkState>()));
  CHECK_DRIVER(cuEventDestroy(get<CUevent>()));
  CHECK_DRIVER(cuStreamDestroy(get<CUstream>()));
}

} // namespace handles
