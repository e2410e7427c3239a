/* SPDX-License-Identifier: MIT
 *
 * com.h: the words for declaring interfaces that ndcom.h has no need of.
 */
#ifndef OPENND_WINDOWS_COM_H
#define OPENND_WINDOWS_COM_H

#include "types.h"

#define interface  struct
#define __STRUCT__ struct
#define BEGIN_INTERFACE
#define END_INTERFACE
#define STDMETHODVCALLTYPE
#define STDAPIVCALLTYPE

#define DECLSPEC_UUID(text)
#define MIDL_INTERFACE(text) struct

typedef IID* LPIID;
typedef CLSID* LPCLSID;
typedef WCHAR OLECHAR;
typedef OLECHAR* LPOLESTR;
typedef const OLECHAR* LPCOLESTR;

#ifdef __cplusplus
#define IID_NULL   GUID_NULL
#define CLSID_NULL GUID_NULL
#else
#define IID_NULL   GUID_NULL
#define CLSID_NULL GUID_NULL
#endif

#endif
