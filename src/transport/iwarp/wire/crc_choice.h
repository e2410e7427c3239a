// SPDX-License-Identifier: MIT
// Chooses the way of each CRC: by a setting, or by times taken once a process.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "platform/tuning/choice.h"
#include "platform/tuning/contest.h"
#include "transport/iwarp/wire/crc32c.h"

namespace opennd::iwarp {

inline constexpr std::size_t kTimedCrcBytes = 16 * 1024;
// What ISA-L costs an FPDU beyond its time in a loop: measured over TCP, 250 to 500 ns of a Send of 8 bytes to 4 KiB, where a loop
// shows 15 (docs/decisions/0044). No short measurement shows it.
inline constexpr std::chrono::nanoseconds kLibraryEntry{250};

// What the CRC of kTimedCrcBytes octets takes by each way.
struct CrcTimes {
    std::chrono::nanoseconds instruction, isal;  // isal: CrcWay::library
};
// Only where the processor has the instruction; some ten microseconds. Throws std::bad_alloc.
CrcTimes time_crcs(const Clock& clock);

// The longest FPDU for the instruction: up to there the library saves less time than kLibraryEntry.
std::size_t longest_for_instruction(const CrcTimes& times);

struct CrcChoice {
    std::size_t instruction_bytes;  // the longest FPDU for the instruction
    Ground ground;
    std::string reason;
};
CrcChoice choice_by_times(const CrcTimes& times);

// The choice of this process; the first call makes it, and all CRCs follow it from then on. Throws std::bad_alloc. Any thread.
const CrcChoice& crc_choice();
// Makes it: all CRCs are computed this way, or by the library where the processor lacks it. Without effect if it is made.
void pin_crcs(CrcWay way);

// Returns the choice as tools show it.
Choice shown(const CrcChoice& choice);

}  // namespace opennd::iwarp
