// SPDX-License-Identifier: MIT
// Text within its room: the common core of all functions of strsafe.h.
#include "strsafe.h"

#include <algorithm>
#include <cstdarg>
#include <cstring>
#include <cwchar>

#include "win32/printing.h"

namespace {

constexpr DWORD kKnownFlags = 0xFF | STRSAFE_IGNORE_NULLS | STRSAFE_FILL_BEHIND_NULL | STRSAFE_FILL_ON_FAILURE |
                              STRSAFE_NULL_ON_FAILURE | STRSAFE_NO_TRUNCATION;

std::size_t length_within(const char* text, std::size_t limit) { return strnlen(text, limit); }
std::size_t length_within(const wchar_t* text, std::size_t limit) { return wcsnlen(text, limit); }

// The length; nothing but -1: it was cut. Always ended.
int print(char* out, std::size_t room, const char* format, va_list arguments) {
    return _vsnprintf_s(out, room, _TRUNCATE, format, arguments);
}
int print(wchar_t* out, std::size_t room, const wchar_t* format, va_list arguments) {
    return _vsnwprintf_s(out, room, _TRUNCATE, format, arguments);
}

template <typename Char>
class Destination {
public:
    Destination(Char* text, std::size_t room, DWORD flags) : text_(text), room_(room), flags_(flags) {}

    // STRSAFE_E_INVALID_PARAMETER: nothing can be written there.
    HRESULT check() const {
        const bool usable = text_ != nullptr && room_ != 0 && room_ <= STRSAFE_MAX_CCH;
        return usable && (flags_ & ~kKnownFlags) == 0 ? S_OK : STRSAFE_E_INVALID_PARAMETER;
    }

    // Starts behind the text that is there. The same failure: it has no end.
    HRESULT begin_at_end() {
        at_ = before_ = length_within(text_, room_);
        return at_ < room_ ? S_OK : STRSAFE_E_INVALID_PARAMETER;
    }

    HRESULT append(const Char* source, std::size_t count) {
        const std::size_t fits = room_ - at_ - 1;
        const std::size_t length = std::min(count, length_within(source, std::min(count, fits + 1)));
        std::copy_n(source, std::min(length, fits), text_ + at_);
        at_ += std::min(length, fits);
        text_[at_] = 0;
        return length > fits ? STRSAFE_E_INSUFFICIENT_BUFFER : S_OK;
    }

    HRESULT format(const Char* format, va_list arguments) {
        const int length = print(text_, room_, format, arguments);
        at_ = length < 0 ? length_within(text_, room_) : static_cast<std::size_t>(length);
        return length < 0 ? STRSAFE_E_INSUFFICIENT_BUFFER : S_OK;
    }

    // Carries out the flags after the copy, and gives the text's end.
    HRESULT finish(HRESULT status, Char** end, std::size_t* left) {
        if (FAILED(status))
            fail(status);
        else if ((flags_ & STRSAFE_FILL_BEHIND_NULL) != 0)
            std::memset(text_ + at_ + 1, fill(), (room_ - at_ - 1) * sizeof(Char));
        if (FAILED(status) && status != STRSAFE_E_INSUFFICIENT_BUFFER) return status;
        if (end != nullptr) *end = text_ + at_;
        if (left != nullptr) *left = room_ - at_;
        return status;
    }

private:
    int fill() const { return static_cast<int>(flags_ & 0xFF); }

    void fail(HRESULT status) {
        if ((flags_ & STRSAFE_NO_TRUNCATION) != 0 && status == STRSAFE_E_INSUFFICIENT_BUFFER) end_at(before_);
        if ((flags_ & STRSAFE_NULL_ON_FAILURE) != 0) end_at(0);
        if ((flags_ & STRSAFE_FILL_ON_FAILURE) == 0) return;
        std::memset(text_, fill(), room_ * sizeof(Char));
        end_at(fill() == 0 ? 0 : room_ - 1);
    }
    void end_at(std::size_t at) { text_[at_ = at] = 0; }

    Char* const text_;
    const std::size_t room_;
    const DWORD flags_;
    std::size_t at_ = 0;      // where the end is
    std::size_t before_ = 0;  // where it was
};

template <typename Char>
const Char* or_nothing(const Char* text, DWORD flags) {
    static constexpr Char kNothing[1] = {};
    return text == nullptr && (flags & STRSAFE_IGNORE_NULLS) != 0 ? kNothing : text;
}

template <typename Char>
HRESULT copy(Char* destination, std::size_t room, const Char* source, std::size_t count, Char** end, std::size_t* left,
             DWORD flags, bool behind) {
    Destination<Char> to(destination, room, flags);
    if (const HRESULT status = to.check(); FAILED(status)) return status;
    const Char* const text = or_nothing(source, flags);
    HRESULT status = text != nullptr && count <= STRSAFE_MAX_CCH ? S_OK : STRSAFE_E_INVALID_PARAMETER;
    if (SUCCEEDED(status) && behind) status = to.begin_at_end();
    if (SUCCEEDED(status)) status = to.append(text, count);
    return to.finish(status, end, left);
}

template <typename Char>
HRESULT print(Char* destination, std::size_t room, Char** end, std::size_t* left, DWORD flags, const Char* format,
              va_list arguments) {
    Destination<Char> to(destination, room, flags);
    if (const HRESULT status = to.check(); FAILED(status)) return status;
    const Char* const text = or_nothing(format, flags);
    return to.finish(text != nullptr ? to.format(text, arguments) : STRSAFE_E_INVALID_PARAMETER, end, left);
}

template <typename Char>
HRESULT measure(const Char* text, std::size_t room, std::size_t* length) {
    const bool possible = text != nullptr && room <= STRSAFE_MAX_CCH;
    const std::size_t found = possible ? length_within(text, room) : room;
    const bool ends = possible && found < room;
    if (length != nullptr) *length = ends ? found : 0;
    return ends ? S_OK : STRSAFE_E_INVALID_PARAMETER;
}

}  // namespace

HRESULT StringCchCopyNExA(LPSTR destination, size_t room, LPCSTR source, size_t count, LPSTR* end, size_t* left,
                          DWORD flags) {
    return copy(destination, room, source, count, end, left, flags, false);
}

HRESULT StringCchCopyNExW(LPWSTR destination, size_t room, LPCWSTR source, size_t count, LPWSTR* end, size_t* left,
                          DWORD flags) {
    return copy(destination, room, source, count, end, left, flags, false);
}

HRESULT StringCchCatNExA(LPSTR destination, size_t room, LPCSTR source, size_t count, LPSTR* end, size_t* left,
                         DWORD flags) {
    return copy(destination, room, source, count, end, left, flags, true);
}

HRESULT StringCchCatNExW(LPWSTR destination, size_t room, LPCWSTR source, size_t count, LPWSTR* end, size_t* left,
                         DWORD flags) {
    return copy(destination, room, source, count, end, left, flags, true);
}

HRESULT StringCchVPrintfExA(LPSTR destination, size_t room, LPSTR* end, size_t* left, DWORD flags, LPCSTR format,
                            va_list arguments) {
    return print(destination, room, end, left, flags, format, arguments);
}

HRESULT StringCchVPrintfExW(LPWSTR destination, size_t room, LPWSTR* end, size_t* left, DWORD flags, LPCWSTR format,
                            va_list arguments) {
    return print(destination, room, end, left, flags, format, arguments);
}

HRESULT StringCchLengthA(LPCSTR text, size_t room, size_t* length) { return measure(text, room, length); }

HRESULT StringCchLengthW(LPCWSTR text, size_t room, size_t* length) { return measure(text, room, length); }
