// SPDX-License-Identifier: MIT
//
// Delta debugging over the list of operations, then one simplification after the other, until nothing more can go.
#include "model/program/shrink.h"

#include <algorithm>

namespace opennd::modeled {
namespace {

using Clock = std::chrono::steady_clock;

class Shrinker {
public:
    Shrinker(Program program, const std::function<bool(const Program&)>& fails, std::chrono::seconds patience)
        : best_(std::move(program)), fails_(fails), end_(Clock::now() + patience) {}

    Program run() {
        measure();
        for (bool smaller = true; smaller && !out_of_time();) {
            smaller = drop_operations();
            smaller |= simplify_setting();
            smaller |= simplify_operations();
        }
        return best_;
    }

private:
    bool out_of_time() const { return Clock::now() >= end_; }

    // How many runs it takes to see the failure.
    void measure() {
        constexpr unsigned kRuns = 20;
        unsigned failures = 0, runs = 0;
        while (runs < kRuns && failures < 4 && !out_of_time()) {
            ++runs;
            failures += fails_(best_) ? 1 : 0;
        }
        tries_ = failures == 0 ? 3 * kRuns : std::clamp(3 * runs / failures, 2u, 3 * kRuns);
    }

    bool adopt(const Program& candidate) {
        if (candidate == best_) return false;
        for (unsigned i = 0; i < tries_ && !out_of_time(); ++i)
            if (fails_(candidate)) {
                best_ = candidate;
                return true;
            }
        return false;
    }

    bool drop_operations() {
        bool any = false;
        for (std::size_t chunk = std::max<std::size_t>(best_.operations.size() / 2, 1);; chunk /= 2) {
            for (std::size_t at = best_.operations.size(); at > 0 && !out_of_time();) {
                const std::size_t first = at > chunk ? at - chunk : 0;
                Program candidate = best_;
                candidate.operations.erase(candidate.operations.begin() + static_cast<std::ptrdiff_t>(first),
                                           candidate.operations.begin() + static_cast<std::ptrdiff_t>(at));
                any |= adopt(candidate);
                at = std::min(first, best_.operations.size());
            }
            if (chunk <= 1) return any;
        }
    }

    template <typename Change>
    bool attempt(Change&& change) {
        Program candidate = best_;
        change(candidate);
        return adopt(candidate);
    }

    bool simplify_setting() {
        bool any = attempt([](Program& program) { program.setting.processes = 1; });
        any |= attempt([](Program& program) { program.setting.face = "Nd2"; });  // its listing is exact
        any |= attempt([](Program& program) { program.setting.world = World::plain; });
        any |= attempt([](Program& program) { program.setting.abrupt = {}; });
        any |= attempt([](Program& program) { program.setting.memory = {}; });
        any |= attempt([](Program& program) { program.setting.polled = {}; });
        any |= attempt([](Program& program) { program.setting.shared_receives = {}; });
        any |= attempt([](Program& program) {
            program.setting.initiator_depth = program.setting.receive_depth = 16;
            program.setting.completion_depth = 64;
        });
        any |= attempt([](Program& program) {
            program.setting.pairs = 1;
            std::erase_if(program.operations, [](const Operation& operation) { return operation.pair != 0; });
        });
        return any;
    }

    bool simplify_operations() {
        bool any = false;
        for (std::size_t i = 0; i < best_.operations.size() && !out_of_time(); ++i) {
            const auto change = [&](auto&& how) {
                any |= attempt([&](Program& program) { how(program.operations[i]); });
            };
            change([](Operation& operation) { operation.waits = true; });
            change([](Operation& operation) { operation.flags = operation.kind == Kind::bind ? operation.flags : 0; });
            change([](Operation& operation) { operation.pieces = std::min(operation.pieces, 1u); });
            change([](Operation& operation) { operation.spoil = Spoil::none; });
            for (const std::uint32_t length : {1u, 64u, 4'000u})
                change([&](Operation& operation) {
                    const bool sized = operation.kind >= Kind::send && operation.kind <= Kind::read;
                    if (sized && operation.length > length) operation.length = length;
                });
        }
        return any;
    }

    Program best_;
    const std::function<bool(const Program&)>& fails_;
    const Clock::time_point end_;
    unsigned tries_ = 1;
};

}  // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& fails, std::chrono::seconds patience) {
    return Shrinker(std::move(program), fails, patience).run();
}

}  // namespace opennd::modeled
