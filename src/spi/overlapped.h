// SPDX-License-Identifier: MIT
// An OVERLAPPED as a request: pending, then complete, in the order that programs rely on.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "base/ref.h"
#include "core/request/async_request.h"
#include "ndspi.h"
#include "platform/waiting/completion_port.h"
#include "platform/waiting/event.h"
#include "platform/waiting/wait_point.h"
#include "spi/at_face.h"
#include "spi/status_meaning.h"

namespace opennd {

// Rules that differ between faces.
struct OverlappedRules {
    HRESULT (*number)(Status);  // of a failure, and of the outcome
    // ND_SUCCESS for a request that is complete when the call returns (ND1-OV-04); otherwise ND_PENDING, never ND_SUCCESS
    // (ND2-OVL-01).
    bool completes_inline = false;
    bool event_first = false;  // the event before the packet (ND1-OV-02); otherwise after it (ND2-OVL-07)
};
inline constexpr OverlappedRules kNd2Overlapped{.number = to_hresult};

// The OVERLAPPED belongs to the program; it is touched from begin() to the store of the final status only.
// The event and the file are captured before, so that the program may close both handles (ND2-OVL-06, ND2-FILE-02).
class Overlapped final : public AsyncRequest {
public:
    // ND_SUCCESS; ND_INVALID_PARAMETER: NULL; ND_INVALID_HANDLE: hEvent names something that is not an event.
    // `object` names the program's object that takes the request, for the checking layer.
    static HRESULT create(OVERLAPPED* overlapped, Ref<OverlappedFile> file, const OverlappedRules& rules,
                          std::unique_ptr<AsyncRequest>& request, const void* object = nullptr);

    void begin() override;
    void complete(Status status) override;

private:
    Overlapped(OVERLAPPED* overlapped, Ref<Event> event, Ref<OverlappedFile> file, const OverlappedRules& rules);

    OVERLAPPED* const overlapped_;
    const OverlappedRules rules_;
    const Ref<Event> event_;          // null: none
    const Ref<OverlappedFile> file_;  // null: bit 0 of hEvent asks for no packet (ND2-OVL-05)
};

// The status of a request of any object (ND2-OVL-17 to -20). ND_PENDING: in progress, and `wait` is false. `object`: the one that is
// asked, for the checking layer; null: none.
HRESULT overlapped_result(OVERLAPPED* overlapped, bool wait, const void* object = nullptr) noexcept;

// The submission that the calling thread is in: notices that its request completes before the call returns, without
// looking at an OVERLAPPED that is the program's again by then.
class Submission {
public:
    explicit Submission(const AsyncRequest& request) : request_(&request), outer_(current_) { current_ = this; }
    Submission(const Submission&) = delete;
    Submission& operator=(const Submission&) = delete;
    ~Submission() { current_ = outer_; }

    static void note_completed(const AsyncRequest& request, Status status) {
        if (current_ && current_->request_ == &request) current_->succeeded_ = ok(status);
    }
    bool succeeded() const { return succeeded_; }

private:
    static constinit thread_local Submission* current_;

    const AsyncRequest* const request_;  // only compared
    Submission* const outer_;
    bool succeeded_ = false;
};

// Runs `start`, a function from the request to a Status, and returns the result of the overlapped method: the refusal,
// or ND_PENDING once the request is accepted; or ND_SUCCESS where the rules allow it and the request has succeeded in
// this thread already. What it leaves to the service thread this thread does at the end.
template <typename Start>
HRESULT submit(OVERLAPPED* overlapped, const void* object, const Ref<OverlappedFile>& file,
               const OverlappedRules& rules, Start&& start) noexcept {
    return at_face([&]() -> HRESULT {
        try {
            std::unique_ptr<AsyncRequest> request;
            if (const HRESULT refusal = Overlapped::create(overlapped, file, rules, request, object); FAILED(refusal))
                return refusal;
            const ProgramCall call;
            const Submission submission(*request);
            const Status status = start(std::move(request));
            if (!ok(status)) return rules.number(status);
            return rules.completes_inline && submission.succeeded() ? ND_SUCCESS : ND_PENDING;
        } catch (const std::bad_alloc&) {
            return explain_by_status(rules.number(Status::no_memory));
        }
    });
}
}  // namespace opennd
