// SPDX-License-Identifier: MIT
// A shared receive queue of a fake device. All of it is guarded by the device's lock.
#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <deque>

#include "unit/transport/verbs/fake_request.h"

namespace opennd::verbs {

struct FakeSharedQueue {
    ibv_srq base{};  // first: libibverbs' functions get a pointer to it
    std::deque<FakeRequest> posted;
    std::size_t room = 0;
    std::uint32_t limit = 0;  // with fewer receives there is an event, once

    // libibverbs' functions, which take the lock.
    static ibv_srq* create(ibv_pd* domain, ibv_srq_init_attr* attributes);
    static int modify(ibv_srq* base, ibv_srq_attr* attributes, int mask);
    static int destroy(ibv_srq* base);
    static int post(ibv_srq* base, ibv_recv_wr* wanted, ibv_recv_wr** refused);

    // The oldest receive, for a message. There is one.
    FakeRequest take();
    // The event, if it is due.
    void tell_limit();
};

}  // namespace opennd::verbs
