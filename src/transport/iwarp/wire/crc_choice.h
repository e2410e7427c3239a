// SPDX-License-Identifier: MIT
// Chooses the way of each CRC: by a setting, or by times taken once a process.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "platform/tuning/choice.h"
#include "platform/tuning/contest.h"
#include "transport/iwarp/wire/crc32c.h"

namespace opennd::iwarp {

inline constexpr std::size_t kTimedCrcBytes = 16 * 1024;
// What ISA-L costs an FPDU beyond its time in a loop: measured over TCP, 250 to 500 ns of a Send of 8 bytes to 4 KiB, where a loop
// shows 15 (docs/decisions/0044). No short measurement shows it.
inline constexpr std::chrono::nanoseconds kLibraryEntry{250};

// Up to this length folding saves nothing: it begins and ends by other operations.
inline constexpr std::size_t kLeastFolded = 1024;

// What the CRC of kTimedCrcBytes octets takes by each way.
struct CrcTimes {
    std::chrono::nanoseconds instruction, isal;  // isal: CrcWay::library
    std::optional<std::chrono::nanoseconds> folding = {};
};
// Only where the processor has the instruction; some twenty microseconds. Throws std::bad_alloc.
CrcTimes time_crcs(const Clock& clock);

struct CrcChoice {
    std::size_t instruction_bytes;  // the longest FPDU for the instruction
    CrcWay longer;                  // the way of longer ones
    Ground ground;
    std::string reason;
};
// Long FPDUs by the quicker of the library and folding, as an FPDU of 64 KiB has it; the others by the instruction: up to where the
// library would save less time than kLibraryEntry, or folding anything.
CrcChoice choice_by_times(const CrcTimes& times);

// The choice of this process; the first call makes it, and all CRCs follow it from then on. Throws std::bad_alloc. Any thread.
const CrcChoice& crc_choice();
// Makes it: all CRCs are computed this way (by folding: all that are long enough for it), or by the library where the processor lacks it.
// A choice that is made stays.
void pin_crcs(CrcWay way);

// Returns the choice as tools show it.
Choice shown(const CrcChoice& choice);

}  // namespace opennd::iwarp
