// SPDX-License-Identifier: MIT
// Overlapped files: association, and when packets are due.
#include "platform/waiting/completion_port.h"

#include <gtest/gtest.h>

#include <thread>

#include "platform/waiting/handle_table.h"
#include "support/requirement.h"

namespace opennd {
namespace {

using support::proves;

class OverlappedFileTest : public testing::Test {
protected:
    bool take(CompletionPacket& packet) { return port_->wait({&packet, 1}, SteadyTime{}).ok(); }

    int adapter_ = 0;
    int request_ = 0;
    CompletionPacket packet_;
    Ref<CompletionPort> port_ = CompletionPort::create().take();
    Ref<OverlappedFile> file_ = make_ref<OverlappedFile>(&adapter_);
};

TEST_F(OverlappedFileTest, KnowsItsOwner) {
    proves("ND2-FILE-07");
    EXPECT_EQ(file_->owner(), &adapter_);
}

TEST_F(OverlappedFileTest, DeliversToThePortOfThatMoment) {
    proves("ND2-OVL-09", "ND2-OVL-11", "ND2-FILE-05");
    file_->deliver(&request_, 0, 0);  // not associated yet: no packet, now or later
    ASSERT_EQ(file_->associate(port_, 77), Status::success);
    EXPECT_FALSE(take(packet_));
    file_->deliver(&request_, 0xC0000120, 12);
    ASSERT_TRUE(take(packet_));
    EXPECT_EQ(packet_.key, 77u);
    EXPECT_EQ(packet_.overlapped, &request_);
    EXPECT_EQ(packet_.status, 0xC0000120u);
    EXPECT_EQ(packet_.bytes, 12u);
}

TEST_F(OverlappedFileTest, IsAssociatedOnce) {
    proves("ND2-FILE-06");
    EXPECT_EQ(file_->associate(nullptr, 1), Status::invalid_parameter);
    EXPECT_EQ(file_->associate(port_, 1), Status::success);
    EXPECT_EQ(file_->associate(port_, 2), Status::invalid_parameter);
    EXPECT_EQ(file_->associate(CompletionPort::create().take(), 3), Status::invalid_parameter);
}

TEST_F(OverlappedFileTest, OnePortServesManyFiles) {
    const Ref<OverlappedFile> other = make_ref<OverlappedFile>(&adapter_);
    EXPECT_EQ(file_->associate(port_, 1), Status::success);
    EXPECT_EQ(other->associate(port_, 2), Status::success);
    other->deliver(nullptr, 0, 0);
    ASSERT_TRUE(take(packet_));
    EXPECT_EQ(packet_.key, 2u);
}

TEST_F(OverlappedFileTest, DeliversAfterItsHandleWasClosed) {
    proves("ND2-FILE-02", "ND2-FILE-03");
    EXPECT_EQ(file_->associate(port_, 1), Status::success);
    HandleTable table;
    EXPECT_EQ(table.close(table.insert(file_)), Status::success);
    file_->deliver(&request_, 0, 0);
    EXPECT_TRUE(take(packet_));
}

TEST_F(OverlappedFileTest, PacketsForAClosedPortAreDropped) {
    proves("ND2-FILE-02");
    EXPECT_EQ(file_->associate(port_, 1), Status::success);
    HandleTable table;
    EXPECT_EQ(table.close(table.insert(port_)), Status::success);
    file_->deliver(&request_, 0, 0);
    EXPECT_EQ(port_->wait({&packet_, 1}, std::nullopt).status(), Status::canceled);
}

TEST_F(OverlappedFileTest, AssociationRacesWithDelivery) {
    std::thread deliverer([this] {
        for (int i = 0; i < 1000; ++i) file_->deliver(&request_, 0, 0);
    });
    EXPECT_EQ(file_->associate(port_, 5), Status::success);
    deliverer.join();
    while (take(packet_)) EXPECT_EQ(packet_.key, 5u);
}

}  // namespace
}  // namespace opennd
