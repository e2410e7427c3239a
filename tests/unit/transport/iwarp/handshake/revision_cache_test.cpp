// SPDX-License-Identifier: MIT
// Peers that speak revision 1 alone, for a while.
#include "transport/iwarp/handshake/revision_cache.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "support/requirement.h"

namespace opennd::iwarp {
namespace {

using support::proves;

Address destination(std::uint16_t port) {
    sockaddr_in in{};
    in.sin_family = AF_INET;
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    in.sin_port = htons(port);
    return *Address::from(reinterpret_cast<const sockaddr*>(&in), sizeof in);
}

constexpr SteadyTime kFirstLook{std::chrono::hours(1)};

TEST(RevisionCache, RemembersADestinationForTenMinutes) {
    proves("IW-CM-19");
    RevisionCache cache;
    EXPECT_FALSE(cache.contains(destination(1), kFirstLook));
    cache.add(destination(1), kFirstLook);
    EXPECT_TRUE(cache.contains(destination(1), kFirstLook + std::chrono::minutes(10) - std::chrono::seconds(1)));
    EXPECT_FALSE(cache.contains(destination(1), kFirstLook + std::chrono::minutes(10)));
    EXPECT_FALSE(cache.contains(destination(2), kFirstLook)) << "another port";
    cache.add(destination(1), kFirstLook + std::chrono::minutes(5));
    EXPECT_TRUE(cache.contains(destination(1), kFirstLook + std::chrono::minutes(14))) << "from the newest answer on";
}

TEST(RevisionCache, ForgetsOneThatDoesNotAnswer) {
    RevisionCache cache;
    cache.add(destination(1), kFirstLook);
    cache.add(destination(2), kFirstLook);
    cache.remove(destination(1));
    EXPECT_FALSE(cache.contains(destination(1), kFirstLook));
    EXPECT_TRUE(cache.contains(destination(2), kFirstLook));
}

TEST(RevisionCache, LetsTheOldestGo) {
    RevisionCache cache;
    for (std::size_t i = 0; i <= RevisionCache::kMost; ++i)
        cache.add(destination(static_cast<std::uint16_t>(i)), kFirstLook);
    EXPECT_FALSE(cache.contains(destination(0), kFirstLook));
    EXPECT_TRUE(cache.contains(destination(1), kFirstLook));
    EXPECT_TRUE(cache.contains(destination(RevisionCache::kMost), kFirstLook));
}

}  // namespace
}  // namespace opennd::iwarp
