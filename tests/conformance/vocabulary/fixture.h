// SPDX-License-Identifier: MIT
//
// Fixtures: a driver with its transport pinned, once for tests about rules and once more for each kind of memory for
// tests about data.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <tuple>

#include "conformance/vocabulary/handshake.h"
#include "conformance/vocabulary/variant.h"
#include "support/buffer.h"
#include "support/diagnostics.h"
#include "support/pattern.h"
#include "support/requirement.h"
#include "support/tested_device.h"

namespace opennd::conformance {

using support::Buffer;
using support::fill_pattern;
using support::fill_with;
using support::has_pattern;
using support::is_filled_with;
using support::MemoryKind;
using support::proves;
using support::provokes;
using support::wait_until;

// Keeps every connection of the process on one transport.
class PinnedTransport {
public:
    explicit PinnedTransport(const char* name);
    PinnedTransport(const PinnedTransport&) = delete;
    PinnedTransport& operator=(const PinnedTransport&) = delete;
    ~PinnedTransport();
};

class ConformanceTest : public testing::TestWithParam<Variant> {
protected:
    Driver& driver() { return *driver_; }

    // Gives one end's news time to reach the other: two more ends connect, which takes longer.
    void let_news_arrive() { const ConnectedPair others(driver()); }

    // How often to try a test that needs a message to arrive in time: once, but over a network that the test was given
    // (OPENND_TEST_ADDRESS), which may lose the message and send it again.
    static int attempts() { return std::getenv("OPENND_TEST_ADDRESS") ? 20 : 1; }

private:
    PinnedTransport transport_{GetParam().transport};
    std::unique_ptr<Driver> driver_ = GetParam().open();
};

// An end of the connection that the peer's failure brought about leaves this variant's receives as they are: its device tells every end
// alike, and an endpoint of version 1 outlives one in order (ND1-EP-GEN-21).
inline bool outlives_failures(const Variant& variant) {
    const bool kernel_flushes = support::lacks(support::Ability::half_close) != nullptr;
    return std::string(variant.face) == "Nd1" && support::lacks(support::Ability::tells_ends_apart) && !kernel_flushes;
}

// The receives of a side whose peer has failed. Where they may outlive that, a Flush of their own gives back what is left.
inline testing::AssertionResult are_flushed_with_the_peer(const Variant& variant, Endpoint& side,
                                                          const std::vector<Tag>& tags) {
    if (outlives_failures(variant) && side.queue_pair->flush() != Outcome::success)
        return testing::AssertionFailure() << "Flush failed";
    return reports_exactly(*side.received, tags, Outcome::canceled);
}

using DataVariant = std::tuple<Variant, MemoryKind>;

class DataTest : public testing::TestWithParam<DataVariant> {
protected:
    Driver& driver() { return *driver_; }
    MemoryKind memory() const { return std::get<1>(GetParam()); }

    // Two connected ends with this much memory each.
    ConnectedPair connected(std::size_t memory_bytes, EndpointOptions options = {}) {
        options.memory_bytes = memory_bytes;
        options.memory = memory();
        return ConnectedPair(driver(), options, options);
    }

private:
    PinnedTransport transport_{std::get<0>(GetParam()).transport};
    std::unique_ptr<Driver> driver_ = std::get<0>(GetParam()).open();
};

inline auto every_data_variant() {
    return testing::Combine(testing::ValuesIn(every_variant()),
                            testing::Values(MemoryKind::ordinary, MemoryKind::mappable));
}

inline std::string variant_name(const testing::TestParamInfo<Variant>& info) { return name_of(info.param); }

inline std::string data_variant_name(const testing::TestParamInfo<DataVariant>& info) {
    return name_of(std::get<0>(info.param)) + support::name_of(std::get<1>(info.param));
}

inline void PrintTo(const Variant& variant, std::ostream* out) { *out << name_of(variant); }

}  // namespace opennd::conformance
