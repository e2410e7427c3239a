// SPDX-License-Identifier: MIT
#include "platform/process/user.h"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include <gtest/gtest.h>

#include "platform/descriptor/local_socket.h"

namespace opennd {
namespace {

constexpr uid_t kOverflow = 65534;
constexpr const char* kEverybody = "         0          0 4294967295\n";
constexpr const char* kOne = "      1000       1000          1\n";
constexpr const char* kContainer = "         0     100000      65536\n";

TEST(UserMatch, TellsUsersApartThatHaveNumbers) {
    EXPECT_EQ(match_user(1000, 1000, kOverflow, kOne), UserMatch::own);
    EXPECT_EQ(match_user(1001, 1000, kOverflow, kOne), UserMatch::another);
    EXPECT_EQ(match_user(kOverflow, 1000, kOverflow, kOne), UserMatch::another);
}

TEST(UserMatch, OfTheOverflowUserIsKnownOnlyWhereEverybodyHasANumber) {
    EXPECT_EQ(match_user(kOverflow, kOverflow, kOverflow, kEverybody), UserMatch::own);
    EXPECT_EQ(match_user(kOverflow, kOverflow, kOverflow, ""), UserMatch::unknown);
    EXPECT_EQ(match_user(kOverflow, kOverflow, kOverflow, kOne), UserMatch::unknown);
    // "nobody" of a container has a number, and the host's users beside it read as the same.
    EXPECT_EQ(match_user(kOverflow, kOverflow, kOverflow, kContainer), UserMatch::unknown);
    EXPECT_EQ(match_user(kOverflow, kOverflow, kOverflow, "0 0 65534\n65534 65534 4294901761\n"), UserMatch::own);
}

// The child is in a user namespace of its own that maps nobody: every process of the host reads as its own user there.
enum class Seen : int { another = 10, unknown, own, no_namespace, no_connection };

Seen look_from_namespace_without_users(const std::string& name) {
    if (::geteuid() == 0 && ::setresuid(12345, 12345, 12345) != 0) return Seen::no_namespace;
    if (::unshare(CLONE_NEWUSER) != 0 || ::geteuid() != kOverflow) return Seen::no_namespace;
    Result<LocalSocket> socket = LocalSocket::connect(name);
    if (!socket.ok()) return Seen::no_connection;
    switch (socket.value().peer().value().user) {
        case UserMatch::own: return Seen::own;
        case UserMatch::another: return Seen::another;
        case UserMatch::unknown: return Seen::unknown;
    }
    return Seen::no_connection;
}

TEST(UserMatch, IsNotOwnForAnybodyWhereTheOwnUserHasNoNumber) {
    const std::string name = "opennd-test/user/" + std::to_string(::getpid());
    Result<LocalListener> listener = LocalListener::bind(name);
    ASSERT_TRUE(listener.ok());
    ASSERT_EQ(listener.value().listen(1), Status::success);
    const pid_t child = ::fork();
    if (child == 0) ::_exit(static_cast<int>(look_from_namespace_without_users(name)));
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    const auto seen = static_cast<Seen>(WEXITSTATUS(status));
    if (seen == Seen::no_namespace) GTEST_SKIP() << "this host lets no process make a user namespace";
    EXPECT_EQ(seen, Seen::unknown);
}

}  // namespace
}  // namespace opennd
