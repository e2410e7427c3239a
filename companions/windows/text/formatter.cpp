// SPDX-License-Identifier: MIT
// One conversion at a time: it is parsed by Windows' rules, and numbers are then left to this system's snprintf. See
// formatter.h.
#include "windows/text/formatter.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cwchar>
#include <optional>
#include <string_view>
#include <type_traits>

#include "windows/text/utf8.h"

namespace opennd::windows {
namespace {

// How many bits an integer argument has, or which kind of text is meant.
enum class Size { plain, byte, half, narrow_long, wide, bits_32, bits_64 };

struct Conversion {
    std::string flags;  // of "-+ #0"
    std::optional<int> width;
    std::optional<int> precision;
    Size size = Size::plain;
    bool long_double = false;
    char32_t kind = 0;  // 0: the format ended

    bool has_flag(char flag) const { return flags.find(flag) != flags.npos; }
};

template <typename Char>
class Formatter {
public:
    Formatter(const Char* format, va_list arguments) : at_(format) { va_copy(arguments_, arguments); }
    Formatter(const Formatter&) = delete;
    Formatter& operator=(const Formatter&) = delete;
    ~Formatter() { va_end(arguments_); }

    std::string run() {
        while (*at_ != 0) {
            const Char* const start = at_;
            while (*at_ != 0 && *at_ != '%') ++at_;
            append_literal({start, static_cast<std::size_t>(at_ - start)});
            if (*at_ == 0) break;
            ++at_;
            const Conversion conversion = parse();
            if (conversion.kind == 0 || conversion.kind == 'n') break;
            append(conversion);
        }
        return std::move(out_);
    }

private:
    static constexpr bool kWide = std::is_same_v<Char, wchar_t>;

    void append_literal(std::basic_string_view<Char> text) {
        if constexpr (kWide)
            out_ += to_utf8(text);
        else
            out_ += text;
    }

    // ---- reading a conversion ----

    Conversion parse() {
        Conversion conversion;
        for (; *at_ != 0 && *at_ < 128 && std::strchr("-+ #0", static_cast<char>(*at_)) != nullptr; ++at_)
            conversion.flags += static_cast<char>(*at_);
        conversion.width = parse_number();
        if (conversion.width.value_or(0) < 0) {
            conversion.flags += '-';
            conversion.width = -*conversion.width;
        }
        if (*at_ == '.') {
            ++at_;
            conversion.precision = parse_number().value_or(0);
            if (*conversion.precision < 0) conversion.precision.reset();
        }
        parse_size(conversion);
        conversion.kind = static_cast<char32_t>(static_cast<std::make_unsigned_t<Char>>(*at_));
        if (conversion.kind != 0) ++at_;
        return conversion;
    }

    std::optional<int> parse_number() {
        if (*at_ == '*') return ++at_, va_arg(arguments_, int);
        if (*at_ < '0' || *at_ > '9') return std::nullopt;
        int number = 0;
        for (; *at_ >= '0' && *at_ <= '9'; ++at_)
            if (number < 1'000'000) number = number * 10 + static_cast<int>(*at_ - '0');
        return number;
    }

    bool skip(std::string_view word) {
        for (std::size_t i = 0; i < word.size(); ++i)
            if (at_[i] != static_cast<Char>(word[i])) return false;
        at_ += word.size();
        return true;
    }

    void parse_size(Conversion& conversion) {
        if (skip("I64") || skip("ll") || skip("j") || skip("z") || skip("t"))
            conversion.size = Size::bits_64;
        else if (skip("I32"))
            conversion.size = Size::bits_32;
        else if (skip("I"))
            conversion.size = Size::bits_64;
        else if (skip("hh"))
            conversion.size = Size::byte;
        else if (skip("h"))
            conversion.size = Size::half;
        else if (skip("l"))
            conversion.size = Size::narrow_long;
        else if (skip("w"))
            conversion.size = Size::wide;
        else if (skip("L"))
            conversion.long_double = true;
    }

    // ---- writing its text ----

    void append(const Conversion& conversion) {
        switch (conversion.kind) {
            case 'd':
            case 'i': return append_number(conversion, "ll", 'd', signed_argument(conversion.size));
            case 'o':
            case 'u':
            case 'x':
            case 'X':
                return append_number(conversion, "ll", static_cast<char>(conversion.kind),
                                     unsigned_argument(conversion.size));
            case 'e':
            case 'E':
            case 'f':
            case 'F':
            case 'g':
            case 'G':
            case 'a':
            case 'A':
                if (conversion.long_double)
                    return append_number(conversion, "L", static_cast<char>(conversion.kind),
                                         va_arg(arguments_, long double));
                return append_number(conversion, "", static_cast<char>(conversion.kind), va_arg(arguments_, double));
            case 'p': return append_pointer(conversion);
            case 'c':
            case 'C': return append_character(conversion);
            case 's':
            case 'S': return append_text(conversion);
            case 'Z': return append_counted(conversion);
            default:  // "%%", and a letter that means nothing stands for itself
                out_ += to_utf8(std::wstring(1, static_cast<wchar_t>(conversion.kind)));
        }
    }

