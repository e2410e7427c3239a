// SPDX-License-Identifier: MIT
//
// A capture of a SendAndInvalidate, which version 1 alone posts here (docs/captures.md).
#include <algorithm>

#include "conformance/nd1/windows.h"
#include "support/own_capture.h"

namespace opennd::conformance::nd1 {
namespace {

using support::CapturedMessage;

class Nd1Capture : public Nd1Windows {};

TEST_P(Nd1Capture, HasTheTokenThatAMessageInvalidates) {
    if (std::string_view(GetParam().transport) == "verbs") GTEST_SKIP() << "captures are of the software wires";
    Pair pair;
    support::OwnCapture capture;
    pair.connected();
    const auto window = memory_window(*pair.b.adapter.get());
    ND_MW_DESCRIPTOR descriptor = bind(pair, window.get());
    fill_with(pair.a.memory.bytes(), std::byte{0x42});
    ND_RESULT received, sent;
    ASSERT_TRUE(is(pair.b.receive(received, 64), ND_SUCCESS));
    const ND_SGE sge = pair.a.piece(0, 64);
    ASSERT_TRUE(is(pair.a.endpoint->SendAndInvalidate(&sent, &sge, 1, &descriptor, 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_SUCCESS, 64));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_SUCCESS, 64));
    const support::CaptureReading reading = capture.reading();
    ASSERT_EQ(reading.messages.size(), 1u);
    EXPECT_EQ(reading.messages[0].opcode, CapturedMessage::kSendInvalidate);
    EXPECT_NE(reading.messages[0].stag, 0u);
    EXPECT_TRUE(std::ranges::all_of(reading.messages[0].bytes, [](std::byte each) { return each == std::byte{0x42}; }));
}

INSTANTIATE_TEST_SUITE_P(, Nd1Capture, testing::ValuesIn(variants_of("Nd1")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd1
