// SPDX-License-Identifier: MIT
// The table of messages: see opcode.h.
#include "transport/iwarp/wire/opcode.h"

#include <array>

namespace opennd::iwarp {
namespace {

constexpr OpcodeRule kUnassigned{"unassigned", false, Model::untagged, Queue::sends};

constexpr std::array<OpcodeRule, kOpcodes> kOpcodeRules{{
    {"RDMA Write", true, Model::tagged, {}},
    {"RDMA Read Request", true, Model::untagged, Queue::read_requests},
    {"RDMA Read Response", true, Model::tagged, {}},
    {"Send", true, Model::untagged, Queue::sends},
    {"Send with Invalidate", true, Model::untagged, Queue::sends},
    {"Send with Solicited Event", true, Model::untagged, Queue::sends},
    {"Send with Solicited Event and Invalidate", true, Model::untagged, Queue::sends},
    {"Terminate", true, Model::untagged, Queue::terminates},
    {"Immediate Data", false, Model::untagged, Queue::sends},
    {"Immediate Data with Solicited Event", false, Model::untagged, Queue::sends},
    {"Atomic Request", false, Model::untagged, Queue::read_requests},
    {"Atomic Response", false, Model::untagged, Queue::atomic_responses},
    kUnassigned,
    kUnassigned,
    kUnassigned,
    {"experimental", false, Model::untagged, Queue::sends},
}};

}  // namespace

const OpcodeRule& rule(Opcode opcode) { return kOpcodeRules[static_cast<std::size_t>(opcode) % kOpcodes]; }

}  // namespace opennd::iwarp
