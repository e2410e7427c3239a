// SPDX-License-Identifier: MIT
// The completion callback of a pending request, as a node of the request's object; and completions of core, which go to
// a member function.
#pragma once

#include <atomic>
#include <memory>

#include "core/request/async_request.h"
#include "ndk/call/refusal.h"
#include "ndk/object/object.h"

namespace opennd {

// One request of its kind at a time. Uses the object from begin() until the callback has returned.
class RequestCallback final : private Callback {
public:
    explicit RequestCallback(NdkObject& object) : object_(object) {}

    // The request pends, or its callback has not begun yet.
    bool pending() const { return pending_.load(std::memory_order_acquire); }

    // Under the object's lock.
    void begin(NDK_FN_REQUEST_COMPLETION completion, PVOID context) {
        object_.retain();
        completion_ = completion;
        context_ = context;
        pending_.store(true, std::memory_order_relaxed);
    }
    // After begin(): the request was refused after all.
    void withdraw() {
        pending_.store(false, std::memory_order_release);
        object_.release();
    }
    // After begin(): schedules the callback. Once.
    void finish(NTSTATUS status) {
        status_ = status;
        object_.callbacks().schedule(*this);
    }

private:
    void run() override {
        const NDK_FN_REQUEST_COMPLETION completion = completion_;
        const PVOID context = context_;
        const NTSTATUS status = status_;
        pending_.store(false, std::memory_order_release);  // the callback may make the next request
        if (completion) completion(context, status);
        object_.release();
    }

    NdkObject& object_;
    std::atomic<bool> pending_{false};
    // Written before the schedule, read behind it.
    NDK_FN_REQUEST_COMPLETION completion_ = nullptr;
    PVOID context_ = nullptr;
    NTSTATUS status_ = STATUS_SUCCESS;
};

// A core request with its outcome reported to `done` of `owner`, which lives until then.
template <typename Owner>
class CoreRequest final : public AsyncRequest {
public:
    using Done = void (Owner::*)(Status);
    CoreRequest(Owner& owner, Done done) : owner_(owner), done_(done) {}

    void begin() override {}
    void complete(Status status) override { (owner_.*done_)(status); }

private:
    Owner& owner_;
    const Done done_;
};

template <typename Owner>
std::unique_ptr<AsyncRequest> request_to(Owner& owner, void (Owner::*done)(Status)) {
    return std::make_unique<CoreRequest<Owner>>(owner, done);
}

// A request of core's that is over when the call returns.
class DoneRequest final : public AsyncRequest {
public:
    void begin() override {}
    void complete(Status) override {}
};

}  // namespace opennd
