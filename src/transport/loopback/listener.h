// SPDX-License-Identifier: MIT
// The listeners of this process, and the table that finds them: no other process can see it.
#pragma once

#include <map>

#include "base/lock.h"
#include "platform/descriptor/local_socket.h"
#include "transport/listener.h"
#include "transport/local/connector.h"
#include "transport/soft/adapter.h"

namespace opennd::loopback {

class LoopbackListener;

// The listeners by address. Thread-safe.
class Listeners final : public RefCounted {
public:
    // Adds a listener. Returns false if another one has the address.
    bool add(const Address& address, LoopbackListener& listener);
    void remove(const Address& address);
    // Returns the listener at the address; null if there is none, or it does not listen yet.
    Ref<LoopbackListener> find(const Address& address) const;

private:
    mutable Mutex mutex_;  // nothing is called under it
    std::map<Address, Ref<LoopbackListener>> by_address_ GUARDED_BY(mutex_);
};

class LoopbackListener final : public TransportListener {
public:
    LoopbackListener(Ref<soft::SoftAdapter> adapter, Ref<ListenerSink> sink, Ref<Listeners> listeners,
                     const local::WireTraits& traits);

    Result<Address> bind(const Address& address) override;
    Status listen(std::uint32_t backlog) override;
    void close() override;

    // Takes one end of a pair of sockets; the connecting side has the other. Any thread.
    void take(LocalSocket socket);
    bool listening() const;

private:
    // Constant after construction.
    const Ref<soft::SoftAdapter> adapter_;
    const Ref<Listeners> listeners_;
    const local::WireTraits traits_;

    mutable Mutex mutex_;
    Address address_ GUARDED_BY(mutex_);
    bool bound_ GUARDED_BY(mutex_) = false;
    bool listening_ GUARDED_BY(mutex_) = false;
    Ref<ListenerSink> sink_ GUARDED_BY(mutex_);  // null: closed
};

}  // namespace opennd::loopback
