// SPDX-License-Identifier: MIT
// Cuts one message into DDP segments (RFC 5041 section 5.1; IW-DDP-01 to -03, -06). Until it is done, no other message may
// be sent: receivers in the field keep one message open.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "transport/iwarp/wire/ddp_header.h"
#include "transport/iwarp/wire/immediate_data.h"

namespace opennd::iwarp {

// A segment to send: its header, and the range of the message's octets behind it.
class OutboundSegment {
public:
    std::span<const std::byte> header() const { return std::span(octets_).first(header_bytes_); }

    // Puts a receipt into the first segment of a Send that invalidates nothing, unless that has immediate data.
    void stamp(const Receipt& receipt) { receipt.stamp(octets_); }

    std::uint32_t message_offset = 0;
    std::uint32_t payload_bytes = 0;
    bool last = false;
    bool immediate = false;  // the header has immediate data

private:
    friend class DdpSegmenter;
    std::array<std::byte, UntaggedHeader::kBytes> octets_;
    std::size_t header_bytes_ = 0;
};

class DdpSegmenter {
public:
    // `message`: opcode write or read_response, to begin at this TO. It may run over the end of 64 bits: the receiver
    // checks.
    DdpSegmenter(Opcode opcode, const TaggedHeader& message, std::uint32_t length_bytes);
    // `opcode`: one of the Sends. `msn` is taken when the message begins, not when it is posted (IW-DDP-07).
    // `invalidate` goes out with the opcodes that invalidate.
    DdpSegmenter(Opcode opcode, std::uint32_t msn, Stag invalidate, std::uint32_t length_bytes);

    // Puts immediate data into the last segment of a Send that invalidates nothing. Before next().
    void set_immediate(const ImmediateData& immediate) { immediate_ = immediate; }

    // A message of length 0 is one segment (IW-RDMAP-03).
    bool done() const { return done_; }
    // Octets of the message in the segments so far.
    std::uint32_t sent_bytes() const { return sent_bytes_; }
    // Returns a segment as full as `mulpdu` allows; mulpdu may differ from call to call (IW-DDP-06) and is at least
    // kMinMulpdu. Not after done().
    OutboundSegment next(std::size_t mulpdu);
    // The newest segment was not sent.
    void take_back(const OutboundSegment& newest) {
        sent_bytes_ = newest.message_offset;
        done_ = false;
    }

private:
    const Opcode opcode_;
    const TaggedHeader tagged_;      // of the first segment
    const UntaggedHeader untagged_;  // likewise
    const std::uint32_t length_bytes_;
    std::optional<ImmediateData> immediate_;
    std::uint32_t sent_bytes_ = 0;
    bool done_ = false;
};

}  // namespace opennd::iwarp
