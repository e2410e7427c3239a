// SPDX-License-Identifier: MIT
//
// Waiting goes through the event, not through GetOverlappedResult(TRUE), because only the event has a deadline.
#include "support/overlapped_request.h"

#include "support/status.h"

namespace opennd::support {

OverlappedRequest::OverlappedRequest() {
    require(opennd_event_create(TRUE, FALSE, &event_), ND_SUCCESS, "opennd_event_create");
    overlapped_.hEvent = event_;
}

OverlappedRequest::~OverlappedRequest() { opennd_handle_close(event_); }

HRESULT OverlappedRequest::wait(IND2Overlapped* object, milliseconds limit) {
    const HRESULT waited = opennd_event_wait(event_, static_cast<DWORD>(limit.count()));
    if (waited == ND_TIMEOUT) return ND_PENDING;
    require(waited, ND_SUCCESS, "opennd_event_wait");
    return object->GetOverlappedResult(&overlapped_, FALSE);
}

HRESULT finish(HRESULT inline_status, OverlappedRequest& request, IND2Overlapped* object) {
    return inline_status == ND_PENDING ? request.wait(object) : inline_status;
}

}  // namespace opennd::support
