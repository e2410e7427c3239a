// SPDX-License-Identifier: MIT
//
// Read busy_door.h first.
#include "network/connection/busy_door.h"

#include <exception>

namespace nd {

BusyDoor::BusyDoor(Adapter& adapter, Listener& listener, std::string why)
    : listener_(listener), why_(std::move(why)), connection_(adapter, [] {}), thread_([this] { reject_all(); }) {}

BusyDoor::~BusyDoor() {
    {
        const std::lock_guard lock(mutex_);
        opened_ = true;
        OverlappedObject(listener_.object_).cancel();
    }
    thread_.join();
}

// Asked for under the lock: a cancel finds the request, or there will be none.
HRESULT BusyDoor::ask_for_next() {
    const std::lock_guard lock(mutex_);
    return opened_ ? ND_CANCELED : connection_.begin_to_take(listener_);
}

void BusyDoor::reject_all() {
    try {
        while (listener_.request_.sleep(listener_.object_, ask_for_next()) == ND_SUCCESS) connection_.reject(why_);
    } catch (const std::exception&) {
        // Out of memory or handles: a client that comes now waits until the server takes requests again.
    }
}

}  // namespace nd
