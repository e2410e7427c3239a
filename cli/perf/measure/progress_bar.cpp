// SPDX-License-Identifier: MIT
//
// Read progress_bar.h first.
#include "perf/measure/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace nd {

ProgressBar::ProgressBar(std::string label) : label_(std::move(label)), on_terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
    if (drawn_) std::fputs("\r\033[K", stderr);
}

void ProgressBar::update(double elapsed_seconds, double fraction) {
    if (!on_terminal_ || elapsed_seconds < next_draw_seconds_) return;
    next_draw_seconds_ = elapsed_seconds + 0.1;
    drawn_ = true;
    constexpr std::size_t kWidth = 40;
    const double done = std::clamp(fraction, 0.0, 1.0);
    std::string bar(static_cast<std::size_t>(done * kWidth), '#');
    bar.resize(kWidth, '.');
    std::fprintf(stderr, "\r\033[K%s [%s] %3.0f%%", label_.c_str(), bar.c_str(), done * 100);
}

}  // namespace nd
