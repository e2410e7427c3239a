// SPDX-License-Identifier: MIT
// See accept_turns.h.
#include "platform/thread/accept_turns.h"

#include <chrono>

#include "platform/process/clock.h"

namespace opennd {
namespace {

constexpr std::chrono::milliseconds kTakeAgain{10};

}  // namespace

// An arrival while more is to be taken anyway begins no second round: rounds would grow in number as long as peers connect.
void AcceptTurns::on_ready(std::uint32_t) {
    if (!goes_on_) take_some();
}

void AcceptTurns::take_some() {
    goes_on_ = false;
    Status status = Status::success;
    for (int taken = 0; taken < kMostInTurn && ok(status); ++taken) status = accept_one();
    if (status == Status::would_block) return;
    goes_on_ = true;
    auto go_on = [self = Ref<AcceptTurns>(this)] { self->take_some(); };
    if (ok(status))
        loop_.post(std::move(go_on));  // the rest has arrived, and no event will report it
    else
        loop_.schedule(now() + kTakeAgain, std::move(go_on));  // the thread must not spin until there is a place
}

}  // namespace opennd
