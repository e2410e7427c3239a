/* SPDX-License-Identifier: MIT
 *
 * statuses.h: the NTSTATUS values that come with windows.h, unless WIN32_NO_STATUS asks for none because ntstatus.h
 * follows. Spelled as there, so that both together are no contradiction.
 */
#if !defined(OPENND_WINDOWS_STATUSES_H) && !defined(WIN32_NO_STATUS)
#define OPENND_WINDOWS_STATUSES_H

#include <ndtypes.h>

#define STATUS_WAIT_0            ((NTSTATUS)0x00000000u)
#define STATUS_ABANDONED_WAIT_0  ((NTSTATUS)0x00000080u)
#define STATUS_USER_APC          ((NTSTATUS)0x000000C0u)
#define STATUS_ACCESS_VIOLATION  ((NTSTATUS)0xC0000005u)
#define STATUS_INVALID_HANDLE    ((NTSTATUS)0xC0000008u)
#define STATUS_INVALID_PARAMETER ((NTSTATUS)0xC000000Du)
#define STATUS_NO_MEMORY         ((NTSTATUS)0xC0000017u)
#define STATUS_TIMEOUT           ((NTSTATUS)0x00000102u)
#define STATUS_PENDING           ((NTSTATUS)0x00000103u)

#endif
