// SPDX-License-Identifier: MIT
//
// OverlappedRequest: an OVERLAPPED with an event of its own, waited for with a deadline. It must live until the request
// it was given to is complete or the object that took it is released (ND2-COM-10).
#pragma once

#include <opennd.h>

#include "support/deadline.h"

namespace opennd::support {

class OverlappedRequest {
public:
    OverlappedRequest();
    OverlappedRequest(const OverlappedRequest&) = delete;
    OverlappedRequest& operator=(const OverlappedRequest&) = delete;
    ~OverlappedRequest();

    OVERLAPPED* get() { return &overlapped_; }
    HANDLE event() const { return event_; }

    // Waits for the event and returns the status of the request, read through `object`, which may be any object
    // (ND2-OVL-19). ND_PENDING means: not complete by the deadline.
    HRESULT wait(IND2Overlapped* object, milliseconds limit = kDeadline);

private:
    OVERLAPPED overlapped_{};
    HANDLE event_ = nullptr;
};

// For calls that return ND_PENDING: waits and returns the status. Any other inline result is returned as is.
HRESULT finish(HRESULT inline_status, OverlappedRequest& request, IND2Overlapped* object);

}  // namespace opennd::support
