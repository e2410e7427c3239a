// SPDX-License-Identifier: MIT
//
// Every rule of the checking layer over every face and wire: a program that breaks it is told, or docs/checking.md has the reason why
// not. A rule without a provocation fails.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "check/provocations.h"
#include "conformance/vocabulary/fixture.h"
#include "support/log_lines.h"

namespace opennd::conformance {
namespace {

using support::Diagnostics;

// "| CHECK-STARTUP, CHECK-LEAK | NDKPI, RDMA hardware | the reason |"
struct Exception {
    std::string rules, places, reason;

    bool is_for(const std::string& rule) const { return has(rules, rule); }
    bool is_at(const std::string& place) const { return has(places, place); }

private:
    static bool has(const std::string& list, const std::string& item) {
        return (", " + list + ",").find(", " + item + ",") != std::string::npos;
    }
};

// The items of a list that are none of these.
std::string others(const std::string& list, const std::vector<std::string>& known) {
    std::string rest = list + ", ";
    for (const std::string& each : known)
        if (const std::size_t at = rest.find(each + ", "); at != std::string::npos) rest.erase(at, each.size() + 2);
    return rest;
}

constexpr const char* kHeading = "| Rule | Not told over | Reason |";

std::vector<Exception> documented_exceptions() {
    std::ifstream page(OPENND_CHECKING_PAGE);
    std::vector<Exception> rows;
    bool within = false;
    for (std::string line; std::getline(page, line);) {
        if (line == kHeading) within = true;
        if (!within || !line.starts_with("| CHECK-")) continue;
        std::vector<std::string> cells;
        for (std::size_t from = 2, to; (to = line.find(" |", from)) != std::string::npos; from = to + 3)
            cells.push_back(line.substr(from, to - from));
        if (cells.size() == 3) rows.push_back({cells[0], cells[1], cells[2]});
    }
    return rows;
}

// The name that the page has.
std::string page_name(const std::string& face) {
    if (face == "Nd1") return "version 1";
    return face == "Nd2" ? "version 2" : "NDKPI";
}

std::string reason_against(const std::string& rule, const Variant& variant) {
    for (const Exception& each : documented_exceptions()) {
        const bool on_hardware = std::string(variant.transport) == "verbs" && each.is_at("RDMA hardware");
        if (each.is_for(rule) && (each.is_at(page_name(variant.face)) || on_hardware)) return each.reason;
    }
    return {};
}

const Provocation* provocation_of(const std::string& rule) {
    const auto all = provocations();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Provocation& each) { return rule == each.rule; });
    return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> every_rule() {
    ULONG count = 0;
    const opennd_check_rule* const rules = opennd_check_rules(&count);
    std::vector<std::string> ids;
    for (ULONG i = 0; i < count; ++i) ids.emplace_back(rules[i].id);
    return ids;
}

using RuleAndVariant = std::tuple<std::string, Variant>;

// "READ_LIMIT_Nd1OnShm"
std::string rule_and_variant_name(const testing::TestParamInfo<RuleAndVariant>& info) {
    std::string rule = std::get<0>(info.param).substr(std::string("CHECK-").size());
    std::replace(rule.begin(), rule.end(), '-', '_');
    return rule + "_" + name_of(std::get<1>(info.param));
}

// Each diagnostic has its line in the log. The first of its place alone has one, which an earlier test of this process may have had.
void expect_logged(const Diagnostics& diagnostics, const support::LogLines& log) {
    static std::set<std::string> places;
    for (const Diagnostics::Told& each : diagnostics.all()) {
        if (!places.insert(each.rule + each.site).second) continue;
        const std::string line = each.rule + ": " + each.object + ": " + each.fact + "; " + each.site + "; ";
        EXPECT_EQ(log.with(line), 1u) << line << "is told to the program's sink, and not once in the log";
        EXPECT_EQ(log.level_of(line), each.note ? OPENND_LOG_WARN : OPENND_LOG_ERROR) << line;
    }
}

class EveryRule : public testing::TestWithParam<RuleAndVariant> {
protected:
    EveryRule() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

    static void expect_told_within(const Provocation& provocation, const Variant& variant) {
        const PinnedTransport transport(variant.transport);
        const auto driver = variant.open();
        const support::LogLines log(OPENND_LOG_ERROR);
        const Diagnostics diagnostics;
        provocation.within({*driver, diagnostics, variant});
        expect_logged(diagnostics, log);
        EXPECT_EQ(diagnostics.of(provocation.rule).size(), provocation.times);
        const std::string companion = provocation.companion ? provocation.companion : "";
        for (const Diagnostics::Told& each : diagnostics.all())
            if (!each.note && each.rule != provocation.rule && each.rule != companion)
                ADD_FAILURE() << "also told: " << each.rule << ": " << each.object << ": " << each.fact;
    }
};

INSTANTIATE_TEST_SUITE_P(, EveryRule,
                         testing::Combine(testing::ValuesIn(every_rule()), testing::ValuesIn(every_variant())),
                         rule_and_variant_name);

TEST_P(EveryRule, IsToldOrDocumentedAsNotTold) {
    const auto& [rule, variant] = GetParam();
    const Provocation* const provocation = provocation_of(rule);
    ASSERT_NE(provocation, nullptr) << rule << " has no provocation";
    if (const std::string reason = reason_against(rule, variant); !reason.empty()) GTEST_SKIP() << reason;
    if (provocation->within)
        expect_told_within(*provocation, variant);
    else
        EXPECT_EXIT(provocation->at_exit(variant), testing::ExitedWithCode(EXIT_SUCCESS), rule + ": ");
}

TEST(ExceptionsOnThePage, NameRulesAndPlacesThatThereAre) {
    const std::vector<Exception> rows = documented_exceptions();
    ASSERT_FALSE(rows.empty()) << kHeading << " is missing in " << OPENND_CHECKING_PAGE;
    for (const Exception& row : rows) {
        EXPECT_EQ(others(row.rules, every_rule()), "");
        EXPECT_EQ(others(row.places, {"version 1", "NDKPI", "RDMA hardware"}), "") << "version 2 can break every rule";
    }
}

TEST(Provocations, AreOfRulesThatThereAre) {
    const std::vector<std::string> ids = every_rule();
    for (const Provocation& each : provocations())
        EXPECT_NE(std::find(ids.begin(), ids.end(), each.rule), ids.end()) << each.rule;
}

}  // namespace
}  // namespace opennd::conformance
