// SPDX-License-Identifier: MIT
//
// NDKPI at one end and version 1 or 2 at the other: they are faces of one core, so that a consumer of the kernel's connects
// to a program of either, and the other way round. Both ends of one process side by side. nd1/version_test.cpp has the two
// versions among themselves.
#include <arpa/inet.h>

#include <optional>
#include <string>

#include "conformance/vocabulary/carried_data.h"
#include "conformance/vocabulary/fixture.h"

namespace opennd::conformance {
namespace {

struct Ends {
    const Face* active;
    const Face* passive;
    const char* transport;
};

void PrintTo(const Ends& ends, std::ostream* out) {
    *out << ends.active->name << " to " << ends.passive->name << " on " << ends.transport;
}

class Meeting : public testing::TestWithParam<Ends> {
protected:
    void SetUp() override {
        auto listener = listening(*passive_.adapter);
        ASSERT_EQ(active_.connector->bind(local_address()), Outcome::success);
        const Operation request = listener->get_request(*passive_.connector);
        const Operation connect = active_.connector->connect(*active_.queue_pair, address_of(*listener), {}, hello_);
        ASSERT_EQ(request.wait(), Outcome::success);
        const Operation accept = passive_.connector->accept(*passive_.queue_pair, {}, welcome_);
        ASSERT_EQ(connect.wait(), Outcome::success);
        ASSERT_EQ(active_.connector->complete_connect().wait(), Outcome::success);
        ASSERT_EQ(accept.wait(), Outcome::success);
    }

    // `second`, which is told, disconnects too: in version 1 the connection outlives its peer's end.
    static void end(Endpoint& first, Endpoint& second) {
        ASSERT_EQ(first.receive(1, 0, 64), Outcome::success);
        const Operation lost = second.connector->notify_disconnect();
        const Operation ended = first.connector->disconnect();
        EXPECT_EQ(lost.wait(), Outcome::success);
        const Operation answered = second.connector->disconnect();
        EXPECT_EQ(ended.wait(), Outcome::success);
        EXPECT_TRUE(answered.wait() == Outcome::success || answered.begun() == Outcome::connection_invalid);
        EXPECT_TRUE(reports_exactly(*first.received, {1}, Outcome::canceled));
    }

    const PrivateData hello_{5, std::byte{'h'}}, welcome_{7, std::byte{'w'}};

private:
    PinnedTransport transport_{GetParam().transport};
    std::unique_ptr<Driver> active_driver_ = GetParam().active->open();
    std::unique_ptr<Driver> passive_driver_ = GetParam().passive->open();

protected:
    Endpoint active_{*active_driver_, {}}, passive_{*passive_driver_, {}};
    struct Direction {
        Endpoint &from, &to;
    };
    const Direction both_[2]{{active_, passive_}, {passive_, active_}};
};

TEST_P(Meeting, LearnsWhatEachSideHasToSay) {
    proves("NDK-MAP-03", "NDK-CON-DATA-01");
    PrivateData seen;
    ASSERT_EQ(passive_.connector->private_data(seen), Outcome::success);
    EXPECT_TRUE(carries(seen, hello_));
    ASSERT_EQ(active_.connector->private_data(seen), Outcome::success);
    EXPECT_TRUE(carries(seen, welcome_));
    ReadLimits limits;
    ASSERT_EQ(active_.connector->read_limits(limits), Outcome::success);
    EXPECT_EQ(limits, (ReadLimits{16, 16}));
}

TEST_P(Meeting, ExchangesMessages) {
    proves("NDK-MAP-03", "NDK-QP-SEND-01", "NDK-QP-RECV-03");
    for (const auto& [from, to] : both_)
        for (const std::size_t bytes : {0, 64, 4096, 30'000}) {
            SCOPED_TRACE(bytes);
            fill_pattern(from.bytes(0, bytes), bytes);
            ASSERT_EQ(to.receive(1, 32'000, 30'000), Outcome::success);
            ASSERT_EQ(from.send(2, 0, bytes), Outcome::success);
            EXPECT_TRUE(reports_received(*to.received, 1, bytes));
            EXPECT_TRUE(reports(*from.initiated, RequestKind::send, 2, Outcome::success));
            EXPECT_TRUE(has_pattern(to.bytes(32'000, bytes), bytes));
        }
}

// The number that one end gives out for a region, or for a window over it, as the other end has it: NDKPI has tokens in host
// order, versions 1 and 2 in network order.
std::uint32_t as_the_other_has(std::uint32_t token) { return ntohl(token); }

TEST_P(Meeting, ReadsAndWritesMemoryByTheOthersTokens) {
    proves("NDK-MAP-03", "NDK-MR-TOK-02", "NDK-QP-READ-01", "NDK-QP-WRITE-01");
    for (const auto& [from, to] : both_)
        for (const std::size_t bytes : {1, 4096, 30'000}) {
            SCOPED_TRACE(bytes);
            const Remote remote{to.remote(100).address, as_the_other_has(to.remote().token)};
            fill_pattern(from.bytes(0, bytes), bytes + 1);
            ASSERT_EQ(from.write(1, 0, bytes, remote), Outcome::success);
            ASSERT_TRUE(reports(*from.initiated, RequestKind::write, 1, Outcome::success));
            EXPECT_TRUE(has_pattern(to.bytes(100, bytes), bytes + 1));
            fill_pattern(to.bytes(100, bytes), bytes + 2);
            ASSERT_EQ(from.read(2, 32'000, bytes, remote), Outcome::success);
            ASSERT_TRUE(reports(*from.initiated, RequestKind::read, 2, Outcome::success));
            EXPECT_TRUE(has_pattern(from.bytes(32'000, bytes), bytes + 2));
        }
}

TEST_P(Meeting, RefusesWhatARegionDoesNotAllow) {
    proves("NDK-MAP-03", "NDK-QP-WRITE-05");
    auto closed = registered(*passive_.adapter, passive_.memory.data(), 4096, kLocalWrite);
    ASSERT_EQ(
        active_.write(1, 0, 64, {passive_.remote().address, as_the_other_has(passive_.queue_pair->grant(*closed))}),
        Outcome::success);
    EXPECT_TRUE(reports(*active_.initiated, RequestKind::write, 1, Outcome::access_violation));
}

TEST_P(Meeting, EndsWhenTheActiveSideDisconnects) {
    proves("NDK-MAP-03", "NDK-CON-DISC-01", "NDK-CON-EVT-01");
    end(active_, passive_);
}

TEST_P(Meeting, EndsWhenThePassiveSideDisconnects) {
    proves("NDK-MAP-03", "NDK-CON-DISC-01", "NDK-CON-EVT-01");
    end(passive_, active_);
}

std::vector<Ends> every_meeting() {
    std::vector<Ends> meetings;
    for (const Face& active : faces())
        for (const Face& passive : faces()) {
            const bool kernel = active.name == std::string("Ndk");
            if (kernel == (passive.name == std::string("Ndk"))) continue;
            for (const char* transport : {"loopback", "shm", "iwarp"})
                meetings.push_back({&active, &passive, transport});
        }
    return meetings;
}

// "NdkToNd2OnShm"
std::string meeting_name(const testing::TestParamInfo<Ends>& info) {
    return std::string(info.param.active->name) + "To" +
           name_of({info.param.passive->name, info.param.transport, nullptr});
}

INSTANTIATE_TEST_SUITE_P(, Meeting, testing::ValuesIn(every_meeting()), meeting_name);

}  // namespace
}  // namespace opennd::conformance
