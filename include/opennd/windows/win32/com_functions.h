/* SPDX-License-Identifier: MIT
 *
 * com_functions.h: the functions of COM that programs call around Network Direct. There is no COM runtime.
 */
#ifndef OPENND_WINDOWS_COM_FUNCTIONS_H
#define OPENND_WINDOWS_COM_FUNCTIONS_H

#include <ndcom.h>

#include "com.h"

#define COINIT_APARTMENTTHREADED 0x2
#define COINIT_MULTITHREADED     0x0

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Returns S_OK: nothing needs starting. */
HRESULT STDAPICALLTYPE CoInitialize(LPVOID pvReserved);
HRESULT STDAPICALLTYPE CoInitializeEx(LPVOID pvReserved, DWORD dwCoInit);
VOID STDAPICALLTYPE CoUninitialize(VOID);

/* Writes "{01234567-89AB-CDEF-0123-456789ABCDEF}" and returns its 39 characters, the end included. 0: cchMax is
 * less, or lpsz is NULL. */
int STDAPICALLTYPE StringFromGUID2(REFGUID rguid, LPOLESTR lpsz, int cchMax);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
