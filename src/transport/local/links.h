// SPDX-License-Identifier: MIT
// The links of this process, by the two opens that they join, and its requests that are not answered yet, by their nonces.
#pragma once

#include <compare>
#include <cstdint>
#include <map>

#include "base/lock.h"
#include "base/ref.h"
#include "platform/descriptor/local_socket.h"

namespace opennd::soft {
class OpenAdapter;
}  // namespace opennd::soft

namespace opennd::local {

class Dial;
class Link;

// Thread-safe. An entry is removed before its object loses the event loop's reference.
class Links final : public RefCounted {
public:
    // An open of this process, and one of another. The number is the peer's word; the process is the kernel's.
    struct Ends {
        const soft::OpenAdapter* own;
        pid_t process;       // 0: this pid namespace does not show it
        std::uint64_t open;  // as TokenTable::cookie
        auto operator<=>(const Ends&) const = default;
    };

    // The link is found from now on, in place of an earlier one, which is full or serves the peer's requests; but not if its peer
    // cannot be told from others.
    void add(const Ends& ends, Link& link);
    void remove(const Ends& ends, const Link& link);
    // Null: none.
    Ref<Link> find(const Ends& ends) const;

    // A nonce that no other process can guess.
    std::uint64_t expect_answer(Dial& dial);
    // The answer has come. Null: nobody waits for it.
    Ref<Dial> answered(std::uint64_t nonce);
    // It will not come, or has come.
    void expect_no_more(std::uint64_t nonce);

private:
    mutable Mutex mutex_;  // nothing is called under it
    std::map<Ends, Link*> links_ GUARDED_BY(mutex_);
    std::map<std::uint64_t, Dial*> dials_ GUARDED_BY(mutex_);
};

}  // namespace opennd::local
