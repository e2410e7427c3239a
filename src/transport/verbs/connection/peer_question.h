// SPDX-License-Identifier: MIT
// The question whether a peer's host answers, on the path of a connection on InfiniBand or RoCE: a request to a port of rdma_cm that
// nobody can have, which the host's kernel refuses. Nothing of it reaches a program there.
#pragma once

#include <functional>

#include "base/lock.h"
#include "base/ref.h"
#include "model/address.h"
#include "transport/verbs/connection/connection_id.h"
#include "transport/verbs/device/device.h"

namespace opennd::verbs {

class PeerQuestion final : public CmEventSink {
public:
    // Asks. `answered` is called on the service thread if there is an answer, once; never after let_go() on that thread.
    // Returns null if the question cannot be asked now.
    static Ref<PeerQuestion> ask(Ref<Device> device, const Address& local, const Address& remote,
                                 std::function<void()> answered);

    // Asks no longer. Any thread, as often as one likes.
    void let_go() EXCLUDES(mutex_);

    void on_event(const CmEvent& event) override EXCLUDES(mutex_);

private:
    PeerQuestion(Ref<Device> device, std::function<void()> answered)
        : device_(std::move(device)), answered_(std::move(answered)) {}

    // Runs `call` of the id where it may block.
    template <typename Call>
    void run(Call call) EXCLUDES(mutex_);
    Ref<ConnectionId> id() const EXCLUDES(mutex_);

    const Ref<Device> device_;
    const std::function<void()> answered_;

    mutable Mutex mutex_;
    Ref<ConnectionId> id_ GUARDED_BY(mutex_);  // holds a Ref to this object, as its receiver, until let_go()
};

}  // namespace opennd::verbs
