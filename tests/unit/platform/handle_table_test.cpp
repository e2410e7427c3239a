// SPDX-License-Identifier: MIT
// Handles: valid from insert to close and never again, with any of a client's bits set.
#include "platform/waiting/handle_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

#include "support/requirement.h"

namespace opennd {
namespace {

using support::proves;

struct Log {
    std::atomic<int> closed{0};
    std::atomic<int> destroyed{0};
};

template <HandleKind kind_of_this>
class Object : public HandleObject {
public:
    static constexpr HandleKind kKind = kind_of_this;
    explicit Object(Log& log) : log_(log) {}
    ~Object() override { ++log_.destroyed; }
    HandleKind kind() const override { return kKind; }
    void on_close() override { ++log_.closed; }

private:
    Log& log_;
};
using PretendEvent = Object<HandleKind::event>;
using PretendPort = Object<HandleKind::completion_port>;

void* with_bits(void* handle, std::uintptr_t bits) {
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(handle) | bits);
}

class HandleTableTest : public testing::Test {
protected:
    Log log_;
    HandleTable table_;
};

TEST_F(HandleTableTest, FindsWhatWasInserted) {
    const Ref<PretendEvent> event = make_ref<PretendEvent>(log_);
    void* const handle = table_.insert(event);
    EXPECT_EQ(table_.find<PretendEvent>(handle), event);
    EXPECT_EQ(table_.close(handle), Status::success);
}

TEST_F(HandleTableTest, IgnoresTheTwoLowestBits) {
    proves("ND2-OVL-05");
    void* const handle = table_.insert(make_ref<PretendEvent>(log_));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(handle) & 3, 0u);
    for (const std::uintptr_t bits : {1, 2, 3}) EXPECT_TRUE(table_.find<PretendEvent>(with_bits(handle, bits)));
    EXPECT_EQ(table_.close(with_bits(handle, 1)), Status::success);
    EXPECT_FALSE(table_.find<PretendEvent>(handle));
}

TEST_F(HandleTableTest, RefusesAnotherKind) {
    void* const handle = table_.insert(make_ref<PretendEvent>(log_));
    EXPECT_FALSE(table_.find<PretendPort>(handle));
    EXPECT_TRUE(table_.find_object(handle));
    EXPECT_EQ(table_.close(handle), Status::success);
}

TEST_F(HandleTableTest, RefusesWhatWasNeverAHandle) {
    int local = 0;
    for (void* const wrong : {static_cast<void*>(nullptr), reinterpret_cast<void*>(-1), static_cast<void*>(&local),
                              reinterpret_cast<void*>(4), reinterpret_cast<void*>(std::uintptr_t{1} << 32)}) {
        EXPECT_FALSE(table_.find_object(wrong)) << wrong;
        EXPECT_EQ(table_.close(wrong), Status::invalid_parameter) << wrong;
    }
}

TEST_F(HandleTableTest, ClosingTwiceFailsWithoutHarm) {
    proves("ND2-FILE-02");
    void* const handle = table_.insert(make_ref<PretendEvent>(log_));
    EXPECT_EQ(table_.close(handle), Status::success);
    EXPECT_EQ(log_.closed, 1);
    EXPECT_EQ(log_.destroyed, 1);
    EXPECT_EQ(table_.close(handle), Status::invalid_parameter);
    EXPECT_EQ(log_.closed, 1);
}

TEST_F(HandleTableTest, AClosedHandleStaysInvalidWhenItsSlotIsUsedAgain) {
    void* const first = table_.insert(make_ref<PretendEvent>(log_));
    EXPECT_EQ(table_.close(first), Status::success);
    for (std::uint32_t i = 0; i <= HandleTable::kRestingSlots; ++i) {
        void* const next = table_.insert(make_ref<PretendEvent>(log_));
        ASSERT_NE(first, next);
        EXPECT_FALSE(table_.find_object(first));
        EXPECT_EQ(table_.close(first), Status::invalid_parameter);
        EXPECT_TRUE(table_.find_object(next));
        EXPECT_EQ(table_.close(next), Status::success);
    }
}

// As Windows promises, so that a program may keep one in a ULONG or a LONG; and above every descriptor, so that a
// handle and a socket are told apart. Often enough that each slot has had all its generations.
TEST_F(HandleTableTest, HandlesHave32BitsAndAreMultiplesOfFour) {
    proves("ND2-FILE-08");
    for (std::uint32_t i = 0; i < HandleTable::kRestingSlots * (HandleTable::kGenerations + 1); ++i) {
        void* const handle = table_.insert(make_ref<PretendEvent>(log_));
        const auto number = reinterpret_cast<std::uintptr_t>(handle);
        ASSERT_EQ(number & 3, 0u);
        ASSERT_EQ(std::uintptr_t{static_cast<std::uint32_t>(number)}, number);
        ASSERT_EQ(static_cast<std::intptr_t>(static_cast<std::int32_t>(number)), static_cast<std::intptr_t>(number));
        ASSERT_GE(number, std::uintptr_t{1} << 30);
        ASSERT_EQ(table_.close(handle), Status::success);
    }
}

