// SPDX-License-Identifier: MIT
// Profiles of NICs: their files, the strictest of several, and what they take from an adapter.
#include <gtest/gtest.h>

#include "library/profile/profile_choice.h"
#include "transport/soft/abilities.h"

namespace opennd {
namespace {

constexpr std::string_view kFile = R"(
// A comment.
{
    "name": "one",
    "title": "One",
    "technology": {"value": "roce_v2", "source": "s"},
    "limits": {"MaxReadSge": {"value": 1, "source": "a page"}, "MaxInlineDataSize": {"value": 0, "source": "a file"}},
    "quirks": {"no_queue_resize": {"source": "a manual"}},
    "not_imitated": [{"what": "heat", "source": "a hand"}]
})";

std::string fault_of(std::string_view text) {
    std::string fault;
    (void)parse_profile(text, "file", fault);
    return fault;
}

ProfileFile parsed(std::string_view text) {
    std::string fault;
    ProfileFile file = parse_profile(text, "file", fault);
    EXPECT_EQ(fault, "");
    return file;
}

TEST(ProfileFile, HasFiguresWithTheirSources) {
    const ProfileFile file = parsed(kFile);
    EXPECT_EQ(file.name, "one");
    EXPECT_EQ(file.technology, Technology::roce_v2);
    ASSERT_EQ(file.limits.size(), 2u);
    EXPECT_EQ(file.limits[0].row->name, "MaxReadSge");
    EXPECT_EQ(file.limits[0].value, 1u);
    EXPECT_EQ(file.limits[0].source, "a page");
    ASSERT_EQ(file.quirks.size(), 1u);
    EXPECT_EQ(file.quirks[0].row->name, "no_queue_resize");
    ASSERT_EQ(file.not_imitated.size(), 1u);
    EXPECT_EQ(file.not_imitated[0].what, "heat");
}

TEST(ProfileFile, FaultsAreNamed) {
    const struct {
        std::string_view text, fault;
    } cases[] = {
        {"", "file: it is no JSON object"},
        {"{ no json", "file: it is no JSON object"},
        {R"({"title": "t"})", "file: it has no name"},
        {R"({"name": "n", "title": "t", "limits": {"MaxReadSge": {"value": 1}}})",
         "file: MaxReadSge needs a text \"source\""},
        {R"({"name": "n", "title": "t", "limits": {"MaxReadSge": {"source": "s"}}})",
         "file: MaxReadSge needs a \"value\", a number that is not negative"},
        {R"({"name": "n", "title": "t", "limits": {"MaxReadSge": {"value": -1, "source": "s"}}})",
         "file: MaxReadSge needs a \"value\", a number that is not negative"},
        {R"({"name": "n", "title": "t", "limits": {"MaxReadSge": {"value": 0, "source": "s"}}})",
         "file: MaxReadSge is 0: 1 is the least with which an adapter works"},
        {R"({"name": "n", "title": "t", "limits": {"MaxReadSgee": {"value": 1, "source": "s"}}})",
         "file: MaxReadSgee is no limit; MaxReadSge is one"},
        {R"({"name": "n", "title": "t", "quirks": {"no_loopbak": {"source": "s"}}})",
         "file: no_loopbak is no quirk; no_loopback is one"},
        {R"({"name": "n", "title": "t", "quirks": {"no_loopback": {}}})", "file: no_loopback needs a text \"source\""},
        {R"({"name": "n", "title": "t", "technology": {"value": "wifi", "source": "s"}})",
         "file: technology wifi: expected iwarp, infiniband, roce or roce_v2"},
        {R"({"name": "n", "title": "t", "color": 1})",
         "file: color: name, title, technology, limits, quirks and not_imitated are known"},
    };
    for (const auto& each : cases) EXPECT_EQ(fault_of(each.text), each.fault) << each.text;
}

TEST(StrictestProfile, HasTheSmallestLimitsAndEveryQuirk) {
    const ProfileFile other = parsed(R"({"name": "two", "title": "Two",
        "limits": {"MaxReadSge": {"value": 4, "source": "s"}, "MaxCallerData": {"value": 9, "source": "t"}},
        "quirks": {"no_loopback": {"source": "u"}}})");
    const ProfileFile all = strictest("both", "Both", {parsed(kFile), other});
    ASSERT_EQ(all.limits.size(), 3u);
    EXPECT_EQ(all.limits[0].row->name, "MaxReadSge");
    EXPECT_EQ(all.limits[0].value, 1u);
    EXPECT_EQ(all.limits[0].source, "one: a page");
    EXPECT_EQ(all.limits[2].source, "two: t");
    EXPECT_EQ(all.quirks.size(), 2u);
    EXPECT_EQ(all.not_imitated.size(), 1u);
}

