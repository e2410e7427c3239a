// SPDX-License-Identifier: MIT
// The filter of a capture: its terms, and what it says of a wrong one.
#include "transport/capture/options.h"

#include <gtest/gtest.h>

namespace opennd::capture {
namespace {

Address address(const char* text, std::uint16_t port) { return Address::parse(text)->with_port(port); }

class FilterTest : public testing::Test {
protected:
    bool passes(const char* filter) {
        std::string fault;
        const auto parsed = Filter::parse(filter, fault);
        EXPECT_TRUE(parsed) << fault;
        return parsed && parsed->passes(address("10.0.0.1", 4567), address("10.0.0.2", 40'000), "shm");
    }
    std::string fault_of(const char* filter) {
        std::string fault;
        EXPECT_FALSE(Filter::parse(filter, fault)) << filter;
        return fault;
    }
};

TEST_F(FilterTest, LetsEveryConnectionPassWithoutATerm) {
    EXPECT_TRUE(passes(""));
    EXPECT_TRUE(passes("  "));
}

TEST_F(FilterTest, KnowsEitherEndByAddressAndPort) {
    EXPECT_TRUE(passes("host 10.0.0.1"));
    EXPECT_TRUE(passes("host 10.0.0.2"));
    EXPECT_FALSE(passes("host 10.0.0.3"));
    EXPECT_FALSE(passes("host ::1"));
    EXPECT_TRUE(passes("port 4567"));
    EXPECT_TRUE(passes("port 40000"));
    EXPECT_FALSE(passes("port 4568"));
}

TEST_F(FilterTest, KnowsTheWire) {
    EXPECT_TRUE(passes("wire shm"));
    EXPECT_FALSE(passes("wire iwarp"));
}

TEST_F(FilterTest, NegatesOneTerm) {
    EXPECT_FALSE(passes("not port 4567"));
    EXPECT_TRUE(passes("not not port 4567"));
    EXPECT_TRUE(passes("not wire iwarp and port 4567"));
}

TEST_F(FilterTest, BindsAndCloserThanOr) {
    EXPECT_TRUE(passes("port 1 and port 2 or port 4567"));
    EXPECT_TRUE(passes("port 4567 or port 1 and port 2"));
    EXPECT_FALSE(passes("port 4567 and port 1 or port 2"));
}

TEST_F(FilterTest, NamesTheWrongWordAndItsPlace) {
    EXPECT_EQ(fault_of("prot 4567"), "word 1 of the filter is \"prot\": expected host, port, wire or not");
    EXPECT_EQ(fault_of("host a.b"), "word 2 of the filter is \"a.b\": expected an address");
    EXPECT_EQ(fault_of("port 65536"), "word 2 of the filter is \"65536\": expected a number up to 65535");
    EXPECT_EQ(fault_of("wire tcp"), "word 2 of the filter is \"tcp\": expected loopback, shm or iwarp");
    EXPECT_EQ(fault_of("port 1 xor port 2"), "word 3 of the filter is \"xor\": expected and, or, or the end");
    EXPECT_EQ(fault_of("port 1 and"), "the filter ends where host, port, wire or not belongs");
    EXPECT_EQ(fault_of("port"), "the filter ends where a number up to 65535 belongs");
}

}  // namespace
}  // namespace opennd::capture
