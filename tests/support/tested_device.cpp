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
};

}  // namespace

const char* lacks(Ability ability) {
    static const char* const kind = std::getenv("OPENND_TEST_DEVICE");
    if (!kind) return nullptr;
    for (const Row& row : kRows)
        if (row.ability == ability) return std::string_view(kind) == "iwarp" ? row.iwarp : row.infiniband;
    return nullptr;
}

}  // namespace opennd::support
