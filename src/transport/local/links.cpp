// SPDX-License-Identifier: MIT
// Links: see links.h.
#include "transport/local/links.h"

#include "platform/host/random.h"
#include "transport/local/dial.h"
#include "transport/local/link.h"

namespace opennd::local {

void Links::add(const Ends& ends, Link& link) {
    if (ends.process == 0) return;
    const Held lock(mutex_);
    links_.insert_or_assign(ends, &link);
}

void Links::remove(const Ends& ends, const Link& link) {
    const Held lock(mutex_);
    const auto found = links_.find(ends);
    if (found != links_.end() && found->second == &link) links_.erase(found);
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
