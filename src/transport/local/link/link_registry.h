// SPDX-License-Identifier: MIT
// The objects of a process that a link needs: the users of its connections, the listeners, and the part of the process's links where
// others find it, and it finds the objects that a record of its peer is for.
#pragma once

#include <compare>
#include <cstdint>

#include "base/ref.h"
#include "base/status.h"
#include "model/address.h"
#include "transport/local/link/control_message.h"
#include "transport/soft/engine/open_adapter.h"

namespace opennd::local {

class Link;
class LinkEnd;

// The user of one connection of a link: its connector. Called on the service thread, with no lock of the link held.
class LinkUser : public RefCounted {
public:
    // The request has a connection now. To be called before any other.
    virtual void on_joined(const Ref<LinkEnd>& link_end) = 0;
    virtual void on_record(ReceivedControl& record) = 0;
    // There may be news in the segment.
    virtual void on_wake_up() = 0;
    // The peer says no more about this connection, or its process has ended: `disconnected`. This follows
    // on_record(), too, of a record that ends the connection. Or the connection never began, for another reason.
    virtual void on_left(Status why) = 0;
};

// An open of this process, and one of another. The number is the peer's word; the process is the kernel's.
struct LinkOpens {
    soft::OpenAdapter* own;
    pid_t process;       // 0: this pid namespace does not show it, or nobody is to find the link
    std::uint64_t open;  // as TokenTable::cookie
    auto operator<=>(const LinkOpens&) const = default;
};

// A listener of this process, for requests on links.
class RequestTaker : public RefCounted {
public:
    // `link` joins the open of the listener. Service thread, with no lock of the link held.
    virtual void take_request(const Ref<Link>& link, ReceivedControl& request) = 0;
};

// Thread-safe.
class LinkRegistry : public soft::OpenEndSink {
public:
    // The link is found from now on, until its open ends, in place of an earlier one, which is full or serves the peer's
    // requests; but not if its peer cannot be told from others.
    virtual void add(const LinkOpens& ends, Link& link) = 0;
    virtual void remove(const LinkOpens& ends, const Link& link) = 0;
    // The link has no connection now. True: it is kept for the next one; `longest_idle` is the one that has had none for longest if
    // too many have none, else null. False: nobody finds it, and it is to be ended.
    virtual bool keep(const LinkOpens& ends, Link& link, Ref<Link>& longest_idle) = 0;

    // A process has answered a request to `listener` by this link: the next one is asked on the link, until a listener of that
    // process closes. A link leads to one listener, the latest.
    virtual void add_way(const LinkOpens& ends, const Address& listener, Link& link, std::uint32_t closings) = 0;
    // The listener of this open at this address; null: none.
    virtual Ref<RequestTaker> taker(const soft::OpenAdapter& own, const Address& address) const = 0;

    // The answer to the request with this nonce has come: its user, to be told. Null: nobody waits for it.
    virtual Ref<LinkUser> finish(std::uint64_t nonce) = 0;
    // Nobody answers requests on this link any more: sets `user` for one of them, with the lowest nonce above `after`, which becomes
    // that nonce. `user` is null if nobody wants the connection. False: no other.
    virtual bool finish_next(const Link& link, std::uint64_t& after, Ref<LinkUser>& user) = 0;
};

}  // namespace opennd::local
