// SPDX-License-Identifier: MIT
// GetLastError, SetLastError, and the codes of Win32 for other systems' numbers; see last_error.h.
#include "windows/last_error.h"

#include <cerrno>

#include "ndstatus.h"
#include "ntstatus.h"
#include "winternl.h"

namespace opennd::windows {
namespace {

constinit thread_local DWORD last_error = ERROR_SUCCESS;

constexpr DWORD kWin32Error = 0x8007;  // the upper half of an HRESULT that has a code of Win32 in the lower one

}  // namespace

DWORD win32_error(HRESULT status) {
    switch (status) {
        case ND_SUCCESS: return ERROR_SUCCESS;
        case ND_TIMEOUT: return WAIT_TIMEOUT;
        case ND_PENDING: return ERROR_IO_INCOMPLETE;
        case ND_BUFFER_OVERFLOW: return ERROR_MORE_DATA;
        case ND_DEVICE_BUSY: return ERROR_BUSY;
        case ND_NO_MORE_ENTRIES: return ERROR_NO_MORE_ITEMS;
        case ND_ACCESS_VIOLATION: return ERROR_NOACCESS;
        case ND_INVALID_HANDLE: return ERROR_INVALID_HANDLE;
        case ND_INVALID_DEVICE_REQUEST: return ERROR_INVALID_FUNCTION;
        case ND_INVALID_PARAMETER:
        case ND_INVALID_PARAMETER_MIX:
        case ND_INVALID_PARAMETER_1:
        case ND_INVALID_PARAMETER_2:
        case ND_INVALID_PARAMETER_3:
        case ND_INVALID_PARAMETER_4:
        case ND_INVALID_PARAMETER_5:
        case ND_INVALID_PARAMETER_6:
        case ND_INVALID_PARAMETER_7:
        case ND_INVALID_PARAMETER_8:
        case ND_INVALID_PARAMETER_9:
        case ND_INVALID_PARAMETER_10:
        case ND_INVALID_BUFFER_SIZE: return ERROR_INVALID_PARAMETER;
        case ND_NO_MEMORY: return ERROR_NOT_ENOUGH_MEMORY;
        case ND_SHARING_VIOLATION: return ERROR_SHARING_VIOLATION;
        case ND_INSUFFICIENT_RESOURCES:
        case ND_TOO_MANY_ADDRESSES: return ERROR_NO_SYSTEM_RESOURCES;
        case ND_DEVICE_NOT_READY: return ERROR_NOT_READY;
        case ND_IO_TIMEOUT: return ERROR_SEM_TIMEOUT;
        case ND_NOT_SUPPORTED: return ERROR_NOT_SUPPORTED;
        case ND_CANCELED: return ERROR_OPERATION_ABORTED;
        case ND_INVALID_ADDRESS: return ERROR_INVALID_ADDRESS;
        case STATUS_ADDRESS_ALREADY_ASSOCIATED: return ERROR_ADDRESS_ALREADY_ASSOCIATED;
        case STATUS_ADDRESS_NOT_ASSOCIATED: return ERROR_ADDRESS_NOT_ASSOCIATED;
        case STATUS_BAD_NETWORK_NAME: return ERROR_BAD_NET_NAME;
        case STATUS_REQUEST_ABORTED: return ERROR_REQUEST_ABORTED;
        case ND_ADDRESS_ALREADY_EXISTS: return ERROR_ALREADY_EXISTS;
        case ND_CONNECTION_REFUSED: return ERROR_CONNECTION_REFUSED;
        case ND_CONNECTION_INVALID: return ERROR_CONNECTION_INVALID;
        case ND_CONNECTION_ACTIVE: return ERROR_CONNECTION_ACTIVE;
        case ND_NETWORK_UNREACHABLE: return ERROR_NETWORK_UNREACHABLE;
        case ND_HOST_UNREACHABLE: return ERROR_HOST_UNREACHABLE;
        case ND_CONNECTION_ABORTED:
        case STATUS_CONNECTION_DISCONNECTED: return ERROR_CONNECTION_ABORTED;
        case ND_DEVICE_REMOVED: return ERROR_DEVICE_REMOVED;
        case STATUS_END_OF_FILE: return ERROR_HANDLE_EOF;
        default: break;
    }
    if (SUCCEEDED(status)) return ERROR_SUCCESS;
    const auto number = static_cast<DWORD>(status);
    const DWORD code = number >> 16 == kWin32Error ? number & 0xFFFFu : DWORD{ERROR_SUCCESS};
    return code != ERROR_SUCCESS ? code : DWORD{ERROR_GEN_FAILURE};
}

DWORD win32_error_of_errno(int error) {
    switch (error) {
        case 0: return ERROR_SUCCESS;
        case ENOENT: return ERROR_FILE_NOT_FOUND;
        case ENOTDIR: return ERROR_PATH_NOT_FOUND;
        case EMFILE:
        case ENFILE: return ERROR_TOO_MANY_OPEN_FILES;
        case EACCES:
        case EPERM:
        case EROFS: return ERROR_ACCESS_DENIED;
        case EBADF: return ERROR_INVALID_HANDLE;
        case ENOMEM: return ERROR_NOT_ENOUGH_MEMORY;
        case EEXIST: return ERROR_FILE_EXISTS;
        case EINVAL: return ERROR_INVALID_PARAMETER;
        case EAGAIN: return ERROR_NO_SYSTEM_RESOURCES;
        case EDQUOT:
        case ENOSPC: return ERROR_DISK_FULL;
        default: return ERROR_GEN_FAILURE;
    }
}

BOOL succeed_or_fail(HRESULT status) {
    // ND_TIMEOUT and ND_PENDING succeed as HRESULTs and are a "no" to Win32.
    return status == ND_SUCCESS ? TRUE : fail(win32_error(status), FALSE);
}

}  // namespace opennd::windows

ULONG RtlNtStatusToDosError(NTSTATUS Status) {
    switch (Status) {
        case STATUS_TIMEOUT: return ERROR_TIMEOUT;
        case STATUS_PENDING: return ERROR_IO_PENDING;
        case STATUS_UNSUCCESSFUL: return ERROR_GEN_FAILURE;
        case STATUS_NOT_IMPLEMENTED: return ERROR_INVALID_FUNCTION;
        case STATUS_ACCESS_DENIED: return ERROR_ACCESS_DENIED;
        case STATUS_OBJECT_NAME_NOT_FOUND: return ERROR_FILE_NOT_FOUND;
        case STATUS_NOT_FOUND: return ERROR_NOT_FOUND;
        case STATUS_NO_SUCH_DEVICE: return ERROR_FILE_NOT_FOUND;
        default: break;
    }
    const DWORD error = opennd::windows::win32_error(Status);
    return error == ERROR_GEN_FAILURE ? ERROR_MR_MID_NOT_FOUND : error;
}

DWORD GetLastError(VOID) { return opennd::windows::last_error; }

VOID SetLastError(DWORD dwErrCode) { opennd::windows::last_error = dwErrCode; }
