// SPDX-License-Identifier: MIT
// See abilities.h.
#include "transport/soft/abilities.h"

#include "transport/soft/channel/channel.h"

namespace opennd::soft {
namespace {

// ND2-ADP-LIM-01, ND2-ADP-LIM-02.
constexpr AdapterLimits kLimits{
    .max_registration_bytes = std::uint64_t{1} << 40,
    .max_initiator_sges = kMaxSges,
    .max_receive_sges = kMaxSges,
    .max_read_sges = kMaxSges,
    .max_transfer_bytes = 1u << 30,
    .max_inline_bytes = 1024,
    .max_inbound_reads = 128,
    .max_outbound_reads = 128,
    .max_receive_depth = 16384,
    .max_initiator_depth = 16384,
    .max_shared_receive_depth = 16384,
    .max_completion_depth = 1u << 20,
    .inline_threshold_bytes = 256,
    .large_threshold_bytes = kLongCopyBytes,
    .max_caller_data_bytes = 56,
    .max_callee_data_bytes = 148,
    .max_private_data_bytes = 508,
};

constexpr AdapterTraits kTraits{
    .max_window_bytes = kLimits.max_registration_bytes,
    .max_fast_pages = 65536,  // NDK-MR-FRMR-01
};

constexpr AdapterAbilities kAbilities{kLimits, kTraits};

}  // namespace

const AdapterAbilities& own_abilities() { return kAbilities; }

}  // namespace opennd::soft
