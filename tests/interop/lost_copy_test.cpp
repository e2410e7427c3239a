// SPDX-License-Identifier: MIT
//
// The kernel refuses a copy between the two processes in the middle of a connection: because the peer is gone, or because it may
// not any more. Requirements ND2-QP-STAT-03, ND2-QP-ERR-03.
#include <cerrno>

#include "faults/failing_calls.h"
#include "interop/two_process_test.h"
#include "support/pattern.h"
#include "support/requirement.h"

namespace opennd::interop {
namespace {

using conformance::RequestKind;
using faults::FailingFunction;
using support::proves;

// Over shared memory alone do processes copy.
class LostCopy : public TwoProcesses {
protected:
    LostCopy() : side_(*driver_, MemoryKind::ordinary), peer_(start_peer("target", side_.port)) {
        side_.accept_peer();
        remote_ = side_.take_offer();
    }

    Side side_;
    PeerProcess peer_;
    Remote remote_{};
};

TEST_P(LostCopy, OfAPeerThatIsGoneTimesTheRequestOut) {
    proves("ND2-QP-STAT-03", "ND2-QP-ERR-03");
    {
        const FailingFunction gone("process_vm_writev", ESRCH);
        ASSERT_EQ(side_.write(1, 0, kMessageBytes, remote_), Outcome::success);
        EXPECT_TRUE(conformance::reports(*side_.initiated, RequestKind::write, 1, Outcome::io_timeout));
        EXPECT_GT(gone.count(), 0);
    }
    ASSERT_EQ(side_.write(2, 0, 8, remote_), Outcome::success);
    EXPECT_TRUE(conformance::reports(*side_.initiated, RequestKind::write, 2, Outcome::canceled));
}

TEST_P(LostCopy, OfAPeerThatMayNotBeTracedAnyMoreGoesByFrames) {
    proves("ND2-QP-RDMA-01");
    support::fill_pattern(side_.bytes(0, kMessageBytes), kTestSeed);
    {
        const FailingFunction forbidden("process_vm_writev", EPERM);
        ASSERT_EQ(side_.write(1, 0, kMessageBytes, remote_), Outcome::success);
        EXPECT_TRUE(conformance::reports(*side_.initiated, RequestKind::write, 1, Outcome::success));
        EXPECT_GT(forbidden.count(), 0);
    }
    support::fill_pattern(side_.bytes(0, kMessageBytes), kPeerSeed);
    const FailingFunction forbidden("process_vm_readv", EPERM);
    ASSERT_EQ(side_.read(2, 0, kMessageBytes, remote_), Outcome::success);
    EXPECT_TRUE(conformance::reports(*side_.initiated, RequestKind::read, 2, Outcome::success));
    EXPECT_GT(forbidden.count(), 0);
    EXPECT_TRUE(support::has_pattern(side_.bytes(0, kMessageBytes), kTestSeed));
}

INSTANTIATE_TEST_SUITE_P(, LostCopy, testing::Values("shm"), transport_name);

}  // namespace
}  // namespace opennd::interop
