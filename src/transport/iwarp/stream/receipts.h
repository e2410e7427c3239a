// SPDX-License-Identifier: MIT
// Receipts between two OpenND ends, both ways: how far the peer has placed this side's stream, and when this side tells how far
// it has placed the peer's (docs/decisions/0040; iwarp/wire/ddp_header.h has their octets).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "transport/iwarp/wire/ddp_header.h"
#include "transport/iwarp/wire/fault.h"

namespace opennd::iwarp {

// The peer's receipts. Not thread-safe.
class PeerReceipts {
public:
    // Octets of this side's stream.
    std::uint64_t placed() const { return placed_; }
    // The receipt in the header of a Send: it has the lower 32 bits, and less than 2^32 octets are ever on their way.
    Receipt widened(std::uint32_t lower) const {
        return {placed_ + static_cast<std::uint32_t>(lower - static_cast<std::uint32_t>(placed_))};
    }
    // `sent`: octets of this side's stream so far. After a fault the stream ends (IW-RDMAP-51).
    std::optional<Fault> accept(const Receipt& receipt, std::uint64_t sent) {
        if (receipt.placed < placed_ || receipt.placed > sent)
            return Fault{FaultKind::receipt_wrong, receipt.placed, sent};
        placed_ = receipt.placed;
        return std::nullopt;
    }

private:
    std::uint64_t placed_ = 0;
};

// The receipts that this side owes. A message of this side carries what is owed; a receipt by itself costs a write to the socket,
// which a short wait for such a message may save. Only a thread that polls is waited for. Not thread-safe.
class OwedReceipts {
public:
    // More octets than this wait for one look at most.
    static constexpr std::uint64_t kMostWaiting = 16 * 1024;

    // `placed`: octets of the peer's stream.
    std::uint64_t owed(std::uint64_t placed) const { return placed - told_; }
    void tell(std::uint64_t placed) { told_ = placed; }

    // A message of the program begins, before tell().
    void message_begins(std::uint64_t placed) {
        if (owed(placed) != 0 || told_alone_) replies_ = true;
        waited_ = told_alone_ = false;
    }
    // A thread ends its look at the stream. True: it may leave the receipt to the program's next message or to the next look;
    // false: tell now. `polls`: a thread of the program polls all the time. `gave_results`: it was given results, so that its next
    // message or look comes soon.
    bool may_wait(std::uint64_t placed, bool polls, bool gave_results) {
        const bool waits = std::exchange(waited_, false);
        if (waits && !gave_results) replies_ = false;  // the next look came before a message
        told_alone_ = false;
        const std::uint64_t octets = owed(placed);
        if (octets == 0) return true;
        waited_ = polls && (octets < kMostWaiting || !waits) && (gave_results || replies_);
        told_alone_ = !waited_;
        return waited_;
    }

private:
    std::uint64_t told_ = 0;
    bool waited_ = false;      // the newest look left a receipt
    bool told_alone_ = false;  // the newest look told one by itself
    // The program tends to answer a Write, of which it gets no result, before it polls again.
    bool replies_ = false;
};

}  // namespace opennd::iwarp
