// SPDX-License-Identifier: MIT
// Who has connected to a listener of this process and is not accepted yet: not too many, and not too many of one process.
#pragma once

#include <cstddef>
#include <map>

#include "base/lock.h"
#include "base/ref.h"
#include "platform/local_socket.h"

namespace opennd::local {

class Callers final : public RefCounted {
public:
    // A caller takes up to three descriptors: all together stay below what a process may have open by default.
    static constexpr std::size_t kMost = 192;
    static constexpr std::size_t kMostOfOneProcess = 64;

    // One caller's place, given back with the last reference. Any thread.
    class Place final : public RefCounted {
    public:
        Place(Ref<Callers> callers, pid_t process);
        ~Place() override;

    private:
        const Ref<Callers> callers_;
        const pid_t process_;
    };

    // Null: no room for a caller of this process now. 0 is every process that this pid namespace does not show.
    Ref<Place> enter(pid_t process);

private:
    void leave(pid_t process);

    Mutex mutex_;  // nothing is called under it
    std::size_t all_ GUARDED_BY(mutex_) = 0;
    std::map<pid_t, std::size_t> by_process_ GUARDED_BY(mutex_);
};

}  // namespace opennd::local
