// SPDX-License-Identifier: MIT
// The callers of this process's listeners that are not accepted yet: limited in all, and for each process.
#pragma once

#include <cstddef>
#include <map>

#include "base/lock.h"
#include "base/ref.h"
#include "platform/descriptor/local_socket.h"

namespace opennd::local {

class LocalCallers final : public RefCounted {
public:
    struct Ceilings {
        std::size_t of_one_process, in_all;
    };
    // Returns the limits for a process that may have `descriptors` descriptors. A caller takes up to three; all callers
    // together leave the process a part.
    static Ceilings ceilings(std::size_t descriptors);

    // One caller's place, given back with the last reference. Any thread.
    class Place final : public RefCounted {
    public:
        Place(Ref<LocalCallers> callers, pid_t process);
        ~Place() override;

    private:
        const Ref<LocalCallers> callers_;
        const pid_t process_;
    };

    // Takes a place for a caller of `process`; null: there is no room for it now. 0 stands for every process that this
    // pid namespace does not show.
    Ref<Place> enter(pid_t process, const Ceilings& ceilings);

private:
    void leave(pid_t process);

    Mutex mutex_;  // nothing is called under it
    std::size_t all_ GUARDED_BY(mutex_) = 0;
    std::map<pid_t, std::size_t> by_process_ GUARDED_BY(mutex_);
};

}  // namespace opennd::local
