// SPDX-License-Identifier: MIT
//
// The provider's code of a failed result: the wire, and that wire's name for the cause.
#include <string_view>

#include "ndk/consumer/side.h"

namespace opennd::ndk_test {
namespace {

constexpr ULONG kCause = 0x00FFFFFF;
// Terminates of iWARP: layer, type, code.
constexpr ULONG kRemoteAccess = 0x0102, kMessageTooLong = 0x1205, kOwnFailure = 0x0000;

class NdkProviderCode : public NdkTest {
protected:
    // Over iWARP the cause is `terminate`; other wires have numbers of their own, which are not 0.
    void expect_cause(const NDK_RESULT_EX& result, ULONG terminate) {
        const bool iwarp = std::string_view(GetParam()) == "iwarp";
        EXPECT_EQ(result.ProviderErrorCode >> 24, iwarp ? 2u : 1u);
        if (iwarp) {
            EXPECT_EQ(result.ProviderErrorCode & kCause, terminate) << std::hex << result.ProviderErrorCode;
        } else {
            EXPECT_NE(result.ProviderErrorCode & kCause, 0u);
        }
    }
};
OPENND_OVER_EACH_TRANSPORT(NdkProviderCode);

NTSTATUS read(Pair& pair) {
    const NDK_SGE entry = pair.a.part(0, 64);
    return pair.a.queue_pair->Dispatch->NdkRead(pair.a.queue_pair.get(), tag(2), &entry, 1, pair.b.address(0),
                                                pair.b.remote_token, 0);
}

TEST_P(NdkProviderCode, TellsWhatThePeerRefused) {
    proves("NDK-QP-COMP-04", "NDK-CQ-POLL-05");
    SideOptions options;
    options.rights = NDK_MR_FLAG_ALLOW_LOCAL_WRITE;
    Pair pair(options);
    EXPECT_STATUS(pair.a.receive(1, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(read(pair), STATUS_SUCCESS);
    const NDK_RESULT_EX refused = next_result(pair.a.initiated.get());
    EXPECT_STATUS(refused.Status, STATUS_ACCESS_VIOLATION);
    expect_cause(refused, kRemoteAccess);
    const NDK_RESULT_EX flushed = next_result(pair.a.received.get());
    EXPECT_STATUS(flushed.Status, STATUS_CANCELLED);
    EXPECT_EQ(flushed.ProviderErrorCode, 0u);
}

TEST_P(NdkProviderCode, TellsBothSidesOfAMessageThatIsTooLong) {
    proves("NDK-QP-COMP-04");
    Pair pair;
    EXPECT_STATUS(pair.b.receive(1, 0, 16), STATUS_SUCCESS);
    EXPECT_STATUS(pair.a.send(2, 0, 64), STATUS_SUCCESS);
    const NDK_RESULT_EX received = next_result(pair.b.received.get());
    EXPECT_STATUS(received.Status, STATUS_BUFFER_OVERFLOW);
    expect_cause(received, kMessageTooLong);
    const NDK_RESULT_EX sent = next_result(pair.a.initiated.get());
    EXPECT_STATUS(sent.Status, STATUS_REMOTE_RESOURCES);
    expect_cause(sent, kMessageTooLong);
}

TEST_P(NdkProviderCode, TellsOfAFaultOfThisSide) {
    proves("NDK-QP-COMP-04");
    Pair pair;
    const NDK_SGE foreign = sge(pair.a.memory->data(), 64, pair.a.local_token + 0x100);
    EXPECT_STATUS(pair.a.queue_pair->Dispatch->NdkSend(pair.a.queue_pair.get(), tag(2), &foreign, 1, 0),
                  STATUS_SUCCESS);
    const NDK_RESULT_EX failed = next_result(pair.a.initiated.get());
    EXPECT_STATUS(failed.Status, STATUS_ACCESS_VIOLATION);
    expect_cause(failed, kOwnFailure);
}

// Over iWARP nobody answers a Read behind the peer's end.
TEST_P(NdkProviderCode, IsZeroOfAReadThatIsFlushed) {
    proves("NDK-QP-COMP-04", "NDK-QP-COMP-03");
    Calls ended;
    Pair pair;
    ASSERT_STATUS(pair.b.connector->Dispatch->NdkDisconnect(pair.b.connector.get(), Calls::request, &ended),
                  STATUS_PENDING);
    ASSERT_NE(pair.a.disconnected.next(), kNoCallback);
    EXPECT_STATUS(read(pair), STATUS_SUCCESS);
    const NDK_RESULT_EX result = next_result(pair.a.initiated.get());
    if (std::string_view(GetParam()) == "iwarp") {
        EXPECT_STATUS(result.Status, STATUS_CANCELLED);
    }
    if (result.Status == STATUS_CANCELLED) {
        EXPECT_EQ(result.ProviderErrorCode, 0u);
    }
}

TEST_P(NdkProviderCode, IsZeroBelowVersion21) {
    proves("NDK-QP-COMP-04", "NDK-CQ-POLL-05");
    SideOptions options;
    options.version = {1, 2};
    options.rights = NDK_MR_FLAG_ALLOW_LOCAL_WRITE;
    Pair pair(options);
    EXPECT_STATUS(read(pair), STATUS_SUCCESS);
    const NDK_RESULT_EX refused = next_result(pair.a.initiated.get());
    EXPECT_STATUS(refused.Status, STATUS_ACCESS_VIOLATION);
    EXPECT_EQ(refused.ProviderErrorCode, 0u);
}

}  // namespace
}  // namespace opennd::ndk_test
