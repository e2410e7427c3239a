// SPDX-License-Identifier: MIT
// See copy_choice.h.
#include "platform/memory/copy_choice.h"

#include <memory>
#include <vector>

#include "base/format.h"
#include "base/kept_once.h"

namespace opennd {
namespace {

using std::chrono::nanoseconds;

constexpr CopyWay kWays[kCopyWays] = {CopyWay::strides, CopyWay::library, CopyWay::instruction};
constexpr std::size_t kTimedBytes = 64 * 1024;
constexpr int kTimedRounds = 9;

constinit KeptOnce<CopyChoice> made_choice;

std::string_view name(CopyWay way) {
    switch (way) {
        case CopyWay::strides: return "strides";
        case CopyWay::library: return "library";
        case CopyWay::instruction: return "instruction";
    }
    return "";
}

const CopyChoice& keep(CopyChoice choice) {
    const CopyChoice& kept = made_choice.keep(std::move(choice));
    set_copy_ways(kept.ways);
    return kept;
}

CopyTimes time_copies(std::byte* to, const std::byte* from, const Clock& clock) {
    std::vector<CopyWay> contenders;
    std::vector<Way> ways;
    for (const CopyWay way : kWays) {
        if (!has(way)) continue;
        contenders.push_back(way);
        ways.emplace_back([=] { copy_by(way, to, from, kTimedBytes); });
    }
    const std::vector<nanoseconds> least = least_times(ways, kTimedRounds, clock);
    CopyTimes times;
    times.fill(nanoseconds::max());
    for (std::size_t i = 0; i < contenders.size(); ++i) times[static_cast<std::size_t>(contenders[i])] = least[i];
    return times;
}

std::string text(const CopyTimes& times) {
    std::string all;
    for (const CopyWay way : kWays) {
        const nanoseconds time = times[static_cast<std::size_t>(way)];
        if (time == nanoseconds::max()) continue;
        all += format("{}{} {}", all.empty() ? "" : ", ", name(way), time.count());
    }
    return all;
}

}  // namespace

CopyContest time_copies(const Clock& clock) {
    constexpr std::size_t kRoom = kTimedBytes + kCopyPage;
    const auto room = std::make_unique<std::byte[]>(2 * kRoom + kCopyPage);
    const auto address = reinterpret_cast<std::uintptr_t>(room.get());
    std::byte* const from = room.get() + (kCopyPage - address % kCopyPage) % kCopyPage;
    std::byte* const to = from + kRoom;
    return {time_copies(to, from, clock), time_copies(to + kCopyBehind / 2, from, clock)};
}

CopyWay quickest_copy(const CopyTimes& times) {
    CopyWay best = CopyWay::strides;
    for (const CopyWay way : kWays) {
        const nanoseconds least = times[static_cast<std::size_t>(best)];
        if (times[static_cast<std::size_t>(way)] < least - least / 16) best = way;
    }
    return best;
}

CopyChoice choice_by_times(const CopyContest& contest) {
    return {{quickest_copy(contest.apart), quickest_copy(contest.behind)},
            Ground::measured,
            format("{} KiB took, in nanoseconds: {}; with the target just behind the source within a page: {}",
                   kTimedBytes / 1024, text(contest.apart), text(contest.behind))};
}

const CopyChoice& copy_choice() {
    if (const CopyChoice* const made = made_choice.get()) return *made;
    return keep(choice_by_times(time_copies(now)));
}

void pin_copies(CopyWay way) {
    const CopyWay possible = has(way) ? way : CopyWay::library;
    keep({{possible, possible},
          Ground::setting,
          possible == way ? "by the setting" : "this processor has no instruction for copies"});
}

Choice shown(const CopyChoice& choice) {
    const auto [apart, behind] = choice.ways;
    std::string value(name(apart));
    if (behind != apart) value += format("; {} for a target just behind the source within a page", name(behind));
    return {"long copies", std::move(value), choice.ground, choice.reason, "OPENND_COPY"};
}

}  // namespace opennd
