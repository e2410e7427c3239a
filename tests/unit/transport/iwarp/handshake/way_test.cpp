// SPDX-License-Identifier: MIT
// The way out of a host with several interfaces, each of which a child has for itself.
#include "transport/iwarp/handshake/way.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include "process/child.h"
#include "process/private_network.h"
#include "support/requirement.h"

namespace opennd::iwarp {
namespace {

using process::in_child;
using process::PrivateNetwork;
using support::proves;

constexpr std::uint16_t kPort = 4711, kOwnPort = 4712;

Address address(const char* text, std::uint16_t port, std::uint32_t scope = 0) {
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
    six.sin6_scope_id = scope;
    if (inet_pton(AF_INET6, text, &six.sin6_addr) == 1)
        return *Address::from(reinterpret_cast<const sockaddr*>(&six), sizeof six);
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    EXPECT_EQ(inet_pton(AF_INET, text, &four.sin_addr), 1);
    return *Address::from(reinterpret_cast<const sockaddr*>(&four), sizeof four);
}

class WayTest : public testing::Test {
protected:
    void SetUp() override {
        if (const std::string refusal = PrivateNetwork::refusal_of_interfaces(); !refusal.empty())
            GTEST_SKIP() << refusal;
    }
};

// A listener that is kept to its interface answers through it, and reaches the addresses of that alone.
TEST_F(WayTest, ToAnOwnAddressIsFromThatAddressWhereItsListenerIsKeptToTheInterface) {
    proves("ND2-PRV-RES-03");
    in_child([] {
        PrivateNetwork network;
        network.set_up(true);
        const unsigned alone = network.add_interface("alone"), first = network.add_interface("first"),
                       second = network.add_interface("second");
        network.add_address(alone, "198.51.100.1", 24);
        network.add_address(first, "192.0.2.1", 24);
        network.add_address(second, "192.0.2.2", 24);
        network.add_address(first, "fe80::1", 64);
        network.add_address(second, "fe80::2", 64);

        const Way shared = way_to(address("192.0.2.2", kPort), address("198.51.100.1", kOwnPort), alone);
        EXPECT_EQ(shared.from, address("192.0.2.2", kOwnPort)) << "two interfaces have its subnet";
        EXPECT_EQ(shared.interface, 0u);
        const Way free = way_to(address("198.51.100.1", kPort), address("192.0.2.1", kOwnPort), first);
        EXPECT_EQ(free.from, address("192.0.2.1", kOwnPort)) << "one interface has its subnet";
        const Way link = way_to(address("fe80::2", kPort, second), address("fe80::1", kOwnPort, first), first);
        EXPECT_EQ(link.from, address("fe80::2", kOwnPort, second));
    });
}

TEST_F(WayTest, OutOfTheHostIsByTheAdaptersInterfaceWhereThatLeadsThere) {
    proves("ND2-PRV-RES-03");
    in_child([] {
        PrivateNetwork network;
        network.set_up(true);
        const unsigned first = network.add_interface("first"), second = network.add_interface("second");
        network.add_address(first, "192.0.2.1", 24);
        network.add_address(second, "198.51.100.1", 24);
        const Address own = address("192.0.2.1", kOwnPort);
        const Way there = way_to(address("192.0.2.9", kPort), own, first);
        EXPECT_EQ(there.from, own);
        EXPECT_EQ(there.interface, first);
        EXPECT_EQ(way_to(address("203.0.113.9", kPort), own, first).interface, 0u) << "nothing leads there";
        EXPECT_EQ(way_to(address("192.0.2.9", kPort), own, 0).interface, 0u);
    });
}

}  // namespace
}  // namespace opennd::iwarp
