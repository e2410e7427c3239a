// SPDX-License-Identifier: MIT
// Shared ownership: the last Ref destroys, on its own thread.
#include "base/ref.h"

#include <gtest/gtest.h>

#include <thread>
#include <utility>
#include <vector>

namespace opennd {
namespace {

class Parent : public RefCounted {};

class Child : public Parent {
public:
    explicit Child(int& alive) : alive_(alive) { ++alive_; }
    ~Child() override { --alive_; }

private:
    int& alive_;
};

TEST(Ref, IsNullByDefault) {
    const Ref<Child> none;
    EXPECT_FALSE(none);
    EXPECT_EQ(none.get(), nullptr);
    EXPECT_EQ(none, Ref<Child>(nullptr));
}

TEST(Ref, TheLastOneDestroys) {
    int alive = 0;
    Ref<Child> first = make_ref<Child>(alive);
    Ref<Child> second = first;
    EXPECT_EQ(alive, 1);
    first = nullptr;
    EXPECT_EQ(alive, 1);
    second = nullptr;
    EXPECT_EQ(alive, 0);
}

TEST(Ref, MovingDoesNotCount) {
    int alive = 0;
    Ref<Child> first = make_ref<Child>(alive);
    Ref<Child> second = std::move(first);
    EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): moved-from is null
    second = Ref<Child>();
    EXPECT_EQ(alive, 0);
}

TEST(Ref, AssigningItselfKeepsTheObject) {
    int alive = 0;
    Ref<Child> only = make_ref<Child>(alive);
    const Ref<Child>& same = only;
    only = same;
    EXPECT_EQ(alive, 1);
}

TEST(Ref, ABaseReferenceOwnsToo) {
    int alive = 0;
    Ref<Parent> parent = make_ref<Child>(alive);
    EXPECT_EQ(alive, 1);
    parent = nullptr;
    EXPECT_EQ(alive, 0);
}

TEST(Ref, ARawPointerCanBeCountedAgain) {
    int alive = 0;
    Ref<Child> first = make_ref<Child>(alive);
    Ref<Child> second(first.get());
    first = nullptr;
    EXPECT_EQ(alive, 1);
}

TEST(Ref, CountsAcrossThreads) {
    int alive = 0;  // written by the constructor here and by the destructor on whichever thread is last
    Ref<Child> shared = make_ref<Child>(alive);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([copy = shared] {
            for (int i = 0; i < 1000; ++i) const Ref<Child> another = copy;
        });
    shared = nullptr;
    for (std::thread& thread : threads) thread.join();
    threads.clear();
    EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace opennd
