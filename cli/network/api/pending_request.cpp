// SPDX-License-Identifier: MIT
//
// Read pending_request.h first.
#include "network/api/pending_request.h"

#include "interruption.h"
#include "nd_error.h"

namespace nd {
namespace {

constexpr DWORD kLookAroundMs = 100;

void stop_if_interrupted() {
    if (interrupted()) throw Interrupted();
}

}  // namespace

PendingRequest::PendingRequest() {
    // Manual reset: the provider resets the event when it accepts a request (ND2-OVL-04).
    check(opennd_event_create(1, 0, &overlapped_.hEvent), "make an event", "opennd_event_create");
}

PendingRequest::~PendingRequest() { opennd_handle_close(overlapped_.hEvent); }

HRESULT PendingRequest::wait(const OverlappedObject& object, HRESULT submitted) {
    return wait(object, submitted, stop_if_interrupted);
}

HRESULT PendingRequest::wait(const OverlappedObject& object, HRESULT submitted,
                             const std::function<void()>& look_around) {
    if (submitted != ND_PENDING) return submitted;  // failed, or done at once
    HRESULT waited = ND_TIMEOUT;
    while ((waited = opennd_event_wait(overlapped_.hEvent, kLookAroundMs)) == ND_TIMEOUT) {
        try {
            look_around();
        } catch (...) {
            object.cancel();
            object.result(&overlapped_);
            throw;
        }
    }
    check(waited, "wait for a request", "opennd_event_wait");
    return object.result(&overlapped_);
}

HRESULT PendingRequest::sleep(const OverlappedObject& object, HRESULT submitted) {
    if (submitted != ND_PENDING) return submitted;
    check(opennd_event_wait(overlapped_.hEvent, OPENND_FOREVER), "wait for a request", "opennd_event_wait");
    return object.result(&overlapped_);
}

bool PendingRequest::completed() const {
    // The status is stored with release semantics, as the last access of the provider (ND2-OVL-07).
    return __atomic_load_n(&overlapped_.Internal, __ATOMIC_ACQUIRE) != static_cast<ULONG_PTR>(ND_PENDING);
}

}  // namespace nd
