// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graphics/gl.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <string>

namespace heddle::gl {
namespace {

/// What makes contexts. Only what the process has loaded already is asked.
struct Library {
  const char *file, *current_context, *function_address;
};

// libGL.so.1 has GLX where it does not come from GLVND.
constexpr std::array<Library, 5> libraries = {{
    {"libEGL.so.1", "eglGetCurrentContext", "eglGetProcAddress"},
    {"libGLX.so.0", "glXGetCurrentContext", "glXGetProcAddressARB"},
    {"libGL.so.1", "glXGetCurrentContext", "glXGetProcAddressARB"},
    {"libOSMesa.so.8", "OSMesaGetCurrentContext", "OSMesaGetProcAddress"},
    {"libOSMesa.so.6", "OSMesaGetCurrentContext", "OSMesaGetProcAddress"},
}};

using GetContext = void *();
using GetAddress = void *(const char *);

/// A library that the process has loaded, and its functions.
class Loaded {
public:
  explicit Loaded(const Library &library) : library(library) {}

  bool isLoaded() {
    std::lock_guard lock(mutex);
    if (!handle)
      open();
    return handle;
  }

  bool hasContext() { return isLoaded() && current && current(); }

  const Functions &functions() {
    std::lock_guard lock(mutex);
    if (!found) {
#define HEDDLE_GL_FIND(name, result, parameters)                                                   \
  all.name = reinterpret_cast<result(*) parameters>(find("gl" #name));
      HEDDLE_GL_FUNCTIONS(HEDDLE_GL_FIND)
#undef HEDDLE_GL_FIND
      found = true;
    }
    return all;
  }

private:
  const Library &library;
  std::mutex mutex; // guards what follows
  void *handle = nullptr;
  GetContext *current = nullptr;
  GetAddress *address = nullptr;
  bool found = false;
  Functions all;

  void open() {
    handle = dlopen(library.file, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle)
      return;
    current = reinterpret_cast<GetContext *>(dlsym(handle, library.current_context));
    address = reinterpret_cast<GetAddress *>(dlsym(handle, library.function_address));
    if (!address)
      current = nullptr;
  }

  void *find(const char *name) const {
    if (void *function = address(name))
      return function;
    return dlsym(handle, name); // before EGL 1.5 only extensions are found by eglGetProcAddress
  }
};

std::array<Loaded, libraries.size()> &allLibraries() {
  static auto *all = new std::array<Loaded, libraries.size()>{
      {Loaded(libraries[0]), Loaded(libraries[1]), Loaded(libraries[2]), Loaded(libraries[3]),
       Loaded(libraries[4])}};
  return *all;
}

/// The library whose context is current; null if none is.
Loaded *currentLibrary() {
  for (Loaded &each : allLibraries())
    if (each.hasContext())
      return &each;
  return nullptr;
}

/// "4.5 (Core Profile) Mesa 22.3.6" or "OpenGL ES 3.2 Mesa 22.3.6".
void readVersion(const char *text, Context &context) {
  constexpr const char *embedded = "OpenGL ES";
  context.embedded = strncmp(text, embedded, strlen(embedded)) == 0;
  text += strcspn(text, "0123456789");
  char *end = nullptr;
  const long major = strtol(text, &end, 10);
  const long minor = *end == '.' ? strtol(end + 1, nullptr, 10) : 0;
  context.version = int(major * 10 + minor);
}

} // namespace

int Context::integer(Enum what) const {
  int value = 0;
  GetIntegerv(what, &value);
  return value;
}

cudaError_t contextError() {
  if (currentLibrary())
    return cudaSuccess;
  bool any = false;
  for (Loaded &each : allLibraries())
    any |= each.isLoaded();
  return any ? cudaErrorInvalidGraphicsContext : cudaErrorOperatingSystem;
}

cudaError_t findContext(Context &context) {
  Loaded *const library = currentLibrary();
  if (!library)
    return contextError();
  static_cast<Functions &>(context) = library->functions();
  const unsigned char *version = context.GetString ? context.GetString(version_string) : nullptr;
  if (!version || !context.GetIntegerv)
    return cudaErrorInvalidGraphicsContext;
  readVersion(reinterpret_cast<const char *>(version), context);
  return cudaSuccess;
}

} // namespace heddle::gl
