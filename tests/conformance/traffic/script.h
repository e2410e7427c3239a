// SPDX-License-Identifier: MIT
//
// Script: the steps of one side of a connection, drawn from a seed and nothing else. Its peer reads the same script to
// know the arriving messages, so that a seed repeats a run under any scheduling of the threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>

namespace opennd::conformance::traffic {

inline constexpr std::size_t kLongest = 2 * 1024 * 1024;
inline constexpr std::size_t kGuard = 64;  // bytes around everything that must stay as they were
inline constexpr std::size_t kWindows = 3;
inline constexpr std::size_t kWindowBytes = kLongest + 4096;
inline constexpr std::uint32_t kInlineBytes = 256;

using Random = std::mt19937_64;

struct Step {
    enum class Kind { send, write, read, copy };  // copy: a Read, then a fenced Write of the same bytes

    Kind kind;
    std::size_t length;
    std::uint64_t seed;  // of the bytes, and of how they are scattered
    unsigned flags;
    std::size_t window, offset;      // of the peer, except for a send
    std::size_t window_2, offset_2;  // where a copy goes

    bool silent() const;
};

class Script {
public:
    Script(std::uint64_t seed, std::size_t steps) : random_(seed), left_(steps) {}

    std::optional<Step> next();
    // The next step that the peer sees a receive of.
    std::optional<Step> next_send();

private:
    std::size_t draw(std::size_t below) { return static_cast<std::size_t>(random_() % below); }
    std::size_t draw_length();
    unsigned draw_flags(const Step& step);
    std::size_t draw_window(std::optional<std::size_t> other);
    std::size_t draw_offset(std::size_t length) { return kGuard + draw(kWindowBytes - 2 * kGuard - length + 1); }

    Random random_;
    std::size_t left_;
    // A silent step is known to be done when the one after it is: that one must not need the same window.
    std::optional<std::size_t> silent_window_;
    bool was_silent_ = false;
};

}  // namespace opennd::conformance::traffic
