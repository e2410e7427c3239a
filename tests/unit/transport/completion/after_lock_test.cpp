// SPDX-License-Identifier: MIT
// Work for after the lock: none is lost where memory is missing for a moment.
#include "transport/completion/after_lock.h"

#include <gtest/gtest.h>

#include <new>
#include <vector>

#include "support/requirement.h"

namespace opennd {
namespace {

// A call that finds no memory for its first copies.
class PoorCall {
public:
    PoorCall(std::vector<int>& done, int& missing) : done_(done), missing_(missing) {}
    PoorCall(const PoorCall& other) : done_(other.done_), missing_(other.missing_) {
        if (missing_ > 0 && missing_-- > 0) throw std::bad_alloc();
    }
    void operator()() const { done_.push_back(1); }

private:
    std::vector<int>& done_;
    int& missing_;
};

TEST(AfterLockTest, WaitsForTheMemoryOfItsWork) {
    support::proves("ND2-GEN-02");
    std::vector<int> done;
    int missing = 3;
    AfterLock after;
    after.add(Turn::event, PoorCall(done, missing));
    EXPECT_EQ(missing, 0);
    after.run();
    EXPECT_EQ(done, (std::vector{1}));
}

TEST(AfterLockTest, DoesTheWorkInItsOrder) {
    support::proves("ND2-OVL-07");
    std::vector<int> done;
    AfterLock after;
    after.add(Turn::connection, [&] { done.push_back(3); });
    after.add(Turn::event, [&] { done.push_back(2); });
    after.add(Turn::failure, [&] { done.push_back(1); });
    after.run();
    EXPECT_EQ(done, (std::vector{1, 2, 3}));
    EXPECT_TRUE(after.empty());
}

TEST(AfterLockTest, DoesWhatFollowsWorkThatHadNoMemory) {
    support::proves("ND2-GEN-02");
    std::vector<int> done;
    AfterLock after;
    after.add(Turn::event, [] { throw std::bad_alloc(); });
    after.add(Turn::event, [&] { done.push_back(1); });
    after.add(Turn::connection, [&] { done.push_back(2); });
    EXPECT_THROW(after.run(), std::bad_alloc);
    EXPECT_EQ(done, (std::vector{1, 2}));
    EXPECT_TRUE(after.empty());
}

}  // namespace
}  // namespace opennd
