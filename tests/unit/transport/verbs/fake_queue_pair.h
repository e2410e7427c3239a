// SPDX-License-Identifier: MIT
// A queue pair and a completion queue of FakeDevice, guarded by its mutex. Included by its parts alone.
#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <deque>

#include "unit/transport/verbs/fake_device.h"
#include "unit/transport/verbs/fake_request.h"

namespace opennd::verbs {

struct FakeDevice::Queue {
    ibv_cq base{};
    std::deque<ibv_wc> results;
    std::size_t room = 0;
    bool armed = false, solicited_only = false;
    int unacknowledged = 0;
};

struct FakeDevice::Pair {
    ibv_qp base{};
    FakeSharedQueue* shared = nullptr;
    Queue* sends = nullptr;
    Queue* receives = nullptr;
    Pair* peer = nullptr;
    bool signals_all = false;
    ibv_qp_state state = IBV_QPS_RESET;
    std::size_t send_room = 0, receive_room = 0;
    std::deque<FakeRequest> requests, posted;
};

}  // namespace opennd::verbs
