// SPDX-License-Identifier: MIT
// A failure is kept for the thread that made the call, told to the sink in parts and to the log as one line of a fixed
// shape; a reported condition touches no thread.
#include "base/explanation.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "support/requirement.h"

namespace opennd {
namespace {

using support::proves;

constexpr Explanation kTooMany{.object = "queue pair",
                               .operation = "Send",
                               .asked = "17 scatter/gather entries",
                               .limit = "16",
                               .remedy = "use fewer entries",
                               .requirement = "ND2-QP-POST-04"};

Explanation about(std::string_view text) {
    return {.object = text, .operation = text, .asked = text, .limit = text, .remedy = text, .requirement = text};
}

class ExplanationTest : public testing::Test {
protected:
    ExplanationTest() {
        forget_last_failure();
        set_log_sink([](void* lines, LogLevel,
                        const char* line) { static_cast<std::vector<std::string>*>(lines)->emplace_back(line); },
                     &lines_, LogLevel::warn);
        set_failure_sink(
            [](void* seen, const Failure& failure) { static_cast<std::vector<Failure>*>(seen)->push_back(failure); },
            &seen_);
    }
    ~ExplanationTest() override {
        set_face_status(nullptr);
        set_failure_sink(nullptr, nullptr);
        set_log_sink(nullptr, nullptr, LogLevel::error);
        forget_last_failure();
    }

    std::vector<std::string> lines_;
    std::vector<Failure> seen_;
};

void expect_too_many(const Failure& failure) {
    EXPECT_EQ(std::string_view(failure.object), "queue pair");
    EXPECT_EQ(std::string_view(failure.operation), "Send");
    EXPECT_EQ(std::string_view(failure.asked), "17 scatter/gather entries");
    EXPECT_EQ(std::string_view(failure.limit), "16");
    EXPECT_EQ(std::string_view(failure.remedy), "use fewer entries");
    EXPECT_EQ(std::string_view(failure.requirement), "ND2-QP-POST-04");
}

TEST_F(ExplanationTest, GivesBackTheStatusAndKeepsEveryPart) {
    proves("ND2-GEN-02", "ND2-GEN-10");
    EXPECT_EQ(explain(Status::too_many_sges, kTooMany), Status::too_many_sges);
    expect_too_many(last_failure());
}

TEST_F(ExplanationTest, WritesOneLineOfAFixedShape) {
    (void)explain(Status::too_many_sges, kTooMany);
    ASSERT_EQ(lines_.size(), 1u);
    EXPECT_EQ(lines_[0],
              "queue pair: Send: too_many_sges: 17 scatter/gather entries; limit: 16; use fewer entries "
              "(ND2-QP-POST-04)");
}

TEST_F(ExplanationTest, TellsTheSinkWhateverTheLevelOfTheLog) {
    set_log_sink(nullptr, nullptr, LogLevel::off);
    (void)explain(Status::too_many_sges, kTooMany);
    (void)report(Status::too_many_sges, kTooMany);
    ASSERT_EQ(seen_.size(), 2u);
    for (const Failure& failure : seen_) expect_too_many(failure);
}

TEST_F(ExplanationTest, AReportLeavesTheThreadsLastFailureAlone) {
    (void)explain(Status::queue_full, about("first"));
    const std::uint64_t kept = failures_kept();
    EXPECT_EQ(report(Status::too_many_sges, kTooMany), Status::too_many_sges);
    EXPECT_EQ(std::string_view(last_failure().object), "first");
    EXPECT_EQ(failures_kept(), kept);
    EXPECT_EQ(lines_.size(), 2u);
}

TEST_F(ExplanationTest, WhatIsRememberedIsNotToldAgain) {
    remember({-5, "ND_SOMETHING"}, kTooMany);
    expect_too_many(last_failure());
    EXPECT_EQ(last_failure().status.number, -5);
    EXPECT_TRUE(lines_.empty());
    EXPECT_TRUE(seen_.empty());
}

TEST_F(ExplanationTest, NumbersAndNamesAreThoseOfTheFace) {
    set_face_status([](Status status) {
        return status == Status::too_many_sges ? FaceStatus{-17, "ND_DATA_OVERRUN"} : FaceStatus{-1, "?"};
    });
    (void)explain(Status::too_many_sges, kTooMany);
    EXPECT_EQ(last_failure().status.number, -17);
    EXPECT_STREQ(last_failure().status.name, "ND_DATA_OVERRUN");
    EXPECT_NE(lines_.at(0).find("Send: ND_DATA_OVERRUN: 17"), std::string::npos);
}

TEST_F(ExplanationTest, EachThreadHasItsOwn) {
    (void)explain(Status::too_many_sges, kTooMany);
    std::thread other([] {
        EXPECT_TRUE(std::string_view(last_failure().object).empty());
        (void)explain(Status::queue_full, about("other"));
    });
    other.join();
    expect_too_many(last_failure());
}

TEST_F(ExplanationTest, IsForgottenOnDemand) {
    (void)explain(Status::too_many_sges, kTooMany);
    forget_last_failure();
    EXPECT_EQ(last_failure().status.number, 0);
    EXPECT_TRUE(std::string_view(last_failure().object).empty());
}

TEST_F(ExplanationTest, TextsAreBounded) {
    const std::string endless(10'000, 'x');
    (void)explain(Status::queue_full, about(endless));
    EXPECT_EQ(std::string_view(last_failure().asked).size(), Phrase::kMaxBytes);
    EXPECT_EQ(lines_.size(), 1u);
}

TEST_F(ExplanationTest, AReplacedSinkIsNotCalledAgain) {
    set_failure_sink(nullptr, nullptr);
    (void)explain(Status::queue_full, kTooMany);
    EXPECT_TRUE(seen_.empty());
}

}  // namespace
}  // namespace opennd
