// SPDX-License-Identifier: MIT
// States that change by a table. A table is an array of rows, beside a function transition(state, event) that looks a row up;
// a StateMachine holds one state and changes it by that function alone.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/enumerator_name.h"

namespace opennd {

// One row: `event` in `state` leads to `next`. An event without a row is not allowed in that state.
template <typename State, typename Event>
struct Transition {
    State state;
    Event event;
    State next;
};

// The next state, or nothing where the table has no row.
template <typename State, typename Event, std::size_t kRows>
constexpr std::optional<State> find_next(const std::array<Transition<State, Event>, kRows>& table, State state,
                                         Event event) {
    for (const Transition<State, Event>& row : table)
        if (row.state == state && row.event == event) return row.next;
    return std::nullopt;
}

// One line in the log at the level debug: the machine, by its table's name and its address, and the change.
void log_change(std::string_view table, const void* machine, std::string_view state, std::string_view event,
                std::string_view next);

// An event came that its table does not allow, which is a fault of OpenND: a line in the log, and the end of a program with
// assertions. `table` names the table.
[[gnu::cold]] void report_missing_row(std::string_view table, std::string_view state, std::string_view event);

// Not thread-safe: the owner's lock guards it.
template <typename State, typename Event>
class StateMachine {
public:
    // `table`: its name for the log, of static storage.
    StateMachine(std::string_view table, State initial) : table_(table), state_(initial) {}
    StateMachine(const StateMachine&) = delete;
    StateMachine& operator=(const StateMachine&) = delete;

    State state() const { return state_; }
    bool operator==(State state) const { return state_ == state; }

    // Returns false if the table does not allow it; nothing has changed then.
    [[nodiscard]] bool advance(Event event) {
        const std::optional<State> next = transition(state_, event);
        if (!next) return false;
        log_change(table_, this, enumerator_name(state_), enumerator_name(event), enumerator_name(*next));
        state_ = *next;
        return true;
    }
    // For an event that the caller knows to be allowed.
    void must_advance(Event event) {
        if (!advance(event)) report_missing_row(table_, enumerator_name(state_), enumerator_name(event));
    }

private:
    const std::string_view table_;
    State state_;
};

}  // namespace opennd
