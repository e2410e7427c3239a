// SPDX-License-Identifier: MIT
// printf and its kin: the formatter's text, to a stream or to memory.
#include "win32/printing.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "windows/text/formatter.h"
#include "windows/text/utf8.h"

using namespace opennd::windows;

namespace {

int length_of(std::size_t length) { return static_cast<int>(length); }

// A stream that another part of the program has used for wide output takes nothing else any more.
bool put(const std::string& text, FILE* stream) {
    if (std::fwide(stream, 0) > 0) return std::fputws(from_utf8(text).c_str(), stream) >= 0;
    return std::fwrite(text.data(), 1, text.size(), stream) == text.size();
}

// Characters as the format's kind of text counts them.
int print(const char* format_text, va_list arguments, FILE* stream) {
    const std::string text = format(format_text, arguments);
    return put(text, stream) ? length_of(text.size()) : -1;
}
int print(const wchar_t* format_text, va_list arguments, FILE* stream) {
    const std::string text = format(format_text, arguments);
    return put(text, stream) ? length_of(from_utf8(text).size()) : -1;
}

std::string text_of(const char* format_text, va_list arguments) { return format(format_text, arguments); }
std::wstring text_of(const wchar_t* format_text, va_list arguments) {
    return from_utf8(format(format_text, arguments));
}

// Copies as much of the text as fits beside the terminator.
template <typename Char>
void copy_cut(const std::basic_string<Char>& text, Char* buffer, std::size_t size) {
    if (size == 0) return;
    const std::size_t length = std::min(text.size(), size - 1);
    std::copy_n(text.data(), length, buffer);
    buffer[length] = 0;
}

// _snprintf: all of the room, the terminator only where there is some.
template <typename Char>
int fill(const std::basic_string<Char>& text, Char* buffer, std::size_t count) {
    std::copy_n(text.data(), std::min(text.size(), count), buffer);
    if (text.size() < count) buffer[text.size()] = 0;
    return text.size() <= count ? length_of(text.size()) : -1;
}

template <typename Char>
int refuse(Char* buffer, std::size_t size, int error) {
    if (buffer != nullptr && size != 0) *buffer = 0;
    errno = error;
    return -1;
}

// sprintf_s: all or nothing.
template <typename Char>
int fit(const std::basic_string<Char>& text, Char* buffer, std::size_t size) {
    if (buffer == nullptr || size == 0) return refuse(buffer, size, EINVAL);
    if (text.size() >= size) return refuse(buffer, size, ERANGE);
    copy_cut(text, buffer, size);
    return length_of(text.size());
}

// _snprintf_s.
template <typename Char>
int cut(const std::basic_string<Char>& text, Char* buffer, std::size_t size, std::size_t count) {
    if (buffer == nullptr || size == 0) return refuse(buffer, size, EINVAL);
    if (count == _TRUNCATE || (text.size() > count && count < size)) {
        const std::size_t room = count == _TRUNCATE ? size : count + 1;
        copy_cut(text, buffer, room);
        return text.size() < room ? length_of(text.size()) : -1;
    }
    return fit(text, buffer, size);
}

// wsprintf, which knows no size but this.
template <typename Char>
int cut_at_1024(const std::basic_string<Char>& text, Char* buffer) {
    constexpr std::size_t kRoom = 1024;
    copy_cut(text, buffer, kRoom);
    return length_of(std::min(text.size(), kRoom - 1));
}

int peek(FILE* stream) { return std::ungetc(std::getc(stream), stream); }
bool is_tail(int byte) { return byte != EOF && (byte & 0xC0) == 0x80; }

}  // namespace

int opennd_vprintf(const char* format, va_list arguments) { return print(format, arguments, stdout); }
int opennd_vfprintf(FILE* stream, const char* format, va_list arguments) { return print(format, arguments, stream); }
int opennd_printf(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = print(format, arguments, stdout);
    va_end(arguments);
    return result;
}

int opennd_fprintf(FILE* stream, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = print(format, arguments, stream);
    va_end(arguments);
    return result;
}

int opennd_vwprintf(const wchar_t* format, va_list arguments) { return print(format, arguments, stdout); }
int opennd_vfwprintf(FILE* stream, const wchar_t* format, va_list arguments) {
    return print(format, arguments, stream);
}
int opennd_wprintf(const wchar_t* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = print(format, arguments, stdout);
    va_end(arguments);
    return result;
}

int opennd_fwprintf(FILE* stream, const wchar_t* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = print(format, arguments, stream);
    va_end(arguments);
    return result;
}

int opennd_vsnprintf(char* buffer, size_t count, const char* format, va_list arguments) {
    const std::string text = text_of(format, arguments);
    copy_cut(text, buffer, count);
    return length_of(text.size());
}

int opennd_vsprintf(char* buffer, const char* format, va_list arguments) {
    return opennd_vsnprintf(buffer, SIZE_MAX, format, arguments);
}

