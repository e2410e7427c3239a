// SPDX-License-Identifier: MIT
//
// The rules of the checking layer that only raw interfaces of version 2 can break. The environment has OPENND_CHECK=warn.
#include "conformance/nd2/nd2_test.h"
#include "support/diagnostics.h"

// A function with a name in the program's dynamic symbols.
extern "C" [[gnu::visibility("default")]] [[gnu::noinline]] HRESULT ask_twice(IND2CompletionQueue* queue,
                                                                              OVERLAPPED* overlapped) {
    const HRESULT first = queue->Notify(ND_CQ_NOTIFY_ANY, overlapped);
    const HRESULT second = queue->Notify(ND_CQ_NOTIFY_ANY, overlapped);
    return first == ND_PENDING ? second : first;
}

namespace opennd::conformance::nd2 {
namespace {

using support::Diagnostics;

class CheckedOverlapped : public Nd2Test {
protected:
    Diagnostics diagnostics;
};

TEST_F(CheckedOverlapped, ThatIsUsedAgainWhilePendingIsToldWithTheFunctionsName) {
    const auto queue = completion_queue();
    OVERLAPPED overlapped{};
    EXPECT_EQ(ask_twice(queue.get(), &overlapped), ND_PENDING);
    const auto told = diagnostics.of("CHECK-OVERLAPPED-IN-USE");
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].site.substr(0, 12), "at ask_twice") << told[0].site;
    EXPECT_NE(told[0].fact.find("ask_twice"), std::string::npos) << told[0].fact;
    queue->CancelOverlappedRequests();
}

TEST_F(CheckedOverlapped, ThatIsUsedAgainAfterItsResultIsInOrder) {
    const auto queue = completion_queue();
    OVERLAPPED overlapped{};
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(queue->Notify(ND_CQ_NOTIFY_ANY, &overlapped), ND_PENDING);
        queue->CancelOverlappedRequests();
        EXPECT_EQ(queue->GetOverlappedResult(&overlapped, TRUE), ND_CANCELED);
    }
    EXPECT_TRUE(diagnostics.all().empty());
}

TEST_F(CheckedOverlapped, AnAddressOfAnotherHostIsNoLocalOne) {
    const sockaddr_in foreign{AF_INET, htons(5000), {htonl(0xC0000201)}, {}};  // 192.0.2.1 is nobody's
    void* adapter = nullptr;
    EXPECT_EQ(NdOpenAdapter(IID_IND2Adapter, reinterpret_cast<const sockaddr*>(&foreign), sizeof foreign, &adapter),
              ND_INVALID_ADDRESS);
    EXPECT_EQ(diagnostics.of("CHECK-PEER-ADDRESS").size(), 1u);
    EXPECT_EQ(connector()->Bind(reinterpret_cast<const sockaddr*>(&foreign), sizeof foreign), ND_INVALID_ADDRESS);
    EXPECT_EQ(diagnostics.of("CHECK-PEER-ADDRESS").size(), 2u);
}

}  // namespace
}  // namespace opennd::conformance::nd2
