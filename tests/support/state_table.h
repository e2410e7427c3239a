// SPDX-License-Identifier: MIT
// A table of states as text, for tests that write each of its cells down a second time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace opennd::support {

// A letter for each state, in the order of the enumeration: the state that `event` leads to, or '.' where the table has no row.
// `letters` has one letter for each state.
template <typename State, typename Event>
std::string next_letters(Event event, std::string_view letters) {
    std::string found;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const auto next = transition(static_cast<State>(i), event);
        found += next ? letters[static_cast<std::size_t>(*next)] : '.';
    }
    return found;
}

}  // namespace opennd::support
