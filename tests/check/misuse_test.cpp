// SPDX-License-Identifier: MIT
//
// The words of diagnostics, and programs that are told nothing, over every face and transport. The environment has OPENND_CHECK=warn.
// every_rule_test.cpp has each rule.
#include <memory>
#include <string>

#include "check/provocations.h"
#include "conformance/vocabulary/fixture.h"
#include "support/diagnostics.h"
#include "support/sanitizer.h"

namespace opennd::conformance {
namespace {

using support::Diagnostics;

class Misuse : public ConformanceTest {
protected:
    Scene scene() { return {driver(), diagnostics, GetParam()}; }
    bool is_face(const char* face) { return scene().is_face(face); }

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
    read_without_a_limit(scene());
    const auto told = diagnostics.of("CHECK-READ-LIMIT");
    ASSERT_EQ(told.size(), 1u);
    // Version 1 and NDK refuse it in their own words.
    const bool by_transport = is_face("Nd2");
    EXPECT_EQ(told[0].object.substr(0, 11), is_face("Nd1")   ? "endpoint"
                                            : is_face("Ndk") ? "queue pair"
                                                             : "queue pair ");
    EXPECT_NE(told[0].fact.find(by_transport     ? "Read of 8 bytes"
                                : is_face("Nd1") ? "Read: ND_INVALID_DEVICE_REQUEST: Reads in progress: 1"
                                                 : "NdkRead: "),
              std::string::npos)
        << told[0].fact;
    EXPECT_NE(told[0].site.find("at "), std::string::npos);
    EXPECT_NE(told[0].site.find("provocations.cpp:"), std::string::npos) << told[0].site;
    EXPECT_NE(told[0].remedy.find("outbound limit"), std::string::npos);
}

TEST_P(Misuse, AnEntryBehindItsRegionIsToldAtItsPost) {
    post_an_entry_behind_its_region(scene());
    const auto told = diagnostics.of("CHECK-ENTRY");
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].fact.find("entry 0: 8192 bytes"), std::string::npos) << told[0].fact;
    EXPECT_NE(told[0].fact.find("region of 65536 bytes"), std::string::npos) << told[0].fact;
}

TEST_P(Misuse, AnEntryWithADeadTokenIsToldAtItsPost) {
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
    send_memory_that_a_read_fills(scene());
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
    send_memory_that_a_receive_fills(scene());
    const auto told = diagnostics.of("CHECK-BUFFER-SHARED");
    ASSERT_EQ(told.size(), 1u);
    EXPECT_TRUE(told[0].note) << "the peer may only answer";
}

TEST_P(Misuse, MemoryThatChangesBeforeItsResultIsToldWithItsPost) {
    change_memory_before_its_result(scene());
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

TEST_P(Misuse, AMessageWithoutAReceiveIsToldWithBothCounts) {
    post_a_receive_too_late(scene());
    const auto told = diagnostics.of("CHECK-NO-RECEIVE");
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].fact.find("message 1 of the peer came, and 0 receives"), std::string::npos) << told[0].fact;
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
    post_more_than_there_is_room_for(scene());
    const auto told = diagnostics.of("CHECK-DEPTH");
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].fact.find("3 results may come"), std::string::npos) << told[0].fact;
}

TEST_P(Misuse, MemoryThatIsUnmappedWhileRegisteredIsToldAtThePostAndAtTheEnd) {
    unmap_registered_memory(scene());
    const auto told = diagnostics.of("CHECK-MEMORY-GONE");
    ASSERT_EQ(told.size(), 2u);
    EXPECT_EQ(told[0].site.substr(0, 3), "at ") << told[0].site;
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
    write_with_a_dead_token(scene());
    const auto told = diagnostics.of("CHECK-FIRST-ERROR");
    ASSERT_EQ(told.size(), 1u);
    EXPECT_TRUE(told[0].note);
    EXPECT_NE(told[0].fact.find("Write number 1 of 8 bytes"), std::string::npos) << told[0].fact;
    const std::string status = is_face("Ndk") ? "failed with STATUS_" : "failed with ND_";
    EXPECT_NE(told[0].fact.find(status), std::string::npos)
        << "nd explain knows the names of headers: " << told[0].fact;
    EXPECT_EQ(told[0].site.substr(0, 10), "posted at ") << told[0].site;
}

TEST_P(Misuse, ARequestThatThePeerTakesBackBeforeAnAnswerIsNoted) {
    if (std::string(GetParam().transport) == "verbs")
        GTEST_SKIP() << "the device's connection manager tells of it when it is answered";
    Handshake handshake(driver());
    handshake.requested().active.connector->cancel();
    EXPECT_TRUE(support::wait_until([&] { return diagnostics.has("CHECK-NO-ANSWER"); }));
    const auto told = diagnostics.of("CHECK-NO-ANSWER");
    ASSERT_EQ(told.size(), 1u);
    EXPECT_TRUE(told[0].note) << "the peer may have been hasty";
    EXPECT_NE(told[0].fact.find("neither Accept nor Reject until the peer gave up"), std::string::npos) << told[0].fact;
}

TEST_P(Misuse, PrivateDataMayBeAskedForAfterARefusal) {
    Handshake handshake(driver());
    handshake.requested().passive.connector->reject({});
    EXPECT_EQ(handshake.connect->wait(), Outcome::connection_refused);
    PrivateData data;
    (void)handshake.active.connector->private_data(data);
    EXPECT_FALSE(diagnostics.has("CHECK-PRIVATE-DATA"));
}

TEST_P(Misuse, ADisconnectAfterRejectIsInOrder) {
    Handshake handshake(driver());
    handshake.requested().passive.connector->reject({});
    (void)handshake.passive.connector->disconnect().begun();
    EXPECT_FALSE(diagnostics.has("CHECK-AFTER-REJECT")) << "a clean-up that ends every connector";
}

TEST_P(Misuse, ReadLimitsMayBeAskedForBeforeAccept) {
    Handshake handshake(driver());
    ReadLimits limits;
    EXPECT_EQ(handshake.requested().passive.connector->read_limits(limits), Outcome::success);
    EXPECT_FALSE(diagnostics.has("CHECK-LIMITS-AFTER-ACCEPT"));
}

}  // namespace
}  // namespace opennd::conformance