    std::intmax_t signed_argument(Size size) {
        switch (size) {
            case Size::bits_64: return va_arg(arguments_, std::int64_t);
            case Size::byte: return static_cast<signed char>(va_arg(arguments_, int));
            case Size::half: return static_cast<short>(va_arg(arguments_, int));
            default: return va_arg(arguments_, int);
        }
    }

    std::uintmax_t unsigned_argument(Size size) {
        switch (size) {
            case Size::bits_64: return va_arg(arguments_, std::uint64_t);
            case Size::byte: return static_cast<unsigned char>(va_arg(arguments_, unsigned));
            case Size::half: return static_cast<unsigned short>(va_arg(arguments_, unsigned));
            default: return va_arg(arguments_, unsigned);
        }
    }

    template <typename Number>
    void append_number(const Conversion& conversion, const char* size, char kind, Number number) {
        std::string wanted = "%" + conversion.flags;
        if (conversion.width) wanted += std::to_string(*conversion.width);
        if (conversion.precision) wanted.append(".").append(std::to_string(*conversion.precision));
        wanted += size;
        wanted += kind;
        char text[64];
        const int length = std::snprintf(text, sizeof text, wanted.c_str(), number);
        if (length < 0) return;
        if (static_cast<std::size_t>(length) < sizeof text) {
            out_.append(text, static_cast<std::size_t>(length));
            return;
        }
        const std::size_t before = out_.size();
        out_.resize(before + static_cast<std::size_t>(length) + 1);
        std::snprintf(out_.data() + before, static_cast<std::size_t>(length) + 1, wanted.c_str(), number);
        out_.pop_back();
    }

    void append_pointer(const Conversion& conversion) {
        char text[17];
        std::snprintf(text, sizeof text, "%016jX",
                      static_cast<std::uintmax_t>(reinterpret_cast<std::uintptr_t>(va_arg(arguments_, void*))));
        append_padded(conversion, text, 16);
    }

    // A plain conversion is of the format's own kind of text, in capitals of the other; a size decides.
    bool is_wide_text(const Conversion& conversion) const {
        if (conversion.size == Size::half) return false;
        if (conversion.size == Size::narrow_long || conversion.size == Size::wide) return true;
        const bool other = conversion.kind == 'S' || conversion.kind == 'C';
        return kWide != other;
    }

    void append_character(const Conversion& conversion) {
        const int character = va_arg(arguments_, int);
        const std::string text = is_wide_text(conversion) ? to_utf8(std::wstring(1, static_cast<wchar_t>(character)))
                                                          : std::string(1, static_cast<char>(character));
        append_padded(conversion, text, 1);
    }

    void append_text(const Conversion& conversion) {
        const auto limit = static_cast<std::size_t>(conversion.precision.value_or(INT32_MAX));
        if (is_wide_text(conversion)) {
            const wchar_t* const given = va_arg(arguments_, const wchar_t*);
            const wchar_t* const text = given != nullptr ? given : L"(null)";
            const std::size_t length = wcsnlen(text, limit);
            append_padded(conversion, to_utf8({text, length}), length);
        } else {
            const char* const given = va_arg(arguments_, const char*);
            const char* const text = given != nullptr ? given : "(null)";
            const std::size_t length = strnlen(text, limit);
            append_padded(conversion, {text, length}, length);
        }
    }

    // %wZ a UNICODE_STRING, %hZ and in narrow formats %Z an ANSI_STRING: lengths in bytes, then the text.
    struct Counted {
        std::uint16_t bytes;
        std::uint16_t room;
        const void* text;
    };

    void append_counted(const Conversion& conversion) {
        const auto* const string = va_arg(arguments_, const Counted*);
        if (string == nullptr || string->text == nullptr) return append_padded(conversion, "(null)", 6);
        if (is_wide_text(conversion)) {
            const std::wstring_view text(static_cast<const wchar_t*>(string->text), string->bytes / sizeof(wchar_t));
            append_padded(conversion, to_utf8(text), text.size());
        } else {
            append_padded(conversion, {static_cast<const char*>(string->text), string->bytes}, string->bytes);
        }
    }

    // `length` is in characters.
    void append_padded(const Conversion& conversion, std::string_view text, std::size_t length) {
        const auto width = static_cast<std::size_t>(conversion.width.value_or(0));
        const std::size_t padding = width > length ? width - length : 0;
        const bool left = conversion.has_flag('-');
        if (!left) out_.append(padding, conversion.has_flag('0') ? '0' : ' ');
        out_ += text;
        if (left) out_.append(padding, ' ');
    }

    const Char* at_;
    va_list arguments_;
    std::string out_;
};

}  // namespace

std::string format(const char* format, va_list arguments) { return Formatter<char>(format, arguments).run(); }
std::string format(const wchar_t* format, va_list arguments) { return Formatter<wchar_t>(format, arguments).run(); }

}  // namespace opennd::windows
