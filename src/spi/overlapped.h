// SPDX-License-Identifier: MIT
// An OVERLAPPED as a request: pending, then complete, in the order that programs rely on (spec nd2 section 3.2).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "base/ref.h"
#include "core/async_request.h"
#include "ndspi.h"
#include "platform/event.h"
#include "platform/overlapped_file.h"
#include "spi/at_face.h"
#include "spi/status_map.h"

namespace opennd {

// The OVERLAPPED belongs to the program and is touched from begin() to the store of the final status, and never else.
// The event and the file are captured before, so that the program may close both handles (ND2-OVL-06, ND2-FILE-02).
class Overlapped final : public AsyncRequest {
public:
    // ND_SUCCESS; ND_INVALID_PARAMETER: NULL; ND_INVALID_HANDLE: hEvent names something that is not an event.
    static HRESULT create(OVERLAPPED* overlapped, Ref<OverlappedFile> file, std::unique_ptr<AsyncRequest>& request);

    void begin() override;
    void complete(Status status) override;

private:
    Overlapped(OVERLAPPED* overlapped, Ref<Event> event, Ref<OverlappedFile> file);

    OVERLAPPED* const overlapped_;
    const Ref<Event> event_;          // null: none
    const Ref<OverlappedFile> file_;  // null: bit 0 of hEvent asks for no packet (ND2-OVL-05)
};

// The status of a request of any object (ND2-OVL-17 to -20). ND_PENDING: in progress, and `wait` is false.
HRESULT overlapped_result(OVERLAPPED* overlapped, bool wait) noexcept;

// Runs `start`, a function from the request to a Status, and gives what an overlapped method returns: ND_PENDING once
// it is accepted, never ND_SUCCESS (ND2-OVL-01).
template <typename Start>
HRESULT submit(OVERLAPPED* overlapped, const Ref<OverlappedFile>& file, Start&& start) noexcept {
    return at_face([&]() -> HRESULT {
        std::unique_ptr<AsyncRequest> request;
        if (const HRESULT refusal = Overlapped::create(overlapped, file, request); FAILED(refusal)) return refusal;
        const Status status = start(std::move(request));
        return ok(status) ? ND_PENDING : to_hresult(status);
    });
}

}  // namespace opennd
