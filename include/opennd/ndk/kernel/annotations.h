/* SPDX-License-Identifier: MIT
 *
 * annotations.h: words for Microsoft's analysers that drivers use beyond those of <sal.h>, and the words in front of
 * kernel declarations. All become nothing.
 */
#ifndef OPENND_KERNEL_ANNOTATIONS_H
#define OPENND_KERNEL_ANNOTATIONS_H

#include "../../windows/sal.h"
#include "../../windows/win32/conventions.h"

/* clang-format off */

#define NTKERNELAPI
#define NTSYSAPI
#define NTHALAPI
#define WSKAPI

#define _Function_ignore_lock_checking_(...)
#define _IRQL_always_function_max_(...)
#define _IRQL_always_function_min_(...)
#define _IRQL_restores_
#define _IRQL_restores_global_(...)
#define _IRQL_saves_
#define _IRQL_uses_cancel_
#define _Acquires_nonreentrant_lock_(...)
#define _Releases_nonreentrant_lock_(...)
#define _Dispatch_type_(...)
#define _Outptr_result_nullonfailure_
#define _Post_writable_byte_size_(...)
#define _Pre_satisfies_any_(...)

#define __drv_reportError(...)
#define __drv_sameIRQL
#define __drv_when(...)

/* clang-format on */

#endif
