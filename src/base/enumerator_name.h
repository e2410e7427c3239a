// SPDX-License-Identifier: MIT
// The names of enumerators as they stand in the source, for the log. The compiler knows them: no table beside the enumeration to keep.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace opennd {

// "attached" for QueuePairState::attached; for a value without an enumerator, its number in parentheses or with a cast.
template <auto kValue>
constexpr std::string_view enumerator_name() {
    // GCC: "... [with auto kValue = opennd::Door::open; std::string_view = ...]"; clang: "... [kValue = opennd::Door::open]".
    constexpr std::string_view function = __PRETTY_FUNCTION__;
    constexpr std::size_t begin = function.find("kValue = ") + sizeof("kValue = ") - 1;
    constexpr std::string_view value = function.substr(begin, function.find_first_of(";]", begin) - begin);
    return value.substr(value.rfind(':') + 1);
}

// Names a value of an enumeration that counts from 0, with at most 32 enumerators. "?": the value is beyond them.
template <typename Enum>
constexpr std::string_view enumerator_name(Enum value) {
    constexpr std::size_t kMost = 32;
    constexpr auto names = []<std::size_t... kPlaces>(std::index_sequence<kPlaces...>) {
        return std::array<std::string_view, kMost>{enumerator_name<static_cast<Enum>(kPlaces)>()...};
    }
    (std::make_index_sequence<kMost>());
    const auto place = static_cast<std::size_t>(value);
    return place < kMost ? names[place] : "?";
}

}  // namespace opennd
