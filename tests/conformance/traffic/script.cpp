// SPDX-License-Identifier: MIT
//
// Short messages are the most frequent, and every length that takes another path is among them.
#include "conformance/traffic/script.h"

#include "conformance/vocabulary/driver.h"

namespace opennd::conformance::traffic {

bool Step::silent() const { return (flags & kSilent) != 0; }

std::optional<Step> Script::next() {
    if (left_ == 0) return std::nullopt;
    --left_;
    Step step{};
    const std::size_t kind = draw(8);
    step.kind = kind < 3   ? Step::Kind::send
                : kind < 5 ? Step::Kind::write
                : kind < 7 ? Step::Kind::read
                           : Step::Kind::copy;
    step.length = draw_length();
    step.seed = random_();
    step.window = draw_window(std::nullopt);
    step.offset = draw_offset(step.length);
    step.window_2 = draw_window(step.window);
    step.offset_2 = draw_offset(step.length);
    step.flags = draw_flags(step);
    was_silent_ = step.silent();
    silent_window_.reset();
    if (was_silent_ && step.kind != Step::Kind::send) silent_window_ = step.window;
    return step;
}

std::optional<Step> Script::next_send() {
    for (;;) {
        std::optional<Step> step = next();
        if (!step || step->kind == Step::Kind::send) return step;
    }
}

std::size_t Script::draw_length() {
    switch (draw(8)) {
        case 0: return 0;
        case 1:
        case 2: return draw(128);
        case 3: return draw(kInlineBytes + 1);
        case 4: return draw(4096);
        case 5: return draw(32 * 1024);
        case 6: return draw(200 * 1024);
        default: break;
    }
    switch (draw(8)) {
        case 0: return kLongest;
        case 1: return draw(kLongest);
        default: return draw(32 * 1024);
    }
}

unsigned Script::draw_flags(const Step& step) {
    unsigned flags = kNoFlags;
    if (step.kind == Step::Kind::copy) return flags;
    if (draw(3) == 0 && !was_silent_ && left_ > 0) flags |= kSilent;
    if (draw(4) == 0) flags |= kReadFence;
    if (step.kind == Step::Kind::send && draw(4) == 0) flags |= kSolicit;
    if (step.kind != Step::Kind::read && step.length <= kInlineBytes && draw(2) == 0) flags |= kInline;
    return flags;
}

std::size_t Script::draw_window(std::optional<std::size_t> other) {
    for (;;) {
        const std::size_t window = draw(kWindows);
        if (window != silent_window_ && window != other) return window;
    }
}

}  // namespace opennd::conformance::traffic
