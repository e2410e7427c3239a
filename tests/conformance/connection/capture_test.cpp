// SPDX-License-Identifier: MIT
//
// A capture has what a connection carries, over every wire: each message once, in order, with the program's bytes (docs/captures.md).
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <thread>

#include "conformance/request/immediate.h"
#include "conformance/vocabulary/fixture.h"
#include "support/adapter.h"
#include "support/own_capture.h"
#include "support/transports.h"

namespace opennd::conformance {
namespace {

using support::CapturedMessage;
using support::CaptureReading;
using support::OwnCapture;

constexpr std::size_t kMemory = 400'000;

PrivateData words(std::string_view text) {
    PrivateData data(text.size());
    std::memcpy(data.data(), text.data(), text.size());
    return data;
}

class Capture : public ConformanceTest {
protected:
    // Hardware carries its messages itself.
    void SetUp() override {
        if (std::string_view(GetParam().transport) == "verbs") GTEST_SKIP() << "captures are of the software wires";
    }

    // What the next message of the capture has to be.
    void expect(unsigned opcode, bool by_active, std::span<const std::byte> bytes) {
        ASSERT_LT(next_, reading_.messages.size()) << "the message is missing";
        const CapturedMessage& message = reading_.messages[next_++];
        EXPECT_EQ(message.opcode, opcode);
        EXPECT_EQ(message.by_active, by_active);
        EXPECT_TRUE(std::ranges::equal(message.bytes, bytes)) << message.bytes.size() << " bytes of " << bytes.size();
    }
    const CapturedMessage& message() const { return reading_.messages.at(next_ - 1); }
    void expect_no_more() { EXPECT_EQ(next_, reading_.messages.size()); }

    const std::unique_ptr<Adapter> open_ = driver().open_adapter();  // answers for the process
    OwnCapture capture_;
    CaptureReading reading_;
    std::size_t next_ = 0;
};

TEST_P(Capture, HasEachMessageOfBothSidesWithItsBytes) {
    constexpr std::size_t kSizes[]{0, 1, 63, 5000, 40'000, 300'000};
    {
        ConnectedPair pair(driver(), {.memory_bytes = kMemory});
        for (const std::size_t size : kSizes) {
            fill_pattern(pair.a.bytes(0, size), size);
            ASSERT_EQ(pair.b.receive(1, 0, size), Outcome::success);
            ASSERT_EQ(pair.a.send(2, 0, size), Outcome::success);
            ASSERT_TRUE(reports_received(*pair.b.received, 1, size));
            ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::success));
            ASSERT_EQ(pair.a.receive(3, 0, size), Outcome::success);
            ASSERT_EQ(pair.b.send(4, 0, size, kSolicit), Outcome::success);
            ASSERT_TRUE(reports_received(*pair.a.received, 3, size));
            ASSERT_TRUE(reports(*pair.b.initiated, RequestKind::send, 4, Outcome::success));
        }
    }
    reading_ = capture_.reading();
    std::vector<std::byte> bytes(kMemory);
    std::uint32_t number = 0;
    for (const std::size_t size : kSizes) {
        SCOPED_TRACE(size);
        ++number;
        fill_pattern(std::span(bytes).first(size), size);
        expect(CapturedMessage::kSend, true, std::span(bytes).first(size));
        EXPECT_EQ(message().number, number);
        expect(CapturedMessage::kSendSolicited, false, std::span(bytes).first(size));
        EXPECT_EQ(message().number, number);
    }
    expect_no_more();
}

