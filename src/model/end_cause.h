// SPDX-License-Identifier: MIT
// Why a connection that was up is over, as its transport tells it.
#pragma once

#include <cstdint>

#include "base/status.h"

namespace opennd {

enum class EndCause : std::uint8_t {
    disconnect,  // the peer ended it in order
    silence,     // nothing answers any more: the peer's host or the network is gone (ND2-QP-ERR-03)
    reset,       // the peer's process ended without a word, or its host ended the connection
    failure,     // a request failed, or a rule of the wire was broken, at either end
    release,     // this side's queue pair was released
};

// How NotifyDisconnect ends where it tells the cause.
constexpr Status status_of(EndCause cause) {
    switch (cause) {
        case EndCause::disconnect: return Status::disconnected;
        case EndCause::silence: return Status::timed_out;
        case EndCause::release: return Status::canceled;
        case EndCause::reset:
        case EndCause::failure: break;
    }
    return Status::connection_aborted;
}

}  // namespace opennd
