// SPDX-License-Identifier: MIT
// See transport.h.
#include "check/transport/transport.h"

#include "check/transport/adapter.h"
#include "check/transport/request_book.h"

namespace opennd {

Result<Ref<TransportAdapter>> CheckedTransport::open(const Interface& on, Face face) {
    Result<Ref<TransportAdapter>> inner = LayerTransport::open(on, face);
    if (!inner.ok()) return inner;
    return Ref<TransportAdapter>(make_ref<CheckedAdapter>(parts_, inner.take(), face));
}

std::optional<const void*> CheckedTransport::given_context(const void* own) const noexcept {
    const auto number = reinterpret_cast<std::uint64_t>(own);
    const Ref<RequestBook> book = parts_.requests.find(number);
    return book ? book->context_of(number) : std::nullopt;
}

}  // namespace opennd
