// SPDX-License-Identifier: MIT
// Who looks at the living objects gets each once, and none that is being destroyed.
#include "core/adapter/live_objects.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace opennd {
namespace {

class Thing final : public RefCounted {
public:
    explicit Thing(LiveObjects<Thing>& list) : place_(list) {}
    void enter() { place_.enter(*this); }
    std::uint32_t number() const { return place_.number(); }

private:
    LiveObjects<Thing>::Place place_;
};

Ref<Thing> make_thing(LiveObjects<Thing>& list) {
    Ref<Thing> thing = make_ref<Thing>(list);
    thing->enter();
    return thing;
}

TEST(LiveObjectsTest, ListsThoseThatEnteredInOrder) {
    LiveObjects<Thing> list;
    const Ref<Thing> unlisted = make_ref<Thing>(list);
    const Ref<Thing> one = make_thing(list), two = make_thing(list);
    const auto all = list.all();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0], one);
    EXPECT_EQ(all[1], two);
    EXPECT_EQ(unlisted->number(), 0u);
    EXPECT_EQ(two->number(), one->number() + 1);
}

TEST(LiveObjectsTest, ListsNoneThatHasGone) {
    LiveObjects<Thing> list;
    const Ref<Thing> stays = make_thing(list);
    make_thing(list);
    EXPECT_EQ(list.all().size(), 1u);
}

TEST(LiveObjectsTest, AReferenceKeepsAnObjectThatItsOwnerDropped) {
    LiveObjects<Thing> list;
    Ref<Thing> owned = make_thing(list);
    auto held = list.all();
    owned = nullptr;
    EXPECT_EQ(list.all().size(), 1u);
    held.clear();
    EXPECT_TRUE(list.all().empty());
}

TEST(LiveObjectsTest, ObjectsComeAndGoWhileSomebodyLooks) {
    LiveObjects<Thing> list;
    const Ref<Thing> stays = make_thing(list);
    std::atomic<bool> over{false};
    std::vector<std::thread> makers;
    for (int i = 0; i < 2; ++i)
        makers.emplace_back([&] {
            while (!over.load()) make_thing(list);
        });
    for (int i = 0; i < 2000; ++i) {
        std::size_t found = 0;
        for (const Ref<Thing>& each : list.all()) found += each == stays ? 1 : 0;
        EXPECT_EQ(found, 1u);
    }
    over.store(true);
    for (std::thread& each : makers) each.join();
    EXPECT_EQ(list.all().size(), 1u);
}

}  // namespace
}  // namespace opennd
