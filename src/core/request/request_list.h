// SPDX-License-Identifier: MIT
// A chain of requests, oldest first. Links are inside the requests: moving them from list to list allocates nothing.
#pragma once

#include <memory>
#include <utility>

#include "core/request/async_request.h"

namespace opennd {

// Not thread-safe. Owns its requests; those left at the end are destroyed without completing, which no owner lets
// happen.
class RequestList {
public:
    struct Outcome {
        std::unique_ptr<AsyncRequest> request;
        Status status;
    };

    RequestList() = default;
    RequestList(const RequestList&) = delete;
    RequestList& operator=(const RequestList&) = delete;
    ~RequestList() {
        while (!empty()) pop_front();  // one by one: the chain may be long
    }

    bool empty() const { return first_ == nullptr; }

    void push_back(std::unique_ptr<AsyncRequest> request, RequestKind kind) {
        request->kind_ = kind;
        append(std::move(request));
    }

    Outcome pop_front() {
        Outcome oldest{std::move(first_), Status::success};
        oldest.status = oldest.request->status_;
        first_ = std::move(oldest.request->next_);
        if (!first_) last_ = nullptr;
        return oldest;
    }

    bool has(RequestKind kinds) const {
        for (const AsyncRequest* request = first_.get(); request; request = request->next_.get())
            if (includes(kinds, request->kind_)) return true;
        return false;
    }

    // Moves the requests of these kinds, in order, behind those of `into`, with the outcome they are to have.
    void move_to(RequestList& into, RequestKind kinds, Status status) {
        RequestList rest;
        while (!empty()) {
            std::unique_ptr<AsyncRequest> request = pop_front().request;
            const bool chosen = includes(kinds, request->kind_);
            if (chosen) request->status_ = status;
            (chosen ? into : rest).append(std::move(request));
        }
        first_ = std::move(rest.first_);
        last_ = std::exchange(rest.last_, nullptr);
    }

private:
    void append(std::unique_ptr<AsyncRequest> request) {
        AsyncRequest* const added = request.get();
        (last_ ? last_->next_ : first_) = std::move(request);
        last_ = added;
    }

    std::unique_ptr<AsyncRequest> first_;
    AsyncRequest* last_ = nullptr;  // null if empty
};

}  // namespace opennd
