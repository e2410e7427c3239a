// SPDX-License-Identifier: MIT
//
// The resources of this process that could leak: descriptors, and mappings of anonymous memory files.
#pragma once

#include <cstddef>
#include <ostream>

namespace opennd::support {

struct ProcessResources {
    std::size_t descriptors = 0;
    std::size_t memory_file_mappings = 0;

    bool operator==(const ProcessResources&) const = default;
    bool within(const ProcessResources& other) const {
        return descriptors <= other.descriptors && memory_file_mappings <= other.memory_file_mappings;
    }
};

std::ostream& operator<<(std::ostream& out, const ProcessResources& resources);

ProcessResources resources_in_use();

// The same once it has stopped changing: a connection's resources may go a moment after its objects do, and a baseline
// taken too early would hide a leak.
ProcessResources settled_resources();

}  // namespace opennd::support