TEST_P(Capture, HasAReadAndAWriteAsRequestAndBytes) {
    constexpr std::size_t kBytes = 8, kSink = 1000;
    std::uint64_t target = 0, sink = 0;
    {
        ConnectedPair pair(driver());
        target = pair.b.remote(100).address;
        sink = reinterpret_cast<std::uint64_t>(pair.a.bytes(kSink, kBytes).data());
        fill_pattern(pair.a.bytes(0, kBytes), 5);
        ASSERT_EQ(pair.a.write(1, 0, kBytes, pair.b.remote(100)), Outcome::success);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::success));
        ASSERT_EQ(pair.a.read(2, kSink, kBytes, pair.b.remote(100)), Outcome::success);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::read, 2, Outcome::success));
        ASSERT_TRUE(has_pattern(pair.a.bytes(kSink, kBytes), 5));
    }
    reading_ = capture_.reading();
    ASSERT_EQ(reading_.messages.size(), 3u);
    std::vector<std::byte> bytes(kBytes);
    fill_pattern(bytes, 5);
    expect(CapturedMessage::kWrite, true, bytes);
    EXPECT_EQ(message().offset, target);
    expect(CapturedMessage::kReadRequest, true, reading_.messages[1].bytes);
    EXPECT_EQ(message().bytes.size(), 28u) << "RFC 5040 section 4.4";
    expect(CapturedMessage::kReadResponse, false, bytes);
    EXPECT_EQ(message().offset, sink);
}

TEST_P(Capture, HasLongReadsAndWritesWhole) {
    constexpr std::size_t kBytes = 300'000;
    {
        ConnectedPair pair(driver(), {.memory_bytes = 2 * kMemory});
        fill_pattern(pair.a.bytes(0, kBytes), 6);
        ASSERT_EQ(pair.a.write(1, 0, kBytes, pair.b.remote()), Outcome::success);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::success));
        ASSERT_EQ(pair.b.read(2, kMemory, kBytes, pair.a.remote()), Outcome::success);
        ASSERT_TRUE(reports(*pair.b.initiated, RequestKind::read, 2, Outcome::success));
    }
    reading_ = capture_.reading();
    std::vector<std::byte> bytes(kBytes);
    fill_pattern(bytes, 6);
    expect(CapturedMessage::kWrite, true, bytes);
    expect(CapturedMessage::kReadRequest, false, reading_.messages.at(next_).bytes);
    expect(CapturedMessage::kReadResponse, true, bytes);
    expect_no_more();
}

TEST_P(Capture, HasInlineData) {
    const std::uint32_t most = driver().open_adapter()->limits().max_inline_bytes;
    if (most == 0) GTEST_SKIP() << "the adapter has no inline data";
    const std::size_t size = std::min<std::size_t>(most, 48);
    EndpointOptions options;
    options.queue_pair.inline_bytes = static_cast<std::uint32_t>(size);
    {
        ConnectedPair pair(driver(), options);
        fill_pattern(pair.a.bytes(0, size), 9);
        ASSERT_EQ(pair.b.receive(1, 0, 64), Outcome::success);
        ASSERT_EQ(pair.a.send(2, 0, size, kInline), Outcome::success);
        fill_with(pair.a.bytes(0, size), std::byte{0});
        ASSERT_TRUE(reports_received(*pair.b.received, 1, size));
    }
    reading_ = capture_.reading();
    std::vector<std::byte> bytes(size);
    fill_pattern(bytes, 9);
    expect(CapturedMessage::kSend, true, bytes);
    expect_no_more();
}

TEST_P(Capture, BeginsWithAddressesAndPrivateDataAndEndsWithFin) {
    HandshakeOptions options;
    options.connect_data = words("may I?");
    options.accept_data = words("you may");
    std::uint16_t port = 0;
    {
        Handshake handshake(driver(), options);
        handshake.connected();
        port = ntohs(handshake.address.ipv4.sin_port);
        ASSERT_EQ(handshake.active.connector->disconnect().wait(), Outcome::success);
    }
    reading_ = capture_.reading();
    ASSERT_FALSE(reading_.packets.empty());
    EXPECT_EQ(reading_.packets[0].to_port, port);
    EXPECT_EQ(reading_.packets[0].wire, support::wire_within_a_process(GetParam().transport));
    EXPECT_NE(reading_.packets[0].comment.find("process"), std::string::npos);
    EXPECT_EQ(reading_.request_data, words("may I?"));
    EXPECT_EQ(reading_.reply_data, words("you may"));
    EXPECT_EQ(std::ranges::count_if(reading_.packets, [](const auto& each) { return each.fin; }), 2);
    const auto fin = std::ranges::find_if(reading_.packets, [](const auto& each) { return each.fin; });
    ASSERT_NE(fin, reading_.packets.end());
    if (std::string_view(GetParam().face) != "Ndk") {  // whose ends are of both sides
        EXPECT_EQ(fin->to_port, port) << "the active side ended it";
    }
    EXPECT_TRUE(reading_.application.starts_with("OpenND"));
}

