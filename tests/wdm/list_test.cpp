// SPDX-License-Identifier: MIT
// Rings and stacks, plain and under a lock.
#include <thread>

#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

struct Item {
    int number;
    LIST_ENTRY link;
    SINGLE_LIST_ENTRY single;
};

int number_of(PLIST_ENTRY entry) { return CONTAINING_RECORD(entry, Item, link)->number; }

TEST(List, KeepsOrder) {
    support::proves("NDK-HOST-40");
    LIST_ENTRY head;
    InitializeListHead(&head);
    EXPECT_TRUE(IsListEmpty(&head));
    Item a{1, {}, {}}, b{2, {}, {}}, c{3, {}, {}};
    InsertTailList(&head, &b.link);
    InsertTailList(&head, &c.link);
    InsertHeadList(&head, &a.link);
    EXPECT_EQ(number_of(head.Flink), 1);
    EXPECT_FALSE(RemoveEntryList(&b.link));
    EXPECT_EQ(number_of(RemoveTailList(&head)), 3);
    EXPECT_EQ(number_of(RemoveHeadList(&head)), 1);
    EXPECT_TRUE(IsListEmpty(&head));
    EXPECT_EQ(RemoveHeadList(&head), &head);
    EXPECT_EQ(RemoveTailList(&head), &head);
    InsertTailList(&head, &a.link);
    EXPECT_TRUE(RemoveEntryList(&a.link));
}

TEST(List, TakesAnotherRing) {
    LIST_ENTRY head, other;
    InitializeListHead(&head);
    InitializeListHead(&other);
    Item a{1, {}, {}}, b{2, {}, {}}, c{3, {}, {}};
    InsertTailList(&head, &a.link);
    InsertTailList(&other, &b.link);
    InsertTailList(&other, &c.link);
    RemoveEntryList(&other);
    AppendTailList(&head, &b.link);
    for (const int number : {1, 2, 3}) EXPECT_EQ(number_of(RemoveHeadList(&head)), number);
}

TEST(List, StacksGiveTheLastFirst) {
    SINGLE_LIST_ENTRY head{};
    EXPECT_EQ(PopEntryList(&head), nullptr);
    Item a{}, b{};
    PushEntryList(&head, &a.single);
    PushEntryList(&head, &b.single);
    EXPECT_EQ(PopEntryList(&head), &b.single);
    EXPECT_EQ(PopEntryList(&head), &a.single);
    EXPECT_EQ(PopEntryList(&head), nullptr);
}

TEST(List, RemovedTwiceIsReportedAndLeftAlone) {
    Violations violations;
    LIST_ENTRY head;
    InitializeListHead(&head);
    Item a{}, b{};
    InsertTailList(&head, &a.link);
    InsertTailList(&head, &b.link);
    RemoveEntryList(&a.link);
    EXPECT_TRUE(violations.were_none());
    RemoveEntryList(&a.link);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_LIST, "list entry", &a.link));
    EXPECT_EQ(RemoveHeadList(&head), &b.link);
}

TEST(List, InsertedBehindABrokenLinkIsReported) {
    Violations violations;
    LIST_ENTRY head;
    InitializeListHead(&head);
    Item a{}, b{};
    InsertTailList(&head, &a.link);
    a.link.Flink = nullptr;
    InsertTailList(&head, &b.link);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_LIST, "list entry", &a.link));
}

TEST(InterlockedList, TellsWhatWasThere) {
    KSPIN_LOCK lock;
    KeInitializeSpinLock(&lock);
    LIST_ENTRY head;
    InitializeListHead(&head);
    Item a{}, b{}, c{};
    EXPECT_EQ(ExInterlockedInsertTailList(&head, &a.link, &lock), nullptr);
    EXPECT_EQ(ExInterlockedInsertTailList(&head, &b.link, &lock), &a.link);
    EXPECT_EQ(ExInterlockedInsertHeadList(&head, &c.link, &lock), &a.link);
    EXPECT_EQ(ExInterlockedRemoveHeadList(&head, &lock), &c.link);
    EXPECT_EQ(ExInterlockedRemoveHeadList(&head, &lock), &a.link);
    EXPECT_EQ(ExInterlockedRemoveHeadList(&head, &lock), &b.link);
    EXPECT_EQ(ExInterlockedRemoveHeadList(&head, &lock), nullptr);
    SINGLE_LIST_ENTRY stack{};
    EXPECT_EQ(ExInterlockedPushEntryList(&stack, &a.single, &lock), nullptr);
    EXPECT_EQ(ExInterlockedPushEntryList(&stack, &b.single, &lock), &a.single);
    EXPECT_EQ(ExInterlockedPopEntryList(&stack, &lock), &b.single);
    EXPECT_EQ(ExInterlockedPopEntryList(&stack, &lock), &a.single);
    EXPECT_EQ(ExInterlockedPopEntryList(&stack, &lock), nullptr);
}

TEST(InterlockedList, LosesNothingUnderThreads) {
    constexpr int kEach = 1'000;
    KSPIN_LOCK lock;
    KeInitializeSpinLock(&lock);
    LIST_ENTRY head;
    InitializeListHead(&head);
    std::vector<Item> items(2 * kEach);
    std::vector<std::thread> threads;
    for (int half = 0; half < 2; ++half)
        threads.emplace_back([&, half] {
            for (int i = 0; i < kEach; ++i) ExInterlockedInsertTailList(&head, &items[half * kEach + i].link, &lock);
        });
    int taken = 0;
    while (taken < 2 * kEach)
        if (ExInterlockedRemoveHeadList(&head, &lock) != nullptr) ++taken;
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(IsListEmpty(&head));
}

}  // namespace
}  // namespace opennd
