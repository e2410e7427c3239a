// SPDX-License-Identifier: MIT
// The links of this process, by the two opens that they join, and its requests that are not answered yet, by their nonces.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "platform/descriptor/local_socket.h"
#include "transport/soft/engine/open_adapter.h"

namespace opennd::local {

class Dial;
class Link;

// Thread-safe. An entry is removed before its object loses the event loop's reference.
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

    // The link is found from now on, until its open ends, in place of an earlier one, which is full or serves the peer's
    // requests; but not if its peer cannot be told from others.
    void add(const Ends& ends, Link& link);
    void remove(const Ends& ends, const Link& link);
    // The link has no connection now. True: it is kept for the next one; `longest_idle` is the one that has had none for longest if
    // more than kMostIdle have none, else null. False: nobody finds it, and it is to be ended.
    bool keep(const Ends& ends, Link& link, Ref<Link>& longest_idle);
    static constexpr std::size_t kMostIdle = 16;
    // The links of the open end.
    void on_open_ended(const soft::OpenAdapter& own) override;
    // Null: none.
    Ref<Link> find(const Ends& ends) const;

    // A nonce that no other process can guess.
    std::uint64_t expect_answer(Dial& dial);
    // The answer has come. Null: nobody waits for it.
    Ref<Dial> answered(std::uint64_t nonce);
    // It will not come, or has come.
    void expect_no_more(std::uint64_t nonce);

private:
    Ref<Link> take_one_of(const soft::OpenAdapter& own) EXCLUDES(mutex_);

    mutable Mutex mutex_;  // nothing is called under it
    std::map<Ends, Link*> links_ GUARDED_BY(mutex_);
    std::vector<Link*> idle_ GUARDED_BY(mutex_);  // kept, idle for longest first; or with connections since
    std::map<std::uint64_t, Dial*> dials_ GUARDED_BY(mutex_);
};

}  // namespace opennd::local
