// SPDX-License-Identifier: MIT
// ReceivedTerminate: see terminate.h. The order of octets in the comments is that of the ULPDU.
#include "transport/iwarp/wire/big_endian.h"
#include "transport/iwarp/wire/terminate.h"

namespace opennd::iwarp {
namespace {

using Form = ReceivedTerminate::Form;

// The content of octets 18 to 20, read in one of the two forms.
struct Reading {
    TerminateCause cause;
    bool has_length, has_ddp_header, has_rdmap_header;
};

constexpr std::uint8_t swap_nibbles(std::uint8_t octet) { return static_cast<std::uint8_t>(octet << 4 | octet >> 4); }

Reading read(std::span<const std::byte> control, Form form) {
    auto cause = std::to_integer<std::uint8_t>(control[0]);
    auto presence = std::to_integer<std::uint8_t>(control[2]);
    if (form == Form::swapped) {
        cause = swap_nibbles(cause);
        // M, D and R from the other end of the octet.
        presence = static_cast<std::uint8_t>((presence & 1) << 7 | (presence & 2) << 5 | (presence & 4) << 3);
    }
    return {{static_cast<Layer>(cause >> 4), static_cast<std::uint8_t>(cause & 0x0f),
             std::to_integer<std::uint8_t>(control[1])},
            (presence & 0x80) != 0,
            (presence & 0x40) != 0,
            (presence & 0x20) != 0};
}

// Codes of the handshake, which read the other way round are codes of RDMAP.
bool is_of_handshake(const TerminateCause& cause) {
    return cause.layer == Layer::mpa && cause.code >= 0x05 && cause.code <= 0x07;
}

// No presence bit tells the form: the registries do (IW-ERR-11).
Form form_by_registry(std::span<const std::byte> control, Arrival arrival) {
    const TerminateCause standard = read(control, Form::standard).cause;
    const TerminateCause swapped = read(control, Form::swapped).cause;
    if (!is_registered(standard)) return is_registered(swapped) ? Form::swapped : Form::ambiguous;
    if (arrival == Arrival::before_messages && is_registered(swapped) && is_of_handshake(swapped)) return Form::swapped;
    return Form::standard;
}

Form form_of(std::span<const std::byte> control, bool longer, Arrival arrival) {
    const auto presence = std::to_integer<std::uint8_t>(control[2]);
    const bool high = (presence & 0xe0) != 0, low = (presence & 0x07) != 0;
    if (high && !low) return Form::standard;
    if (!high && low && longer) return Form::swapped;
    if (!high && !low && !longer) return form_by_registry(control, arrival);
    return Form::ambiguous;
}

// Length, DDP header, RDMAP header, in this order (IW-RDMAP-08). False: one that was announced is cut.
bool load_quotation(ReceivedTerminate& terminate, const Reading& reading, std::span<const std::byte> rest) {
    if (reading.has_ddp_header) {
        if (rest.size() < sizeof(std::uint16_t) + SegmentControl::kBytes) return false;
        if (reading.has_length) terminate.segment_bytes = load_big_endian<std::uint16_t>(rest.data());
        rest = rest.subspan(sizeof(std::uint16_t));
        const std::size_t bytes = header_bytes(SegmentControl::load(rest.first<SegmentControl::kBytes>()).model);
        if (rest.size() < bytes) return false;
        terminate.ddp_header = rest.first(bytes);
        rest = rest.subspan(bytes);
    }
    if (reading.has_rdmap_header) {
        if (rest.size() < ReadRequest::kBytes) return false;
        terminate.read_request = ReadRequest::load(rest.first<ReadRequest::kBytes>());
    }
    return true;
}

}  // namespace

ReceivedTerminate ReceivedTerminate::load(const Segment& segment, Arrival arrival) {
    ReceivedTerminate terminate;
    const std::span<const std::byte> octets = segment.payload();
    if (octets.size() < Terminate::kControlBytes) return terminate;
    const auto control = octets.first(Terminate::kControlBytes);
    const auto rest = octets.subspan(Terminate::kControlBytes);
    terminate.form = form_of(control, !rest.empty(), arrival);
    const Reading reading = read(control, terminate.form);
    if (is_registered(reading.cause)) terminate.cause = reading.cause;
    if (!load_quotation(terminate, reading, rest)) terminate.cause.reset();
    return terminate;
}

}  // namespace opennd::iwarp
