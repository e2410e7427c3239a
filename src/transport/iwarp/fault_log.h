// SPDX-License-Identifier: MIT
// How loud it is told what peers do wrong: some lines a second as usual, the others at level debug, so that no peer fills
// the log (IW-SEC-19). Each is still handed to the failure sink.
#pragma once

#include "base/lock.h"
#include "base/log.h"
#include "platform/clock.h"

namespace opennd::iwarp {

class FaultLog {
public:
    static constexpr unsigned kLinesASecond = 10;

    // The level of one more line. Any thread.
    LogLevel level(LogLevel usual, SteadyTime at) EXCLUDES(mutex_);

private:
    Mutex mutex_;  // nothing is called under it
    SteadyTime begun_ GUARDED_BY(mutex_){};
    unsigned lines_ GUARDED_BY(mutex_) = 0;  // within the second from begun_
};

}  // namespace opennd::iwarp
