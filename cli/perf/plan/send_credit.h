// SPDX-License-Identifier: MIT
//
// SendCredit: how many messages one side of a stream may still send. The other side has a receive for each of them, because a NIC
// answers a message without a receive with receiver-not-ready, or ends the connection.
//
// The sending side begins with one credit for each receive that the other side has for data. The receiving side posts a receive again
// after each message, and owes one credit for it. It gives the credits of half its receives at a time, by an empty message. No more
// than kMessages of these are outstanding; the sending side has as many receives for them.
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
