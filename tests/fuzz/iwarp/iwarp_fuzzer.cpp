// SPDX-License-Identifier: MIT
// Octets of a peer in the handshake and in the stream of iWARP. Checked: the result does not depend on the portions in
// which they arrive; every refusal has a cause; no octet is placed outside the granted memory; this side reads its own
// frames.
#include <array>
#include <optional>
#include <vector>

#include "fuzz/iwarp/iwarp_receiver.h"
#include "fuzz/iwarp/iwarp_steps.h"
#include "fuzz/portions.h"
#include "fuzz/script.h"
#include "transport/iwarp/handshake/mpa_negotiation.h"
#include "transport/iwarp/stream/ddp_segmenter.h"
#include "transport/iwarp/stream/mpa_deframer.h"
#include "transport/iwarp/stream/mpa_frame_reader.h"
#include "transport/iwarp/stream/mpa_framer.h"

namespace opennd::fuzz {
namespace {

using namespace iwarp;
using Octets = std::vector<std::byte>;

constexpr std::size_t kAll = 1 << 20;

void append(Octets& to, const Fpdu& fpdu) {
    for (const auto piece : fpdu.pieces()) to.insert(to.end(), piece.begin(), piece.end());
}

// --- the handshake

struct Introduction {
    std::optional<MpaFrame> frame;
    std::optional<Fault> fault;
    std::size_t taken = 0;
};

Introduction introduced(MpaRole expected, Portions portions) {
    MpaFrameReader reader(expected);
    Introduction result;
    while (!portions.over() && !result.frame && !result.fault) {
        const auto portion = portions.next();
        auto left = portion;
        const auto read = reader.read(left);
        result.taken += portion.size() - left.size();
        if (!read.ok()) result.fault = read.fault();
        if (read.ok()) result.frame = read.value();
    }
    return result;
}

Octets stored(const MpaFrame& frame) {
    std::array<std::byte, MpaFrame::kMaxBytes> room;
    const auto octets = frame.store(room);
    return {octets.begin(), octets.end()};
}

void check_limits(const ReadLimits& limits) {
    require(limits.inbound <= 64 && limits.outbound <= 64, "limits stay within the adapter's");
}

void negotiate(const MpaFrame& peer) {
    const MpaTerms terms{.most = {64, 64}};
    const ReadLimits wanted{8, 8};
    if (peer.role == MpaRole::request) {
        check_limits(limits_left(peer, terms.most));
        const MpaFrame reply = make_reply(terms, peer, wanted, false, {});
        const auto types = reply.enhanced ? static_cast<unsigned>(reply.enhanced->rtr) : 0u;
        const bool offers = peer.maker == Maker::opennd && types == static_cast<unsigned>(Rtr::write | Rtr::send);
        require((types & (types - 1)) == 0 || offers, "a Reply names one type of RTR, or offers immediate data");
        require(reply.enhanced.has_value() == peer.enhanced.has_value(), "a Reply has the form of its Request");
        check_limits(agreed(terms, peer, reply, wanted).limits);
        return;
    }
    const MpaFrame request = make_request(terms, wanted, {});
    const auto agreement = settle(terms, request, peer, wanted);
    if (agreement.ok()) check_limits(agreement.value().limits);
    require(!agreement.ok() || agreement.value().crc == Crc::on, "CRC stays on");
}

void run_handshake(MpaRole expected, Script& script) {
    const std::uint8_t choice = script.byte();
    const auto octets = script.octets(kAll);
    const Introduction whole = introduced(expected, Portions(octets, 0));
    const Introduction parts = introduced(expected, Portions(octets, choice));
    require(whole.frame.has_value() == parts.frame.has_value(), "a frame arrives in any portions");
    require(whole.fault.has_value() == parts.fault.has_value(), "a wrong frame is refused in any portions");
    if (whole.fault) require(whole.fault->kind == parts.fault->kind, "and for the same reason");
    if (!whole.frame) return;
    require(whole.taken == parts.taken, "a frame takes its own octets");
    const Octets again = stored(*whole.frame);
    require(again.size() == whole.taken && again == stored(*parts.frame), "a frame is stored as it was read");
    require(stored(*introduced(expected, Portions(again, 0)).frame) == again, "and read as it was stored");
    negotiate(*whole.frame);
}

// --- the stream

struct Reception {
    std::vector<Octets> ulpdus;
    std::optional<Fault> fault;
    bool at_boundary = true;
};

Reception received(Crc crc, Portions portions) {
    MpaDeframer deframer(crc);
    Reception result;
    while (!portions.over() && !result.fault) {
        auto portion = portions.next();
        for (;;) {
            const auto next = deframer.next(portion);
            if (!next.ok()) result.fault = next.fault();
            if (!next.ok() || !next.value()) break;
            result.ulpdus.emplace_back(next.value()->begin(), next.value()->end());
        }
        require(result.fault || portion.empty(), "a portion is used up");
    }
    result.at_boundary = deframer.at_boundary();
    return result;
}

void deliver(const std::vector<Octets>& ulpdus) {
    IwarpReceiver receiver;
    for (const Octets& ulpdu : ulpdus)
        if (receiver.take(ulpdu) || receiver.ended()) break;
}

void run_stream(Crc crc, Script& script) {
    const std::uint8_t choice = script.byte();
    const auto octets = script.octets(kAll);
    const Reception whole = received(crc, Portions(octets, 0));
    const Reception parts = received(crc, Portions(octets, choice));
    require(whole.ulpdus == parts.ulpdus, "a stream says the same in any portions");
    require(whole.fault.has_value() == parts.fault.has_value(), "and breaks at the same place");
    require(whole.fault || whole.at_boundary == parts.at_boundary, "and may end at the same places");
    deliver(whole.ulpdus);
}

std::vector<Octets> scripted_ulpdus(Script& script) {
    std::vector<Octets> ulpdus;
    while (!script.over()) {
        std::size_t bytes = script.byte();
        if (bytes == 0xff) bytes = script.raw<std::uint16_t>();
        const auto octets = script.octets(bytes);
        ulpdus.emplace_back(octets.begin(), octets.end());
        if (bytes > octets.size()) ulpdus.back().resize(bytes);  // the last one, of zeros
    }
    return ulpdus;
}

// Markers lie at fixed places of a stream.
Octets without_markers(const Octets& marked) {
    Octets plain;
    for (std::size_t i = 0; i < marked.size(); ++i)
        if (i % kMarkerSpacing >= kMarkerBytes) plain.push_back(marked[i]);
    return plain;
}

void run_ulpdus(Markers markers, Script& script) {
    const std::uint8_t choice = script.byte();
    const std::vector<Octets> ulpdus = scripted_ulpdus(script);
    MpaFramer framer(Crc::on, markers);
    Fpdu fpdu;
    Octets stream;
    for (const Octets& ulpdu : ulpdus) {
        const auto half = std::span<const std::byte>(ulpdu).first(ulpdu.size() / 2);
        framer.frame({{half, std::span<const std::byte>(ulpdu).subspan(half.size())}}, fpdu);
        append(stream, fpdu);
    }
    // The CRC covers the markers: without them it says nothing.
    if (markers == Markers::inserted) stream = without_markers(stream);
    const Reception result = received(markers == Markers::none ? Crc::on : Crc::off, Portions(stream, choice));
    require(!result.fault && result.ulpdus == ulpdus && result.at_boundary, "what is framed is found again");
    deliver(ulpdus);
}

// --- a message

void run_message(Script& script) {
    const std::uint8_t choice = script.byte();
    const std::uint32_t length = script.raw<std::uint16_t>();
    Octets message(length), arrived(length);
    for (std::size_t i = 0; i < length; ++i) message[i] = static_cast<std::byte>(i * 7 + (i >> 8));
    DdpSegmenter segmenter(Opcode::send, 1, Stag::none, length);
    MpaFramer framer(Crc::on, Markers::none);
    Fpdu fpdu;
    Octets stream;
    while (!segmenter.done()) {
        const OutboundSegment segment = segmenter.next(mulpdu(script.raw<std::uint16_t>(), Markers::none));
        const auto payload = std::span<const std::byte>(message).subspan(segment.message_offset, segment.payload_bytes);
        framer.frame({{segment.header(), payload}}, fpdu);
        append(stream, fpdu);
    }
    SendReassembly reassembly;
    bool complete = false;
    for (const Octets& ulpdu : received(Crc::on, Portions(stream, choice)).ulpdus) {
        const auto segment = Segment::load(ulpdu);
        require(segment.ok() && !complete, "a message is made of segments, the last one marked");
        const auto placement = reassembly.accept(segment.value(), length);
        require(placement.ok(), "segments fit together");
        std::ranges::copy(segment.value().payload(), arrived.begin() + placement.value().message_offset);
        complete = placement.value().last;
    }
    require(complete && arrived == message, "a message arrives as it was sent");
}

}  // namespace
}  // namespace opennd::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace opennd::fuzz;
    using opennd::iwarp::Crc;
    using opennd::iwarp::Markers;
    using opennd::iwarp::MpaRole;
    Script script({data, size});
    switch (static_cast<IwarpTarget>(script.below(kIwarpTargets))) {
        case IwarpTarget::request: run_handshake(MpaRole::request, script); break;
        case IwarpTarget::reply: run_handshake(MpaRole::reply, script); break;
        case IwarpTarget::stream: run_stream(Crc::on, script); break;
        case IwarpTarget::unchecked_stream: run_stream(Crc::off, script); break;
        case IwarpTarget::ulpdus: run_ulpdus(Markers::none, script); break;
        case IwarpTarget::marked_ulpdus: run_ulpdus(Markers::inserted, script); break;
        case IwarpTarget::message: run_message(script); break;
    }
    return 0;
}
