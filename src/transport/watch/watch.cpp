// SPDX-License-Identifier: MIT
// See watch.h.
#include "transport/watch/watch.h"

#include <new>
#include <utility>

namespace opennd::watch {

Ref<RequestBook> Watch::make_book(std::string_view kind, void* context, Face face) {
    Diagnostics* const diagnostics = checked_ ? &checked_->diagnostics : nullptr;
    const Ref<RequestBook> made = make_ref<RequestBook>(kind, context, face, options_.events, diagnostics);
    if (options_.events == 0) return made;
    const Held lock(mutex_);
    living_.emplace(made.get(), made);
    return made;
}

void Watch::end(RequestBook& book) noexcept {
    Books::node_type oldest;  // released outside the lock
    {
        const Held lock(mutex_);
        Books::node_type own = living_.extract(&book);
        if (own) try {
                ended_.push_back(std::move(own));
            } catch (const std::bad_alloc&) {  // its events go with it
            }
        if (ended_.size() > kMostEnded) {
            oldest = std::move(ended_.front());
            ended_.pop_front();
        }
    }
    book.end(ends_.fetch_add(1) + 1);
}

std::vector<Watch::QueueEvents> Watch::events() const {
    std::vector<std::pair<Ref<RequestBook>, bool>> books;
    {
        const Held lock(mutex_);
        for (const auto& [address, book] : living_) books.emplace_back(book, false);
        for (const Books::node_type& each : ended_) books.emplace_back(each.mapped(), true);
    }
    std::vector<QueueEvents> all;
    for (const auto& [book, ended] : books) all.push_back({book->kind(), book->number(), ended, book->events()});
    return all;
}

}  // namespace opennd::watch
