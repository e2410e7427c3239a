// SPDX-License-Identifier: MIT
// One pending control operation: connect, register, wait for a completion. A face derives from it to say what
// completion means (spi/overlapped.h: an OVERLAPPED); core does not know which. Read pending_requests.h next.
#pragma once

#include <cstdint>
#include <memory>

#include "base/status.h"

namespace opennd {

// The kinds of events that requests wait for. Bits, so that several kinds can be taken at once.
enum class RequestKind : std::uint16_t {
    notify_errors = 1 << 0,
    notify_solicited = 1 << 1,
    notify_any = 1 << 2,
    connect = 1 << 3,
    complete_connect = 1 << 4,
    accept = 1 << 5,
    notify_disconnect = 1 << 6,
    notify_low = 1 << 7,
    end = 1 << 8,
    every = 0xFFFF,
};

constexpr RequestKind operator|(RequestKind a, RequestKind b) {
    return static_cast<RequestKind>(static_cast<std::uint16_t>(a) | static_cast<std::uint16_t>(b));
}
constexpr bool includes(RequestKind kinds, RequestKind kind) {
    return (static_cast<std::uint16_t>(kinds) & static_cast<std::uint16_t>(kind)) != 0;
}

// Owned by the list or batch that holds it. A refused request is destroyed without a call to either function, so that
// nothing of the caller's is touched (ND2-OVL-02).
class AsyncRequest {
public:
    AsyncRequest() = default;
    AsyncRequest(const AsyncRequest&) = delete;
    AsyncRequest& operator=(const AsyncRequest&) = delete;
    virtual ~AsyncRequest() = default;

    // All inline checks have passed: the request is pending from now on (ND2-OVL-04). Once, before anything can
    // complete it. May be called with the object's lock held: must neither block nor call back.
    virtual void begin() = 0;

    // The outcome. Exactly once, after begin(), with every effect of the request visible (ND2-OVL-07), and with no lock
    // held but those that docs/locking.md has across sinks and callbacks.
    virtual void complete(Status status) = 0;

private:
    friend class RequestList;  // the links below are its alone
    std::unique_ptr<AsyncRequest> next_;
    RequestKind kind_ = RequestKind::every;
    Status status_ = Status::success;
};

}  // namespace opennd