TEST(KnownProfiles, AreReadWithoutAFault) {
    for (const std::string_view text : built_in_profiles()) EXPECT_EQ(fault_of(text), "");
    ASSERT_EQ(known_profiles().size(), built_in_profiles().size() + 1);
    EXPECT_EQ(known_profiles().back().name, "strict");
}

// Each limit of the strictest is that of the profile with the smallest one.
TEST(KnownProfiles, AreNoStricterThanTheStrictest) {
    const Profile strict = profile_of(known_profiles().back());
    for (const ProfileFile& file : known_profiles())
        for (const LimitRow& row : limit_rows())
            EXPECT_LE(value_of(row, strict.most), value_of(row, profile_of(file).most)) << file.name << " " << row.name;
}

TEST(Profile, LowersAndNeverRaises) {
    const AdapterAbilities& own = soft::own_abilities();
    for (const LimitRow& row : limit_rows()) {
        Profile profile;
        EXPECT_EQ(value_of(row, lowered(own, profile.most)), value_of(row, own))
            << row.name << ": nothing is published";
        set_value(row, profile.most, UINT64_MAX);
        EXPECT_EQ(value_of(row, lowered(own, profile.most)), value_of(row, own)) << row.name;
        const std::uint64_t less = value_of(row, own) - 1;
        set_value(row, profile.most, less);
        EXPECT_EQ(value_of(row, lowered(own, profile.most)), less) << row.name;
    }
}

TEST(Profile, TakesAnAbilityWithEachQuirk) {
    for (const QuirkRow& row : quirk_rows()) {
        if (row.name == "receives_alone_count_bytes") continue;  // so in any case
        Profile profile;
        row.take(profile);
        const AdapterTraits& own = soft::own_abilities().traits;
        const AdapterTraits left = lowered(soft::own_abilities(), profile.most).traits;
        const bool changed = left.places_in_order != own.places_in_order ||
                             left.resizes_completion_queues != own.resizes_completion_queues ||
                             left.connects_to_itself != own.connects_to_itself ||
                             left.reads_fill_written_memory != own.reads_fill_written_memory ||
                             left.carries_immediate != own.carries_immediate ||
                             left.pads_private_data != own.pads_private_data;
        EXPECT_TRUE(changed || profile.strict_overrun || profile.completes_locally) << row.name;
    }
}

TEST(ProfileChoice, NamesTheNearestName) {
    EXPECT_TRUE(choose_profile("mlx5").file.has_value());
    EXPECT_FALSE(choose_profile("").file.has_value());
    EXPECT_EQ(choose_profile("").fault, "");
    EXPECT_NE(choose_profile("mxl5").fault.find("did you mean mlx5"), std::string::npos);
    EXPECT_EQ(choose_profile("something").fault.find("did you mean"), std::string::npos);
    EXPECT_NE(choose_profile("./nowhere.json").fault.find("./nowhere.json"), std::string::npos);
}

TEST(ProfileChoice, LeavesWhatTheEnvironmentDecides) {
    const ProfileChoice cxgb4 = choose_profile("cxgb4");
    const auto nothing = [](const char*) -> const char* { return nullptr; };
    const auto fenced = [](const char* name) -> const char* {
        return std::string_view(name) == "OPENND_IWARP_COMPLETION" ? "fenced" : nullptr;
    };
    EXPECT_EQ(with_profile({}, cxgb4, nothing).iwarp.completion, iwarp::CompletionProof::local);
    EXPECT_EQ(with_profile({}, cxgb4, fenced).iwarp.completion, Settings{}.iwarp.completion);
    EXPECT_EQ(with_profile({}, choose_profile("mlx5"), nothing).iwarp.completion, Settings{}.iwarp.completion);
}

}  // namespace
}  // namespace opennd
