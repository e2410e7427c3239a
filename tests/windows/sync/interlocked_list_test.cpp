// SPDX-License-Identifier: MIT
// Interlocked lists, with one thread and with many.
#include <gtest/gtest.h>
#include <windows.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace opennd {
namespace {

struct Item {
    SLIST_ENTRY link{};
    long number = 0;
};

Item* item_of(PSLIST_ENTRY entry) { return CONTAINING_RECORD(entry, Item, link); }

TEST(InterlockedList, GivesTheNewestFirst) {
    SLIST_HEADER list;
    InitializeSListHead(&list);
    EXPECT_EQ(InterlockedPopEntrySList(&list), nullptr);
    EXPECT_EQ(InterlockedFlushSList(&list), nullptr);
    Item items[3];
    EXPECT_EQ(InterlockedPushEntrySList(&list, &items[0].link), nullptr);
    EXPECT_EQ(InterlockedPushEntrySList(&list, &items[1].link), &items[0].link);
    EXPECT_EQ(InterlockedPushEntrySList(&list, &items[2].link), &items[1].link);
    EXPECT_EQ(QueryDepthSList(&list), 3u);
    EXPECT_EQ(InterlockedPopEntrySList(&list), &items[2].link);
    EXPECT_EQ(QueryDepthSList(&list), 2u);
    const PSLIST_ENTRY all = InterlockedFlushSList(&list);
    EXPECT_EQ(all, &items[1].link);
    EXPECT_EQ(all->Next, &items[0].link);
    EXPECT_EQ(all->Next->Next, nullptr);
    EXPECT_EQ(QueryDepthSList(&list), 0u);
    EXPECT_EQ(InterlockedPopEntrySList(&list), nullptr);
}

TEST(InterlockedList, CountsBeyondTheWidthOfItsDepth) {
    SLIST_HEADER list{};
    std::vector<SLIST_ENTRY> entries(0x10002);
    for (SLIST_ENTRY& entry : entries) InterlockedPushEntrySList(&list, &entry);
    EXPECT_EQ(QueryDepthSList(&list), 2u);
    EXPECT_EQ(InterlockedPopEntrySList(&list), &entries.back());
    EXPECT_EQ(QueryDepthSList(&list), 1u);
    EXPECT_EQ(InterlockedFlushSList(&list), &entries[0x10000]);
    EXPECT_EQ(QueryDepthSList(&list), 0u);
}

// Entries go round among threads, which take two and give the first back first: so the first entry of the list is often
// one that was there before, with another behind it. Each is in one hand at a time, and comes with what the last hand
// wrote.
TEST(InterlockedList, PassesEachEntryToOneThread) {
    constexpr int kThreads = 4, kRounds = 100'000;
    SLIST_HEADER list{};
    Item items[3];
    for (Item& item : items) InterlockedPushEntrySList(&list, &item.link);
    std::atomic<long> taken{0};
    std::atomic<bool> go{false};
    const auto take = [&] {
        const PSLIST_ENTRY entry = InterlockedPopEntrySList(&list);
        if (entry != nullptr) ++item_of(entry)->number;
        return entry;
    };
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&] {
            go.wait(false);
            long mine = 0;
            for (int i = 0; i < kRounds; ++i) {
                const PSLIST_ENTRY first = take();
                const PSLIST_ENTRY second = take();
                if (i % 64 == 0) std::this_thread::yield();
                for (const PSLIST_ENTRY entry : {first, second})
                    if (entry != nullptr) {
                        ++mine;
                        InterlockedPushEntrySList(&list, entry);
                    }
            }
            taken += mine;
        });
    go = true;
    go.notify_all();
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(QueryDepthSList(&list), 3u);
    EXPECT_EQ(items[0].number + items[1].number + items[2].number, taken);
    int left = 0;
    for (PSLIST_ENTRY entry = InterlockedFlushSList(&list); entry != nullptr && left < 4; entry = entry->Next) ++left;
    EXPECT_EQ(left, 3) << "none was lost, and none is there twice";
}

// The memory of a popped entry goes back to the system at once, where another thread might still look at it.
TEST(InterlockedList, LetsGoOfAnEntryThatIsFreedWhenPopped) {
    constexpr int kEach = 2000, kPushers = 2;
    SLIST_HEADER list{};
    std::atomic<int> left{kEach * kPushers};
    std::vector<std::thread> threads;
    for (int t = 0; t < kPushers; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < kEach; ++i) {
                auto* const item =
                    static_cast<Item*>(VirtualAlloc(nullptr, sizeof(Item), MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
                item->number = t + 1;
                InterlockedPushEntrySList(&list, &item->link);
            }
        });
    std::atomic<int> sum{0};
    for (int t = 0; t < 2; ++t)
        threads.emplace_back([&, t] {
            while (left > 0) {
                PSLIST_ENTRY entry = t == 0 ? InterlockedPopEntrySList(&list) : InterlockedFlushSList(&list);
                if (entry == nullptr) std::this_thread::yield();
                while (entry != nullptr) {
                    const PSLIST_ENTRY next = t == 0 ? nullptr : entry->Next;
                    sum += item_of(entry)->number;
                    --left;
                    VirtualFree(item_of(entry), 0, MEM_RELEASE);
                    entry = next;
                }
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(left, 0);
    EXPECT_EQ(sum, kEach * 3);
    EXPECT_EQ(QueryDepthSList(&list), 0u);
}

}  // namespace
}  // namespace opennd
