// SPDX-License-Identifier: MIT
// See crc_choice.h.
#include "transport/iwarp/wire/crc_choice.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/format.h"
#include "base/kept_once.h"

namespace opennd::iwarp {
namespace {

constexpr int kTimedRounds = 9;
constexpr std::size_t kEveryFpdu = std::numeric_limits<std::size_t>::max();

constinit KeptOnce<CrcChoice> made_choice;

const CrcChoice& keep(CrcChoice choice) {
    const CrcChoice& kept = made_choice.keep(std::move(choice));
    set_instruction_bytes(kept.instruction_bytes);
    return kept;
}

CrcChoice choice_without_instruction() {
    return {0, Ground::processor, "this processor has no instruction for CRC-32C"};
}

}  // namespace

CrcTimes time_crcs(const Clock& clock) {
    const std::vector<std::byte> octets(kTimedCrcBytes);
    std::uint32_t state = 0;
    const Way ways[] = {[&] { state = extend_crc(CrcWay::instruction, state, octets); },
                        [&] { state = extend_crc(CrcWay::library, state, octets); }};
    const auto least = least_times(ways, kTimedRounds, clock);
    return {least[0], least[1]};
}

std::size_t longest_for_instruction(const CrcTimes& times) {
    if (times.instruction <= times.isal) return kEveryFpdu;
    const auto saved = static_cast<std::size_t>((times.instruction - times.isal).count());
    return static_cast<std::size_t>(kLibraryEntry.count()) * kTimedCrcBytes / saved;
}

CrcChoice choice_by_times(const CrcTimes& times) {
    return {
        longest_for_instruction(times), Ground::measured,
        format(
            "{} KiB took, in nanoseconds: instruction {}, library {}; the library costs some {} more between messages",
            kTimedCrcBytes / 1024, times.instruction.count(), times.isal.count(), kLibraryEntry.count())};
}

const CrcChoice& crc_choice() {
    if (const CrcChoice* const made = made_choice.get()) return *made;
    return keep(has(CrcWay::instruction) ? choice_by_times(time_crcs(now)) : choice_without_instruction());
}

void pin_crcs(CrcWay way) {
    if (!has(way))
        keep(choice_without_instruction());
    else
        keep({way == CrcWay::instruction ? kEveryFpdu : 0, Ground::setting, "by the setting"});
}

Choice shown(const CrcChoice& choice) {
    std::string value;
    if (choice.instruction_bytes == 0)
        value = "library";
    else if (choice.instruction_bytes == kEveryFpdu)
        value = "instruction";
    else
        value = format("instruction up to {} bytes, then library", choice.instruction_bytes);
    return {"CRC over TCP", std::move(value), choice.ground, choice.reason, "OPENND_IWARP_CRC_WAY"};
}

}  // namespace opennd::iwarp
