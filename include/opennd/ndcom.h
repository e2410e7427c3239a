/* SPDX-License-Identifier: MIT
 *
 * ndcom.h: the part of COM that Network Direct uses: interfaces as tables of functions, reference counts, identifiers.
 *
 * There is no COM runtime behind it: no CoInitialize, no apartments, no registry. One declaration of
 * an interface serves both languages: an abstract class in C++; in C, or in C++ with CINTERFACE, a structure whose only
 * member lpVtbl points to one function pointer per slot, each taking the object first (ND2-GEN-01). Read ndspi.h next.
 */
#ifndef OPENND_NDCOM_H
#define OPENND_NDCOM_H

#include "ndtypes.h"

/* One calling convention on x86-64 and AArch64 Linux: the platform's. */
#define STDMETHODCALLTYPE
#define STDAPICALLTYPE
#define STDAPI              EXTERN_C HRESULT STDAPICALLTYPE
#define STDAPI_(type)       EXTERN_C type STDAPICALLTYPE
#define STDMETHODIMP        HRESULT STDMETHODCALLTYPE
#define STDMETHODIMP_(type) type STDMETHODCALLTYPE

/* ---- declaring an interface -------------------------------------------------------------------------------------- */

/*      #undef INTERFACE
 *      #define INTERFACE IExample
 *      DECLARE_INTERFACE_(IExample, IUnknown)
 *      {
 *          OPENND_SLOTS_IUNKNOWN
 *          STDMETHOD(Method)(THIS_ ULONG argument) PURE;
 *      };
 *
 * OPENND_SLOTS_<BASE> repeats the slots of the base where the language does not inherit them. */
/* The formatter takes STDMETHOD for an expression. */
/* clang-format off */
#if defined(__cplusplus) && !defined(CINTERFACE)

#define STDMETHOD(method)        virtual HRESULT STDMETHODCALLTYPE method
#define STDMETHOD_(type, method) virtual type STDMETHODCALLTYPE method
#define PURE                     = 0
#define THIS
#define THIS_
#define DECLARE_INTERFACE(name)        struct name
#define DECLARE_INTERFACE_(name, base) struct name : public base
#define OPENND_SLOTS_IUNKNOWN

#else

#define OPENND_C_INTERFACES 1

#define STDMETHOD(method)        HRESULT(STDMETHODCALLTYPE* method)
#define STDMETHOD_(type, method) type(STDMETHODCALLTYPE* method)
#define PURE
#define THIS  INTERFACE* This
#define THIS_ INTERFACE* This,
#define DECLARE_INTERFACE(name)           \
    typedef struct name##Vtbl name##Vtbl; \
    typedef struct name {                 \
        const struct name##Vtbl* lpVtbl;  \
    } name;                               \
    struct name##Vtbl
#define DECLARE_INTERFACE_(name, base) DECLARE_INTERFACE(name)
#define OPENND_SLOTS_IUNKNOWN                                      \
    STDMETHOD(QueryInterface)(THIS_ REFIID riid, LPVOID* ppvObj); \
    STDMETHOD_(ULONG, AddRef)(THIS);                               \
    STDMETHOD_(ULONG, Release)(THIS);

#endif
/* clang-format on */

/* For code that declares base methods again, as Windows headers do. */
#define IFACEMETHOD(method)        STDMETHOD(method)
#define IFACEMETHOD_(type, method) STDMETHOD_(type, method)

/* An interface has no destructor: objects end at their last Release. These go around declarations of interfaces. */
#ifdef __cplusplus
#define OPENND_BEGIN_INTERFACES _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wnon-virtual-dtor\"")
#define OPENND_END_INTERFACES   _Pragma("GCC diagnostic pop")
#else
#define OPENND_BEGIN_INTERFACES
#define OPENND_END_INTERFACES
#endif

/* ---- identifiers ------------------------------------------------------------------------------------------------- */

/* By reference in C++, by pointer in C: the same to a caller's machine code. */
#ifdef __cplusplus

typedef const GUID& REFGUID;
typedef const IID& REFIID;
typedef const CLSID& REFCLSID;

constexpr bool operator==(const GUID& a, const GUID& b) noexcept {
    return a.Data1 == b.Data1 && a.Data2 == b.Data2 && a.Data3 == b.Data3 && a.Data4[0] == b.Data4[0] &&
           a.Data4[1] == b.Data4[1] && a.Data4[2] == b.Data4[2] && a.Data4[3] == b.Data4[3] &&
           a.Data4[4] == b.Data4[4] && a.Data4[5] == b.Data4[5] && a.Data4[6] == b.Data4[6] && a.Data4[7] == b.Data4[7];
}

constexpr bool operator!=(const GUID& a, const GUID& b) noexcept { return !(a == b); }

constexpr BOOL IsEqualGUID(REFGUID a, REFGUID b) noexcept { return a == b ? TRUE : FALSE; }

