// SPDX-License-Identifier: MIT
// The links of this process, by the two opens that they join; the listeners at both ends of them; and the requests of this process
// that are not answered yet, by their nonces.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "model/address.h"
#include "platform/descriptor/local_socket.h"
#include "transport/local/link/control_message.h"
#include "transport/soft/engine/open_adapter.h"

namespace opennd::local {

class Dial;
class Link;

// A listener of this process, for requests on links.
class RequestTaker : public RefCounted {
public:
    // `link` joins the open of the listener. Service thread, with no lock of the link held.
    virtual void take_request(const Ref<Link>& link, ReceivedControl& request) = 0;
};

// Thread-safe. An entry is removed before its object loses the event loop's reference, or that of its user.
class Links final : public soft::OpenEndSink {
public:
    // An open of this process, and one of another. The number is the peer's word; the process is the kernel's.
    struct Ends {
        soft::OpenAdapter* own;
        pid_t process;       // 0: this pid namespace does not show it, or nobody is to find the link
        std::uint64_t open;  // as TokenTable::cookie
        auto operator<=>(const Ends&) const = default;
    };

    Links() { idle_.reserve(kMostIdle + 1); }  // nothing that ends a connection needs memory

    // Lets find() return the link from now on, until its open ends, in place of an earlier one, which is full or serves
    // the peer's requests; but not if its peer cannot be told from others.
    void add(const Ends& ends, Link& link);
    void remove(const Ends& ends, const Link& link);
    // Decides about a link that has no connection now. Returns true if it is kept for the next one; `longest_idle` is
    // then the one that has had none for longest if more than kMostIdle have none, else null. Returns false if nobody
    // finds the link, and it is to be ended.
    bool keep(const Ends& ends, Link& link, Ref<Link>& longest_idle);
    static constexpr std::size_t kMostIdle = 16;
    // Retires the links of the open.
    void on_open_ended(const soft::OpenAdapter& own) override;
    // Returns the link of these two opens, or null.
    Ref<Link> find(const Ends& ends) const;

    // Notes that a process has answered a request to `listener` by this link: the next one is asked on the link, until
    // a listener of that process closes. A link leads to one listener, the latest.
    void add_way(const Ends& ends, const Address& listener, Link& link, std::uint32_t closings);
    // Returns the link that leads to the listener; null: none is known, and a socket has to look for the listener.
    Ref<Link> way_to(const soft::OpenAdapter& own, const Address& listener);
    void forget_way(const soft::OpenAdapter& own, const Address& listener);

    // Lets a listener of this open take requests at this address, until its removal, which the peers of the open's
    // links can see. Throws std::bad_alloc.
    void add_taker(const soft::OpenAdapter& own, const Address& address, Ref<RequestTaker> taker);
    void remove_taker(const soft::OpenAdapter& own, const Address& address);
    Ref<RequestTaker> taker(const soft::OpenAdapter& own, const Address& address) const;  // null: none

    // Gives the request a nonce that no other process can guess; it stands before anybody finds the request.
    void expect_answer(Dial& dial, std::uint64_t& nonce);
    // Returns the request whose answer has come; null: nobody waits for it.
    Ref<Dial> answered(std::uint64_t nonce);
    // Forgets a request: its answer will not come, or has come.
    void expect_no_more(std::uint64_t nonce);
    // Returns the request that was asked on this link with the lowest nonce above `after`, which becomes that nonce;
    // null: no other.
    Ref<Dial> asked_on(const Link& link, std::uint64_t& after) const;

private:
    Ref<Link> take_one_of(const soft::OpenAdapter& own) EXCLUDES(mutex_);
    void drop_ways(const Link& link) REQUIRES(mutex_);

    mutable Mutex mutex_;  // nothing is called under it
    std::map<Ends, Link*> links_ GUARDED_BY(mutex_);
    std::vector<Link*> idle_ GUARDED_BY(mutex_);  // kept, idle for longest first; or with connections since
    std::map<std::uint64_t, Dial*> dials_ GUARDED_BY(mutex_);

    using Place = std::pair<const soft::OpenAdapter*, Address>;
    struct Way {
        Link* link;
        std::uint32_t closings;  // of the link's peer, at the beginning
    };
    std::map<Place, Way> ways_ GUARDED_BY(mutex_);  // by the own open and the listener's address
    std::map<Place, Ref<RequestTaker>> takers_ GUARDED_BY(mutex_);
};

}  // namespace opennd::local
