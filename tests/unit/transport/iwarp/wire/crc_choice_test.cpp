// SPDX-License-Identifier: MIT
// The length from which CRCs go by the library, by given times.
#include "transport/iwarp/wire/crc_choice.h"

#include <gtest/gtest.h>

#include <limits>

#include "process/child.h"
#include "transport/iwarp/handshake/wire.h"

namespace opennd::iwarp {
namespace {

using std::chrono::nanoseconds;

std::size_t instruction_bytes(const CrcTimes& times) { return choice_by_times(times).instruction_bytes; }

TEST(CrcChoice, HasTheInstructionUpToTheLengthWhereTheLibrarySavesItsEntry) {
    // It saves half a nanosecond for each octet of 16 KiB.
    EXPECT_EQ(instruction_bytes({nanoseconds(10'000), nanoseconds(10'000 - 8192)}), 500u);
    EXPECT_EQ(instruction_bytes({nanoseconds(650), nanoseconds(250)}), 10240u);
    EXPECT_GT(instruction_bytes({nanoseconds(650), nanoseconds(640)}), 65536u);
}

TEST(CrcChoice, HasTheInstructionAlwaysWhereNothingIsQuicker) {
    constexpr std::size_t kEvery = std::numeric_limits<std::size_t>::max();
    EXPECT_EQ(instruction_bytes({nanoseconds(600), nanoseconds(600)}), kEvery);
    EXPECT_EQ(instruction_bytes({nanoseconds(600), nanoseconds(900)}), kEvery);
    EXPECT_EQ(instruction_bytes({nanoseconds(600), nanoseconds(900), nanoseconds(700)}), kEvery);
    EXPECT_EQ(shown(choice_by_times({nanoseconds(600), nanoseconds(900)})).value, "instruction");
}

// The library's entry is spread over 64 KiB.
TEST(CrcChoice, FoldsWhereThatIsQuickerThanTheLibrary) {
    const CrcTimes quicker{nanoseconds(1200), nanoseconds(1000), nanoseconds(900)};
    EXPECT_EQ(choice_by_times(quicker).longer, CrcWay::folding);
    EXPECT_EQ(choice_by_times(quicker).instruction_bytes, kLeastFolded);
    EXPECT_EQ(shown(choice_by_times(quicker)).value, "instruction up to 1024 bytes, then folding");
    EXPECT_EQ(choice_by_times({nanoseconds(1200), nanoseconds(1000), nanoseconds(1062)}).longer, CrcWay::folding);
    EXPECT_EQ(choice_by_times({nanoseconds(1200), nanoseconds(1000), nanoseconds(1063)}).longer, CrcWay::library);
}

TEST(CrcChoice, TellsItsTimes) {
    const Choice choice = shown(choice_by_times({nanoseconds(650), nanoseconds(250)}));
    EXPECT_EQ(choice.value, "instruction up to 10240 bytes, then library");
    EXPECT_EQ(choice.ground, Ground::measured);
    EXPECT_EQ(
        choice.reason,
        "16 KiB took, in nanoseconds: instruction 650, library 250; the library costs some 250 more between messages");
    EXPECT_EQ(choice.setting, "OPENND_IWARP_CRC_WAY");
}

TEST(CrcChoice, TimesEachWayByTheClock) {
    if (!has(CrcWay::instruction)) GTEST_SKIP() << "a processor without the instruction";
    int asked = 0;
    const CrcTimes times = time_crcs([&asked] { return SteadyTime(nanoseconds(100 * ++asked)); });
    EXPECT_EQ(times.instruction, nanoseconds(100));
    EXPECT_EQ(times.isal, nanoseconds(100));
    EXPECT_EQ(times.folding.has_value(), has(CrcWay::folding));
    EXPECT_EQ(times.folding.value_or(nanoseconds(100)), nanoseconds(100));
}

TEST(CrcChoice, IsThatOfTheSettingWhereThereIsOne) {
    process::in_child([] {
        Settings settings;
        settings.crc_way = CrcWay::library;
        const IwarpWire wire(settings);
        EXPECT_EQ(shown(crc_choice()).ground, Ground::setting);
        EXPECT_EQ(shown(crc_choice()).value, "library");
    });
}

TEST(CrcChoice, IsMadeOnceAProcess) {
    const CrcChoice& choice = crc_choice();
    pin_crcs(CrcWay::library);
    EXPECT_EQ(&crc_choice(), &choice);
    if (choice.instruction_bytes == 0) return;
    EXPECT_EQ(crc_way(choice.instruction_bytes), CrcWay::instruction);
    for (const CrcWay longer : {CrcWay::library, CrcWay::folding}) {
        set_crc_ways(100, longer);
        EXPECT_EQ(crc_way(100), CrcWay::instruction);
        EXPECT_EQ(crc_way(101), has(longer) ? longer : CrcWay::library);
    }
    set_crc_ways(choice.instruction_bytes, choice.longer);
}

}  // namespace
}  // namespace opennd::iwarp
