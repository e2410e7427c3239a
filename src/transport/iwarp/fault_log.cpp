// SPDX-License-Identifier: MIT
// FaultLog: see fault_log.h.
#include "transport/iwarp/fault_log.h"

#include <chrono>

namespace opennd::iwarp {

LogLevel FaultLog::level(LogLevel usual, SteadyTime at) {
    const Held lock(mutex_);
    if (at - begun_ >= std::chrono::seconds(1)) {
        begun_ = at;
        lines_ = 0;
    }
    if (lines_ == kLinesASecond) return LogLevel::debug;
    ++lines_;
    return usual;
}

}  // namespace opennd::iwarp
