// SPDX-License-Identifier: MIT
//
// Each misuse that a connection can show, over every face and transport, and its diagnostic. The environment has OPENND_CHECK=warn.
#include <sys/mman.h>

#include <memory>
#include <string>

#include "conformance/vocabulary/fixture.h"
#include "support/diagnostics.h"
#include "support/sanitizer.h"

namespace opennd::conformance {
namespace {

using support::Diagnostics;

constexpr std::size_t kPageBytes = 4096;

class Misuse : public ConformanceTest {
protected:
    // The completion queue of receives is asked until it is told.
    testing::AssertionResult is_told(const char* rule, Endpoint& driven) {
        const bool told = wait_until([&] {
            (void)driven.received->poll(1);
            return diagnostics.has(rule);
        });
        return told ? testing::AssertionSuccess() : testing::AssertionFailure() << "nothing is told of " << rule;
    }
    bool is_face(const char* face) const { return std::string(GetParam().face) == face; }

    Diagnostics diagnostics;
};

INSTANTIATE_TEST_SUITE_P(, Misuse, testing::ValuesIn(every_variant()), variant_name);

TEST_P(Misuse, AProgramWithoutOneIsToldNothing) {
    {
        const ConnectedPair pair(driver());
        pair.b.receive(1, 0, 64);
        pair.b.receive(2, 64, 64);
        ASSERT_EQ(pair.a.send(3, 0, 64), Outcome::success);
        ASSERT_EQ(pair.a.send(4, 64, 64), Outcome::success);
        EXPECT_TRUE(reports_received(*pair.b.received, 1, 64));
        EXPECT_TRUE(reports_received(*pair.b.received, 2, 64));
        EXPECT_EQ(next(*pair.a.initiated).request, 3u);
        EXPECT_EQ(next(*pair.a.initiated).request, 4u);
    }
    for (const Diagnostics::Told& each : diagnostics.all()) ADD_FAILURE() << each.rule << ": " << each.fact;
}

TEST_P(Misuse, AReadWithoutALimitIsToldAtItsPost) {
    if (is_face("Nd1")) GTEST_SKIP() << "version 1 has the limits of CreateEndpoint";
    const ConnectedPair pair(driver(), {}, {}, {0, 0});
    const std::uint32_t token = pair.b.queue_pair->grant(*pair.b.region);
    const Remote from{reinterpret_cast<std::uintptr_t>(pair.b.memory.data()), token};
    (void)pair.a.read(7, 0, 8, from);
    const auto told = diagnostics.of("CHECK-READ-LIMIT");
    ASSERT_EQ(told.size(), 1u);
    // NDK refuses it in its own words.
    EXPECT_EQ(told[0].object.substr(0, 11), is_face("Ndk") ? "queue pair" : "queue pair ");
    EXPECT_NE(told[0].fact.find(is_face("Ndk") ? "NdkRead" : "Read of 8 bytes"), std::string::npos) << told[0].fact;
    EXPECT_NE(told[0].site.find("at "), std::string::npos);
    EXPECT_NE(told[0].site.find("check_test+0x"), std::string::npos) << told[0].site;
    EXPECT_NE(told[0].remedy.find("outbound limit"), std::string::npos);
}

TEST_P(Misuse, AnEntryBehindItsRegionIsToldAtItsPost) {
    const ConnectedPair pair(driver());
    const Sge beyond{pair.a.memory.data() + 60 * 1024, 8 * 1024, pair.a.region->local_token()};
    ASSERT_EQ(pair.a.queue_pair->receive(1, {&beyond, 1}), Outcome::success);
    const auto told = diagnostics.of("CHECK-ENTRY");
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].fact.find("entry 0: 8192 bytes"), std::string::npos) << told[0].fact;
    EXPECT_NE(told[0].fact.find("region of 65536 bytes"), std::string::npos) << told[0].fact;
}

TEST_P(Misuse, AnEntryWithADeadTokenIsToldAtItsPost) {
    if (is_face("Nd1")) GTEST_SKIP() << "version 1 names memory by handles, which it checks itself";
    const ConnectedPair pair(driver());
    const Sge foreign{pair.a.memory.data(), 64, 0x7777};
    ASSERT_EQ(pair.a.queue_pair->receive(1, {&foreign, 1}), Outcome::success);
    EXPECT_EQ(diagnostics.of("CHECK-ENTRY").size(), 1u);
}

