// SPDX-License-Identifier: MIT
// Rung many times, heard once; and only true doorbells are taken from peers.
#include "platform/descriptor/doorbell.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <thread>

#include "unit/platform/open_descriptors.h"
#include "unit/platform/readable.h"

namespace opennd {
namespace {

TEST(Doorbell, IsReadableWhileRung) {
    Result<Doorbell> bell = Doorbell::create();
    ASSERT_TRUE(bell.ok());
    EXPECT_FALSE(readable(bell.value().descriptor()));
    bell.value().ring();
    bell.value().ring();
    EXPECT_TRUE(readable(bell.value().descriptor()));
    bell.value().clear();
    EXPECT_FALSE(readable(bell.value().descriptor()));
    bell.value().clear();  // of a silent bell: returns at once
}

TEST(Doorbell, AnAdoptedOneRingsTheOriginal) {
    Result<Doorbell> original = Doorbell::create();
    Doorbell copy = Doorbell::adopt(Descriptor(::fcntl(original.value().descriptor(), F_DUPFD_CLOEXEC, 0)));
    copy.ring();
    EXPECT_TRUE(readable(original.value().descriptor()));
}

TEST(Doorbell, PublishesWhatWasStoredBefore) {
    Result<Doorbell> bell = Doorbell::create();
    int stored = 0;
    std::thread ringer([&] {
        stored = 42;
        bell.value().ring();
    });
    pollfd poll{bell.value().descriptor(), POLLIN, 0};
    ASSERT_EQ(::poll(&poll, 1, -1), 1);
    bell.value().clear();
    EXPECT_EQ(stored, 42);
    ringer.join();
}

TEST(Doorbell, WithoutOneRingingDoesNothing) {
    Doorbell none;
    none.ring();
    none.clear();
    EXPECT_EQ(none.descriptor(), -1);
}

}  // namespace
}  // namespace opennd
