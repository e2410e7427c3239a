// SPDX-License-Identifier: MIT
// See result_ring.h.
#include "transport/soft/engine/result_ring.h"

#include <utility>

namespace opennd::soft {

ResultRing::~ResultRing() {
    const Held held(lock());
    for_each_credit([](const Credit& credit) {
        if (credit.shared) credit.give();
    });
}

void ResultRing::add(const Entry& entry, Progress& progress) {
    const Held held(lock());
    if (append(entry).due) progress.after.add(Turn::event, queue_);
}

bool ResultRing::has_overrun() {
    const Held held(lock());
    return overrun();
}

void ResultRing::make_room(std::uint32_t results) {
    const Held held(lock());
    add_room(results);
}

void ResultRing::give_room(std::uint32_t results) {
    const Held held(lock());
    remove_room(results);
}

void ResultRing::forget(const std::atomic<std::uint32_t>& freed) {
    const Held held(lock());
    for_each_credit([&freed](Credit& credit) {
        if (credit.freed == &freed) credit.freed = nullptr;
    });
}

ResultRing::Sharing* ResultRing::find(const RefCounted& queue) {
    for (Sharing& sharing : sharings_)
        if (sharing.queue.get() == &queue) return &sharing;
    return nullptr;
}

void ResultRing::share(RefCounted& queue, std::atomic<std::uint32_t>& freed, std::uint32_t depth) {
    const Held held(lock());
    Sharing* sharing = find(queue);
    if (!sharing) sharing = &sharings_.emplace_back(Sharing{Ref<RefCounted>(&queue), &freed});
    deepen(*sharing, depth);
    ++sharing->queue_pairs;
}

void ResultRing::deepen_shared(const RefCounted& queue, std::uint32_t depth) {
    const Held held(lock());
    deepen(*find(queue), depth);
}

void ResultRing::deepen(Sharing& sharing, std::uint32_t depth) {
    if (depth <= sharing.depth) return;
    add_room(depth - sharing.depth);
    sharing.depth = depth;
}

void ResultRing::unshare(const RefCounted& queue) {
    std::vector<Ref<RefCounted>> unused;  // released without the lock
    const Held held(lock());
    unused.reserve(sharings_.size());
    Sharing& left = *find(queue);
    if (--left.queue_pairs != 0) return;
    remove_room(std::exchange(left.depth, 0));
    for (Sharing& sharing : sharings_) {
        const auto is_of_it = [&sharing](const Credit& credit) { return credit.freed == sharing.freed; };
        if (sharing.queue_pairs == 0 && !has_credit(is_of_it)) unused.push_back(std::move(sharing.queue));
    }
    std::erase_if(sharings_, [](const Sharing& sharing) { return !sharing.queue; });
}

}  // namespace opennd::soft
