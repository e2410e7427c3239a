// SPDX-License-Identifier: MIT
// See phrase.h.
#include "base/phrase.h"

#include <algorithm>
#include <cstring>

#include "base/printable.h"

namespace opennd {

Phrase& Phrase::operator=(std::string_view text) noexcept {
    std::memcpy(bytes_.data(), text.data(), std::min(text.size(), kMaxBytes));
    end_at(text.size());
    return *this;
}

void Phrase::format(std::string_view text, fmt::format_args arguments) noexcept {
    end_at(format_arguments_to(bytes_.data(), kMaxBytes, text, arguments));
}

void Phrase::end_at(std::size_t wanted_bytes) noexcept {
    constexpr std::string_view kCut = "...";
    size_ = std::min(wanted_bytes, kMaxBytes);
    bytes_[size_] = '\0';
    if (wanted_bytes > kMaxBytes) std::memcpy(&bytes_[kMaxBytes - kCut.size()], kCut.data(), kCut.size());
    make_printable({bytes_.data(), size_});
}

}  // namespace opennd
