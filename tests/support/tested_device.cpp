// SPDX-License-Identifier: MIT
//
// See tested_device.h.
#include "support/tested_device.h"

#include <cstdlib>
#include <string_view>

namespace opennd::support {
namespace {

struct Row {
    Ability ability;
    const char* infiniband;  // and RoCE; null: it has it
    const char* iwarp;
    const char* rxe = nullptr;  // beside those of RoCE
    const char* siw = nullptr;  // beside those of iWARP
};

constexpr Row kRows[] = {
    {Ability::exact_private_data,
     "rdma_cm of InfiniBand and RoCE: private data without room for their length come with zeros up to 56 or 148 "
     "octets",
     nullptr},
    {Ability::complete_connect, nullptr, "iWARP devices: the connection is up with the reply, before CompleteConnect"},
    {Ability::notices_withdrawal, nullptr, "iWARP devices: rdma_cm tells of a withdrawn request at Accept or later"},
    {Ability::late_receives, nullptr, "iWARP devices: a message without a receive ends the connection"},
    {Ability::tells_ends_apart, "rdma_cm: one event, DISCONNECTED, for every end of the peer",
     "rdma_cm: one event, DISCONNECTED, for every end of the peer"},
    {Ability::half_close, nullptr, "iWARP devices: the kernel flushes a queue pair when its peer ends"},
    {Ability::settles_limits, nullptr, "iWARP devices: the kernel settles the Reads, not the program"},
    {Ability::tells_solicited, "RDMA hardware: its event alone tells a solicited receive, not its result",
     "RDMA hardware: its event alone tells a solicited receive, not its result"},
    {Ability::all_or_nothing, "RDMA hardware: what lies before a fault has reached the peer",
     "RDMA hardware: what lies before a fault has reached the peer"},
    {Ability::ends_windows_alone,
     "RDMA hardware: the peer's failed access ends the connection, and may overtake the Invalidate's result", nullptr},
    {Ability::bounds_of_windows, nullptr, nullptr,
     "rxe: it checks the bounds of a window's region, not those of the window"},
    {Ability::long_messages, nullptr, nullptr, "rxe: a message has 8 MiB at most"},
    {Ability::tells_refusals, nullptr,
     "iWARP devices: a Send or Write is complete when TCP has it, before the peer refuses it"},
    {Ability::tells_refused_reads, nullptr, nullptr, nullptr,
     "siw: a Read that the peer refuses is flushed like the requests behind it"},
    {Ability::right_of_reads, nullptr, nullptr, nullptr, "siw: it does not check the right of remote reads"},
    {Ability::read_sinks, "RDMA hardware: memory that a Read may fill takes messages too",
     "RDMA hardware: memory that a Read may fill takes messages too"},
    {Ability::names_waiting_sends,
     "RDMA hardware: a message that waits when its peer disconnects is flushed like those behind it",
     "iWARP devices: a message without a receive ends the connection"},
    {Ability::names_sends_before_binds, nullptr, nullptr,
     "rxe: a message that it gives up after all repetitions is flushed with the Bind behind it"},
    {Ability::outlives_flush, nullptr, "iWARP devices: the stream of a flushed queue pair ends"},
    {Ability::solicited_events, nullptr, nullptr, nullptr, "siw: it makes no event for solicited results alone"},
    {Ability::growing_shared_queues, nullptr, nullptr, nullptr,
     "siw: a shared receive queue keeps the depth that it was made with"},
    {Ability::many_queues, nullptr, nullptr, nullptr,
     "siw: libsiw takes the 145th page of queues in a process for a failure"},
    {Ability::fails_behind_waiting, nullptr, nullptr,
     "rxe: a request with a bad local key stalls its queue while a message before it waits for a receive"},
    {Ability::gives_receives_back, nullptr, nullptr, "rxe: a shared receive of a message that was cut off is lost"},
    {Ability::ends_windows_once, nullptr, nullptr,
     "rxe: a second invalidation of a window ends the kernel of its owner (Linux 6.1)"},
    {Ability::quick_retries, "RoCE and InfiniBand: a message without a receive is sent again after 164 ms", nullptr},
};

}  // namespace

const char* lacks(Ability ability) {
    static const char* const kind = std::getenv("OPENND_TEST_DEVICE");
    if (!kind) return nullptr;
    for (const Row& row : kRows)
        if (row.ability == ability) {
            const std::string_view name = kind;
            if (name == "iwarp" || name == "siw") return row.siw && name == "siw" ? row.siw : row.iwarp;
            return row.rxe && name == "rxe" ? row.rxe : row.infiniband;
        }
    return nullptr;
}

std::size_t arriving_private_data(std::size_t sent, std::size_t room) {
    constexpr std::size_t kMark = 6;  // docs/wire_compatibility.md
    return lacks(Ability::exact_private_data) && sent + kMark > room ? room : sent;
}

}  // namespace opennd::support
