// SPDX-License-Identifier: MIT
// A device on which other requests complete before earlier Reads, as siw's do: OpenND holds them, so that results keep the order of
// the posts (ND2-CQ-GET-04).
#include "unit/transport/verbs/data_path_test.h"

namespace opennd::verbs {
namespace {

class OvertakenReadTest : public DataPathTest {
protected:
    OvertakenReadTest() : DataPathTest({.overtakes_reads = true}) {
        connect_both();
        fake_.keep_reads();
    }

    std::vector<std::uintptr_t> tags(const std::vector<Completion>& results, Status status = Status::success) {
        std::vector<std::uintptr_t> found;
        for (const Completion& each : results) {
            EXPECT_EQ(each.status, status);
            found.push_back(reinterpret_cast<std::uintptr_t>(each.request_context));
        }
        return found;
    }
    Status post_numbered(Operation operation, std::uintptr_t tag, RequestFlags flags = RequestFlags::none) {
        return post(here_, operation, {here_.entry(64 * tag, 8)}, flags, tag);
    }
};

// Nobody polls while the Read is on its way.
TEST_F(OvertakenReadTest, IsWaitedForByWhatIsPostedBehindIt) {
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(2048, 8)}), Status::success);
    ASSERT_EQ(post_numbered(Operation::read, 1), Status::success);
    ASSERT_EQ(post_numbered(Operation::send, 2), Status::success);
    ASSERT_EQ(post_numbered(Operation::write, 3), Status::success);
    EXPECT_EQ(fake_.counts().requests, 1);
    EXPECT_TRUE(here_.poll().empty());
    fake_.run_reads();
    turn();
    EXPECT_EQ(fake_.counts().requests, 3);
    EXPECT_EQ(tags(here_.poll()), (std::vector<std::uintptr_t>{1, 2, 3}));
    EXPECT_EQ(there_.poll().size(), 1u);
}

TEST_F(OvertakenReadTest, IsWaitedForThoughItIsSilent) {
    ASSERT_EQ(post_numbered(Operation::read, 1, RequestFlags::silent_success), Status::success);
    ASSERT_EQ(post_numbered(Operation::write, 2), Status::success);
    EXPECT_EQ(fake_.counts().requests, 1);
    fake_.run_reads();
    turn();
    EXPECT_EQ(fake_.counts().requests, 2);
    EXPECT_EQ(tags(here_.poll()), (std::vector<std::uintptr_t>{2}));
}

TEST_F(OvertakenReadTest, DoesNotHoldUpOtherReads) {
    ASSERT_EQ(post_numbered(Operation::write, 1), Status::success);
    ASSERT_EQ(post_numbered(Operation::read, 2, RequestFlags::silent_success), Status::success);
    ASSERT_EQ(post_numbered(Operation::read, 3), Status::success);
    EXPECT_EQ(fake_.counts().requests, 3);
    ASSERT_EQ(post_numbered(Operation::write, 4), Status::success);
    ASSERT_EQ(post_numbered(Operation::read, 5), Status::success);
    EXPECT_EQ(fake_.counts().requests, 3);
    EXPECT_EQ(tags(here_.poll()), (std::vector<std::uintptr_t>{1}));
    fake_.run_reads();
    turn();
    EXPECT_EQ(fake_.counts().requests, 5);
    EXPECT_EQ(tags(here_.poll()), (std::vector<std::uintptr_t>{3, 4, 5}));
}

// Once it has completed, requests reach the hardware in their post again.
TEST_F(OvertakenReadTest, IsForgottenOnceItHasCompleted) {
    ASSERT_EQ(post_numbered(Operation::read, 1), Status::success);
    fake_.run_reads();
    for (std::uintptr_t tag = 2; tag < 6; ++tag) {
        ASSERT_EQ(post_numbered(Operation::write, tag), Status::success);
        EXPECT_EQ(fake_.counts().requests, static_cast<int>(tag));
    }
    EXPECT_EQ(tags(here_.poll()), (std::vector<std::uintptr_t>{1, 2, 3, 4, 5}));
}

TEST_F(OvertakenReadTest, IsFlushedBeforeWhatWaits) {
    ASSERT_EQ(post_numbered(Operation::read, 1), Status::success);
    ASSERT_EQ(post_numbered(Operation::write, 2), Status::success);
    here_.pair->flush();
    EXPECT_EQ(fake_.counts().requests, 1);
    EXPECT_EQ(tags(here_.poll(), Status::canceled), (std::vector<std::uintptr_t>{1, 2}));
}

}  // namespace
}  // namespace opennd::verbs
