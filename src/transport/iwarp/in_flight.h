// SPDX-License-Identifier: MIT
// The messages and Reads of this side that are in flight: which of them the peer has placed, as far as its receipts and its
// answers tell, and the one that failed.
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "transport/iwarp/stream/growing_ring.h"
#include "transport/iwarp/stream/outstanding_reads.h"
#include "transport/iwarp/stream/receipts.h"
#include "transport/iwarp/stream/sent_messages.h"

namespace opennd::iwarp {

// Not thread-safe. Messages have the numbers of SentMessages; 0 names none.
class InFlight {
public:
    explicit InFlight(std::uint32_t most_reads) : reads_(most_reads) {}

    std::uint64_t begin(const SentMessage& message) { return sent_.begin(message); }
    // The newest message has been framed as a whole.
    void framed(std::uint64_t stream_end) { sent_.framed(stream_end); }
    std::uint64_t newest() const { return sent_.newest(); }
    Opcode opcode_of(std::uint64_t message) const { return sent_[message].opcode; }
    // The newest message has no Read behind it.
    bool is_uncovered() const { return sent_.newest() > covered_; }

    // A Read leaves, only after may_read(), which is false without memory for it. `number`: its own message; of a fence, the newest
    // message before it.
    bool reads_full() const { return reads_.full(); }
    [[nodiscard]] bool may_read() { return reads_.make_room() && open_reads_.make_room(); }
    void start_read(Stag sink, std::uint32_t bytes, std::uint64_t number, bool fence) {
        reads_.start(sink, bytes);
        if (fence) ++fences_open_;
        open_reads_.push({number, fence});
        covered_ = number;
    }
    std::uint32_t fences_open() const { return fences_open_; }
    Checked<ResponsePlacement> accept_response(const Segment& segment) { return reads_.accept(segment); }
    bool in_response() const { return reads_.in_response(); }
    // The oldest Read has its whole answer, which proves that all messages through `number` are placed.
    struct Read {
        std::uint64_t number;
        bool fence;
    };
    Read finish_read() {
        const Read read = open_reads_.front();
        open_reads_.pop();
        if (read.fence) --fences_open_;
        return read;
    }
    // The message of the oldest Read of the program.
    std::uint64_t oldest_read() const {
        for (std::size_t read = 0; read != open_reads_.size(); ++read)
            if (!open_reads_[read].fence) return open_reads_[read].number;
        return 0;
    }

    // The peer's receipts. `sent`: octets of this side's stream so far.
    Receipt widened(std::uint32_t lower) const { return peer_receipts_.widened(lower); }
    std::optional<Fault> accept_receipt(const Receipt& receipt, std::uint64_t sent) {
        return peer_receipts_.accept(receipt, sent);
    }
    std::uint64_t octets_placed() const { return peer_receipts_.placed(); }

    // The peer has placed this message and all before it.
    void confirm(std::uint64_t through) { sent_.confirm(through); }
    // The newest message that ends at this octet of the stream or before. Messages behind a Read wait for its answer.
    std::uint64_t ended_by(std::uint64_t octets) const { return sent_.ended_by(octets); }
    // A receipt tells of this message. One before it may wait for an answer.
    bool is_placed(std::uint64_t message) const { return sent_.ends_by(message, peer_receipts_.placed()); }

    // A message of this side that the peer has not placed, and its status. The first one counts.
    struct Failure {
        std::uint64_t number = 0;
        Status status = Status::success;
    };
    const Failure& failure() const { return failure_; }
    void fail(std::uint64_t number, Status status) {
        if (failure_.number == 0) failure_ = {number, status};
    }
    // The message that a Terminate of the peer blames.
    std::optional<std::uint64_t> blamed(const ReceivedTerminate& terminate) const { return sent_.blamed(terminate); }

private:
    SentMessages sent_;
    PeerReceipts peer_receipts_;
    OutstandingReads reads_;        // as the wire has them,
    GrowingRing<Read> open_reads_;  // and beside each its message here
    std::uint64_t covered_ = 0;     // messages through this one have a Read behind them
    std::uint32_t fences_open_ = 0;
    Failure failure_;
};

}  // namespace opennd::iwarp
