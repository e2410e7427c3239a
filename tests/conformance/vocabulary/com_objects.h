// SPDX-License-Identifier: MIT
//
// The methods that both versions spell alike, in the test vocabulary. Read com_request.h first; nd1/objects.h and
// nd2/objects.h have the rest.
#pragma once

#include "conformance/vocabulary/com_request.h"
#include "support/adapter.h"
#include "support/status.h"

namespace opennd::conformance {

inline DWORD type_of(NotifyType type) {
    switch (type) {
        case NotifyType::errors: return ND_CQ_NOTIFY_ERRORS;
        case NotifyType::any: return ND_CQ_NOTIFY_ANY;
        case NotifyType::solicited: return ND_CQ_NOTIFY_SOLICITED;
    }
    return 0;
}

template <typename Object>
void cancel_all(Object& object) {
    EXPECT_TRUE(support::is(object->CancelOverlappedRequests(), ND_SUCCESS));
}

template <typename Interface, typename Version>
class ComCompletionQueue : public CompletionQueue {
public:
    explicit ComCompletionQueue(support::ComPtr<Interface> object) : object_(std::move(object)) {}
    Operation notify(NotifyType type) override {
        return object_.begin([&](OVERLAPPED* overlapped) { return object_->Notify(type_of(type), overlapped); });
    }
    Outcome resize(std::uint32_t depth) override { return Version::outcome_of(object_->Resize(depth)); }
    void cancel() override { cancel_all(object_); }
    Interface* get() const { return object_.get(); }

protected:
    ComOwner<Interface, Version> object_;
};

// Length is the type in which the version gives lengths.
template <typename Interface, typename Version, typename Length>
class ComConnector : public Connector {
public:
    explicit ComConnector(support::ComPtr<Interface> object) : object_(std::move(object)) {}
    Operation complete_connect() override {
        return object_.begin([&](OVERLAPPED* overlapped) { return object_->CompleteConnect(overlapped); });
    }
    Outcome local_address(SocketAddress& address) override {
        Length length = sizeof address;
        return Version::outcome_of(object_->GetLocalAddress(support::as_sockaddr(address), &length));
    }
    Outcome peer_address(SocketAddress& address) override {
        Length length = sizeof address;
        return Version::outcome_of(object_->GetPeerAddress(support::as_sockaddr(address), &length));
    }
    Operation notify_disconnect() override {
        return object_.begin([&](OVERLAPPED* overlapped) { return object_->NotifyDisconnect(overlapped); });
    }
    Operation disconnect() override {
        return object_.begin([&](OVERLAPPED* overlapped) { return object_->Disconnect(overlapped); });
    }
    void cancel() override { cancel_all(object_); }
    Interface* get() const { return object_.get(); }

protected:
    ComOwner<Interface, Version> object_;
};

}  // namespace opennd::conformance
