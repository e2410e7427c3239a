// SPDX-License-Identifier: MIT
// A short text in a buffer of its own: one part of an explanation (explanation.h). Made where memory may have run out
// and nothing may throw; a longer text is cut off, and characters that control a terminal are replaced (printable.h).
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "base/format.h"

namespace opennd {

class Phrase {
public:
    static constexpr std::size_t kMaxBytes = 247;

    constexpr Phrase() = default;
    Phrase& operator=(std::string_view text) noexcept;

    // Ends with "..." if it had to be cut.
    void format(std::string_view text, fmt::format_args arguments) noexcept;

    const char* c_str() const { return bytes_.data(); }  // always terminated
    operator std::string_view() const { return {bytes_.data(), size_}; }

private:
    void end_at(std::size_t wanted_bytes) noexcept;

    std::array<char, kMaxBytes + 1> bytes_{};
    std::size_t size_ = 0;
};

template <typename... Args>
Phrase phrase(fmt::format_string<Args...> checked, Args&&... args) noexcept {
    const fmt::string_view text = checked;
    Phrase phrase;
    phrase.format({text.data(), text.size()}, fmt::make_format_args(args...));
    return phrase;
}

}  // namespace opennd
