// SPDX-License-Identifier: MIT
//
// ProgressBar: on a terminal (standard error), for runs longer than a second. Removed when the run ends.
#pragma once

#include <string>

namespace nd {

class ProgressBar {
public:
    explicit ProgressBar(std::string label);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    // Draws at most ten times a second, and nothing in the first one.
    void update(double elapsed_seconds, double fraction);

private:
    std::string label_;
    bool on_terminal_, drawn_ = false;
    double next_draw_seconds_ = 1;
};

}  // namespace nd
