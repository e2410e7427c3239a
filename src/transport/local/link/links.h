// SPDX-License-Identifier: MIT
// The links of this process, by the two opens that they join; the listeners at both ends of them; and the requests of this process
// that are not answered yet, by their nonces.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "model/address.h"
#include "transport/local/link/link_registry.h"
#include "transport/soft/engine/open_adapter.h"

namespace opennd::local {

class Dial;

// Thread-safe. An entry is removed before its object loses the event loop's reference, or that of its user.
class Links final : public LinkRegistry {
public:
    Links() { idle_.reserve(kMostIdle + 1); }  // nothing that ends a connection needs memory

    void add(const LinkOpens& ends, Link& link) override;
    void remove(const LinkOpens& ends, const Link& link) override;
    bool keep(const LinkOpens& ends, Link& link, Ref<Link>& longest_idle) override;
    static constexpr std::size_t kMostIdle = 16;
    void add_way(const LinkOpens& ends, const Address& listener, Link& link, std::uint32_t closings) override;
    Ref<RequestTaker> taker(const soft::OpenAdapter& own, const Address& address) const override;
    Ref<LinkUser> finish(std::uint64_t nonce) override;
    bool finish_next(const Link& link, std::uint64_t& after, Ref<LinkUser>& user) override;

    // Retires the links of the open.
    void on_open_ended(const soft::OpenAdapter& own) override;
    // Returns the link of these two opens, or null.
    Ref<Link> find(const LinkOpens& ends) const;

    // Returns the link that leads to the listener; null: none is known, and a socket has to look for it.
    Ref<Link> way_to(const soft::OpenAdapter& own, const Address& listener);
    void forget_way(const soft::OpenAdapter& own, const Address& listener);

    // Lets a listener of this open take requests at this address, until its removal, which the peers of the open's
    // links can see. Throws std::bad_alloc.
    void add_taker(const soft::OpenAdapter& own, const Address& address, Ref<RequestTaker> taker);
    void remove_taker(const soft::OpenAdapter& own, const Address& address);

    // Gives the request a nonce that no other process can guess; it stands before anybody finds the request.
    void expect_answer(Dial& dial, std::uint64_t& nonce);
    // Forgets a request: its answer will not come, or has come.
    void expect_no_more(std::uint64_t nonce);

private:
    Ref<Link> take_one_of(const soft::OpenAdapter& own) EXCLUDES(mutex_);
    void drop_ways(const Link& link) REQUIRES(mutex_);

    mutable Mutex mutex_;  // nothing is called under it
    std::map<LinkOpens, Link*> links_ GUARDED_BY(mutex_);
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
