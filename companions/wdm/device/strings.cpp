// SPDX-License-Identifier: MIT
// Counted strings, and text formatted or copied into a room.
#include "kernel/strings.h"

#include <algorithm>
#include <string>

#include "kernel/macros.h"
#include "ntstrsafe.h"
#include "win32/printing.h"

namespace {

// MaximumLength counts the terminator, in 16 bits.
constexpr SIZE_T kLongest = (MAXUSHORT & ~(sizeof(WCHAR) - 1)) - sizeof(WCHAR);

bool is_room(SIZE_T characters) { return characters != 0 && characters <= NTSTRSAFE_MAX_CCH; }

NTSTATUS print(CHAR* room, SIZE_T characters, const CHAR* format, va_list arguments) {
    if (!is_room(characters)) return STATUS_INVALID_PARAMETER;
    return _vsnprintf_s(room, characters, _TRUNCATE, format, arguments) < 0 ? STATUS_BUFFER_OVERFLOW : STATUS_SUCCESS;
}

NTSTATUS print(WCHAR* room, SIZE_T characters, const WCHAR* format, va_list arguments) {
    if (!is_room(characters)) return STATUS_INVALID_PARAMETER;
    return _vsnwprintf_s(room, characters, _TRUNCATE, format, arguments) < 0 ? STATUS_BUFFER_OVERFLOW : STATUS_SUCCESS;
}

template <typename Char>
NTSTATUS copy(Char* room, SIZE_T characters, const Char* text) {
    if (!is_room(characters)) return STATUS_INVALID_PARAMETER;
    SIZE_T length = 0;
    for (; length + 1 < characters && text[length] != 0; ++length) room[length] = text[length];
    room[length] = 0;
    return text[length] == 0 ? STATUS_SUCCESS : STATUS_BUFFER_OVERFLOW;
}

}  // namespace

VOID RtlInitUnicodeString(PUNICODE_STRING DestinationString, PCWSTR SourceString) {
    *DestinationString = {};
    if (SourceString == nullptr) return;
    const SIZE_T bytes = std::min(std::char_traits<WCHAR>::length(SourceString) * sizeof(WCHAR), kLongest);
    DestinationString->Length = static_cast<USHORT>(bytes);
    DestinationString->MaximumLength = static_cast<USHORT>(bytes + sizeof(WCHAR));
    DestinationString->Buffer = const_cast<PWSTR>(SourceString);
}

NTSTATUS RtlStringCchVPrintfA(PSTR pszDest, SIZE_T cchDest, PCSTR pszFormat, va_list argList) {
    return print(pszDest, cchDest, pszFormat, argList);
}

NTSTATUS RtlStringCchVPrintfW(PWSTR pszDest, SIZE_T cchDest, PCWSTR pszFormat, va_list argList) {
    return print(pszDest, cchDest, pszFormat, argList);
}

NTSTATUS RtlStringCbVPrintfA(PSTR pszDest, SIZE_T cbDest, PCSTR pszFormat, va_list argList) {
    return print(pszDest, cbDest, pszFormat, argList);
}

NTSTATUS RtlStringCbVPrintfW(PWSTR pszDest, SIZE_T cbDest, PCWSTR pszFormat, va_list argList) {
    return print(pszDest, cbDest / sizeof(WCHAR), pszFormat, argList);
}

NTSTATUS RtlStringCchPrintfA(PSTR pszDest, SIZE_T cchDest, PCSTR pszFormat, ...) {
    va_list arguments;
    va_start(arguments, pszFormat);
    const NTSTATUS status = print(pszDest, cchDest, pszFormat, arguments);
    va_end(arguments);
    return status;
}

NTSTATUS RtlStringCchPrintfW(PWSTR pszDest, SIZE_T cchDest, PCWSTR pszFormat, ...) {
    va_list arguments;
    va_start(arguments, pszFormat);
    const NTSTATUS status = print(pszDest, cchDest, pszFormat, arguments);
    va_end(arguments);
    return status;
}

NTSTATUS RtlStringCbPrintfA(PSTR pszDest, SIZE_T cbDest, PCSTR pszFormat, ...) {
    va_list arguments;
    va_start(arguments, pszFormat);
    const NTSTATUS status = print(pszDest, cbDest, pszFormat, arguments);
    va_end(arguments);
    return status;
}

NTSTATUS RtlStringCbPrintfW(PWSTR pszDest, SIZE_T cbDest, PCWSTR pszFormat, ...) {
    va_list arguments;
    va_start(arguments, pszFormat);
    const NTSTATUS status = print(pszDest, cbDest / sizeof(WCHAR), pszFormat, arguments);
    va_end(arguments);
    return status;
}

NTSTATUS RtlStringCchCopyA(PSTR pszDest, SIZE_T cchDest, PCSTR pszSrc) { return copy(pszDest, cchDest, pszSrc); }
NTSTATUS RtlStringCchCopyW(PWSTR pszDest, SIZE_T cchDest, PCWSTR pszSrc) { return copy(pszDest, cchDest, pszSrc); }
NTSTATUS RtlStringCbCopyA(PSTR pszDest, SIZE_T cbDest, PCSTR pszSrc) { return copy(pszDest, cbDest, pszSrc); }
NTSTATUS RtlStringCbCopyW(PWSTR pszDest, SIZE_T cbDest, PCWSTR pszSrc) {
    return copy(pszDest, cbDest / sizeof(WCHAR), pszSrc);
}
