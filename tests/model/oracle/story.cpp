// SPDX-License-Identifier: MIT
#include "model/oracle/story.h"

#include <algorithm>
#include <cstdint>
#include <sstream>

#include "model/oracle/history.h"

namespace opennd::modeled {

std::string story(const Program& program, const Board& board) {
    constexpr const char* kNames[] = {"call", "result", "skipped",  "granted", "bound", "revoking", "revoked",
                                      "seen", "final",  "notified", "damaged", "stuck", "done"};
    const History history(program, board);
    std::ostringstream text;
    std::int64_t start = INT64_MAX;
    for (unsigned side = 0; side < kSides; ++side)
        for (const Event& event : history.events(side)) start = std::min(start, event.begun);
    for (unsigned side = 0; side < kSides; ++side) {
        for (const Event& event : history.events(side)) {
            if (event.kind == EventKind::seen) continue;
            text << "  " << side << ' ' << (event.begun - start) / 1000 << " us "
                 << kNames[static_cast<std::size_t>(event.kind)];
            if (event.ended == 0 && event.kind == EventKind::call) text << " (did not return)";
            if (event.operation < program.operations.size())
                text << " {" << text_of(program.operations[event.operation]) << '}';
            if (event.grant != 0) text << " area " << event.area << " grant " << event.grant;
            if (event.kind <= EventKind::result || event.kind == EventKind::notified) text << ": " << event.outcome;
            if (event.bytes != 0) text << ", " << event.bytes << " bytes";
            text << '\n';
        }
    }
    return text.str();
}

}  // namespace opennd::modeled
