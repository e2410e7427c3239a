// SPDX-License-Identifier: MIT
// Ownership of descriptors.
#include "platform/descriptor/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

namespace opennd {
namespace {

int open_one() { return ::eventfd(0, EFD_CLOEXEC); }
bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

TEST(Descriptor, OwnsNothingByDefault) {
    const Descriptor none;
    EXPECT_FALSE(none);
    EXPECT_EQ(none.get(), -1);
}

TEST(Descriptor, ClosesWhatItOwns) {
    const int fd = open_one();
    { const Descriptor owner(fd); }
    EXPECT_FALSE(is_open(fd));
}

TEST(Descriptor, ZeroIsADescriptor) {
    Descriptor zero(0);
    EXPECT_TRUE(zero);
    EXPECT_EQ(zero.release(), 0);
}

TEST(Descriptor, MoveHandsOverOwnership) {
    Descriptor first(open_one());
    const int fd = first.get();
    Descriptor second(std::move(first));
    EXPECT_EQ(first.get(), -1);  // NOLINT(bugprone-use-after-move): moved-from means "none"
    EXPECT_EQ(second.get(), fd);
    EXPECT_TRUE(is_open(fd));
}

TEST(Descriptor, MoveAssignmentClosesWhatWasOwned) {
    Descriptor first(open_one());
    Descriptor second(open_one());
    const int closed = first.get();
    first = std::move(second);
    EXPECT_FALSE(is_open(closed));
    EXPECT_TRUE(is_open(first.get()));
}

TEST(Descriptor, ReleaseLeavesItOpen) {
    Descriptor owner(open_one());
    const int fd = owner.release();
    EXPECT_FALSE(owner);
    EXPECT_TRUE(is_open(fd));
    owner.reset(fd);
    owner.reset();
    EXPECT_FALSE(is_open(fd));
}

TEST(Descriptor, ResetToItselfKeepsItOpen) {
    Descriptor owner(open_one());
    owner.reset(owner.get());
    EXPECT_TRUE(is_open(owner.get()));
}

TEST(Descriptor, AChildOfForkOwnsNone) {
    const int fd = open_one();
    Descriptor first(fd);
    Descriptor owner(std::move(first));
    const Descriptor copy = Descriptor::copy_of(fd);
    const int copied = copy.get();
    const pid_t child = ::fork();
    if (child == 0) ::_exit(owner || copy || is_open(fd) || is_open(copied) ? 1 : 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(is_open(owner.get()) && is_open(copied));
}

}  // namespace
}  // namespace opennd
