// SPDX-License-Identifier: MIT
//
// ProgressBar: on a terminal (standard error), for points that take longer than a second. Removed when the point is over.
#pragma once

#include <chrono>
#include <string>

namespace nd {

class ProgressBar {
public:
    explicit ProgressBar(std::string label);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    bool on_terminal() const { return on_terminal_; }

    // Names the part of the point that begins: "warming up"; empty for the measurement.
    void begin(std::string phase);
    // Does as begin(), and draws at once, for a part that cannot tell how far it is.
    void begin_long(std::string phase);
    // Draws at most ten times a second, and nothing in the first one.
    void update(double fraction);

private:
    using Clock = std::chrono::steady_clock;

    std::string title() const { return phase_.empty() ? label_ : label_ + ": " + phase_; }
    void draw(const std::string& text);

    const std::string label_;
    const bool on_terminal_;
    std::string phase_;
    bool drawn_ = false;
    Clock::time_point next_draw_ = Clock::now() + std::chrono::seconds(1);
};

}  // namespace nd
