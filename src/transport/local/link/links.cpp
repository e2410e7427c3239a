// SPDX-License-Identifier: MIT
// Links: see links.h.
#include "transport/local/link/links.h"

#include <algorithm>
#include <utility>

#include "platform/host/random.h"
#include "transport/local/link/dial.h"
#include "transport/local/link/link.h"

namespace opennd::local {

void Links::add(const LinkOpens& ends, Link& link) {
    if (ends.process == 0) return;
    ends.own->tell_end_to(Ref<soft::OpenEndSink>(this));
    const Held lock(mutex_);
    links_.insert_or_assign(ends, &link);
}

void Links::remove(const LinkOpens& ends, const Link& link) {
    const Held lock(mutex_);
    const auto found = links_.find(ends);
    if (found != links_.end() && found->second == &link) links_.erase(found);
    std::erase(idle_, &link);
    drop_ways(link);
}

bool Links::keep(const LinkOpens& ends, Link& link, Ref<Link>& longest_idle) {
    const Held lock(mutex_);
    const auto found = links_.find(ends);
    if (found == links_.end() || found->second != &link) return false;
    std::erase(idle_, &link);
    idle_.push_back(&link);
    if (idle_.size() <= kMostIdle) return true;
    longest_idle = Ref<Link>(idle_.front());
    idle_.erase(idle_.begin());
    return true;
}

void Links::on_open_ended(const soft::OpenAdapter& own) {
    while (const Ref<Link> link = take_one_of(own)) link->retire_if_idle();
}

// Takes one link of the open out of the list; null: it has none.
Ref<Link> Links::take_one_of(const soft::OpenAdapter& own) {
    const Held lock(mutex_);
    for (auto each = links_.begin(); each != links_.end(); ++each) {
        if (each->first.own != &own) continue;
        Ref<Link> link(each->second);
        links_.erase(each);
        return link;
    }
    return nullptr;
}

Ref<Link> Links::find(const LinkOpens& ends) const {
    const Held lock(mutex_);
    const auto found = links_.find(ends);
    return Ref<Link>(found == links_.end() ? nullptr : found->second);
}

void Links::add_way(const LinkOpens& ends, const Address& listener, Link& link, std::uint32_t closings) {
    const Held lock(mutex_);
    const auto found = links_.find(ends);
    if (found == links_.end() || found->second != &link) return;
    drop_ways(link);
    ways_.insert_or_assign({ends.own, listener}, Way{&link, closings});
}

Ref<Link> Links::way_to(const soft::OpenAdapter& own, const Address& listener) {
    const Held lock(mutex_);
    const auto found = ways_.find({&own, listener});
    if (found == ways_.end()) return nullptr;
    if (found->second.link->closings_there() == found->second.closings) return Ref<Link>(found->second.link);
    ways_.erase(found);
    return nullptr;
}

void Links::forget_way(const soft::OpenAdapter& own, const Address& listener) {
    const Held lock(mutex_);
    ways_.erase({&own, listener});
}

void Links::drop_ways(const Link& link) {
    std::erase_if(ways_, [&](const auto& way) { return way.second.link == &link; });
}

void Links::add_taker(const soft::OpenAdapter& own, const Address& address, Ref<RequestTaker> taker) {
    const Held lock(mutex_);
    takers_.insert_or_assign({&own, address}, std::move(taker));
}

void Links::remove_taker(const soft::OpenAdapter& own, const Address& address) {
    decltype(takers_)::node_type last;  // released outside the lock
    const Held lock(mutex_);
    last = takers_.extract({&own, address});
    if (last.empty()) return;
    for (const auto& [ends, link] : links_)
        if (ends.own == &own) link->tell_closing();
}

Ref<RequestTaker> Links::taker(const soft::OpenAdapter& own, const Address& address) const {
    const Held lock(mutex_);
    const auto found = takers_.find({&own, address});
    return found == takers_.end() ? nullptr : found->second;
}

void Links::expect_answer(Dial& dial, std::uint64_t& nonce) {
    const Held lock(mutex_);
    do {
        nonce = random_u64();
    } while (nonce == 0 || !dials_.emplace(nonce, &dial).second);
}

Ref<LinkUser> Links::finish(std::uint64_t nonce) {
    Ref<Dial> dial;
    {
        const Held lock(mutex_);
        if (const auto found = dials_.extract(nonce)) dial = Ref<Dial>(found.mapped());
    }
    return dial ? dial->finish() : nullptr;
}

void Links::expect_no_more(std::uint64_t nonce) {
    const Held lock(mutex_);
    dials_.erase(nonce);
}

bool Links::finish_next(const Link& link, std::uint64_t& after, Ref<LinkUser>& user) {
    Ref<Dial> dial;
    {
        const Held lock(mutex_);
        const auto next = std::find_if(dials_.upper_bound(after), dials_.end(),
                                       [&link](const auto& each) { return each.second->link() == &link; });
        if (next == dials_.end()) return false;
        after = next->first;
        dial = Ref<Dial>(next->second);
    }
    user = dial->finish();
    return true;
}

}  // namespace opennd::local
