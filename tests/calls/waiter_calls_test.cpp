// SPDX-License-Identifier: MIT
// What a program that waits for events asks the system for: no read of a socket that the event loop has emptied, and of which it has
// told nothing since.
#include <string_view>
#include <vector>

#include "calls/system_calls.h"
#include "conformance/vocabulary/fixture.h"

namespace opennd::conformance {
namespace {

using calls::made_by_this_thread;
using calls::SystemCalls;

class WaiterCalls : public ConformanceTest {};

TEST_P(WaiterCalls, ReadNoSocketThatTheLoopHasEmptied) {
    proves("ND2-CQ-NTF-08", "IW-PERF-16");
    ConnectedPair pair(driver());
    for (Tag message = 1; message <= 20; ++message) {
        ASSERT_EQ(pair.b.receive(message), Outcome::success);
        const Operation event = pair.b.received->notify(NotifyType::any);
        ASSERT_EQ(pair.a.send(message), Outcome::success);
        ASSERT_EQ(event.wait(), Outcome::success);
        const SystemCalls before = made_by_this_thread();
        EXPECT_EQ(pair.b.received->poll(1).size(), 1u);
        EXPECT_TRUE(pair.b.received->poll(1).empty());
        EXPECT_EQ((made_by_this_thread() - before).receives, 0u) << "behind message " << message;
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, message, Outcome::success));
    }
}

INSTANTIATE_TEST_SUITE_P(, WaiterCalls, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
