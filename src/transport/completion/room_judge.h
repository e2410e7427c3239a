// SPDX-License-Identifier: MIT
// Takes the room for a result away from a completion ring that has it, for faults on purpose.
#pragma once

#include <string_view>

namespace opennd {

class RoomJudge {
public:
    virtual ~RoomJudge() = default;
    // Decides about a result that is to be added. Empty: the queue's own rule decides. Else the queue overruns with
    // this result, and the text, which is static, says why. Called under the lock of the ring, which comes before all
    // that is taken here.
    virtual std::string_view take_room() = 0;
};

}  // namespace opennd
