// SPDX-License-Identifier: MIT
// The limits and traits of an adapter together, and the same as a profile leaves them (docs/profiles.md).
#pragma once

#include <cstdint>
#include <string>

#include "model/limits.h"

namespace opennd {

// What kind of adapter it is, for faces that tell programs: what its limits (limits.h) do not say.
enum class Technology : std::uint8_t { iwarp, infiniband, roce, roce_v2 };

struct AdapterTraits {
    Technology technology = Technology::iwarp;
    // The numbers of the PCI device; 0: there is no such device, and each face has a number of its own.
    std::uint32_t vendor_id = 0;
    std::uint32_t device_id = 0;

    std::uint64_t max_window_bytes = 0;  // 0: no memory windows (ND2-ADP-MW-01, NDK-MW-01)
    std::uint32_t max_fast_pages = 0;    // of a fast registration (NDK-MR-FRMR-01)
    bool fast_regions_for_peers = true;  // peers may use the remote token of a fast registration (NDK-MAP-10)

    bool places_in_order = true;  // the last octet of a message is stored last
    bool resizes_completion_queues = true;
    bool connects_to_itself = true;     // two programs of the host meet at one address
    bool ends_regions_by_reads = true;  // a Read may end the registration that it fills (NDK-QP-READ-04)
    bool moderates_interrupts = true;   // (NDK-CQ-MOD-01)

    bool carries_immediate = true;  // (ND2-IMM-COM-01)

    // A Read fills memory with local write alone; otherwise it needs the right of a read sink, or remote write (ND2-MR-REG-03).
    bool reads_fill_written_memory = true;
    // Private data arrive with zeros behind them, as long as the connection manager's messages are (ND2-CON-PD-02).
    bool pads_private_data = false;
    // They may arrive so, from peers that do not tell their length.
    bool may_pad_private_data = false;
};

struct AdapterAbilities {
    AdapterLimits limits;
    AdapterTraits traits;
};

// The abilities that a named kind of NIC leaves an adapter at most. A new one takes nothing.
struct Profile {
    Profile();

    std::string label;  // as explanations name it: "profile cxgb4"
    AdapterAbilities most;
    bool strict_overrun = false;     // OverrunRule::strict, unless the program chooses
    bool completes_locally = false;  // a Send or Write over iWARP is complete when TCP has it
};

// The smaller of both in each limit, and what both can.
AdapterAbilities lowered(const AdapterAbilities& own, const AdapterAbilities& most);

// A profile that an adapter has, and the abilities that the adapter would have without one.
struct AppliedProfile {
    std::string label;
    AdapterAbilities own;
};

}  // namespace opennd
