// SPDX-License-Identifier: MIT
//
// The refusals of a profile: each names it.
#include <opennd_immediate.h>

#include <array>
#include <string>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/handshake.h"
#include "conformance/vocabulary/nd1/driver.h"
#include "conformance/vocabulary/nd2/driver.h"
#include "profile/profile_process.h"
#include "support/adapter.h"
#include "support/status.h"

namespace opennd::profile_test {
namespace {

using conformance::ConnectedPair;
using conformance::EndpointOptions;
using conformance::Outcome;
using support::is;

// Runs `body` with a driver of version 2 over shared memory.
template <typename Body>
void with(const char* profile, Body&& body) {
    under(profile, [&] {
        const conformance::PinnedTransport transport("shm");
        Explanations explanations;
        body(*conformance::nd2::open_driver(), explanations);
    });
}

testing::AssertionResult names(Explanations& explanations, const std::string& profile) {
    const std::string limit = explanations.newest();
    if (limit.find("profile " + profile) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "the limit is \"" << limit << "\"";
}

// One raw adapter of version 2, for refusals of creations.
struct RawAdapter {
    RawAdapter() { adapter->CreateOverlappedFile(&file); }
    ~RawAdapter() { opennd_handle_close(file); }

    support::ComPtr<IND2CompletionQueue> queue(ULONG depth) {
        support::ComPtr<IND2CompletionQueue> made;
        support::require(adapter->CreateCompletionQueue(IID_IND2CompletionQueue, file, depth, 0, 0, made.out()),
                         ND_SUCCESS, "CreateCompletionQueue");
        return made;
    }

    HRESULT create_queue_pair(ULONG depth, ULONG sges, ULONG inline_bytes) {
        const auto results = queue(16);
        support::ComPtr<IND2QueuePair> pair;
        return adapter->CreateQueuePair(IID_IND2QueuePair, results.get(), results.get(), nullptr, depth, depth, sges,
                                        sges, inline_bytes, pair.out());
    }

    support::Startup startup;
    support::ComPtr<IND2Adapter> adapter = support::open_loopback_adapter();
    HANDLE file = nullptr;
    Explanations explanations;
};

TEST(Quirks, LimitsOfQueuePairsAreRefusedByName) {
    under("cxgb4", [] {
        RawAdapter raw;
        EXPECT_TRUE(is(raw.create_queue_pair(8189, 4, 280), ND_SUCCESS));
        EXPECT_TRUE(is(raw.create_queue_pair(8190, 4, 0), ND_INVALID_PARAMETER_5));
        EXPECT_TRUE(names(raw.explanations, "cxgb4"));
        EXPECT_TRUE(is(raw.create_queue_pair(8, 5, 0), ND_INVALID_PARAMETER_7));
        EXPECT_TRUE(names(raw.explanations, "cxgb4"));
        EXPECT_TRUE(is(raw.create_queue_pair(8, 4, 281), ND_INVALID_PARAMETER_9));
        EXPECT_TRUE(names(raw.explanations, "cxgb4"));
    });
}

TEST(Quirks, LimitsOfTheSoftwareAreNotBlamedOnTheProfile) {
    under("cxgb4", [] {
        RawAdapter raw;
        const auto connector = [&] {
            support::ComPtr<IND2Connector> made;
            support::require(raw.adapter->CreateConnector(IID_IND2Connector, raw.file, made.out()), ND_SUCCESS,
                             "CreateConnector");
            return made;
        }();
        std::array<char, 200> data{};
        EXPECT_TRUE(is(connector->Reject(data.data(), data.size()), ND_INVALID_BUFFER_SIZE));
        EXPECT_EQ(raw.explanations.newest().find("profile"), std::string::npos) << "148 is OpenND's own";
    });
}

TEST(Quirks, CompletionQueuesKeepTheirDepth) {
    under("cxgb4", [] {
        RawAdapter raw;
        EXPECT_TRUE(is(raw.queue(16)->Resize(32), ND_NOT_SUPPORTED));
        EXPECT_TRUE(names(raw.explanations, "cxgb4"));
    });
}

TEST(Quirks, ThereAreNoWindows) {
    under("mana", [] {
        RawAdapter raw;
        support::ComPtr<IND2MemoryWindow> window;
        EXPECT_TRUE(is(raw.adapter->CreateMemoryWindow(IID_IND2MemoryWindow, window.out()), ND_NOT_SUPPORTED));
        EXPECT_TRUE(names(raw.explanations, "mana"));
    });
}

TEST(Quirks, ThereAreNoSharedReceiveQueues) {
    under("irdma", [] {
        RawAdapter raw;
        support::ComPtr<IND2SharedReceiveQueue> queue;
        EXPECT_TRUE(
            is(raw.adapter->CreateSharedReceiveQueue(IID_IND2SharedReceiveQueue, raw.file, 4, 1, 0, 0, 0, queue.out()),
               ND_NOT_SUPPORTED));
        EXPECT_TRUE(names(raw.explanations, "irdma"));
    });
}

TEST(Quirks, ThereAreNoImmediateData) {
    under(OPENND_TEST_PROFILE, [] {
        support::proves("ND2-IMM-COM-02");
        RawAdapter raw;
        support::ComPtr<IUnknown> made;
        EXPECT_TRUE(
            is(raw.adapter->CreateCompletionQueue(IID_IND2ImmediateCompletionQueue, raw.file, 4, 0, 0, made.out()),
               E_NOINTERFACE));
        EXPECT_FALSE(made);
        EXPECT_TRUE(names(raw.explanations, "test"));
        const auto queue = raw.queue(4);
        EXPECT_TRUE(is(queue->QueryInterface(IID_IND2ImmediateCompletionQueue, made.out()), E_NOINTERFACE));
        EXPECT_FALSE(made);
        EXPECT_TRUE(is(raw.adapter->CreateQueuePair(IID_IND2ImmediateQueuePair, queue.get(), queue.get(), nullptr, 1, 1,
                                                    1, 1, 0, made.out()),
                       E_NOINTERFACE));
        support::ComPtr<IND2QueuePair> pair;
        ASSERT_TRUE(is(raw.adapter->CreateQueuePair(IID_IND2QueuePair, queue.get(), queue.get(), nullptr, 1, 1, 1, 1, 0,
                                                    pair.out()),
                       ND_SUCCESS));
        EXPECT_TRUE(is(pair->QueryInterface(IID_IND2ImmediateQueuePair, made.out()), E_NOINTERFACE));
        EXPECT_TRUE(names(raw.explanations, "test"));
    });
}

TEST(Quirks, AReadHasOneEntry) {
    with("cxgb4", [](conformance::Driver& driver, Explanations& explanations) {
        ConnectedPair pair(driver);
        const std::array two{pair.a.piece(0, 8), pair.a.piece(8, 8)};
        EXPECT_EQ(pair.a.queue_pair->read(1, std::span(two).first(1), pair.b.remote(), 0), Outcome::success);
        EXPECT_EQ(pair.a.queue_pair->write(2, two, pair.b.remote(), 0), Outcome::success);
        EXPECT_NE(pair.a.queue_pair->read(3, two, pair.b.remote(), 0), Outcome::success);
        EXPECT_TRUE(names(explanations, "cxgb4"));
    });
}

TEST(Quirks, TheSinkOfAReadNeedsItsRight) {
    with("cxgb4", [](conformance::Driver& driver, Explanations& explanations) {
        EndpointOptions writable;
        writable.rights = conformance::kLocalWrite;
        ConnectedPair pair(driver, writable, EndpointOptions{});
        ASSERT_EQ(pair.a.read(1, 0, 64, pair.b.remote()), Outcome::success) << "refused when it executes";
        EXPECT_TRUE(reports(*pair.a.initiated, conformance::RequestKind::read, 1, Outcome::access_violation));
        EXPECT_TRUE(names(explanations, "cxgb4"));
    });
    for (const unsigned right : {conformance::kLocalWrite | conformance::kReadSink, conformance::kAllRights})
        with("cxgb4", [&](conformance::Driver& driver, Explanations&) {
            EndpointOptions sink;
            sink.rights = right;
            ConnectedPair pair(driver, sink, EndpointOptions{});
            ASSERT_EQ(pair.a.read(1, 0, 64, pair.b.remote()), Outcome::success);
            EXPECT_TRUE(reports(*pair.a.initiated, conformance::RequestKind::read, 1, Outcome::success));
        });
}

// Version 1 has no word for a sink.
TEST(Quirks, TheSinkOfVersion1NeedsNoRight) {
    under(OPENND_TEST_SINKS, [] {
        const conformance::PinnedTransport transport("shm");
        ConnectedPair pair(*conformance::nd1::open_driver());
        ASSERT_EQ(pair.a.read(1, 0, 64, pair.b.remote()), Outcome::success);
        EXPECT_TRUE(reports(*pair.a.initiated, conformance::RequestKind::read, 1, Outcome::success));
    });
}

TEST(Quirks, AnAdapterDoesNotConnectToItself) {
    with(OPENND_TEST_PROFILE, [](conformance::Driver& driver, Explanations& explanations) {
        conformance::Handshake handshake(driver);
        handshake.bound();
        EXPECT_EQ(handshake.active.connector->connect(*handshake.active.queue_pair, handshake.address, {}, {}).wait(),
                  Outcome::network_unreachable);
        EXPECT_TRUE(names(explanations, "test"));
    });
}

TEST(Quirks, PrivateDataArrivePadded) {
    with("mlx5", [](conformance::Driver& driver, Explanations&) {
        const conformance::PrivateData word(3, std::byte{7});
        conformance::HandshakeOptions options;
        options.connect_data = options.accept_data = word;
        conformance::Handshake handshake(driver, options);
        handshake.replied();
        for (const auto& [side, bytes] : {std::pair(&handshake.passive, 56u), std::pair(&handshake.active, 148u)}) {
            conformance::PrivateData padded = word;
            padded.resize(bytes);
            conformance::PrivateData arrived;
            ASSERT_EQ(side->connector->private_data(arrived), Outcome::success);
            EXPECT_EQ(arrived, padded);
        }
    });
}

TEST(Quirks, CompletionQueuesOverrun) {
    with("mlx5", [](conformance::Driver& driver, Explanations&) {
        EndpointOptions shallow;
        shallow.completion_depth = 2;
        ConnectedPair pair(driver, EndpointOptions{}, shallow);
        for (conformance::Tag tag = 0; tag < 3; ++tag) ASSERT_EQ(pair.b.receive(tag), Outcome::success);
        for (conformance::Tag tag = 0; tag < 3; ++tag) ASSERT_EQ(pair.a.send(tag), Outcome::success);
        EXPECT_EQ(pair.b.received->notify(conformance::NotifyType::errors).wait(), Outcome::buffer_overflow);
    });
}

TEST(Quirks, TheProgramsOverrunRuleStands) {
    process::in_child([] {
        ::setenv("OPENND_PROFILE", "mlx5", 1);
        ::setenv("OPENND_OVERRUN", "forgiving", 1);
        const conformance::PinnedTransport transport("shm");
        EndpointOptions shallow;
        shallow.completion_depth = 2;
        ConnectedPair pair(*conformance::nd2::open_driver(), EndpointOptions{}, shallow);
        for (conformance::Tag tag = 0; tag < 3; ++tag) ASSERT_EQ(pair.b.receive(tag), Outcome::success);
        for (conformance::Tag tag = 0; tag < 3; ++tag) ASSERT_EQ(pair.a.send(tag), Outcome::success);
        EXPECT_TRUE(reports_exactly(*pair.b.received, {0, 1, 2}, Outcome::success));
    });
}

}  // namespace
}  // namespace opennd::profile_test
