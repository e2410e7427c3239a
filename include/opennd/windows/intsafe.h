/* SPDX-License-Identifier: MIT
 *
 * intsafe.h: conversions and sums of integers that tell when the result does not fit.
 *
 * Each gives S_OK and the result, or INTSAFE_E_ARITHMETIC_OVERFLOW and, for a result, the value that the type's _ERROR
 * names: all bits set, and 0 for a CHAR. The compiler computes as if integers had no end, and sees whether the result fits.
 */
#ifndef OPENND_WINDOWS_INTSAFE_H
#define OPENND_WINDOWS_INTSAFE_H

#include "win32/integer_limits.h"
#include "win32/types.h"
#include "winerror.h"

#define INTSAFE_E_ARITHMETIC_OVERFLOW ((HRESULT)0x80070216u) /* HRESULT_FROM_WIN32(ERROR_ARITHMETIC_OVERFLOW) */

#define INT8_ERROR      ((INT8)(-1))
#define UINT8_ERROR     ((UINT8)0xFF)
#define BYTE_ERROR      ((BYTE)0xFF)
#define CHAR_ERROR      ((CHAR)0)
#define UCHAR_ERROR     ((UCHAR)0xFF)
#define SHORT_ERROR     ((SHORT)(-1))
#define INT16_ERROR     ((INT16)(-1))
#define USHORT_ERROR    ((USHORT)0xFFFF)
#define UINT16_ERROR    ((UINT16)0xFFFF)
#define WORD_ERROR      ((WORD)0xFFFF)
#define INT_ERROR       (-1)
#define INT32_ERROR     ((INT32)(-1))
#define LONG_ERROR      ((LONG)(-1))
#define UINT_ERROR      0xFFFFFFFFu
#define UINT32_ERROR    ((UINT32)0xFFFFFFFFu)
#define ULONG_ERROR     0xFFFFFFFFu
#define DWORD_ERROR     0xFFFFFFFFu
#define LONGLONG_ERROR  ((LONGLONG)(-1))
#define LONG64_ERROR    ((LONG64)(-1))
#define INT64_ERROR     ((INT64)(-1))
#define ULONGLONG_ERROR ((ULONGLONG)(-1))
#define DWORDLONG_ERROR ((DWORDLONG)(-1))
#define ULONG64_ERROR   ((ULONG64)(-1))
#define DWORD64_ERROR   ((DWORD64)(-1))
#define UINT64_ERROR    ((UINT64)(-1))
#define INT_PTR_ERROR   ((INT_PTR)(-1))
#define LONG_PTR_ERROR  ((LONG_PTR)(-1))
#define SSIZE_T_ERROR   ((SSIZE_T)(-1))
#define UINT_PTR_ERROR  ((UINT_PTR)(-1))
#define ULONG_PTR_ERROR ((ULONG_PTR)(-1))
#define DWORD_PTR_ERROR ((DWORD_PTR)(-1))
#define SIZE_T_ERROR    ((SIZE_T)(-1))
#define SIZET_ERROR     SIZE_T_ERROR

/* ---- how each is made -------------------------------------------------------------------------------------------- */

#define OPENND_SAFE_CONVERSION(name, From, To)                      \
    static __inline HRESULT name(From given, To* result) {          \
        if (!__builtin_add_overflow(given, 0, result)) return S_OK; \
        *result = To##_ERROR;                                       \
        return INTSAFE_E_ARITHMETIC_OVERFLOW;                       \
    }