TEST_P(Capture, TellsAFailureByATerminateOfTheSideThatFoundIt) {
    {
        ConnectedPair pair(driver());
        Remote nowhere = pair.b.remote();
        nowhere.token ^= 0x55AA;
        fill_pattern(pair.a.bytes(0, 16), 1);
        ASSERT_EQ(pair.a.write(1, 0, 16, nowhere), Outcome::success);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::access_violation));
    }
    reading_ = capture_.reading();
    std::vector<std::byte> bytes(16);
    fill_pattern(bytes, 1);
    expect(CapturedMessage::kWrite, true, bytes);
    ASSERT_LT(next_, reading_.messages.size());
    EXPECT_EQ(reading_.messages[next_].opcode, CapturedMessage::kTerminate);
    EXPECT_FALSE(reading_.messages[next_].by_active);
    ++next_;
    expect_no_more();
}

TEST_P(Capture, TellsAMessageWithoutAReceiveByATerminate) {
    {
        ConnectedPair pair(driver());
        ASSERT_EQ(pair.b.receive(1, 0, 10), Outcome::success);
        ASSERT_EQ(pair.a.send(1, 0, 16), Outcome::success);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, 1, Outcome::data_error));
    }
    reading_ = capture_.reading();
    ASSERT_EQ(reading_.messages.size(), 2u);
    EXPECT_EQ(reading_.messages[1].opcode, CapturedMessage::kTerminate);
    EXPECT_FALSE(reading_.messages[1].by_active);
}

class ImmediateCapture : public Capture {};

TEST_P(ImmediateCapture, HasImmediateDataAsOverTcp) {
    proves("IW-IMM-02");
    constexpr std::size_t kBytes = 8;
    {
        ConnectedPair pair(driver());
        ImmediateEnd a(pair.a), b(pair.b);
        fill_pattern(pair.a.bytes(0, kBytes), 5);
        for (Tag tag : {1, 2}) ASSERT_EQ(pair.b.receive(tag, 0, kBytes), Outcome::success);
        ASSERT_TRUE(is(a.send(3, 0, kBytes, 30), ND_SUCCESS));
        ASSERT_TRUE(is(a.write(4, 0, kBytes, pair.b.remote(100), 40, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT), ND_SUCCESS));
        for (int i = 0; i < 2; ++i) ASSERT_TRUE(is(b.received().Status, ND_SUCCESS));
        for (int i = 0; i < 2; ++i) ASSERT_TRUE(is(a.initiated().Status, ND_SUCCESS));
    }
    reading_ = capture_.reading();
    std::vector<std::byte> bytes(kBytes);
    fill_pattern(bytes, 5);
    expect(CapturedMessage::kSend, true, bytes);
    expect(CapturedMessage::kWrite, true, bytes);
    expect(CapturedMessage::kImmediateDataSolicited, true,
           std::array{std::byte{0}, std::byte{0}, std::byte{0}, std::byte{40}, std::byte{0}, std::byte{0}, std::byte{0},
                      std::byte{0}});
    EXPECT_EQ(message().number, 2u) << "it has the next number of the Sends";
    expect_no_more();
}

INSTANTIATE_TEST_SUITE_P(, ImmediateCapture, testing::ValuesIn(variants_of("Nd2")), variant_name);
INSTANTIATE_TEST_SUITE_P(, Capture, testing::ValuesIn(every_variant()), variant_name);

