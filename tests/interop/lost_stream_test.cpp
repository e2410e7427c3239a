// SPDX-License-Identifier: MIT
//
// The system tells that a stream broke: which status has the oldest request, by the reason and by the call that hears it
// (docs/decisions/0072). The network itself goes away in network/lost_test.py.
#include <cerrno>

#include "faults/failing_calls.h"
#include "interop/two_process_test.h"
#include "support/requirement.h"

namespace opennd::interop {
namespace {

using conformance::reports;
using conformance::reports_exactly;
using conformance::RequestKind;
using support::proves;

struct Broken {
    const char* call;
    int error;
    Outcome oldest;
};

class LostStream : public TwoProcesses {
protected:
    void expect(const Broken& broken) {
        Side side(*driver_, MemoryKind::ordinary);
        const PeerProcess peer = start_peer("target", side.port);
        side.accept_peer();
        const Remote remote = side.take_offer();
        const Operation ended = side.connector->notify_disconnect();
        ASSERT_EQ(side.receive(9), Outcome::success);
        const faults::FailingFunction failing(broken.call, broken.error);
        ASSERT_EQ(side.read(1, 0, 8, remote), Outcome::success);
        ASSERT_EQ(side.write(2, 0, 8, remote), Outcome::success);
        ASSERT_EQ(side.send(3, 0, 8), Outcome::success);
        EXPECT_TRUE(reports(*side.initiated, RequestKind::read, 1, broken.oldest));
        EXPECT_TRUE(reports_exactly(*side.initiated, {2, 3}, Outcome::canceled));
        EXPECT_TRUE(reports_exactly(*side.received, {9}, Outcome::canceled));
        EXPECT_EQ(ended.wait(), Outcome::success);
        EXPECT_GT(failing.count(), 0);
    }
};

TEST_P(LostStream, TimesTheOldestRequestOutWhereNothingAnswersAndNowhereElse) {
    proves("ND2-QP-ERR-03");
    for (const char* const call : {"recv", "send"}) {
        for (const int error : {ETIMEDOUT, EHOSTUNREACH, ENETUNREACH}) {
            SCOPED_TRACE(std::string(call) + ": " + strerrorname_np(error));
            expect({call, error, Outcome::io_timeout});
        }
        SCOPED_TRACE(std::string(call) + ": ECONNRESET");
        expect({call, ECONNRESET, Outcome::canceled});
    }
}

INSTANTIATE_TEST_SUITE_P(, LostStream, testing::Values("iwarp"), transport_name);

}  // namespace
}  // namespace opennd::interop