TEST_F(HandleTableTest, AHandleIsUsedAgainLate) {
    proves("ND2-FILE-08");
    constexpr std::uint32_t kCount = HandleTable::kRestingSlots * (HandleTable::kGenerations - 1);
    std::vector<void*> handles;
    for (std::uint32_t i = 0; i < kCount; ++i) {
        handles.push_back(table_.insert(make_ref<PretendEvent>(log_)));
        ASSERT_EQ(table_.close(handles.back()), Status::success);
    }
    std::sort(handles.begin(), handles.end());
    EXPECT_EQ(std::adjacent_find(handles.begin(), handles.end()), handles.end());
}

TEST_F(HandleTableTest, RefusesAHandleWithHigherBits) {
    void* const handle = table_.insert(make_ref<PretendEvent>(log_));
    for (unsigned bit = 31; bit < 64; ++bit) {
        EXPECT_FALSE(table_.find_object(with_bits(handle, std::uintptr_t{1} << bit))) << bit;
        EXPECT_EQ(table_.close(with_bits(handle, std::uintptr_t{1} << bit)), Status::invalid_parameter) << bit;
    }
    EXPECT_TRUE(table_.find_object(handle));
}

TEST_F(HandleTableTest, AnObjectIsClosedWithTheLastOfItsHandles) {
    const Ref<PretendPort> port = make_ref<PretendPort>(log_);
    void* const first = table_.insert(port);
    const Result<void*> second = table_.duplicate(first);
    ASSERT_TRUE(second.ok());
    EXPECT_NE(first, second.value());
    EXPECT_EQ(table_.close(first), Status::success);
    EXPECT_EQ(log_.closed, 0);
    EXPECT_EQ(table_.duplicate(first).status(), Status::invalid_parameter);
    EXPECT_EQ(table_.find<PretendPort>(second.value()), port);
    EXPECT_EQ(table_.close(second.value()), Status::success);
    EXPECT_EQ(log_.closed, 1);
}

TEST_F(HandleTableTest, AReferenceKeepsAClosedObjectAlive) {
    proves("ND2-OVL-06");
    void* const handle = table_.insert(make_ref<PretendEvent>(log_));
    Ref<PretendEvent> reference = table_.find<PretendEvent>(handle);
    EXPECT_EQ(table_.close(handle), Status::success);
    EXPECT_EQ(log_.destroyed, 0);
    reference = nullptr;
    EXPECT_EQ(log_.destroyed, 1);
}

TEST_F(HandleTableTest, ManyHandlesAreAllDifferent) {
    constexpr std::size_t kCount = 5000;  // several blocks
    std::set<void*> handles;
    for (std::size_t i = 0; i < kCount; ++i) handles.insert(table_.insert(make_ref<PretendEvent>(log_)));
    EXPECT_EQ(handles.size(), kCount);
    EXPECT_FALSE(handles.contains(nullptr));
    for (void* const handle : handles) EXPECT_EQ(table_.close(handle), Status::success);
    EXPECT_EQ(log_.destroyed, static_cast<int>(kCount));
}

TEST_F(HandleTableTest, DropsOpenHandlesAtItsEnd) {
    {
        HandleTable table;
        table.insert(make_ref<PretendEvent>(log_));
    }
    EXPECT_EQ(log_.destroyed, 1);
}

TEST_F(HandleTableTest, ServesManyThreads) {
    constexpr int kRounds = 2000;
    std::atomic<int> closed_by_us{0};
    std::vector<std::thread> threads;
    std::atomic<void*> shared{nullptr};
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < kRounds; ++i) {
                void* const mine = table_.insert(make_ref<PretendEvent>(log_));
                void* const other = shared.exchange(mine);
                const Ref<PretendEvent> seen = table_.find<PretendEvent>(shared.load());
                EXPECT_TRUE(!seen || seen->kind() == HandleKind::event);
                if (other && ok(table_.close(other))) ++closed_by_us;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(table_.close(shared), Status::success);
    EXPECT_EQ(closed_by_us, 3 * kRounds - 1);
    EXPECT_EQ(log_.destroyed, 3 * kRounds);
}

// Either the duplicate is made before the handle is closed, or there is none.
TEST_F(HandleTableTest, DuplicatingAHandleThatIsBeingClosedClosesTheObjectOnce) {
    for (int round = 1; round <= 2000; ++round) {
        void* const handle = table_.insert(make_ref<PretendEvent>(log_));
        std::thread closer([&] { EXPECT_EQ(table_.close(handle), Status::success); });
        const Result<void*> second = table_.duplicate(handle);
        if (second.ok()) {
            EXPECT_EQ(table_.close(second.value()), Status::success);
        }
        closer.join();
        ASSERT_EQ(log_.closed, round);
        ASSERT_EQ(log_.destroyed, round);
    }
}

TEST(ProcessWideHandleTable, IsOne) { EXPECT_EQ(&handle_table(), &handle_table()); }

TEST_F(HandleTableTest, OfAChildKnowsNoHandleOfItsParents) {
    void* const parents = table_.insert(make_ref<PretendEvent>(log_));
    HandleTable child(&table_);
    void* const own = child.insert(make_ref<PretendEvent>(log_));
    EXPECT_NE(own, parents);
    EXPECT_FALSE(child.find_object(parents));
    EXPECT_EQ(child.close(parents), Status::invalid_parameter);
    EXPECT_TRUE(child.find_object(own));
    HandleTable childs_child(&child);
    EXPECT_FALSE(childs_child.find_object(own));
}

}  // namespace
}  // namespace opennd
