// SPDX-License-Identifier: MIT
// The Request and Reply frames of MPA (RFC 5044 section 7.1) with the enhanced data of revision 2 (RFC 6581 section 4).
// Each goes once, as plain octets before the first FPDU. ../handshake/mpa_negotiation.h has the meaning of the two frames of a
// connection together, ../stream/mpa_frame_reader.h collects one from a stream.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "transport/iwarp/wire/fault.h"
#include "transport/iwarp/wire/fpdu.h"

namespace opennd::iwarp {

// The program's private data of Connect, Accept or Reject, in a buffer of its own and bounded (IW-SEC-16).
class PrivateData {
public:
    static constexpr std::size_t kMaxBytes = 512;

    PrivateData() = default;
    // At most kMaxBytes; the caller has checked.
    explicit PrivateData(std::span<const std::byte> octets) : size_(octets.size()) {
        assert(octets.size() <= kMaxBytes);
        std::copy(octets.begin(), octets.end(), octets_.begin());
    }

    std::span<const std::byte> octets() const { return std::span(octets_).first(size_); }

private:
    std::array<std::byte, kMaxBytes> octets_;
    std::size_t size_ = 0;
};

enum class MpaRole : std::uint8_t { request, reply };

// The first message of the initiator, which only opens the responder's way: sets of these.
enum class Rtr : std::uint8_t { none = 0, send = 1, write = 2, read = 4 };
constexpr Rtr operator|(Rtr a, Rtr b) {
    return static_cast<Rtr>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr Rtr operator&(Rtr a, Rtr b) {
    return static_cast<Rtr>(static_cast<std::uint8_t>(a) & static_cast<std::uint8_t>(b));
}
constexpr bool has(Rtr set, Rtr one) { return (set & one) != Rtr::none; }

// The maker of a frame, from a mark in reserved bits: RFC 5044 has them sent as zero and not checked. Some peers send a
// Request's bits back in their Reply, so the two marks differ.
enum class Maker : std::uint8_t { other, opennd };

// The first four octets of private data in revision 2 with S=1.
struct EnhancedData {
    static constexpr std::size_t kBytes = 4;
    static constexpr std::uint16_t kMaxDepth = 0x3ffe;
    static constexpr std::uint16_t kNotNegotiated = 0x3fff;  // the programs agree on it themselves (IW-MPA-15)

    bool peer_to_peer = false;         // A: the initiator owes an RTR
    Rtr rtr = Rtr::none;               // B, C, D; none without A, for any bits of the peer (IW-MPA-10)
    std::uint16_t inbound_reads = 0;   // IRD of the sender, 14 bits
    std::uint16_t outbound_reads = 0;  // ORD of the sender, 14 bits

    static EnhancedData load(std::span<const std::byte, kBytes> from);
    void store(std::span<std::byte, kBytes> to) const;

    friend bool operator==(const EnhancedData&, const EnhancedData&) = default;
};

class MpaFrame {
public:
    static constexpr std::size_t kKeyBytes = 16;
    static constexpr std::size_t kHeaderBytes = 20;
    static constexpr std::size_t kMaxBytes = kHeaderBytes + PrivateData::kMaxBytes;
    static constexpr std::uint8_t kEnhancedRevision = 2;
    using Header = std::span<const std::byte, kHeaderBytes>;

    MpaRole role = MpaRole::request;
    Markers markers = Markers::none;  // M: the sender of the frame wants them in the FPDUs that it receives (IW-MPA-08)
    Crc crc = Crc::on;                // C: used if either frame has it (IW-MPA-07)
    bool rejected = false;            // R: has a meaning in a Reply only
    Maker maker = Maker::other;       // a mark that peers may ignore (docs/decisions/0026)
    bool receipts = false;  // with the mark: proposed in a Request, agreed to in a Reply (docs/decisions/0040)
    std::uint8_t revision = kEnhancedRevision;
    std::optional<EnhancedData> enhanced;  // S, in revision 2
    PrivateData private_data;              // without the enhanced data

    // Octets that the program's data may have in such a frame (IW-MPA-14).
    static constexpr std::size_t room(bool with_enhanced_data) {
        return PrivateData::kMaxBytes - (with_enhanced_data ? EnhancedData::kBytes : 0);
    }

    // The key that a frame of `role` begins with.
    static std::span<const std::byte, kKeyBytes> key(MpaRole role);

    // The number of octets behind the header, or the fault of the header before they are read (IW-MPA-02, -03, -05).
    static Checked<std::size_t> rest_of(Header header);
    // `rest`: the octets that rest_of() counts.
    static MpaFrame load(Header header, std::span<const std::byte> rest);

    // Writes the frame and returns its octets. The private data is within room().
    std::span<const std::byte> store(std::span<std::byte, kMaxBytes> to) const;
};

}  // namespace opennd::iwarp
