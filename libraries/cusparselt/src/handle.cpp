// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "descriptions.h"

using namespace heddle::cusparselt;

cusparseStatus_t heddle::cusparselt::refuse(const char *call, cusparseStatus_t status,
                                            const char *why) {
  library::explain(call, cusparseGetErrorName(status), why);
  return status;
}

cusparseStatus_t cusparseLtInit(cusparseLtHandle_t *handle) {
  NEED_ALL(handle);
  put(handle, {});
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtDestroy(const cusparseLtHandle_t *handle) {
  return forget(__func__, handle);
}

cusparseStatus_t cusparseLtGetVersion(const cusparseLtHandle_t *handle, int *version) {
  NEED(handle);
  NEED_ALL(version);
  *version = CUSPARSELT_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtGetProperty(libraryPropertyType propertyType, int *value) {
  NEED_ALL(value);
  switch (propertyType) {
  case MAJOR_VERSION:
    *value = CUSPARSELT_VER_MAJOR;
    return CUSPARSE_STATUS_SUCCESS;
  case MINOR_VERSION:
    *value = CUSPARSELT_VER_MINOR;
    return CUSPARSE_STATUS_SUCCESS;
  case PATCH_LEVEL:
    *value = CUSPARSELT_VER_PATCH;
    return CUSPARSE_STATUS_SUCCESS;
  }
  return refuse(__func__, CUSPARSE_STATUS_INVALID_VALUE, "there is no such property");
}

const char *cusparseLtGetErrorName(cusparseStatus_t status) { return cusparseGetErrorName(status); }
const char *cusparseLtGetErrorString(cusparseStatus_t status) {
  return cusparseGetErrorString(status);
}
