// SPDX-License-Identifier: MIT
// See crc_choice.h.
#include "transport/iwarp/wire/crc_choice.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

#include "base/format.h"
#include "base/kept_once.h"

namespace opennd::iwarp {
namespace {

constexpr int kTimedRounds = 9;
constexpr std::size_t kEveryFpdu = std::numeric_limits<std::size_t>::max();
// The longest FPDU, in pieces of kTimedCrcBytes.
constexpr int kPiecesOfTheLongest = 4;

constinit KeptOnce<CrcChoice> made_choice;

const CrcChoice& keep(CrcChoice choice) {
    const CrcChoice& kept = made_choice.keep(std::move(choice));
    set_crc_ways(kept.instruction_bytes, kept.longer);
    return kept;
}

CrcChoice choice_without(CrcWay way) {
    return {0, CrcWay::library, Ground::processor,
            way == CrcWay::folding ? "this processor cannot fold" : "this processor has no instruction for CRC-32C"};
}

bool is_folded(const CrcTimes& times) {
    return times.folding && kPiecesOfTheLongest * *times.folding < kPiecesOfTheLongest * times.isal + kLibraryEntry;
}

std::size_t longest_for_instruction(const CrcTimes& times, bool folded) {
    const std::chrono::nanoseconds longer = folded ? *times.folding : times.isal;
    if (times.instruction <= longer) return kEveryFpdu;
    if (folded) return kLeastFolded;
    const auto saved = static_cast<std::size_t>((times.instruction - longer).count());
    return static_cast<std::size_t>(kLibraryEntry.count()) * kTimedCrcBytes / saved;
}

}  // namespace

CrcTimes time_crcs(const Clock& clock) {
    const std::vector<std::byte> octets(kTimedCrcBytes);
    std::uint32_t state = 0;
    const auto by = [&](CrcWay way) { return [&, way] { state = extend_crc(way, state, octets); }; };
    const Way ways[] = {by(CrcWay::instruction), by(CrcWay::library),
                        by(has(CrcWay::folding) ? CrcWay::folding : CrcWay::library)};
    const auto least = least_times(ways, kTimedRounds, clock);
    CrcTimes times{least[0], least[1]};
    if (has(CrcWay::folding)) times.folding = least[2];
    return times;
}

CrcChoice choice_by_times(const CrcTimes& times) {
    const bool folded = is_folded(times);
    std::string reason = format("{} KiB took, in nanoseconds: instruction {}, library {}", kTimedCrcBytes / 1024,
                                times.instruction.count(), times.isal.count());
    if (times.folding) reason += format(", folding {}", times.folding->count());
    reason += format("; the library costs some {} more between messages", kLibraryEntry.count());
    return {longest_for_instruction(times, folded), folded ? CrcWay::folding : CrcWay::library, Ground::measured,
            std::move(reason)};
}

const CrcChoice& crc_choice() {
    if (const CrcChoice* const made = made_choice.get()) return *made;
    return keep(has(CrcWay::instruction) ? choice_by_times(time_crcs(now)) : choice_without(CrcWay::instruction));
}

void pin_crcs(CrcWay way) {
    if (!has(way))
        keep(choice_without(way));
    else if (way == CrcWay::instruction)
        keep({kEveryFpdu, CrcWay::library, Ground::setting, "by the setting"});
    else
        keep({0, way, Ground::setting, "by the setting"});
}

Choice shown(const CrcChoice& choice) {
    const std::string_view longer = choice.longer == CrcWay::folding ? "folding" : "library";
    std::string value;
    if (choice.instruction_bytes == 0)
        value = longer;
    else if (choice.instruction_bytes == kEveryFpdu)
        value = "instruction";
    else
        value = format("instruction up to {} bytes, then {}", choice.instruction_bytes, longer);
    return {"CRC over TCP", std::move(value), choice.ground, choice.reason, "OPENND_IWARP_CRC_WAY"};
}

}  // namespace opennd::iwarp
