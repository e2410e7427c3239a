// SPDX-License-Identifier: MIT
// The agreement of two frames: see mpa_negotiation.h.
#include "transport/iwarp/handshake/mpa_negotiation.h"

#include <algorithm>

namespace opennd::iwarp {
namespace {

constexpr std::uint16_t kNotNegotiated = EnhancedData::kNotNegotiated;

std::uint16_t depth(std::uint32_t wanted, std::uint32_t most) {
    return static_cast<std::uint16_t>(std::min({wanted, most, std::uint32_t{EnhancedData::kMaxDepth}}));
}

// A Reply's depth: at most the depth of the other side.
std::uint16_t answer(std::uint16_t mine, std::uint16_t peers) {
    return peers == kNotNegotiated ? kNotNegotiated : std::min(mine, peers);
}

// In the order in which they are preferred (IW-MPA-13).
Rtr first_of(Rtr set) {
    for (const Rtr one : {Rtr::write, Rtr::read, Rtr::send})
        if (has(set, one)) return one;
    return Rtr::none;
}

// The Reply must name a type, even if none that was offered is taken here: the initiator then gives up.
Rtr pick(Rtr offered, Rtr taken) {
    const Rtr common = first_of(offered & taken);
    return common == Rtr::none ? Rtr::write : common;
}

EnhancedData answer(const MpaTerms& terms, const EnhancedData& request, const ReadLimits& wanted) {
    EnhancedData reply;
    reply.peer_to_peer = request.peer_to_peer;  // IW-MPA-12
    if (request.peer_to_peer) reply.rtr = pick(request.rtr, terms.taken);
    reply.inbound_reads = answer(depth(wanted.inbound, terms.most.inbound), request.outbound_reads);
    reply.outbound_reads = answer(depth(wanted.outbound, terms.most.outbound), request.inbound_reads);
    if (reply.rtr == Rtr::read && reply.inbound_reads == 0) reply.inbound_reads = 1;
    return reply;
}

// The offer of immediate data, in a Reply to OpenND alone: the Send of no octets beside the Write that is to open the stream.
// An initiator without immediate data takes the Write, which it prefers, and sees no more in it (docs/decisions/0095).
constexpr Rtr kOffer = Rtr::write | Rtr::send;

bool offers_immediate(const MpaFrame& reply) {
    return reply.maker == Maker::opennd && reply.enhanced && reply.enhanced->rtr == kOffer;
}

Crc either(const MpaFrame& request, const MpaFrame& reply) {
    return request.crc == Crc::on || reply.crc == Crc::on ? Crc::on : Crc::off;
}

std::optional<Fault> check_form(const MpaFrame& request, const MpaFrame& reply) {
    if (reply.revision < request.revision)
        return Fault{FaultKind::reply_of_lower_revision, reply.revision, request.revision};
    if (request.enhanced && !reply.enhanced) return Fault{FaultKind::reply_without_enhanced_data, 0, 1};
    if (!request.enhanced && reply.enhanced) return Fault{FaultKind::reply_with_enhanced_data, 1, 0};
    return std::nullopt;
}

// Which RTR the initiator sends. A peer that waives it gets a Write nevertheless: it does no harm, and opens strict
// gates (IW-CM-27).
Checked<Rtr> settle_rtr(Rtr offered, const EnhancedData& request, const EnhancedData& reply) {
    if (reply.peer_to_peer && !request.peer_to_peer) return Fault{FaultKind::reply_wants_unoffered_opening, 1, 0};
    if (!reply.peer_to_peer) return request.peer_to_peer ? Rtr::write & offered : Rtr::none;
    const Rtr common = first_of(reply.rtr & offered);
    if (common == Rtr::none)
        return Fault{FaultKind::reply_without_common_rtr, static_cast<std::uint64_t>(reply.rtr),
                     static_cast<std::uint64_t>(offered)};
    return common;
}

// The initiator follows: it lowers its outbound limit, and raises its inbound one as far as the adapter can (IW-CM-23).
Checked<ReadLimits> settle_limits(const EnhancedData& reply, const ReadLimits& mine, const ReadLimits& most) {
    ReadLimits limits = mine;
    if (reply.inbound_reads != kNotNegotiated)
        limits.outbound = std::min<std::uint32_t>(mine.outbound, reply.inbound_reads);
    if (reply.outbound_reads == kNotNegotiated) return limits;
    const std::uint32_t possible = std::max(mine.inbound, std::uint32_t{depth(most.inbound, most.inbound)});
    if (reply.outbound_reads > possible)
        return Fault{FaultKind::reply_needs_more_inbound_reads, reply.outbound_reads, possible};
    limits.inbound = reply.outbound_reads;
    return limits;
}

ReadLimits clamped(const ReadLimits& wanted, const ReadLimits& most) {
    return {depth(wanted.inbound, most.inbound), depth(wanted.outbound, most.outbound)};
}

// For frames without depths. With a peer of another maker the programs agree on depths themselves (IW-CM-25). Two ends of
// OpenND come here when the network cut off a first attempt, which would have agreed on depths (IW-CM-17): then each takes as
// many Reads as the other can open.
ReadLimits unnegotiated(const ReadLimits& wanted, const ReadLimits& most, Maker peer) {
    ReadLimits limits = clamped(wanted, most);
    if (peer == Maker::opennd) limits.inbound = depth(most.inbound, most.inbound);
    return limits;
}

}  // namespace

MpaFrame make_request(const MpaTerms& terms, const ReadLimits& wanted, std::span<const std::byte> private_data) {
    MpaFrame request;
    request.role = MpaRole::request;
    request.crc = terms.crc;
    request.maker = Maker::opennd;
    request.receipts = terms.receipts;
    request.revision = terms.revision;
    request.private_data = PrivateData(private_data);
    if (terms.revision == MpaFrame::kEnhancedRevision)
        request.enhanced =
            EnhancedData{terms.offered != Rtr::none, terms.offered, depth(wanted.inbound, terms.most.inbound),
                         depth(wanted.outbound, terms.most.outbound)};
    return request;
}

ReadLimits limits_left(const MpaFrame& request, const ReadLimits& most) {
    if (!request.enhanced) return most;
    const auto left = [](std::uint16_t peers, std::uint32_t mine) {
        return peers == kNotNegotiated ? mine : std::min<std::uint32_t>(peers, mine);
    };
    return {left(request.enhanced->outbound_reads, most.inbound), left(request.enhanced->inbound_reads, most.outbound)};
}

MpaFrame make_reply(const MpaTerms& terms, const MpaFrame& request, const ReadLimits& wanted, bool rejected,
                    std::span<const std::byte> private_data) {
    MpaFrame reply;
    reply.role = MpaRole::reply;
    reply.crc = terms.crc == Crc::on ? Crc::on : request.crc;
    reply.rejected = rejected;
    reply.maker = request.maker;  // the mark goes to a peer of the same maker only
    reply.receipts = terms.receipts && request.receipts;
    reply.revision = request.revision;  // and enhanced exactly if the Request is (IW-MPA-06)
    if (request.enhanced) reply.enhanced = answer(terms, *request.enhanced, wanted);
    if (terms.immediate && request.maker == Maker::opennd && reply.enhanced && reply.enhanced->rtr == Rtr::write)
        reply.enhanced->rtr = kOffer;
    reply.private_data = PrivateData(private_data);
    return reply;
}

MpaAgreement agreed(const MpaTerms& terms, const MpaFrame& request, const MpaFrame& reply, const ReadLimits& wanted) {
    MpaAgreement agreement{either(request, reply), request.markers, clamped(wanted, terms.most), false};
    agreement.peer = request.maker;
    agreement.receipts = reply.receipts;
    if (!reply.enhanced) {
        agreement.limits = unnegotiated(wanted, terms.most, agreement.peer);
        return agreement;
    }
    if (reply.enhanced->inbound_reads != kNotNegotiated) agreement.limits.inbound = reply.enhanced->inbound_reads;
    if (reply.enhanced->outbound_reads != kNotNegotiated) agreement.limits.outbound = reply.enhanced->outbound_reads;
    agreement.peer_to_peer = reply.enhanced->peer_to_peer;
    agreement.rtr = first_of(reply.enhanced->rtr);
    agreement.immediate = offers_immediate(reply);
    return agreement;
}

Checked<MpaAgreement> settle(const MpaTerms& terms, const MpaFrame& request, const MpaFrame& reply,
                             const ReadLimits& wanted) {
    if (const auto fault = check_form(request, reply)) return *fault;
    MpaAgreement agreement{either(request, reply), reply.markers, clamped(wanted, terms.most), false};
    agreement.peer = reply.maker;
    agreement.receipts = request.receipts && reply.receipts;
    if (!request.enhanced) {
        agreement.limits = unnegotiated(wanted, terms.most, agreement.peer);
        return agreement;
    }
    const Checked<Rtr> rtr = settle_rtr(terms.offered, *request.enhanced, *reply.enhanced);
    if (!rtr.ok()) return rtr.fault();
    const Checked<ReadLimits> limits = settle_limits(*reply.enhanced, agreement.limits, terms.most);
    if (!limits.ok()) return limits.fault();
    agreement.limits = limits.value();
    agreement.peer_to_peer = reply.enhanced->peer_to_peer;
    agreement.rtr = rtr.value();
    agreement.immediate = terms.immediate && rtr.value() == Rtr::write && offers_immediate(reply);
    return agreement;
}

}  // namespace opennd::iwarp
