// SPDX-License-Identifier: MIT
// See request_index.h.
#include "check/transport/request_index.h"

#include <utility>

#include "check/transport/request_book.h"

namespace opennd {

RequestIndex::RequestIndex() = default;
RequestIndex::~RequestIndex() = default;

void RequestIndex::add(std::uint64_t number, Ref<RequestBook> book) {
    const Held lock(mutex_);
    books_.emplace(number, std::move(book));
}

Ref<RequestBook> RequestIndex::find(std::uint64_t number) const {
    const Held lock(mutex_);
    const auto found = books_.find(number);
    return found == books_.end() ? nullptr : found->second;
}

Ref<RequestBook> RequestIndex::take(std::uint64_t number) {
    const Held lock(mutex_);
    const auto found = books_.find(number);
    if (found == books_.end()) return nullptr;
    Ref<RequestBook> book = std::move(found->second);
    books_.erase(found);
    return book;
}

}  // namespace opennd
