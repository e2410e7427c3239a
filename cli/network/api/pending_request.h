// SPDX-License-Identifier: MIT
//
// PendingRequest: an OVERLAPPED with an event of its own, and the wait for it that SIGINT can end.
#pragma once

#include "network/api/of_one_api.h"

#include <opennd.h>

#include <functional>

namespace nd {

class PendingRequest {
public:
    PendingRequest();
    ~PendingRequest();  // the request must have ended: release the object it was made on first
    PendingRequest(const PendingRequest&) = delete;
    PendingRequest& operator=(const PendingRequest&) = delete;

    OVERLAPPED* overlapped() { return &overlapped_; }

    // Waits for the request that object's method answered with `submitted`, and returns its final status. object has the
    // request cancelled, and Interrupted is thrown, if SIGINT comes first.
    HRESULT wait(const OverlappedObject& object, HRESULT submitted);

    // The same, calling look_around ten times a second meanwhile; that may throw, and the request is cancelled.
    HRESULT wait(const OverlappedObject& object, HRESULT submitted, const std::function<void()>& look_around);

    // The same without a look at anything else: only the request's end, or object's cancel() by another thread, ends it.
    HRESULT sleep(const OverlappedObject& object, HRESULT submitted);

    // Whether the request has completed; a plain load.
    bool completed() const;

private:
    OVERLAPPED overlapped_ = {};
};

}  // namespace nd
