// SPDX-License-Identifier: MIT
// Requests as the device may have them, for adapters of which requests name memory that the device knows by no key: fast regions, and
// memory by address.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ref.h"
#include "base/status.h"
#include "model/limits.h"
#include "model/sge.h"
#include "model/work_request.h"
#include "transport/verbs/memory/fast_region.h"
#include "transport/verbs/memory/open_device.h"

namespace opennd::verbs {

// The entries of a request as the device may have them: keys of its own in place of tokens of fast regions and of kByAddress. An entry
// that names nothing keeps its token, which the device refuses in its turn.
class TranslatedEntries {
public:
    // Translates the entries of a request. `most`: the entries that a request of this kind may have; an entry that lies
    // in several runs of pages becomes as many. No lock held: the first request that names a run of pages registers it.
    //   insufficient_resources, explained: it would have more entries than that
    //   those of NamedPages::translate
    Status translate(OpenDevice& adapter, Operation operation, std::span<const Sge> entries, std::uint32_t most);
    std::span<const Sge> get() const { return {entries_.data(), count_}; }

private:
    // Adds the keys of one entry. Returns false if there is no room.
    bool add(OpenDevice& adapter, const Sge& entry, bool writes);
    bool add(const Sge& entry);

    std::array<Sge, kMostEntries> entries_;
    std::size_t count_ = 0;
};

// A request of a queue pair with translated entries, and its part in the changes of fast regions.
class TranslatedRequest {
public:
    // Translates `request`, which outlives it, for a queue pair with these limits. Inline data are copied by their
    // addresses. A change of a fast region that cannot begin loses its subject, and so fails in its turn. No lock held.
    //   not_supported, explained: a Read that ends a registration
    //   those of TranslatedEntries::translate
    Status translate(OpenDevice& adapter, const QueuePairLimits& limits, const WorkRequest& request);
    const WorkRequest& get() const { return request_; }
    // Takes the change back that translate() has begun: the request was not posted after all.
    void take_back();

private:
    WorkRequest request_;
    TranslatedEntries entries_;
    FastChange* change_ = nullptr;  // one that has begun
    Ref<const FastMemory> before_;  // the memory that its region named
};

}  // namespace opennd::verbs
