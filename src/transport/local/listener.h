// SPDX-License-Identifier: MIT
// A listening Unix socket whose connections become passive LocalConnectors. Only processes of the same user may connect:
// the two will share memory (docs/threat_model.md).
#pragma once

#include "base/lock.h"
#include "base/log.h"
#include "platform/descriptor/local_socket.h"
#include "transport/listener.h"
#include "transport/local/connector.h"
#include "transport/local/local_callers.h"
#include "transport/soft/adapter.h"

namespace opennd::local {

// Returns true if the other end is a process of this user. Logged if not, with `cause`.
bool same_user(LocalSocket& socket, LogCause cause);

// Connects a socket to the process of this user that listens at `address`, on the wire with this scope.
//   would_block         it has a listener, but more connections wait there at present than its socket takes
//   connection_refused  it has none, or one of another user; or as LocalSocket::connect
Result<LocalSocket> dial(std::string_view scope, const Address& address);

class SocketListener final : public TransportListener {
public:
    // The wire's scope and the address make the socket's name.
    SocketListener(Ref<soft::SoftAdapter> adapter, Ref<ListenerSink> sink, const WireTraits& traits,
                   Ref<LocalCallers> callers);

    // The abstract name that stands for an address on a wire, for this user: free again when its process ends, and invisible
    // outside the network namespace, as the address itself.
    static std::string socket_name(std::string_view scope, const Address& address);

    // connection_refused: a process of another user has the name.
    Result<Address> bind(const Address& address) override;
    Status listen(std::uint32_t backlog) override;
    void close() override;

private:
    class Watch;
    class Taker;
    Status accept_one() EXCLUDES(mutex_);
    void greet(LocalSocket socket) REQUIRES(mutex_);
    void take(const Ref<Link>& link, ReceivedControl& request) EXCLUDES(mutex_);
    Ref<LocalCallers::Place> place_for(pid_t process) const;

    const Ref<soft::SoftAdapter> adapter_;
    const WireTraits traits_;
    const Ref<LocalCallers> callers_;
    Mutex mutex_;
    Ref<ListenerSink> sink_ GUARDED_BY(mutex_);
    opennd::LocalListener socket_ GUARDED_BY(mutex_);
    Address address_ GUARDED_BY(mutex_);  // since bind()
};

}  // namespace opennd::local
