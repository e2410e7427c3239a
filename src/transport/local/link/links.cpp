// SPDX-License-Identifier: MIT
// Links: see links.h.
#include "transport/local/link/links.h"

#include "platform/host/random.h"
#include "transport/local/link/dial.h"
#include "transport/local/link/link.h"

namespace opennd::local {

void Links::add(const Ends& ends, Link& link) {
    if (ends.process == 0) return;
    ends.own->tell_end_to(Ref<soft::OpenEndSink>(this));
    const Held lock(mutex_);
    links_.insert_or_assign(ends, &link);
}

void Links::remove(const Ends& ends, const Link& link) {
    const Held lock(mutex_);
    const auto found = links_.find(ends);
    if (found != links_.end() && found->second == &link) links_.erase(found);
    std::erase(idle_, &link);
}

bool Links::keep(const Ends& ends, Link& link, Ref<Link>& longest_idle) {
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

// Null: it has none.
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

Ref<Link> Links::find(const Ends& ends) const {
    const Held lock(mutex_);
    const auto found = links_.find(ends);
    return Ref<Link>(found == links_.end() ? nullptr : found->second);
}

std::uint64_t Links::expect_answer(Dial& dial) {
    const Held lock(mutex_);
    for (;;) {
        const std::uint64_t nonce = random_u64();
        if (nonce != 0 && dials_.emplace(nonce, &dial).second) return nonce;
    }
}

Ref<Dial> Links::answered(std::uint64_t nonce) {
    const Held lock(mutex_);
    const auto found = dials_.find(nonce);
    if (found == dials_.end()) return nullptr;
    const Ref<Dial> dial(found->second);
    dials_.erase(found);
    return dial;
}

void Links::expect_no_more(std::uint64_t nonce) {
    const Held lock(mutex_);
    dials_.erase(nonce);
}

}  // namespace opennd::local