TEST_P(Misuse, AReceiveIntoMemoryWithoutTheRightIsTold) {
    if (is_face("Nd1")) GTEST_SKIP() << "version 1 registers all memory for writing";
    EndpointOptions read_only;
    read_only.rights = kSendOnly;
    const ConnectedPair pair(driver(), read_only, {});
    ASSERT_EQ(pair.a.receive(1, 0, 64), Outcome::success);
    ASSERT_TRUE(diagnostics.has("CHECK-ENTRY"));
    EXPECT_NE(diagnostics.of("CHECK-ENTRY")[0].fact.find("without the right to write"), std::string::npos);
}

TEST_P(Misuse, ASendOutOfWhatAReadFillsIsTold) {
    const ConnectedPair pair(driver());
    const Remote from{reinterpret_cast<std::uintptr_t>(pair.b.memory.data()), pair.b.queue_pair->grant(*pair.b.region)};
    ASSERT_EQ(pair.b.receive(1, 1024, 64), Outcome::success);
    ASSERT_EQ(pair.a.read(2, 0, 64, from), Outcome::success);
    ASSERT_EQ(pair.a.send(3, 32, 64), Outcome::success);  // 32 bytes of it
    const auto told = diagnostics.of("CHECK-BUFFER-IN-USE");
    ASSERT_EQ(told.size(), 1u);
    EXPECT_FALSE(told[0].note);
    EXPECT_NE(told[0].fact.find("which a Read without a result fills"), std::string::npos) << told[0].fact;
}

TEST_P(Misuse, AFencedSendOutOfWhatAReadFillsIsInOrder) {
    const ConnectedPair pair(driver());
    const Remote from{reinterpret_cast<std::uintptr_t>(pair.b.memory.data()), pair.b.queue_pair->grant(*pair.b.region)};
    ASSERT_EQ(pair.b.receive(1, 1024, 64), Outcome::success);
    ASSERT_EQ(pair.a.read(2, 0, 64, from), Outcome::success);
    ASSERT_EQ(pair.a.send(3, 32, 64, kReadFence), Outcome::success);
    EXPECT_EQ(next(*pair.a.initiated).request, 2u);
    EXPECT_TRUE(reports_received(*pair.b.received, 1, 64));
    EXPECT_EQ(next(*pair.a.initiated).request, 3u);
    for (const Diagnostics::Told& each : diagnostics.all()) ADD_FAILURE() << each.rule << ": " << each.fact;
}

TEST_P(Misuse, ASendOutOfWhatAReceiveFillsIsNoted) {
    const ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1, 1024, 64), Outcome::success);
    ASSERT_EQ(pair.a.receive(2, 0, 64), Outcome::success);
    ASSERT_EQ(pair.a.send(3, 32, 64), Outcome::success);
    const auto told = diagnostics.of("CHECK-BUFFER-SHARED");
    ASSERT_EQ(told.size(), 1u);
    EXPECT_TRUE(told[0].note) << "the peer may only answer";
}

TEST_P(Misuse, MemoryThatChangesBeforeItsResultIsToldWithItsPost) {
    const ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1, 0, 64), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 64), Outcome::success);
    pair.a.bytes(0, 64)[5] ^= std::byte{1};
    EXPECT_TRUE(reports_received(*pair.b.received, 1, 64));
    EXPECT_EQ(next(*pair.a.initiated).request, 2u);
    const auto told = diagnostics.of("CHECK-BUFFER-CHANGED");
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].site.substr(0, 10), "posted at ") << told[0].site;
}

TEST_P(Misuse, MemoryOfASilentRequestMayChangeOnceThePeerHasAnswered) {
    const ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1, 0, 64), Outcome::success);
    ASSERT_EQ(pair.b.receive(2, 64, 64), Outcome::success);
    ASSERT_EQ(pair.a.send(3, 0, 64, kSilent), Outcome::success);
    EXPECT_TRUE(reports_received(*pair.b.received, 1, 64));
    pair.a.bytes(0, 64)[5] ^= std::byte{1};
    ASSERT_EQ(pair.a.send(4, 64, 64), Outcome::success);
    EXPECT_TRUE(reports_received(*pair.b.received, 2, 64));
    EXPECT_EQ(next(*pair.a.initiated).request, 4u);
    EXPECT_FALSE(diagnostics.has("CHECK-BUFFER-CHANGED"));
}

