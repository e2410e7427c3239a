// SPDX-License-Identifier: MIT
//
// SendCredit: how many messages one side of a stream may send, so that the other side has a receive for each. A NIC answers a message
// without one with receiver-not-ready, or ends the connection.
//
// The receiving side gives receives that it has posted again as credit, half of its receives at a time: by an empty message, for which
// the sending side has receives of its own. Credit that is left, on its way, owed, or spent on messages not yet taken is `receives` in
// all, so that no more than kMessages such messages wait to be taken.
#pragma once

#include <cstdint>

namespace nd {

class SendCredit {
public:
    // Receives for them at one side, and requests at the other, beside those of the data.
    static constexpr std::uint32_t kMessages = 2;

    SendCredit() = default;
    // Both sides have so many receives for data.
    explicit SendCredit(std::uint32_t receives) : left_(receives), batch_((receives + 1) / 2) {}

    // The side that sends.
    std::uint64_t left() const { return left_; }
    void spend() { left_--; }
    void take_credit() { left_ += batch_; }

    // The side that receives. A receive was posted again.
    void owe() { owed_++; }
    // Whether to send an empty message, which is on its way until its result comes.
    bool give() {
        if (owed_ < batch_ || on_their_way_ == kMessages) return false;
        owed_ -= batch_;
        on_their_way_++;
        return true;
    }
    void given() { on_their_way_--; }

private:
    std::uint64_t left_ = 0;
    std::uint32_t batch_ = 1, owed_ = 0, on_their_way_ = 0;
};

}  // namespace nd
