// SPDX-License-Identifier: MIT
// Processors and NUMA nodes, as the system lists those that are online.
#include "kernel/topology.h"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr unsigned kGroupSize = 64;

// "0-3,8": a list of numbers and ranges.
std::vector<unsigned> numbers_of(std::string_view text) {
    std::vector<unsigned> numbers;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(','));
        text.remove_prefix(std::min(part.size() + 1, text.size()));
        const char* const end = part.data() + part.size();
        unsigned first = 0;
        const auto [behind, error] = std::from_chars(part.data(), end, first);
        if (error != std::errc{}) continue;
        unsigned last = first;
        if (behind != end && *behind == '-') std::from_chars(behind + 1, end, last);
        for (unsigned i = first; i <= last; ++i) numbers.push_back(i);
    }
    return numbers;
}

std::vector<unsigned> read_numbers(const std::string& path) {
    std::string line;
    std::getline(std::ifstream("/sys/devices/system/" + path) >> std::ws, line);
    return numbers_of(line);
}

std::vector<unsigned> processors() {
    std::vector<unsigned> online = read_numbers("cpu/online");
    if (!online.empty()) return online;
    cpu_set_t allowed;  // without an answer of the system: the processors that this process may use
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
    for (unsigned i = 0; i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(i, &allowed)) online.push_back(i);
    return online;
}

// A host without NUMA is one node.
std::vector<unsigned> nodes() {
    std::vector<unsigned> online = read_numbers("node/online");
    return online.empty() ? std::vector<unsigned>{0} : online;
}

std::vector<unsigned> processors_of(unsigned node) {
    const std::string folder = "node/node" + std::to_string(node);
    if (!std::filesystem::exists("/sys/devices/system/" + folder))
        return node == 0 ? processors() : std::vector<unsigned>{};
    return read_numbers(folder + "/cpulist");
}

std::map<unsigned, KAFFINITY> by_group(const std::vector<unsigned>& numbers) {
    std::map<unsigned, KAFFINITY> masks;
    for (const unsigned number : numbers) masks[number / kGroupSize] |= KAFFINITY{1} << number % kGroupSize;
    return masks;
}

USHORT count_of(KAFFINITY mask) { return static_cast<USHORT>(std::popcount(mask)); }

}  // namespace

VOID KeQueryNodeActiveAffinity(USHORT NodeNumber, PGROUP_AFFINITY Affinity, PUSHORT Count) {
    GROUP_AFFINITY most{};
    for (const auto& [group, mask] : by_group(processors_of(NodeNumber)))
        if (count_of(mask) > count_of(most.Mask)) most = {mask, static_cast<USHORT>(group), {}};
    if (Affinity != nullptr) *Affinity = most;
    if (Count != nullptr) *Count = count_of(most.Mask);
}

USHORT KeQueryHighestNodeNumber(VOID) { return static_cast<USHORT>(nodes().back()); }

USHORT KeGetCurrentNodeNumber(VOID) {
    unsigned processor = 0;
    unsigned node = 0;
    return getcpu(&processor, &node) == 0 ? static_cast<USHORT>(node) : USHORT{0};
}

ULONG KeGetCurrentProcessorNumberEx(PPROCESSOR_NUMBER ProcNumber) {
    const auto processor = static_cast<unsigned>(std::max(sched_getcpu(), 0));
    if (ProcNumber != nullptr)
        *ProcNumber = {static_cast<WORD>(processor / kGroupSize), static_cast<BYTE>(processor % kGroupSize), 0};
    return processor;
}

ULONG KeQueryActiveProcessorCountEx(USHORT GroupNumber) {
    const std::vector<unsigned> all = processors();
    if (GroupNumber == ALL_PROCESSOR_GROUPS) return static_cast<ULONG>(all.size());
    const auto in_group = [=](unsigned number) { return number / kGroupSize == GroupNumber; };
    return static_cast<ULONG>(std::count_if(all.begin(), all.end(), in_group));
}

USHORT KeQueryActiveGroupCount(VOID) { return static_cast<USHORT>(by_group(processors()).size()); }