TEST_P(Misuse, AMessageWithoutAReceiveIsToldAndTheReceiveThatComesTooLate) {
    const ConnectedPair pair(driver());
    ASSERT_EQ(pair.a.send(1, 0, 64), Outcome::success);
    ASSERT_TRUE(is_told("CHECK-NO-RECEIVE", pair.b));
    EXPECT_NE(diagnostics.of("CHECK-NO-RECEIVE")[0].fact.find("message 1 of the peer came, and 0 receives"),
              std::string::npos)
        << diagnostics.of("CHECK-NO-RECEIVE")[0].fact;
    ASSERT_EQ(pair.b.receive(2, 0, 64), Outcome::success);
    EXPECT_TRUE(diagnostics.has("CHECK-RECEIVE-LATE"));
    EXPECT_TRUE(reports_received(*pair.b.received, 2, 64));
    EXPECT_EQ(next(*pair.a.initiated).request, 1u);
}

TEST_P(Misuse, AMessageThatNeverGetsAReceiveIsToldAtBothSides) {
    if (is_face("Ndk")) GTEST_SKIP() << "NDK's messages wait without limit";
    const ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1, 0, 64), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 64), Outcome::success);
    ASSERT_EQ(pair.a.send(3, 0, 64), Outcome::success);
    EXPECT_TRUE(reports_received(*pair.b.received, 1, 64));
    EXPECT_EQ(next(*pair.a.initiated).request, 2u);
    EXPECT_NE(next(*pair.a.initiated).outcome, Outcome::success);
    const auto told = diagnostics.of("CHECK-NO-RECEIVE");
    ASSERT_EQ(told.size(), 2u);
    EXPECT_NE(told[0].fact.find("message 2 of the peer came, and 1 receives"), std::string::npos) << told[0].fact;
    EXPECT_NE(told[1].fact.find("after 1 requests that the peer took"), std::string::npos) << told[1].fact;
}

TEST_P(Misuse, MoreRequestsThanRoomForResultsAreTold) {
    EndpointOptions narrow;
    narrow.completion_depth = 2;
    const ConnectedPair pair(driver(), narrow, {});
    for (Tag tag = 1; tag <= 2; ++tag) ASSERT_EQ(pair.a.receive(tag, 0, 64), Outcome::success);
    EXPECT_FALSE(diagnostics.has("CHECK-DEPTH"));
    ASSERT_EQ(pair.a.receive(3, 0, 64), Outcome::success);
    ASSERT_TRUE(diagnostics.has("CHECK-DEPTH"));
    EXPECT_NE(diagnostics.of("CHECK-DEPTH")[0].fact.find("3 results may come"), std::string::npos);
}

TEST_P(Misuse, MemoryThatIsUnmappedWhileRegisteredIsToldAtThePostAndAtTheEnd) {
    const ConnectedPair pair(driver());
    void* const memory = ::mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    auto region = registered(*pair.a.adapter, memory, kPageBytes, kAllRights);
    const Sge piece{memory, 64, region->local_token()};
    ::munmap(memory, kPageBytes);
    ASSERT_EQ(pair.a.queue_pair->receive(1, {&piece, 1}), Outcome::success);
    EXPECT_EQ(diagnostics.of("CHECK-MEMORY-GONE").size(), 1u);
    region = nullptr;
    const auto told = diagnostics.of("CHECK-MEMORY-GONE");
    ASSERT_EQ(told.size(), 2u);
    EXPECT_EQ(told[1].site.substr(0, 14), "registered at ") << told[1].site;
}

TEST_P(Misuse, MemoryThatIsFreedWhileRegisteredIsToldUnderTheAddressSanitizer) {
    if (!support::kAddressSanitizer) GTEST_SKIP() << "nobody tells which memory is freed";
    const ConnectedPair pair(driver());
    auto memory = std::make_unique<std::byte[]>(64);
    auto region = registered(*pair.a.adapter, memory.get(), 64, kAllRights);
    const Sge piece{memory.get(), 64, region->local_token()};
    memory = nullptr;
    ASSERT_EQ(pair.a.queue_pair->receive(1, {&piece, 1}), Outcome::success);
    EXPECT_EQ(diagnostics.of("CHECK-MEMORY-GONE").size(), 1u);
}

