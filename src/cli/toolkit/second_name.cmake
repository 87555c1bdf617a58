# Makes NVCC another name (a hard link) of the file HEDDLECC, or a copy where that is impossible.
get_filename_component(folder "${NVCC}" DIRECTORY)
file(MAKE_DIRECTORY "${folder}")
file(CREATE_LINK "${HEDDLECC}" "${NVCC}" COPY_ON_ERROR)
