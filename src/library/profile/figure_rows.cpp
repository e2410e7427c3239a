// SPDX-License-Identifier: MIT
// See figure_rows.h.
#include "library/profile/figure_rows.h"

#include <algorithm>
#include <array>
#include <utility>

namespace opennd {
namespace {

constexpr std::uint64_t kLeastRegistration = 1 << 16;

constexpr std::array kLimits{
    LimitRow{"MaxRegistrationSize", &AdapterLimits::max_registration_bytes, kLeastRegistration},
    LimitRow{"MaxWindowSize", &AdapterTraits::max_window_bytes, 0},
    LimitRow{"MaxInitiatorSge", &AdapterLimits::max_initiator_sges, 1},
    LimitRow{"MaxReceiveSge", &AdapterLimits::max_receive_sges, 1},
    LimitRow{"MaxReadSge", &AdapterLimits::max_read_sges, 1},
    LimitRow{"MaxTransferLength", &AdapterLimits::max_transfer_bytes, 1},
    LimitRow{"MaxInlineDataSize", &AdapterLimits::max_inline_bytes, 0},
    LimitRow{"MaxInboundReadLimit", &AdapterLimits::max_inbound_reads, 0},
    LimitRow{"MaxOutboundReadLimit", &AdapterLimits::max_outbound_reads, 0},
    LimitRow{"MaxReceiveQueueDepth", &AdapterLimits::max_receive_depth, 1},
    LimitRow{"MaxInitiatorQueueDepth", &AdapterLimits::max_initiator_depth, 1},
    LimitRow{"MaxSharedReceiveQueueDepth", &AdapterLimits::max_shared_receive_depth, 0},
    LimitRow{"MaxCompletionQueueDepth", &AdapterLimits::max_completion_depth, 1},
    LimitRow{"MaxCallerData", &AdapterLimits::max_caller_data_bytes, 0},
    LimitRow{"MaxCalleeData", &AdapterLimits::max_callee_data_bytes, 0},
    LimitRow{"NdkMaxCallerData", &AdapterLimits::max_private_data_bytes, 0},
};

constexpr std::array kQuirks{
    QuirkRow{"unordered_placement", "no IN_ORDER_DMA_SUPPORTED in AdapterFlags; the order itself is kept",
             [](Profile& p) { p.most.traits.places_in_order = false; }},
    QuirkRow{"no_queue_resize", "no CQ_RESIZE_SUPPORTED in AdapterFlags; Resize gives ND_NOT_SUPPORTED",
             [](Profile& p) { p.most.traits.resizes_completion_queues = false; }},
    QuirkRow{"no_loopback", "no LOOPBACK_CONNECTIONS_SUPPORTED in AdapterFlags; Connect to an own address fails",
             [](Profile& p) { p.most.traits.connects_to_itself = false; }},
    QuirkRow{"sink_needs_right",
             "of version 2: a Read into memory without RDMA_READ_SINK or ALLOW_REMOTE_WRITE gives ND_ACCESS_VIOLATION",
             [](Profile& p) { p.most.traits.reads_fill_written_memory = false; }},
    QuirkRow{
        "padded_private_data",
        "private data arrive with zeros up to MaxCallerData or MaxCalleeData; those of a Reject only if there are any",
        [](Profile& p) { p.most.traits.pads_private_data = true; }},
    QuirkRow{"local_completion",
             "over iwarp a Send or Write is complete when TCP has it; over shm and loopback when the peer has it",
             [](Profile& p) { p.completes_locally = true; }},
    QuirkRow{"strict_overrun", "a completion queue has room for its depth and no more, as with OPENND_OVERRUN=strict",
             [](Profile& p) { p.strict_overrun = true; }},
    QuirkRow{"receives_alone_count_bytes",
             "BytesTransferred is 0 but for receives: always so with versions 2 and NDKPI", [](Profile&) {}},
};

constexpr std::array<std::pair<std::string_view, Technology>, 4> kTechnologies{{
    {"iwarp", Technology::iwarp},
    {"infiniband", Technology::infiniband},
    {"roce", Technology::roce},
    {"roce_v2", Technology::roce_v2},
}};

}  // namespace

std::span<const LimitRow> limit_rows() { return kLimits; }
std::span<const QuirkRow> quirk_rows() { return kQuirks; }

std::uint64_t value_of(const LimitRow& row, const AdapterAbilities& abilities) {
    if (const auto* const trait = std::get_if<std::uint64_t AdapterTraits::*>(&row.member))
        return abilities.traits.**trait;
    if (const auto* const wide = std::get_if<std::uint64_t AdapterLimits::*>(&row.member))
        return abilities.limits.**wide;
    return abilities.limits.*std::get<std::uint32_t AdapterLimits::*>(row.member);
}

void set_value(const LimitRow& row, AdapterAbilities& abilities, std::uint64_t value) {
    if (const auto* const trait = std::get_if<std::uint64_t AdapterTraits::*>(&row.member))
        abilities.traits.** trait = value;
    else if (const auto* const wide = std::get_if<std::uint64_t AdapterLimits::*>(&row.member))
        abilities.limits.** wide = value;
    else
        abilities.limits.*std::get<std::uint32_t AdapterLimits::*>(row.member) =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(value, UINT32_MAX));
}

const Technology* find_technology(std::string_view name) {
    for (const auto& [word, technology] : kTechnologies)
        if (word == name) return &technology;
    return nullptr;
}

std::string_view name(Technology technology) {
    for (const auto& [word, each] : kTechnologies)
        if (each == technology) return word;
    return {};
}

}  // namespace opennd
