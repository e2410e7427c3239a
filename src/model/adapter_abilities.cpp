// SPDX-License-Identifier: MIT
// See adapter_abilities.h.
#include "model/adapter_abilities.h"

#include <algorithm>
#include <limits>

namespace opennd {
namespace {

// Every limit but the thresholds, which are advice.
constexpr std::uint32_t AdapterLimits::*kNumbers[] = {
    &AdapterLimits::max_initiator_sges,    &AdapterLimits::max_receive_sges,
    &AdapterLimits::max_read_sges,         &AdapterLimits::max_transfer_bytes,
    &AdapterLimits::max_inline_bytes,      &AdapterLimits::max_inbound_reads,
    &AdapterLimits::max_outbound_reads,    &AdapterLimits::max_receive_depth,
    &AdapterLimits::max_initiator_depth,   &AdapterLimits::max_shared_receive_depth,
    &AdapterLimits::max_completion_depth,  &AdapterLimits::max_caller_data_bytes,
    &AdapterLimits::max_callee_data_bytes, &AdapterLimits::max_private_data_bytes,
};

// Abilities that an adapter has or lacks.
constexpr bool AdapterTraits::*kAbilities[] = {
    &AdapterTraits::fast_regions_for_peers,    &AdapterTraits::places_in_order,
    &AdapterTraits::resizes_completion_queues, &AdapterTraits::connects_to_itself,
    &AdapterTraits::ends_regions_by_reads,     &AdapterTraits::moderates_interrupts,
    &AdapterTraits::reads_fill_written_memory, &AdapterTraits::carries_immediate,
};

}  // namespace

Profile::Profile() : most{} {
    constexpr auto kNoLimit = std::numeric_limits<std::uint32_t>::max();
    for (const auto limit : kNumbers) most.limits.*limit = kNoLimit;
    most.limits.max_registration_bytes = std::numeric_limits<std::uint64_t>::max();
    most.traits.max_window_bytes = std::numeric_limits<std::uint64_t>::max();
    most.traits.max_fast_pages = kNoLimit;
}

AdapterAbilities lowered(const AdapterAbilities& own, const AdapterAbilities& most) {
    AdapterAbilities both = own;
    const auto lower = [](auto& value, auto limit) { value = std::min(value, limit); };
    for (const auto limit : kNumbers) lower(both.limits.*limit, most.limits.*limit);
    lower(both.limits.max_registration_bytes, most.limits.max_registration_bytes);
    lower(both.limits.inline_threshold_bytes, most.limits.max_inline_bytes);
    lower(both.limits.large_threshold_bytes, most.limits.max_transfer_bytes);
    lower(both.traits.max_window_bytes, most.traits.max_window_bytes);
    lower(both.traits.max_window_bytes, both.limits.max_registration_bytes);
    lower(both.traits.max_fast_pages, most.traits.max_fast_pages);
    for (const auto ability : kAbilities) both.traits.*ability = own.traits.*ability && most.traits.*ability;
    both.traits.pads_private_data = own.traits.pads_private_data || most.traits.pads_private_data;
    both.traits.may_pad_private_data = own.traits.may_pad_private_data || most.traits.may_pad_private_data;
    both.traits.technology = most.traits.technology;
    return both;
}

}  // namespace opennd
