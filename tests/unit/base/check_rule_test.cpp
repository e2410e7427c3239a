// SPDX-License-Identifier: MIT
#include "base/check_rule.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "base/checker.h"
#include "base/explanation.h"

namespace opennd {
namespace {

TEST(CheckRuleTest, HasAnIdOfItsOwnAndWholeSentences) {
    std::set<std::string_view> ids;
    for (const CheckRuleRow& row : check_rules()) {
        EXPECT_TRUE(std::string_view(row.id).starts_with("CHECK-")) << row.id;
        EXPECT_TRUE(ids.insert(row.id).second) << row.id;
        for (const std::string_view text : {row.title, row.meaning, row.remedy})
            EXPECT_TRUE(text.ends_with('.') && text.size() < 400) << row.id << ": " << text;
        EXPECT_EQ(&row_of(row.rule), &row);
    }
}

// Keeps the newest misuse.
class ListeningChecker final : public Checker {
public:
    ListeningChecker() { set_checker(this); }
    ~ListeningChecker() { set_checker(nullptr); }

    void tell(const Misuse& misuse) noexcept override {
        rule = misuse.rule;
        object = misuse.object;
        fact = misuse.fact;
    }
    void made(const void*, std::string_view) noexcept override {}
    void released(const void*) noexcept override {}
    void used_after_release(const void*, std::string_view) noexcept override {}
    void began(const void*, const void*) noexcept override {}
    void ends(const void*) noexcept override {}
    void asked(const void*, const void*) noexcept override {}
    void at_exit() noexcept override {}

    CheckRule rule = CheckRule::none;
    std::string object, fact;
};

constexpr Explanation as(CheckRule rule) {
    return {.object = "queue pair",
            .operation = "Bind",
            .asked = "a request",
            .limit = "none",
            .remedy = "connect",
            .requirement = "ND2-QP-POST-07",
            .rule = rule};
}

TEST(CheckerTest, IsToldOfARefusalThatNamesARule) {
    ListeningChecker checker;
    (void)explain(Status::not_connected, as(CheckRule::bind_early));
    EXPECT_EQ(checker.rule, CheckRule::bind_early);
    EXPECT_EQ(checker.object, "queue pair");
    EXPECT_EQ(checker.fact.substr(0, 6), "Bind: ");
    EXPECT_NE(checker.fact.find(": a request"), std::string::npos);
}

TEST(CheckerTest, IsToldOfARequestThatFailsSo) {
    ListeningChecker checker;
    (void)report(Status::not_connected, as(CheckRule::bind_early));
    EXPECT_EQ(checker.rule, CheckRule::bind_early);
}

TEST(CheckerTest, IsToldOfNoOtherRefusal) {
    ListeningChecker checker;
    (void)explain(Status::not_connected, as(CheckRule::none));
    EXPECT_EQ(checker.rule, CheckRule::none);
}

}  // namespace
}  // namespace opennd
