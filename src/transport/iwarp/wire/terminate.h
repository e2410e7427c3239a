// SPDX-License-Identifier: MIT
// The Terminate message (RFC 5040 section 4.8): the cause of the stream's end, and the headers of the message to blame.
// An arriving one is read defensively: every part may be missing, and one deployed peer swaps the nibbles (IW-ERR-10, -11).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "transport/iwarp/wire/ddp_header.h"
#include "transport/iwarp/wire/fault.h"
#include "transport/iwarp/wire/read_request.h"

namespace opennd::iwarp {

// One to send. At most one goes out per direction, always with MSN 1, as the last FPDU (IW-ERR-01).
class Terminate {
public:
    static constexpr std::size_t kControlBytes = 4;  // cause, and which headers follow
    static constexpr std::size_t kMinBytes = UntaggedHeader::kBytes + kControlBytes;
    static constexpr std::size_t kMaxBytes = kMinBytes + ReadRequest::kUlpduBytes + 2;

    // `blamed`: the ULPDU that arrived, empty if none did. The cause decides how much of it is quoted (IW-RDMAP-11): nothing
    // after an error of MPA, because its octets may not be used (IW-ERR-05).
    explicit Terminate(const TerminateCause& cause, std::span<const std::byte> blamed = {});
    // The source of `request` failed when `sent` octets of the response were on their way (IW-RDMAP-10, -29). `blamed`:
    // the ULPDU that `request` came in.
    Terminate(const TerminateCause& cause, std::span<const std::byte, ReadRequest::kUlpduBytes> blamed,
              std::uint32_t sent);

    std::span<const std::byte> ulpdu() const { return std::span(octets_).first(size_); }
    const TerminateCause& cause() const { return cause_; }

private:
    void quote(std::span<const std::byte> blamed, bool with_read_request);

    TerminateCause cause_;
    std::array<std::byte, kMaxBytes> octets_{};
    std::size_t size_ = kMinBytes;
};

// Whether messages of the program have arrived before it. It only decides between two readings of a few codes.
enum class Arrival : std::uint8_t { before_messages, after_messages };

// A Terminate that arrived. It is never answered by another (IW-ERR-04).
struct ReceivedTerminate {
    enum class Form : std::uint8_t {
        standard,
        swapped,    // nibbles of the control octets exchanged
        ambiguous,  // neither reading is registered, or the presence bits contradict each other
    };

    std::optional<TerminateCause> cause;  // none: cut, or unknown
    Form form = Form::standard;
    // A hint: one deployed peer counts the payload alone (IW-RDMAP-09).
    std::optional<std::uint16_t> segment_bytes;
    // The headers of the message to blame, if they are all there. The peer may claim any.
    std::span<const std::byte> ddp_header;  // 14 or 18 octets, or none
    std::optional<ReadRequest> read_request;

    // `segment`: one of opcode terminate. Points into it.
    static ReceivedTerminate load(const Segment& segment, Arrival arrival);
};

}  // namespace opennd::iwarp
