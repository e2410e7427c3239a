// SPDX-License-Identifier: MIT
// Copying text with a limit, numbers out of wide text, memory with an alignment.
#include "win32/text.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

namespace {

std::size_t length_within(const char* text, std::size_t limit) { return strnlen(text, limit); }
std::size_t length_within(const wchar_t* text, std::size_t limit) { return wcsnlen(text, limit); }

// Appends at most `count` characters of `source` at `at`, which is within the room of `size` characters.
template <typename Char>
errno_t append(Char* destination, std::size_t size, std::size_t at, const Char* source, std::size_t count) {
    const std::size_t wanted = length_within(source, count);
    const std::size_t room = size - at - 1;
    if (wanted > room && count != _TRUNCATE) return destination[0] = 0, ERANGE;
    const std::size_t length = std::min(wanted, room);
    std::copy_n(source, length, destination + at);
    destination[at + length] = 0;
    return wanted > room ? STRUNCATE : 0;
}

template <typename Char>
errno_t copy(Char* destination, std::size_t size, const Char* source, std::size_t count) {
    if (destination == nullptr || size == 0) return EINVAL;
    if (source == nullptr) return destination[0] = 0, EINVAL;
    return append(destination, size, 0, source, count);
}

template <typename Char>
errno_t concatenate(Char* destination, std::size_t size, const Char* source, std::size_t count) {
    if (destination == nullptr || size == 0) return EINVAL;
    const std::size_t length = length_within(destination, size);
    if (source == nullptr || length == size) return destination[0] = 0, EINVAL;
    return append(destination, size, length, source, count);
}

// NULL comes before every text.
template <typename Char, typename Compare>
int compare_or_null(const Char* one, const Char* other, Compare compare) {
    if (one == nullptr || other == nullptr) return (one != nullptr) - (other != nullptr);
    return compare(one, other);
}

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max() - 1;  // not _TRUNCATE

}  // namespace

errno_t strcpy_s(char* destination, size_t size, const char* source) { return copy(destination, size, source, kAll); }
errno_t strncpy_s(char* destination, size_t size, const char* source, size_t count) {
    return copy(destination, size, source, count);
}
errno_t strcat_s(char* destination, size_t size, const char* source) {
    return concatenate(destination, size, source, kAll);
}
errno_t strncat_s(char* destination, size_t size, const char* source, size_t count) {
    return concatenate(destination, size, source, count);
}
errno_t wcscpy_s(wchar_t* destination, size_t size, const wchar_t* source) {
    return copy(destination, size, source, kAll);
}
errno_t wcsncpy_s(wchar_t* destination, size_t size, const wchar_t* source, size_t count) {
    return copy(destination, size, source, count);
}
errno_t wcscat_s(wchar_t* destination, size_t size, const wchar_t* source) {
    return concatenate(destination, size, source, kAll);
}
errno_t wcsncat_s(wchar_t* destination, size_t size, const wchar_t* source, size_t count) {
    return concatenate(destination, size, source, count);
}

errno_t memcpy_s(void* destination, size_t size, const void* source, size_t count) {
    if (count == 0) return 0;
    if (destination == nullptr) return EINVAL;
    if (source == nullptr || size < count) {
        std::memset(destination, 0, size);
        return source == nullptr ? EINVAL : ERANGE;
    }
    std::memcpy(destination, source, count);
    return 0;
}

int lstrlenA(const char* text) { return text == nullptr ? 0 : static_cast<int>(std::strlen(text)); }
int lstrlenW(const wchar_t* text) { return text == nullptr ? 0 : static_cast<int>(std::wcslen(text)); }
int lstrcmpA(const char* one, const char* other) { return compare_or_null(one, other, std::strcmp); }
int lstrcmpW(const wchar_t* one, const wchar_t* other) { return compare_or_null(one, other, std::wcscmp); }
int lstrcmpiA(const char* one, const char* other) { return compare_or_null(one, other, strcasecmp); }
int lstrcmpiW(const wchar_t* one, const wchar_t* other) { return compare_or_null(one, other, wcscasecmp); }

int _wtoi(const wchar_t* text) {
    const long long number = std::wcstoll(text, nullptr, 10);
    return static_cast<int>(std::clamp<long long>(number, INT32_MIN, INT32_MAX));
}
int _wtol(const wchar_t* text) { return _wtoi(text); }
int64_t _wtoi64(const wchar_t* text) { return std::wcstoll(text, nullptr, 10); }
int64_t _atoi64(const char* text) { return std::strtoll(text, nullptr, 10); }

void* _aligned_malloc(size_t size, size_t alignment) {
    void* memory = nullptr;
    const bool possible = std::has_single_bit(alignment);
    const int error = possible ? posix_memalign(&memory, std::max(alignment, sizeof(void*)), size) : EINVAL;
    if (error == 0) return memory;
    errno = error;
    return nullptr;
}

void _aligned_free(void* memory) { std::free(memory); }
