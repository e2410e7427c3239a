// SPDX-License-Identifier: MIT
// Callers that connected and have no answer yet: bursts, silence, and the ceilings of one host and of all.
#include "transport/iwarp/handshake/callers.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <memory>
#include <vector>

#include "support/requirement.h"

namespace opennd::iwarp {
namespace {

using support::proves;
using Number = Callers::Number;

constexpr Callers::Ceilings kCeilings{100, 200};
constexpr SteadyTime kStart{std::chrono::seconds(1000)};
constexpr SteadyTime kLater = kStart + Callers::kSilence + std::chrono::milliseconds(1);

Address host(const char* text) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(5000);
    EXPECT_EQ(inet_pton(AF_INET, text, &address.sin_addr), 1);
    return *Address::from(reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

class CallersTest : public testing::Test {
protected:
    // left_ lists the callers that had to leave, by the order of coming.
    Number add(const char* from, SteadyTime at = kStart) {
        const std::size_t order = added_++;
        Callers::Admission admission = callers_.add(
            host(from), [this, order] { leave(order); }, kCeilings, at);
        numbers_.push_back(admission.number);
        if (admission.leaves) admission.leaves();
        return admission.number;
    }

    void leave(std::size_t order) {
        left_.push_back(order);
        if (requests_are_here_)
            callers_.asked(numbers_[order]);
        else
            callers_.remove(numbers_[order]);
    }

    Callers callers_;
    bool requests_are_here_ = false;
    std::size_t added_ = 0;
    std::vector<Number> numbers_;
    std::vector<std::size_t> left_;
};

// Then the listener does not ask for the number of descriptors.
TEST_F(CallersTest, AreFewWhileOneMoreHasRoomWhateverTheCeilings) {
    proves("IW-SEC-15");
    const Callers::Ceilings least = Callers::ceilings(0);
    std::size_t few = 0;
    for (; callers_.are_few(); ++few) {
        EXPECT_FALSE(callers_.full(least));
        const Callers::Admission admission = callers_.add(host("10.0.0.1"), {}, least, kStart);
        EXPECT_NE(admission.number, Number::none);
        EXPECT_FALSE(admission.leaves);
    }
    EXPECT_EQ(few, least.of_one_host);
}

TEST_F(CallersTest, OfABurstAllStay) {
    proves("IW-SEC-15");
    for (std::size_t i = 0; i < kCeilings.of_one_host; ++i) EXPECT_NE(add("10.0.0.1"), Number::none);
    EXPECT_TRUE(left_.empty());
}

TEST_F(CallersTest, ThatStaySilentGiveWayOldestFirst) {
    proves("IW-SEC-15");
    for (std::size_t i = 0; i <= Callers::kMostSilentOfOneHost; ++i) add("10.0.0.1");
    add("10.0.0.2", kLater);
    EXPECT_TRUE(left_.empty()) << "of another host";
    add("10.0.0.1", kLater);
    add("10.0.0.1", kLater);
    EXPECT_EQ(left_, (std::vector<std::size_t>{0, 1}));
}

TEST_F(CallersTest, ThatStaySilentGiveWayToOtherHostsToo) {
    proves("IW-SEC-15");
    for (std::size_t i = 0; i < kCeilings.in_all; ++i) add(i % 2 == 0 ? "10.0.0.1" : "10.0.0.2");
    EXPECT_TRUE(left_.empty());
    EXPECT_NE(add("10.0.0.3"), Number::none);
    EXPECT_EQ(left_, (std::vector<std::size_t>{0}));
}

TEST_F(CallersTest, ThatHaveAskedKeepTheirPlaces) {
    proves("IW-SEC-15");
    for (std::size_t i = 0; i < kCeilings.of_one_host; ++i) callers_.asked(add("10.0.0.1"));
    EXPECT_EQ(add("10.0.0.1", kLater), Number::none) << "its host has enough";
    EXPECT_TRUE(left_.empty());
    EXPECT_NE(add("10.0.0.2", kLater), Number::none) << "others have room";
}

// They were taken faster than they were read.
TEST_F(CallersTest, ThatHaveToLeaveStayIfTheirRequestsAreHere) {
    proves("IW-SEC-15");
    requests_are_here_ = true;
    for (std::size_t i = 0; i <= kCeilings.of_one_host; ++i) EXPECT_NE(add("10.0.0.1"), Number::none) << i;
    EXPECT_EQ(add("10.0.0.1"), Number::none) << "and count again";
}

TEST_F(CallersTest, AreFullOfRequestsAlone) {
    proves("IW-SEC-15");
    std::vector<Number> numbers;
    for (std::size_t i = 0; i < kCeilings.in_all; ++i) numbers.push_back(add(i % 2 == 0 ? "10.0.0.1" : "10.0.0.2"));
    EXPECT_FALSE(callers_.full(kCeilings)) << "a silent one can leave";
    for (const Number number : numbers) callers_.asked(number);
    EXPECT_TRUE(callers_.full(kCeilings));
    callers_.remove(numbers.front());
    EXPECT_FALSE(callers_.full(kCeilings));
    EXPECT_NE(add("10.0.0.1"), Number::none);
}

// Its end may be the last reference to a connection, which leaves the callers itself.
TEST_F(CallersTest, ThatAreRemovedLetGoOfTheirEndsBehindTheLock) {
    class Connection {
    public:
        explicit Connection(Callers& callers) : callers_(callers) {}
        ~Connection() { callers_.remove(Number{4711}); }

    private:
        Callers& callers_;
    };
    auto connection = std::make_shared<Connection>(callers_);
    const std::weak_ptr<Connection> seen = connection;
    const Callers::Admission admission = callers_.add(
        host("10.0.0.1"), [connection = std::move(connection)] {}, kCeilings, kStart);
    callers_.remove(admission.number);
    EXPECT_TRUE(seen.expired());
}

TEST_F(CallersTest, HaveAPartOfTheDescriptors) {
    const Callers::Ceilings usual = Callers::ceilings(1024);
    EXPECT_EQ(usual.in_all, 512u);
    EXPECT_EQ(usual.of_one_host, 256u);
    EXPECT_EQ(Callers::ceilings(8).of_one_host, 32u) << "some work in any process";
    EXPECT_LT(Callers::ceilings(1u << 30).in_all, 10'000u);
}

}  // namespace
}  // namespace opennd::iwarp
