// SPDX-License-Identifier: MIT
//
// BusyDoor: while a server has no time for others, they are told so.
#pragma once

#include "network/connection/connection.h"

#include <mutex>
#include <string>
#include <thread>

namespace nd {

class BusyDoor {
public:
    // From now on, until this is destroyed, requests for a connection at the listener are rejected with `why`, by a thread
    // that sleeps until one comes. Nobody else takes requests meanwhile.
    BusyDoor(Adapter& adapter, Listener& listener, std::string why);
    ~BusyDoor();
    BusyDoor(const BusyDoor&) = delete;
    BusyDoor& operator=(const BusyDoor&) = delete;

private:
    void reject_all();
    HRESULT ask_for_next();

    Listener& listener_;
    const std::string why_;
    std::mutex mutex_;
    bool opened_ = false;    // guarded by mutex_: no further request is asked for
    Connection connection_;  // of thread_ alone, until it has ended
    std::thread thread_;
};

}  // namespace nd
