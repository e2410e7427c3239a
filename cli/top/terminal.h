// SPDX-License-Identifier: MIT
//
// The whole of a terminal, by ncurses: pages of lines, and keys.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nd {

// One at a time; not thread-safe. The terminal is as before once this is destroyed.
class Terminal {
public:
    // Throws std::runtime_error: standard output is no terminal, or one that ncurses does not know.
    Terminal();
    ~Terminal();
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    // Shows as much of the page as there is room for; its line `heading` stands out.
    void show(const std::vector<std::string>& page, std::size_t heading);

    // Waits for a key for a moment, at most until `end`. None: the time is over, or the size has changed, in which case show() fits the page anew.
    struct Event {
        bool resized = false;
        std::optional<char> key;
    };
    Event wait(std::chrono::steady_clock::time_point end);

private:
    struct Screen;
    std::unique_ptr<Screen> screen_;
};

}  // namespace nd
