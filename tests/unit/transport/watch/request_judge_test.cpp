// SPDX-License-Identifier: MIT
// What a judge tells of the entries of a post.
#include "transport/watch/misuse/request_judge.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "unit/core/fake_transport.h"

namespace opennd::watch {
namespace {

constexpr Token kReadable{0x100}, kWritable{0x200}, kDead{0x300};

class RequestJudgeTest : public testing::Test {
protected:
    RequestJudgeTest() {
        const auto start = reinterpret_cast<std::uint64_t>(memory_.data());
        regions_->add(kReadable, {RegisteredMemory::Kind::plain, start, memory_.size(), Access::remote_read, {}});
        regions_->add(kWritable, {RegisteredMemory::Kind::plain, start, memory_.size(), Access::local_write, {}});
        set_diagnostic_sink(
            [](void* told, const Diagnostic& each) {
                static_cast<std::vector<std::string>*>(told)->emplace_back(each.rule.id);
            },
            &told_);
    }
    ~RequestJudgeTest() override { set_diagnostic_sink(nullptr, nullptr); }

    std::vector<std::string> judge(Operation operation, const Sge& entry) {
        told_.clear();
        WorkRequest request;
        request.operation = operation;
        request.sges = {&entry, 1};
        (void)judge_.judge("queue pair 1", request, nullptr);
        return told_;
    }
    Sge entry(Token token, std::uint32_t bytes = 8) { return {memory_.data(), bytes, token}; }

    using Rules = std::vector<std::string>;
    const Rules entry_rule_{"CHECK-ENTRY"};

    std::array<std::byte, 64> memory_{};
    std::vector<std::string> told_;
    Diagnostics diagnostics_{CheckMode::warn};
    CheckedParts parts_{diagnostics_};
    const Ref<RegisteredMemory> regions_ = make_ref<RegisteredMemory>();
    const RequestJudge judge_{parts_, regions_, make_ref<fake::FakeAdapter>(), {}};
};

TEST_F(RequestJudgeTest, WantsTheRightToWriteOfMemoryThatIsFilled) {
    for (const Operation operation : {Operation::receive, Operation::read}) {
        EXPECT_EQ(judge(operation, entry(kWritable)), Rules{}) << name(operation);
        EXPECT_EQ(judge(operation, entry(kReadable)), entry_rule_) << name(operation);
    }
}

TEST_F(RequestJudgeTest, WantsNoRightOfMemoryThatIsRead) {
    for (const Operation operation : {Operation::send, Operation::write, Operation::send_and_invalidate})
        EXPECT_EQ(judge(operation, entry(kReadable)), Rules{}) << name(operation);
}

// ND2-QP-POST-10.
TEST_F(RequestJudgeTest, LeavesAnEntryWithoutBytesAlone) {
    EXPECT_EQ(judge(Operation::send, entry(kDead, 0)), Rules{});
    EXPECT_EQ(judge(Operation::send, entry(kDead, 1)), entry_rule_);
}

}  // namespace
}  // namespace opennd::watch