// A capture of connections that are up, and of some alone.
class LateCapture : public ConformanceTest {
protected:
    void SetUp() override {
        if (std::string_view(GetParam().transport) == "verbs") GTEST_SKIP() << "captures are of the software wires";
    }
    void exchange(ConnectedPair& pair, std::size_t size, std::size_t seed) {
        fill_pattern(pair.a.bytes(0, size), seed);
        ASSERT_EQ(pair.b.receive(1, 0, size), Outcome::success);
        ASSERT_EQ(pair.a.send(2, 0, size), Outcome::success);
        ASSERT_TRUE(reports_received(*pair.b.received, 1, size));
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::success));
        ASSERT_TRUE(has_pattern(pair.b.bytes(0, size), seed));
    }
    static bool has(const CaptureReading& reading, std::size_t size, std::size_t seed) {
        std::vector<std::byte> bytes(size);
        fill_pattern(bytes, seed);
        return std::ranges::any_of(reading.messages, [&](const auto& each) { return each.bytes == bytes; });
    }
};

TEST_P(LateCapture, HasConnectionsThatWereUpFromThereOnAndThenNoMore) {
    ConnectedPair pair(driver());
    exchange(pair, 100, 1);
    {
        OwnCapture capture;
        exchange(pair, 200, 2);
        const CaptureReading reading = capture.reading();
        EXPECT_FALSE(has(reading, 100, 1));
        EXPECT_TRUE(has(reading, 200, 2));
        EXPECT_EQ(reading.messages.size(), 1u);
        EXPECT_NE(reading.packets.at(0).comment.find("was up before"), std::string::npos);
    }
    exchange(pair, 300, 3);
    OwnCapture again;
    exchange(pair, 400, 4);
    const CaptureReading reading = again.reading();
    EXPECT_FALSE(has(reading, 300, 3));
    EXPECT_TRUE(has(reading, 400, 4));
}

TEST_P(LateCapture, HasTheConnectionsThatItsFilterNames) {
    const auto open = driver().open_adapter();
    const std::string other_wire =
        std::string_view(support::wire_within_a_process(GetParam().transport)) == "shm" ? "iwarp" : "shm";
    {
        OwnCapture capture("\"filter\": \"wire " + other_wire + "\"");
        ConnectedPair pair(driver());
        exchange(pair, 100, 1);
        EXPECT_TRUE(capture.packets().packets.empty());
    }
    OwnCapture capture("\"filter\": \"host " + std::string(support::loopback_host()) + " and not wire " + other_wire +
                       "\"");
    ConnectedPair pair(driver());
    exchange(pair, 100, 1);
    EXPECT_TRUE(has(capture.reading(), 100, 1));
}

TEST_P(LateCapture, CutsPacketsAndNotTheirLengths) {
    constexpr std::size_t kSnap = 100, kSize = 5000;
    const auto open = driver().open_adapter();
    OwnCapture capture("\"snap_bytes\": 100");
    ConnectedPair pair(driver());
    exchange(pair, kSize, 1);
    const CaptureReading reading = capture.packets();
    EXPECT_TRUE(std::ranges::all_of(reading.packets, [](const auto& each) { return each.captured_bytes <= kSnap; }));
    EXPECT_TRUE(std::ranges::any_of(reading.packets, [](const auto& each) { return each.whole_bytes > kSize; }));
}

TEST_P(LateCapture, DropsWhatFindsNoRoomAndCountsIt) {
    constexpr std::size_t kBytes = 8 * 1024 * 1024;
    const auto open = driver().open_adapter();
    OwnCapture capture("\"buffer_bytes\": 100000");
    ConnectedPair pair(driver(), {.memory_bytes = kBytes});
    exchange(pair, kBytes, 1);
    exchange(pair, 10, 2);
    const CaptureReading reading = capture.packets();
    ASSERT_EQ(reading.statistics.size(), 1u);
    EXPECT_GT(reading.statistics[0].dropped, 0u);
    EXPECT_EQ(reading.statistics[0].received - reading.statistics[0].dropped, reading.packets.size());
    EXPECT_NE(capture.report().find("\"dropped\":" + std::to_string(reading.statistics[0].dropped)), std::string::npos)
        << capture.report();
}

INSTANTIATE_TEST_SUITE_P(, LateCapture, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
