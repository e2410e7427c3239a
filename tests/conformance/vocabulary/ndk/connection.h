// SPDX-License-Identifier: MIT
//
// Connectors and listeners of NDKPI in the test vocabulary. A listener reports each request by a connector that it has
// made. That connector waits here until a connector of the vocabulary asks for it, and then belongs to that one.
//
// Like any consumer, this one answers the peer's NdkDisconnect with its own, since the peer waits for it
// (NDK-CON-DISC-04).
#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include "conformance/vocabulary/ndk/handle.h"

namespace opennd::conformance::ndk {

class NdkConnector final : public Connector {
public:
    // State that the connector shares with its callbacks.
    class State {
    public:
        void take(NDK_CONNECTOR* object);
        NDK_CONNECTOR* object() const;
        SharedRequest await_end();
        // NdkDisconnect, once, for the first caller.
        Operation disconnect();
        // No call of the callbacks uses the connector from here on.
        NDK_CONNECTOR* let_go();
        static VOID on_end(PVOID state, ULONG reason);

    private:
        Operation begin_disconnect();

        mutable std::mutex mutex_;
        NDK_CONNECTOR* object_ = nullptr;
        bool let_go_ = false;
        bool ended_ = false;
        std::vector<SharedRequest> awaiting_end_;
        SharedRequest disconnecting_;
    };

    explicit NdkConnector(SharedInstance instance) : instance_(std::move(instance)) {}
    ~NdkConnector() override { cancel(); }
    Outcome bind(const SocketAddress& local) override;
    Operation connect(QueuePair& queue_pair, const SocketAddress& peer, ReadLimits limits,
                      const PrivateData& data) override;
    Operation complete_connect() override;
    Operation accept(QueuePair& queue_pair, ReadLimits limits, const PrivateData& data) override;
    Outcome reject(const PrivateData& data) override;
    Outcome read_limits(ReadLimits& limits) override;
    Outcome private_data(PrivateData& data) override;
    Outcome local_address(SocketAddress& address) override;
    Outcome peer_address(SocketAddress& address) override;
    Operation notify_disconnect() override;
    Operation disconnect() override { return state_->disconnect(); }
    // Closes it: requests are canceled in no other way (NDK-GEN-03).
    void cancel() override;
    const std::shared_ptr<State>& state() const { return state_; }

private:
    NDK_CONNECTOR* object();  // made when it is first needed, unless it has come from a listener

    const SharedInstance instance_;
    const std::shared_ptr<State> state_ = std::make_shared<State>();
    SocketAddress local_{};
};

// bind() listens and lets nobody in, listen() lets them in.
class NdkListener final : public Listener {
public:
    explicit NdkListener(SharedInstance instance);
    ~NdkListener() override;
    Outcome bind(const SocketAddress& local) override;
    Outcome listen(std::uint32_t backlog) override;
    Outcome local_address(SocketAddress& address) override;
    Operation get_request(Connector& connector) override;
    void cancel() override { state_->give_up(); }

private:
    struct Waiter {
        std::weak_ptr<NdkConnector::State> connector;
        SharedRequest request;
    };
    struct State {
        static VOID on_connect(PVOID state, NDK_CONNECTOR* connector);
        void match();
        void give_up();
        std::deque<NDK_CONNECTOR*> let_go();

        std::mutex mutex;
        bool closed = false;
        std::deque<NDK_CONNECTOR*> come;  // and not asked for yet
        std::deque<Waiter> waiting;
    };

    const std::shared_ptr<State> state_ = std::make_shared<State>();
    const Handle<NDK_LISTENER> handle_;
};

}  // namespace opennd::conformance::ndk
