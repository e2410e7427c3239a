// SPDX-License-Identifier: MIT
// What one RDMA device is: names for people, and the peculiarities that other code must allow for.
#pragma once

#include <cstdint>
#include <string>

#include "model/adapter_abilities.h"
#include "transport/verbs/rdma_core.h"

namespace opennd::verbs {

// Deviations of a driver from the verbs. The table by driver is device_facts.cpp's, and nothing else asks for the
// name of a driver.
struct Quirks {
    bool solicited_only_never_fires = false;         // armed for all, and OpenND looks for itself
    bool refuses_fenced_reads = false;               // held until earlier Reads are done
    bool overtakes_reads = false;                    // other requests complete before earlier Reads: held as well
    bool fails_requests_of_a_broken_stream = false;  // LOC_QP_OP of the request that it was sending
    bool receives_need_an_entry = false;             // a receive of nothing is refused without one
    bool reads_need_no_remote_write = false;         // iWARP: a Read fills a region without that right
    bool tells_invalidation_as_checksum = false;     // the kernel's flag, which is another one in user space
    // An ibv_cq that was asked for solicited results and failures tells of solicited receives alone.
    bool failures_make_no_event = false;
    bool tells_no_last_receive = false;  // a queue pair of a shared receive queue makes no LAST_WQE_REACHED
};

struct DeviceFacts {
    std::string name;      // "siw0"
    std::string driver;    // of user space: "siw", "rxe", "mlx5"; empty: unknown
    std::string firmware;  // as the driver words it; may be empty
    std::uint32_t vendor_id = 0;
    std::uint32_t part_id = 0;
    std::uint8_t port = 1;
    Technology technology = Technology::infiniband;
    Quirks quirks;

    bool is_iwarp() const { return technology == Technology::iwarp; }
};

// As the device tells; the rest is empty.
DeviceFacts facts_of(const VerbsFunctions& ibv, ibv_context* context, std::uint8_t port);

// ibv_query_port, which is no function of the library. An errno, or 0.
int query_port(const VerbsFunctions& ibv, ibv_context* context, std::uint8_t port, ibv_port_attr& attributes);

}  // namespace opennd::verbs
