// SPDX-License-Identifier: MIT
// See placing_choice.h.
#include "transport/local/placing_choice.h"

#include <vector>

#include "base/format.h"
#include "base/kept_once.h"
#include "platform/memory/copy_choice.h"
#include "platform/memory/long_copy.h"
#include "platform/memory/process_memory.h"

namespace opennd::local {
namespace {

constexpr std::size_t kTimedBytes = 64 * 1024;
constexpr int kTimedRounds = 9;

constinit KeptOnce<PlacingChoice> made_choice;

}  // namespace

PlacingTimes time_placing(const Clock& clock) {
    (void)copy_choice();
    std::vector<std::byte> from(kTimedBytes), to(kTimedBytes);
    const iovec local{from.data(), from.size()}, remote{to.data(), to.size()};
    bool works = true;
    const Way ways[] = {[&] {
                            works = works && ok(write_process_memory(own_process(), {&local, 1}, {&remote, 1}));
                        },
                        [&] { copy_longer(to.data(), from.data(), kTimedBytes); }};
    const auto least = least_times(ways, kTimedRounds, clock);
    return {works ? least[0] : std::chrono::nanoseconds::max(), least[1]};
}

PlacingChoice choice_by_times(const PlacingTimes& times) {
    if (times.by_kernel == std::chrono::nanoseconds::max())
        return {false, Ground::measured, "the kernel refuses to copy between processes"};
    return {times.by_kernel <= kStreamingCopies * times.by_process, Ground::measured,
            format("{} KiB took, in nanoseconds: the kernel {}, a copy {}; two ends that stream take some {} copies",
                   kTimedBytes / 1024, times.by_kernel.count(), times.by_process.count(), kStreamingCopies)};
}

const PlacingChoice& placing_choice() {
    if (const PlacingChoice* const made = made_choice.get()) return *made;
    return made_choice.keep(choice_by_times(time_placing(now)));
}

void pin_placing(bool placed) { (void)made_choice.keep({placed, Ground::setting, "by the setting"}); }

Choice shown(const PlacingChoice& choice) {
    return {"long Sends, private memory", choice.placed ? "placed by the sender" : "streamed", choice.ground,
            choice.reason, "OPENND_SHM_LONG_SENDS"};
}

}  // namespace opennd::local
