# Clang, LLVM and lld as Heddle links them: heddle_clang, heddle_lld and HEDDLE_LLVM_LIBRARIES.
#
# With HEDDLE_STATIC_LLVM everything comes from archives, with this machine's target and NVPTX only; else
# LLVM is Debian's shared library (Clang's parts are archives there, too). HEDDLE_LLVM_ROOT is where the
# compiler finds Clang's own headers, or empty if these are below the root of Heddle's own files.

find_library(HEDDLE_LLD_ELF NAMES liblldELF.a PATHS ${LLVM_LIBRARY_DIRS} NO_DEFAULT_PATH REQUIRED)
find_library(HEDDLE_LLD_COMMON NAMES liblldCommon.a PATHS ${LLVM_LIBRARY_DIRS} NO_DEFAULT_PATH REQUIRED)
add_library(heddle_lld INTERFACE)
add_library(heddle_clang INTERFACE)

if(HEDDLE_STATIC_LLVM)
  set(HEDDLE_LLVM_ROOT "")
  foreach(target ${CLANG_EXPORTED_TARGETS})
    if(NOT TARGET ${target})
      continue()
    endif()
    get_target_property(linked ${target} INTERFACE_LINK_LIBRARIES)
    if(linked)
      list(REMOVE_ITEM linked LLVM)
      set_property(TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES ${linked})
    endif()
  endforeach()
  # What LLVM's own list has beside these are shared libraries: Z3 (only the static analyser uses it).
  set_property(TARGET LLVMSupport PROPERTY INTERFACE_LINK_LIBRARIES LLVMDemangle z zstd m)
  set_property(TARGET LLVMExtensions PROPERTY INTERFACE_LINK_LIBRARIES LLVMSupport) # without Polly
  llvm_map_components_to_libnames(HEDDLE_LLVM_LIBRARIES
    native NVPTX analysis bitreader bitwriter codegen core coverage frontenddriver frontendhlsl frontendoffloading
    frontendopenmp instrumentation ipo irprinter irreader linker lto mc objcarcopts object option passes profiledata
    scalaropts support symbolize target targetparser transformutils vectorize windowsdriver)
  # For src/compiler/left_out.cpp.
  set(left_out ${LLVM_TARGETS_TO_BUILD})
  list(REMOVE_ITEM left_out ${LLVM_NATIVE_ARCH} NVPTX)
  list(TRANSFORM left_out REPLACE "(.+)" "LEFT_OUT(\\1)\n")
  list(JOIN left_out "" left_out)
  file(WRITE ${CMAKE_BINARY_DIR}/left_out_targets.inc "${left_out}")
else()
  set(HEDDLE_LLVM_ROOT ${LLVM_INSTALL_PREFIX})
  set(HEDDLE_LLVM_LIBRARIES LLVM)
endif()

target_link_libraries(heddle_lld INTERFACE ${HEDDLE_LLD_ELF} ${HEDDLE_LLD_COMMON} ${HEDDLE_LLVM_LIBRARIES} z zstd)
target_link_libraries(heddle_clang INTERFACE clangCodeGen clangFrontend clangDriver ${HEDDLE_LLVM_LIBRARIES})