#else

#include <string.h>

typedef const GUID* REFGUID;
typedef const IID* REFIID;
typedef const CLSID* REFCLSID;

static inline BOOL IsEqualGUID(REFGUID a, REFGUID b) { return memcmp(a, b, sizeof(GUID)) == 0; }

#endif

#define InlineIsEqualGUID(a, b) IsEqualGUID(a, b)
#define IsEqualIID(a, b)        IsEqualGUID(a, b)
#define IsEqualCLSID(a, b)      IsEqualGUID(a, b)

#endif /* OPENND_NDCOM_H */

/* DEFINE_GUID declares an identifier. Where INITGUID is defined it also gives it storage, which any number of files may
 * do: the copies are weak. Programs that never define INITGUID get the identifiers from the library, which exports all.
 * Looked at again each time this header is included, so that INITGUID may be defined between two headers. */
#undef DEFINE_GUID
#ifdef INITGUID
#define DEFINE_GUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)       \
    EXTERN_C __attribute__((weak, visibility("default"))) const GUID name; \
    const GUID name = {l, w1, w2, {b1, b2, b3, b4, b5, b6, b7, b8}}
#else
#define DEFINE_GUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8) \
    EXTERN_C __attribute__((visibility("default"))) const GUID name
#endif

#ifndef OPENND_NDCOM_INTERFACES
#define OPENND_NDCOM_INTERFACES

/* ---- IUnknown ---------------------------------------------------------------------------------------------------- */

DEFINE_GUID(IID_IUnknown, 0x00000000, 0x0000, 0x0000, 0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46);
DEFINE_GUID(IID_IClassFactory, 0x00000001, 0x0000, 0x0000, 0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46);

OPENND_BEGIN_INTERFACES
/* clang-format off */

/* The base of every interface. Any thread may call any method of any object, several at a time; only a call that races
 * with the last Release of the same object is the program's error. */
#undef INTERFACE
#define INTERFACE IUnknown
DECLARE_INTERFACE(IUnknown) {
    /* Asks the object for another of its interfaces. IUnknown gives the same pointer each time. *ppvObj is a new
     * reference, to be given back with Release, or NULL on failure. (ND2-COM-01, -02)
     * S_OK; E_NOINTERFACE: the object does not have it; E_POINTER: ppvObj is NULL. */
    STDMETHOD(QueryInterface)(THIS_ REFIID riid, LPVOID* ppvObj) PURE;

    /* Adds one reference and returns the new count, which counts the program's references only. (ND2-COM-05, -06) */
    STDMETHOD_(ULONG, AddRef)(THIS) PURE;

    /* Gives back one reference and returns the new count. At 0 the object's overlapped requests complete with
     * ND_CANCELED and the object ends; when the call returns, nothing writes to the program's memory through it any
     * more. Objects may be released in any order. Does not wait for the network. (ND2-COM-05 to -10) */
    STDMETHOD_(ULONG, Release)(THIS) PURE;
};

/* Makes providers; DllGetClassObject returns one. */
#undef INTERFACE
#define INTERFACE IClassFactory
DECLARE_INTERFACE_(IClassFactory, IUnknown) {
    OPENND_SLOTS_IUNKNOWN

    /* Makes a provider; *ppvObject is a new reference, or NULL on failure. pUnkOuter must be NULL.
     * S_OK; CLASS_E_NOAGGREGATION: pUnkOuter is not NULL; E_NOINTERFACE; E_POINTER; E_OUTOFMEMORY. */
    STDMETHOD(CreateInstance)(THIS_ IUnknown* pUnkOuter, REFIID riid, void** ppvObject) PURE;

    /* Keeps the module loaded while locked (TRUE) more often than unlocked (FALSE). S_OK. */
    STDMETHOD(LockServer)(THIS_ BOOL fLock) PURE;
};

/* clang-format on */
OPENND_END_INTERFACES

#undef INTERFACE

/* ---- the library as a module ------------------------------------------------------------------------------------- */

#pragma GCC visibility push(default)

/* Gives a class factory (IID_IClassFactory), or a provider at once (IID_IND2Provider), of the class
 * CLSID_OpenNDProvider (opennd.h). *ppv is a new reference, or NULL on failure. (ND2-PRV-01, -02)
 * S_OK; CLASS_E_CLASSNOTAVAILABLE: no such class; E_NOINTERFACE: another riid; E_POINTER: ppv is NULL; E_OUTOFMEMORY.
 */
STDAPI DllGetClassObject(REFCLSID rclsid, REFIID riid, LPVOID* ppv);

/* Tells whether the library may be unloaded. (ND2-PRV-03) S_OK: nothing of it was used yet; S_FALSE: it was, and its
 * threads stay. Unloading it all the same does no harm: it stays in memory. */
STDAPI DllCanUnloadNow(VOID);

#pragma GCC visibility pop

#endif
