// SPDX-License-Identifier: MIT
//
// Time limits: set short, so that the tests need not wait long. An instance reads its limits when it is opened.
#include <opennd.h>

#include <cstdlib>
#include <string>
#include <thread>

#include "ndk/consumer/side.h"

namespace opennd::ndk_test {
namespace {

// For as long as it lives, instances that are opened are impatient.
class Impatience {
public:
    Impatience() {
        for (const char* variable : kVariables) ::setenv(variable, "1000", 1);
    }
    ~Impatience() {
        for (const char* variable : kVariables) ::unsetenv(variable);
    }

private:
    static constexpr const char* kVariables[] = {"OPENND_NDK_CONNECT_MS", "OPENND_NDK_DISCONNECT_MS",
                                                 "OPENND_NDK_CLOSE_MS"};
};

class NdkPatience : public NdkTest {
protected:
    static std::unique_ptr<Side> impatient() {
        const Impatience impatience;
        return std::make_unique<Side>();
    }
    NTSTATUS complete(Side& side) {
        return calls_.end(side.connector->Dispatch->NdkCompleteConnect(side.connector.get(), nullptr, nullptr,
                                                                       Calls::request, &calls_));
    }
    static NTSTATUS disconnect(Side& side, Calls& calls) {
        return calls.end(side.connector->Dispatch->NdkDisconnect(side.connector.get(), Calls::request, &calls));
    }

    Calls calls_, accepted_;
};
OPENND_OVER_EACH_TRANSPORT(NdkPatience);

TEST_P(NdkPatience, AConnectThatNobodyAnswersTimesOutAndMayBeTriedAgain) {
    proves("NDK-CON-CONN-06", "NDK-CON-CONN-05", "NDK-CONS-46");
    const auto a = impatient();
    Side b;
    Host host(b.adapter);
    ASSERT_STATUS(begin_connect(*a, host, calls_), STATUS_PENDING);
    EXPECT_STATUS(calls_.next(), STATUS_IO_TIMEOUT);
    Owned<NDK_CONNECTOR> request = host.next();
    ASSERT_NE(request.get(), nullptr);
    request.close();
    ASSERT_STATUS(begin_connect(*a, host, calls_), STATUS_PENDING) << "as if it had not been tried";
    request = host.next();
    ASSERT_NE(request.get(), nullptr);
    request.close();
    EXPECT_STATUS(calls_.next(), STATUS_CONNECTION_REFUSED);
}

TEST_P(NdkPatience, AConnectThatIsNotCompletedIsGivenUp) {
    proves("NDK-CON-CC-02");
    const auto a = impatient();
    Side b;
    Host host(b.adapter);
    ASSERT_STATUS(begin_connect(*a, host, calls_), STATUS_PENDING);
    b.connector = host.next();
    ASSERT_STATUS(accept(b, accepted_), STATUS_PENDING);
    ASSERT_STATUS(calls_.next(), STATUS_SUCCESS);
    EXPECT_STATUS(accepted_.next(), STATUS_CONNECTION_ABORTED) << "the peer learns that it was given up";
    EXPECT_STATUS(complete(*a), STATUS_IO_TIMEOUT);
    host.listener = {};  // which the connector relies on
}

TEST_P(NdkPatience, AnAcceptThatIsNotCompletedTimesOut) {
    proves("NDK-CON-ACC-04", "NDK-CON-CC-01");
    Side a;
    const auto b = impatient();
    Host host(b->adapter);
    ASSERT_STATUS(begin_connect(a, host, calls_), STATUS_PENDING);
    b->connector = host.next();
    ASSERT_STATUS(accept(*b, accepted_), STATUS_PENDING);
    ASSERT_STATUS(calls_.next(), STATUS_SUCCESS);
    EXPECT_STATUS(accepted_.next(), STATUS_IO_TIMEOUT);
    EXPECT_NE(complete(a), STATUS_SUCCESS);
    host.listener = {};
}

TEST_P(NdkPatience, ADisconnectThatIsNotAnsweredTimesOutAndAborts) {
    proves("NDK-CON-DISC-04", "NDK-CON-EVT-01", "NDK-CON-DISC-02");
    const auto a = impatient();
    Side b;
    Host host(b.adapter);
    ASSERT_STATUS(begin_connect(*a, host, calls_), STATUS_PENDING);
    b.connector = host.next();
    ASSERT_STATUS(accept(b, accepted_), STATUS_PENDING);
    ASSERT_STATUS(calls_.next(), STATUS_SUCCESS);
    ASSERT_STATUS(complete(*a), STATUS_SUCCESS);
    ASSERT_STATUS(accepted_.next(), STATUS_SUCCESS);
    host.listener = {};
    ASSERT_STATUS(a->receive(1, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(disconnect(*a, calls_), STATUS_IO_TIMEOUT);
    EXPECT_STATUS(next_result(a->received.get()).Status, STATUS_CANCELLED);
    EXPECT_EQ(b.disconnected.next() & 0xFFFFFF, 1) << "the notice, which it did not answer";
    EXPECT_EQ(b.disconnected.next(support::milliseconds(100)), kNoCallback) << "once";
}

TEST(NdkAdapterClose, NamesWhatItWaitsFor) {
    proves("NDK-GEN-16");
    Calls named;
    ASSERT_EQ(opennd_error_sink(
                  [](void* calls, const opennd_error* error) {
                      const bool survivor = error->requirement == std::string("NDK-GEN-16") &&
                                            std::string(error->asked).find("completion queue") != std::string::npos;
                      if (survivor) static_cast<Calls*>(calls)->add(STATUS_SUCCESS);
                  },
                  &named),
              ND_SUCCESS);
    std::unique_ptr<Adapter> adapter;
    {
        const Impatience impatience;
        adapter = std::make_unique<Adapter>();
    }
    NDK_CQ* const queue = adapter->create_completion_queue(4).give_up();
    std::thread closing([&] { adapter.reset(); });
    EXPECT_STATUS(named.next(), STATUS_SUCCESS);
    EXPECT_STATUS(queue->Dispatch->NdkCloseCq(&queue->Header, nullptr, nullptr), STATUS_SUCCESS);
    closing.join();
    EXPECT_EQ(opennd_error_sink(nullptr, nullptr), ND_SUCCESS);
}

}  // namespace
}  // namespace opennd::ndk_test