TEST_P(Misuse, TheFirstFailureOfAQueuePairIsToldApartFromItsConsequences) {
    const ConnectedPair pair(driver());
    ASSERT_EQ(pair.a.write(1, 0, 8, {reinterpret_cast<std::uintptr_t>(pair.b.memory.data()), 0x7777}),
              Outcome::success);
    const Outcome second = pair.a.write(2, 8, 8, {reinterpret_cast<std::uintptr_t>(pair.b.memory.data()), 0x7777});
    const std::size_t accepted = second == Outcome::success ? 2 : 1;  // NDK refuses it if the first has failed by then
    for (const Completion& each : next(*pair.a.initiated, accepted)) EXPECT_NE(each.outcome, Outcome::success);
    const auto told = diagnostics.of("CHECK-FIRST-ERROR");
    ASSERT_EQ(told.size(), 1u);
    EXPECT_TRUE(told[0].note);
    EXPECT_NE(told[0].fact.find("Write number 1 of 8 bytes"), std::string::npos) << told[0].fact;
    EXPECT_EQ(told[0].site.substr(0, 10), "posted at ") << told[0].site;
}

TEST_P(Misuse, PrivateDataBeforeTheyExistAreTold) {
    Handshake handshake(driver());
    PrivateData data;
    (void)handshake.bound().active.connector->private_data(data);
    EXPECT_EQ(diagnostics.of("CHECK-PRIVATE-DATA").size(), 1u);
}

TEST_P(Misuse, PrivateDataMayBeAskedForAfterARefusal) {
    Handshake handshake(driver());
    handshake.requested().passive.connector->reject({});
    EXPECT_EQ(handshake.connect->wait(), Outcome::connection_refused);
    PrivateData data;
    (void)handshake.active.connector->private_data(data);
    EXPECT_FALSE(diagnostics.has("CHECK-PRIVATE-DATA"));
}

TEST_P(Misuse, ReadLimitsAfterAcceptAreTold) {
    if (!is_face("Nd2")) GTEST_SKIP() << "only version 2 has a call of its own for them";
    Handshake before(driver()), after(driver());
    ReadLimits limits;
    EXPECT_EQ(before.requested().passive.connector->read_limits(limits), Outcome::success);
    EXPECT_FALSE(diagnostics.has("CHECK-LIMITS-AFTER-ACCEPT"));
    (void)after.accepting().passive.connector->read_limits(limits);
    EXPECT_EQ(diagnostics.of("CHECK-LIMITS-AFTER-ACCEPT").size(), 1u);
}

TEST_P(Misuse, AConnectorThatIsUsedAfterRejectIsTold) {
    if (is_face("Ndk")) GTEST_SKIP() << "NDK's own stages refuse it";
    Handshake handshake(driver());
    handshake.requested().passive.connector->reject({});
    (void)handshake.passive.connector->accept(*handshake.passive.queue_pair, {}, {}).begun();
    EXPECT_EQ(diagnostics.of("CHECK-AFTER-REJECT").size(), 1u);
}

TEST_P(Misuse, ASecondRequestForOneConnectorIsTold) {
    if (is_face("Ndk")) GTEST_SKIP() << "NDK makes a connector for each request";
    Handshake handshake(driver());
    handshake.bound();
    const Operation first = handshake.listener->get_request(*handshake.passive.connector);
    (void)handshake.listener->get_request(*handshake.passive.connector).begun();
    EXPECT_EQ(diagnostics.of("CHECK-SECOND-REQUEST").size(), 1u);
    handshake.listener->cancel();
    (void)first.wait();
}

TEST_P(Misuse, ABindBeforeTheConnectionIsTold) {
    if (is_face("Nd1")) GTEST_SKIP() << "version 1 has a queue pair only with its connector";
    Endpoint end(driver(), {});
    const auto window = end.adapter->create_memory_window();
    (void)end.queue_pair->bind(1, *end.region, *window, end.memory.data(), 64, kAllowRead);
    EXPECT_EQ(diagnostics.of("CHECK-BIND-EARLY").size(), 1u);
}

}  // namespace
}  // namespace opennd::conformance