int opennd_vswprintf(wchar_t* buffer, size_t count, const wchar_t* format, va_list arguments) {
    const std::wstring text = text_of(format, arguments);
    copy_cut(text, buffer, count);
    return text.size() < count ? length_of(text.size()) : -1;
}

int opennd_snprintf(char* buffer, size_t count, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = opennd_vsnprintf(buffer, count, format, arguments);
    va_end(arguments);
    return result;
}

int opennd_sprintf(char* buffer, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = opennd_vsprintf(buffer, format, arguments);
    va_end(arguments);
    return result;
}

int opennd_swprintf(wchar_t* buffer, size_t count, const wchar_t* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = opennd_vswprintf(buffer, count, format, arguments);
    va_end(arguments);
    return result;
}

int _vsnprintf(char* buffer, size_t count, const char* format, va_list arguments) {
    return fill(text_of(format, arguments), buffer, count);
}
int _snprintf(char* buffer, size_t count, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = _vsnprintf(buffer, count, format, arguments);
    va_end(arguments);
    return result;
}

int vsprintf_s(char* buffer, size_t size, const char* format, va_list arguments) {
    return fit(text_of(format, arguments), buffer, size);
}
int sprintf_s(char* buffer, size_t size, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = vsprintf_s(buffer, size, format, arguments);
    va_end(arguments);
    return result;
}

int _vsnprintf_s(char* buffer, size_t size, size_t count, const char* format, va_list arguments) {
    return cut(text_of(format, arguments), buffer, size, count);
}
int _snprintf_s(char* buffer, size_t size, size_t count, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = _vsnprintf_s(buffer, size, count, format, arguments);
    va_end(arguments);
    return result;
}

int _vscprintf(const char* format, va_list arguments) { return length_of(text_of(format, arguments).size()); }
int _scprintf(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = _vscprintf(format, arguments);
    va_end(arguments);
    return result;
}

int _vsnwprintf(wchar_t* buffer, size_t count, const wchar_t* format, va_list arguments) {
    return fill(text_of(format, arguments), buffer, count);
}
int _snwprintf(wchar_t* buffer, size_t count, const wchar_t* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = _vsnwprintf(buffer, count, format, arguments);
    va_end(arguments);
    return result;
}

int vswprintf_s(wchar_t* buffer, size_t size, const wchar_t* format, va_list arguments) {
    return fit(text_of(format, arguments), buffer, size);
}
int swprintf_s(wchar_t* buffer, size_t size, const wchar_t* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = vswprintf_s(buffer, size, format, arguments);
    va_end(arguments);
    return result;
}

int _vsnwprintf_s(wchar_t* buffer, size_t size, size_t count, const wchar_t* format, va_list arguments) {
    return cut(text_of(format, arguments), buffer, size, count);
}
int _snwprintf_s(wchar_t* buffer, size_t size, size_t count, const wchar_t* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = _vsnwprintf_s(buffer, size, count, format, arguments);
    va_end(arguments);
    return result;
}

int wvsprintfA(char* buffer, const char* format, va_list arguments) {
    return cut_at_1024(text_of(format, arguments), buffer);
}
int wsprintfA(char* buffer, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = wvsprintfA(buffer, format, arguments);
    va_end(arguments);
    return result;
}

int wvsprintfW(wchar_t* buffer, const wchar_t* format, va_list arguments) {
    return cut_at_1024(text_of(format, arguments), buffer);
}
int wsprintfW(wchar_t* buffer, const wchar_t* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = wvsprintfW(buffer, format, arguments);
    va_end(arguments);
    return result;
}

int _vscwprintf(const wchar_t* format, va_list arguments) { return length_of(text_of(format, arguments).size()); }
int _scwprintf(const wchar_t* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = _vscwprintf(format, arguments);
    va_end(arguments);
    return result;
}

int opennd_fputws(const wchar_t* text, FILE* stream) { return put(to_utf8(text), stream) ? 0 : static_cast<int>(WEOF); }

int _putws(const wchar_t* text) { return put(to_utf8(text) + '\n', stdout) ? 0 : static_cast<int>(WEOF); }

wchar_t* opennd_fgetws(wchar_t* buffer, int count, FILE* stream) {
    if (buffer == nullptr || count <= 0) return nullptr;
    // By bytes: a character is never left half read, though a line may then be given in more parts than Windows would.
    std::string line;
    for (int c = 0; line.size() + 1 < static_cast<std::size_t>(count) || is_tail(peek(stream));) {
        if (c = std::getc(stream); c == EOF) break;
        line += static_cast<char>(c);
        if (c == '\n') break;
    }
    if (line.empty() && count > 1) return nullptr;
    copy_cut(from_utf8(line), buffer, static_cast<std::size_t>(count));
    return buffer;
}