#define OPENND_SAFE_OPERATION(name, Type, operation)                            \
    static __inline HRESULT name(Type one, Type other, Type* result) {          \
        if (!__builtin_##operation##_overflow(one, other, result)) return S_OK; \
        *result = Type##_ERROR;                                                 \
        return INTSAFE_E_ARITHMETIC_OVERFLOW;                                   \
    }

/* To every type; conversions that cannot fail are left out. */
#define OPENND_SAFE_CONVERSIONS(word, From)                    \
    OPENND_SAFE_CONVERSION(word##ToInt8, From, INT8)           \
    OPENND_SAFE_CONVERSION(word##ToUInt8, From, UINT8)         \
    OPENND_SAFE_CONVERSION(word##ToByte, From, BYTE)           \
    OPENND_SAFE_CONVERSION(word##ToChar, From, CHAR)           \
    OPENND_SAFE_CONVERSION(word##ToUChar, From, UCHAR)         \
    OPENND_SAFE_CONVERSION(word##ToShort, From, SHORT)         \
    OPENND_SAFE_CONVERSION(word##ToInt16, From, INT16)         \
    OPENND_SAFE_CONVERSION(word##ToUShort, From, USHORT)       \
    OPENND_SAFE_CONVERSION(word##ToUInt16, From, UINT16)       \
    OPENND_SAFE_CONVERSION(word##ToWord, From, WORD)           \
    OPENND_SAFE_CONVERSION(word##ToInt, From, INT)             \
    OPENND_SAFE_CONVERSION(word##ToInt32, From, INT32)         \
    OPENND_SAFE_CONVERSION(word##ToLong, From, LONG)           \
    OPENND_SAFE_CONVERSION(word##ToUInt, From, UINT)           \
    OPENND_SAFE_CONVERSION(word##ToUInt32, From, UINT32)       \
    OPENND_SAFE_CONVERSION(word##ToULong, From, ULONG)         \
    OPENND_SAFE_CONVERSION(word##ToDWord, From, DWORD)         \
    OPENND_SAFE_CONVERSION(word##ToLongLong, From, LONGLONG)   \
    OPENND_SAFE_CONVERSION(word##ToLong64, From, LONG64)       \
    OPENND_SAFE_CONVERSION(word##ToInt64, From, INT64)         \
    OPENND_SAFE_CONVERSION(word##ToULongLong, From, ULONGLONG) \
    OPENND_SAFE_CONVERSION(word##ToDWordLong, From, DWORDLONG) \
    OPENND_SAFE_CONVERSION(word##ToULong64, From, ULONG64)     \
    OPENND_SAFE_CONVERSION(word##ToDWord64, From, DWORD64)     \
    OPENND_SAFE_CONVERSION(word##ToUInt64, From, UINT64)       \
    OPENND_SAFE_CONVERSION(word##ToIntPtr, From, INT_PTR)      \
    OPENND_SAFE_CONVERSION(word##ToLongPtr, From, LONG_PTR)    \
    OPENND_SAFE_CONVERSION(word##ToSSIZET, From, SSIZE_T)      \
    OPENND_SAFE_CONVERSION(word##ToUIntPtr, From, UINT_PTR)    \
    OPENND_SAFE_CONVERSION(word##ToULongPtr, From, ULONG_PTR)  \
    OPENND_SAFE_CONVERSION(word##ToDWordPtr, From, DWORD_PTR)  \
    OPENND_SAFE_CONVERSION(word##ToSizeT, From, SIZE_T)

#define OPENND_SAFE_OPERATIONS(word, Type)      \
    OPENND_SAFE_OPERATION(word##Add, Type, add) \
    OPENND_SAFE_OPERATION(word##Sub, Type, sub) \
    OPENND_SAFE_OPERATION(word##Mult, Type, mul)

/* ---- the functions: IntToUInt, SizeTAdd and so on ---------------------------------------------------------------- */

/* clang-format off */
OPENND_SAFE_CONVERSIONS(Int8, INT8)
OPENND_SAFE_CONVERSIONS(UInt8, UINT8)
OPENND_SAFE_CONVERSIONS(Byte, BYTE)
OPENND_SAFE_CONVERSIONS(Char, CHAR)
OPENND_SAFE_CONVERSIONS(UChar, UCHAR)
OPENND_SAFE_CONVERSIONS(Short, SHORT)
OPENND_SAFE_CONVERSIONS(Int16, INT16)
OPENND_SAFE_CONVERSIONS(UShort, USHORT)
OPENND_SAFE_CONVERSIONS(UInt16, UINT16)
OPENND_SAFE_CONVERSIONS(Word, WORD)
OPENND_SAFE_CONVERSIONS(Int, INT)
OPENND_SAFE_CONVERSIONS(Int32, INT32)
OPENND_SAFE_CONVERSIONS(Long, LONG)
OPENND_SAFE_CONVERSIONS(UInt, UINT)
OPENND_SAFE_CONVERSIONS(UInt32, UINT32)
OPENND_SAFE_CONVERSIONS(ULong, ULONG)
OPENND_SAFE_CONVERSIONS(DWord, DWORD)
OPENND_SAFE_CONVERSIONS(LongLong, LONGLONG)
OPENND_SAFE_CONVERSIONS(Long64, LONG64)
OPENND_SAFE_CONVERSIONS(Int64, INT64)
OPENND_SAFE_CONVERSIONS(ULongLong, ULONGLONG)
OPENND_SAFE_CONVERSIONS(DWordLong, DWORDLONG)
OPENND_SAFE_CONVERSIONS(ULong64, ULONG64)
OPENND_SAFE_CONVERSIONS(DWord64, DWORD64)
OPENND_SAFE_CONVERSIONS(UInt64, UINT64)
OPENND_SAFE_CONVERSIONS(IntPtr, INT_PTR)
OPENND_SAFE_CONVERSIONS(LongPtr, LONG_PTR)
OPENND_SAFE_CONVERSIONS(SSIZET, SSIZE_T)
OPENND_SAFE_CONVERSIONS(UIntPtr, UINT_PTR)
OPENND_SAFE_CONVERSIONS(ULongPtr, ULONG_PTR)
OPENND_SAFE_CONVERSIONS(DWordPtr, DWORD_PTR)
OPENND_SAFE_CONVERSIONS(SizeT, SIZE_T)

OPENND_SAFE_OPERATIONS(UInt8, UINT8)
OPENND_SAFE_OPERATIONS(Short, SHORT)
OPENND_SAFE_OPERATIONS(Int16, INT16)
OPENND_SAFE_OPERATIONS(UShort, USHORT)
OPENND_SAFE_OPERATIONS(UInt16, UINT16)
OPENND_SAFE_OPERATIONS(Word, WORD)
OPENND_SAFE_OPERATIONS(Int, INT)
OPENND_SAFE_OPERATIONS(Int32, INT32)
OPENND_SAFE_OPERATIONS(Long, LONG)
OPENND_SAFE_OPERATIONS(UInt, UINT)
OPENND_SAFE_OPERATIONS(UInt32, UINT32)
OPENND_SAFE_OPERATIONS(ULong, ULONG)
OPENND_SAFE_OPERATIONS(DWord, DWORD)
OPENND_SAFE_OPERATIONS(LongLong, LONGLONG)
OPENND_SAFE_OPERATIONS(Long64, LONG64)
OPENND_SAFE_OPERATIONS(Int64, INT64)
OPENND_SAFE_OPERATIONS(ULongLong, ULONGLONG)
OPENND_SAFE_OPERATIONS(DWordLong, DWORDLONG)
OPENND_SAFE_OPERATIONS(ULong64, ULONG64)
OPENND_SAFE_OPERATIONS(DWord64, DWORD64)
OPENND_SAFE_OPERATIONS(UInt64, UINT64)
OPENND_SAFE_OPERATIONS(IntPtr, INT_PTR)
OPENND_SAFE_OPERATIONS(LongPtr, LONG_PTR)
OPENND_SAFE_OPERATIONS(SSIZET, SSIZE_T)
OPENND_SAFE_OPERATIONS(UIntPtr, UINT_PTR)
OPENND_SAFE_OPERATIONS(ULongPtr, ULONG_PTR)
OPENND_SAFE_OPERATIONS(DWordPtr, DWORD_PTR)
OPENND_SAFE_OPERATIONS(SizeT, SIZE_T)
/* clang-format on */

#endif
