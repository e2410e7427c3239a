// SPDX-License-Identifier: MIT
//
// Read progress_bar.h first.
#include "perf/measure/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <utility>

namespace nd {

ProgressBar::ProgressBar(std::string label) : label_(std::move(label)), on_terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
    if (drawn_) std::fputs("\r\033[K", stderr);
}

void ProgressBar::begin(std::string phase) { phase_ = std::move(phase); }

void ProgressBar::begin_long(std::string phase) {
    begin(std::move(phase));
    if (on_terminal_) draw(title());
}

void ProgressBar::update(double fraction) {
    if (!on_terminal_ || Clock::now() < next_draw_) return;
    constexpr std::size_t kColumns = 79, kMostWidth = 40;
    const std::string text = title();
    char percent[16] = "";
    const double done = std::clamp(fraction, 0.0, 1.0);
    std::snprintf(percent, sizeof percent, "] %3.0f%%", done * 100);
    const std::size_t room = kColumns - std::min(kColumns, text.size() + sizeof " [] 100%");
    const std::size_t width = std::min(kMostWidth, room);
    std::string bar(static_cast<std::size_t>(done * static_cast<double>(width)), '#');
    bar.resize(width, '.');
    draw(text + " [" + bar + percent);
}

void ProgressBar::draw(const std::string& text) {
    next_draw_ = Clock::now() + std::chrono::milliseconds(100);
    drawn_ = true;
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
}

}  // namespace nd
