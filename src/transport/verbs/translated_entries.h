// SPDX-License-Identifier: MIT
// The entries of a request as the device may have them: keys of its own in place of tokens of fast regions and of kByAddress. An entry
// that names nothing keeps its token, which the device refuses in its turn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "model/sge.h"
#include "model/work_request.h"
#include "transport/verbs/device_limits.h"

namespace opennd::verbs {

class OpenDevice;

class TranslatedEntries {
public:
    // `most`: the entries that a request of this kind may have; an entry that lies in several runs of pages becomes as many.
    // No lock held: the first request that names a run of pages registers it.
    //   insufficient_resources, explained: it would have more entries than that
    //   those of NamedPages::translate
    Status translate(OpenDevice& adapter, Operation operation, std::span<const Sge> entries, std::uint32_t most);
    std::span<const Sge> get() const { return {entries_.data(), count_}; }

private:
    // False: there is no room.
    bool add(OpenDevice& adapter, const Sge& entry, bool writes);
    bool add(const Sge& entry);

    std::array<Sge, kMostEntries> entries_;
    std::size_t count_ = 0;
};

}  // namespace opennd::verbs
