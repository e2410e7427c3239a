// SPDX-License-Identifier: MIT
// A value or the reason why there is none. (std::expected is C++23.)
#pragma once

#include <cassert>
#include <utility>
#include <variant>

#include "base/status.h"

namespace opennd {

template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    // A failure. `status` is never success.
    Result(Status status) : state_(std::in_place_index<1>, status) { assert(status != Status::success); }

    bool ok() const { return state_.index() == 0; }
    Status status() const { return ok() ? Status::success : std::get<1>(state_); }

    // Only if ok().
    T& value() { return std::get<0>(state_); }
    const T& value() const { return std::get<0>(state_); }
    T take() { return std::move(std::get<0>(state_)); }

private:
    std::variant<T, Status> state_;
};

}  // namespace opennd
