// SPDX-License-Identifier: MIT
//
// Read from /proc. The directory stream that lists the descriptors is itself one of them and is not counted.
#include "support/process_resources.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "support/deadline.h"

namespace opennd::support {

std::ostream& operator<<(std::ostream& out, const ProcessResources& resources) {
    return out << resources.descriptors << " descriptors and " << resources.memory_file_mappings
               << " mappings of memory files";
}

ProcessResources resources_in_use() {
    ProcessResources resources;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        ++resources.descriptors;
    }
    --resources.descriptors;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (line.find("memfd:") != std::string::npos) ++resources.memory_file_mappings;
    }
    return resources;
}

ProcessResources settled_resources() {
    constexpr milliseconds kUnchanged{250};
    ProcessResources last = resources_in_use();
    Clock::time_point changed = Clock::now();
    (void)wait_until([&] {
        const ProcessResources current = resources_in_use();
        if (current != last) {
            last = current;
            changed = Clock::now();
        }
        return Clock::now() - changed >= kUnchanged;
    });
    return last;
}

}  // namespace opennd::support
