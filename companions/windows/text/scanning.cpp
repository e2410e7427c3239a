// SPDX-License-Identifier: MIT
// sscanf_s: one conversion at a time is left to this system's sscanf, with sizes as Windows means them and with room for
// text as a width.
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "win32/printing.h"

namespace {

class Scanner {
public:
    Scanner(const char* text, const char* format, va_list arguments) : text_(text), at_(format) {
        va_copy(arguments_, arguments);
    }
    Scanner(const Scanner&) = delete;
    Scanner& operator=(const Scanner&) = delete;
    ~Scanner() { va_end(arguments_); }

    int run() {
        while (*at_ != 0) {
            const bool matched = *at_ == '%' && at_[1] != '%' ? match_conversion() : match_literal();
            if (!matched) break;
        }
        return count_ == 0 && ended_early_ ? EOF : count_;
    }

private:
    // White space matches any amount of it, everything else itself.
    bool match_literal() {
        const std::size_t length = *at_ == '%' ? 2 : 1;
        const std::string wanted = std::string(at_, length) + "%n";
        int used = -1;
        std::sscanf(text_, wanted.c_str(), &used);
        at_ += length;
        if (used < 0) return false;
        text_ += used;
        return true;
    }

    bool match_conversion() {
        ++at_;
        const bool ignored = *at_ == '*';
        if (ignored) ++at_;
        std::string width;
        while (*at_ >= '0' && *at_ <= '9') width += *at_++;
        const std::string size = parse_size();
        const std::string kind = parse_kind();
        if (kind.empty()) return false;
        if (kind == "n") return *va_arg(arguments_, int*) = consumed(), true;
        void* const target = ignored ? nullptr : va_arg(arguments_, void*);
        if (!ignored && std::strchr("sc[", kind[0]) != nullptr && !limit_width(width, kind[0])) return false;
        return scan((ignored ? "%*" : "%") + width + size + kind, target);
    }

    // The size for this system's sscanf: `l` and I32 are 32 bits.
    std::string parse_size() {
        const auto skip = [this](const char* word) {
            const std::size_t length = std::strlen(word);
            if (std::strncmp(at_, word, length) != 0) return false;
            at_ += length;
            return true;
        };
        if (skip("I64") || skip("ll") || skip("j") || skip("z") || skip("t")) return "ll";
        if (skip("I32")) return "";
        if (skip("I")) return "ll";
        if (skip("hh")) return "hh";
        if (skip("h")) return "h";
        if (skip("L")) return "L";
        if (skip("l")) return std::strchr("efgaEFGA", *at_) != nullptr ? "l" : "";
        return "";
    }

    // The letter, or the whole set of %[; empty: the format ended.
    std::string parse_kind() {
        if (*at_ != '[') return *at_ == 0 ? std::string() : std::string(1, *at_++);
        const char* const start = at_++;
        if (*at_ == '^') ++at_;
        if (*at_ == ']') ++at_;
        while (*at_ != 0 && *at_ != ']') ++at_;
        if (*at_ == 0) return {};
        return std::string(start, static_cast<std::size_t>(++at_ - start));
    }

    // Takes the size of the buffer, and a terminator off it but for %c. False: the conversion's width does not fit.
    bool limit_width(std::string& width, char kind) {
        const unsigned size = va_arg(arguments_, unsigned);
        const unsigned room = kind == 'c' || size == 0 ? size : size - 1;
        const unsigned asked = width.empty() ? (kind == 'c' ? 1u : 0u) : static_cast<unsigned>(std::stoul(width));
        if (room == 0 || asked > room) return false;
        // One more than there is room for, so that text too long is noticed before it is written.
        if (kind == 's' || kind == '[') too_long_ = asked == 0 ? room : 0;
        return true;
    }

    bool scan(const std::string& conversion, void* target) {
        if (too_long_ != 0 && !fits(conversion)) return false;
        too_long_ = 0;
        const std::string wanted = conversion + "%n";
        int used = -1;
        const int result = target != nullptr ? std::sscanf(text_, wanted.c_str(), target, &used)
                                             : std::sscanf(text_, wanted.c_str(), &used);
        if (used < 0) return ended_early_ = result == EOF, false;
        text_ += used;
        if (target != nullptr) ++count_;
        return true;
    }

    // Reads without storing: how long the text is.
    bool fits(const std::string& conversion) {
        int before = 0;
        int after = -1;
        const bool skips_space = conversion.back() == 's';
        if (skips_space) std::sscanf(text_, " %n", &before);
        std::sscanf(text_, ("%*" + conversion.substr(1) + "%n").c_str(), &after);
        return after < 0 || static_cast<unsigned>(after - before) <= too_long_;
    }

    int consumed() const { return static_cast<int>(text_ - begin_); }

    const char* text_;
    const char* const begin_ = text_;
    const char* at_;
    va_list arguments_;
    int count_ = 0;
    unsigned too_long_ = 0;  // characters that there is room for; 0: no limit to check
    bool ended_early_ = false;
};

}  // namespace

int sscanf_s(const char* text, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int count = Scanner(text, format, arguments).run();
    va_end(arguments);
    return count;
}
