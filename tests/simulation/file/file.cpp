// SPDX-License-Identifier: MIT
// See file.h.
#include "simulation/file/file.h"

#include <algorithm>

#include "simulation/file/epoll.h"
#include "simulation/world/process.h"

namespace opennd::simulation {
namespace {

constexpr Nanoseconds kLongestPatience = 300 * kSecond;

}  // namespace

void expect_no_sockets(World& world, const Process& process) {
    // A process that is stopped meanwhile needs its time behind that.
    for (int stops = -1; stops != process.stops();) {
        stops = process.stops();
        world.sleep(kLongestPatience);
    }
    for (const char* const kind : {"TCP", "local"})
        if (const std::string left = world.files().open_list(process, kind); !left.empty())
            world.fail("process " + process.name() + " has no connections, and keeps descriptors" + left);
}

void File::tell(World& world, std::uint32_t events) {
    for (Epoll* const epoll : watched_by_) epoll->hear(world, *this, events);
}

int FileTable::open(File& file, const Process& process) {
    while (lowest_free_ < entries_.size() && entries_[lowest_free_].file) ++lowest_free_;
    if (lowest_free_ == entries_.size()) entries_.emplace_back();
    entries_[lowest_free_] = {&file, &process};
    ++file.descriptors_;
    return kFirst + static_cast<int>(lowest_free_);
}

File* FileTable::find(int fd) const {
    const auto index = static_cast<std::size_t>(fd - kFirst);
    return fd >= kFirst && index < entries_.size() ? entries_[index].file : nullptr;
}

bool FileTable::close(int fd, World& world) {
    File* const file = find(fd);
    if (!file) return false;
    const auto index = static_cast<std::size_t>(fd - kFirst);
    entries_[index] = {};
    lowest_free_ = std::min(lowest_free_, index);
    if (--file->descriptors_ > 0) return true;
    while (!file->watched_by_.empty()) file->watched_by_.back()->forget(*file);
    file->on_close();
    (void)world;
    return true;
}

std::string FileTable::open_list(const Process& process, const std::string& kind) const {
    std::string list;
    for (std::size_t index = 0; index < entries_.size(); ++index)
        if (entries_[index].process == &process && entries_[index].file->name().starts_with(kind))
            list += " " + std::to_string(index) + " (" + entries_[index].file->name() + ")";
    return list;
}

void FileTable::close_all_of(const Process& process, World& world) {
    for (std::size_t index = 0; index < entries_.size(); ++index)
        if (entries_[index].process == &process) (void)close(kFirst + static_cast<int>(index), world);
}

}  // namespace opennd::simulation
