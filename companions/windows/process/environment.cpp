// SPDX-License-Identifier: MIT
// Environment variables, in UTF-8 underneath.
#include "win32/environment.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "windows/last_error.h"
#include "windows/text/utf8.h"

using namespace opennd::windows;

namespace {

std::optional<std::string> value_of(const std::string& name) {
    const char* const value = std::getenv(name.c_str());
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

std::string expand(std::string_view text) {
    std::string expanded;
    while (!text.empty()) {
        const auto begin = text.find('%');
        expanded += text.substr(0, begin);
        if (begin == text.npos) break;
        text.remove_prefix(begin + 1);
        const auto end = text.find('%');
        const auto value = end == text.npos ? std::nullopt : value_of(std::string(text.substr(0, end)));
        if (value) {
            expanded += *value;
            text.remove_prefix(end + 1);
        } else {
            expanded += '%';  // the rest may name a variable between later percent signs
        }
    }
    return expanded;
}

BOOL set(const std::string& name, const std::optional<std::string>& value) {
    const int failed = value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
    return failed == 0 ? TRUE : fail(ERROR_INVALID_PARAMETER, FALSE);
}

// Whether `text` and its terminator fit in the room, into which they are copied then.
template <typename Char>
bool copy(const std::basic_string<Char>& text, Char* buffer, DWORD room) {
    if (buffer == nullptr || text.size() + 1 > room) return false;
    std::memcpy(buffer, text.c_str(), (text.size() + 1) * sizeof(Char));
    return true;
}

template <typename Char>
DWORD give_value(const std::optional<std::basic_string<Char>>& value, Char* buffer, DWORD room) {
    if (!value) return fail(ERROR_ENVVAR_NOT_FOUND, DWORD{0});
    return static_cast<DWORD>(copy(*value, buffer, room) ? value->size() : value->size() + 1);
}

template <typename Char>
DWORD give_expanded(const std::basic_string<Char>& text, Char* buffer, DWORD room) {
    copy(text, buffer, room);
    return static_cast<DWORD>(text.size() + 1);
}

// getenv_s.
template <typename Char>
errno_t copy_or_empty(const std::optional<std::basic_string<Char>>& value, std::size_t* needed, Char* buffer,
                      std::size_t room) {
    *needed = value ? value->size() + 1 : 0;
    if (room == 0) return 0;
    buffer[0] = Char{};
    if (*needed > room) return ERANGE;
    if (value) std::memcpy(buffer, value->c_str(), *needed * sizeof(Char));
    return 0;
}

std::optional<std::wstring> wide(const std::optional<std::string>& text) {
    return text ? std::optional(from_utf8(*text)) : std::nullopt;
}

}  // namespace

DWORD GetEnvironmentVariableA(LPCSTR lpName, LPSTR lpBuffer, DWORD nSize) {
    return lpName != nullptr ? give_value(value_of(lpName), lpBuffer, nSize) : fail(ERROR_INVALID_PARAMETER, DWORD{0});
}

DWORD GetEnvironmentVariableW(LPCWSTR lpName, LPWSTR lpBuffer, DWORD nSize) {
    return lpName != nullptr ? give_value(wide(value_of(to_utf8(lpName))), lpBuffer, nSize)
                             : fail(ERROR_INVALID_PARAMETER, DWORD{0});
}

BOOL SetEnvironmentVariableA(LPCSTR lpName, LPCSTR lpValue) {
    if (lpName == nullptr) return fail(ERROR_INVALID_PARAMETER, FALSE);
    return set(lpName, lpValue != nullptr ? std::optional<std::string>(lpValue) : std::nullopt);
}

BOOL SetEnvironmentVariableW(LPCWSTR lpName, LPCWSTR lpValue) {
    if (lpName == nullptr) return fail(ERROR_INVALID_PARAMETER, FALSE);
    return set(to_utf8(lpName), lpValue != nullptr ? std::optional(to_utf8(lpValue)) : std::nullopt);
}

DWORD ExpandEnvironmentStringsA(LPCSTR lpSrc, LPSTR lpDst, DWORD nSize) {
    return lpSrc != nullptr ? give_expanded(expand(lpSrc), lpDst, nSize) : fail(ERROR_INVALID_PARAMETER, DWORD{0});
}

DWORD ExpandEnvironmentStringsW(LPCWSTR lpSrc, LPWSTR lpDst, DWORD nSize) {
    return lpSrc != nullptr ? give_expanded(from_utf8(expand(to_utf8(lpSrc))), lpDst, nSize)
                            : fail(ERROR_INVALID_PARAMETER, DWORD{0});
}

errno_t getenv_s(size_t* needed, char* buffer, size_t size, const char* name) {
    if (needed == nullptr || name == nullptr || (buffer == nullptr && size != 0)) return EINVAL;
    return copy_or_empty(value_of(name), needed, buffer, size);
}

errno_t _wgetenv_s(size_t* needed, wchar_t* buffer, size_t size, const wchar_t* name) {
    if (needed == nullptr || name == nullptr || (buffer == nullptr && size != 0)) return EINVAL;
    return copy_or_empty(wide(value_of(to_utf8(name))), needed, buffer, size);
}
