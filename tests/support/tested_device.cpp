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
};

constexpr Row kRows[] = {
    {Ability::exact_private_data,
     "rdma_cm of InfiniBand and RoCE: private data come with zeros up to 56, 148 or 196 octets", nullptr},
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
};

}  // namespace

const char* lacks(Ability ability) {
    static const char* const kind = std::getenv("OPENND_TEST_DEVICE");
    if (!kind) return nullptr;
    for (const Row& row : kRows)
        if (row.ability == ability) {
            if (std::string_view(kind) == "iwarp") return row.iwarp;
            return row.rxe && std::string_view(kind) == "rxe" ? row.rxe : row.infiniband;
        }
    return nullptr;
}

}  // namespace opennd::support
