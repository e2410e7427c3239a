// SPDX-License-Identifier: MIT
// What happened, in order: each fake writes what is called of it, and a test waits for a line.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

namespace opennd::verbs {

class Journal {
public:
    void add(const std::string& line) {
        const std::lock_guard lock(mutex_);
        lines_.push_back(line);
        came_.notify_all();
    }

    // Waits until `line` has been written `times` times. A failure of the test if it does not come.
    void wait_for(const std::string& line, long times = 1) {
        std::unique_lock lock(mutex_);
        const auto has_come = [&] { return std::count(lines_.begin(), lines_.end(), line) >= times; };
        if (!came_.wait_for(lock, kPatience, has_come)) ADD_FAILURE() << "did not come: " << line << "\n" << text();
    }

    bool has(const std::string& line) const { return place_of(line) >= 0; }
    // -1: nowhere.
    long place_of(const std::string& line) const {
        const std::lock_guard lock(mutex_);
        const auto found = std::find(lines_.begin(), lines_.end(), line);
        return found == lines_.end() ? -1 : found - lines_.begin();
    }
    long count(const std::string& line) const {
        const std::lock_guard lock(mutex_);
        return std::count(lines_.begin(), lines_.end(), line);
    }
    bool in_order(const std::string& first, const std::string& second) const {
        return has(first) && has(second) && place_of(first) < place_of(second);
    }
    std::vector<std::string> lines() const {
        const std::lock_guard lock(mutex_);
        return lines_;
    }

private:
    static constexpr std::chrono::seconds kPatience{20};

    std::string text() const {
        std::string all;
        for (const std::string& line : lines_) all += line + "\n";
        return all;
    }

    mutable std::mutex mutex_;
    std::condition_variable came_;
    std::vector<std::string> lines_;
};

}  // namespace opennd::verbs
