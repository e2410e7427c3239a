// SPDX-License-Identifier: MIT
// The memory windows of a fake device, of type 2: a bound one belongs to its queue pair. All of it is guarded by the device's lock.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <map>

#include "unit/transport/verbs/fake_request.h"

namespace opennd::verbs {

class FakeWindows {
public:
    // libibverbs' functions, which take the lock.
    static ibv_mw* allocate(ibv_pd* domain, ibv_mw_type type);
    static int free(ibv_mw* window);

    // `owner` is the queue pair, and only compared.
    void bind(const FakeRequest& request, const void* owner);
    // False: no window with this key is bound there.
    bool take(std::uint32_t key, const void* owner);
    bool grants(std::uint64_t address, std::uint32_t bytes, std::uint32_t key, int right, const void* owner) const;

private:
    struct Window {
        std::uint64_t address = 0, bytes = 0;
        unsigned rights = 0;
        const void* owner = nullptr;
    };
    std::map<std::uint32_t, Window> bound_;  // by key
};

}  // namespace opennd::verbs
