// SPDX-License-Identifier: MIT
//
// The lines that the library writes to its log, as a program's sink gets them.
#pragma once

#include <opennd.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace opennd::support {

// All lines of a level and graver ones while it lives; standard error gets none of them. There is one at a time.
class LogLines {
public:
    explicit LogLines(opennd_log_level level) { opennd_log_sink(&keep, this, level); }
    LogLines(const LogLines&) = delete;
    LogLines& operator=(const LogLines&) = delete;
    ~LogLines() { opennd_log_sink(nullptr, nullptr, OPENND_LOG_ERROR); }

    std::vector<std::string> all() const {
        const std::lock_guard lock(mutex_);
        return lines_;
    }
    std::size_t with(std::string_view text) const {
        const std::vector<std::string> lines = all();
        return static_cast<std::size_t>(std::count_if(
            lines.begin(), lines.end(), [&](const std::string& line) { return line.find(text) != std::string::npos; }));
    }
    // The level of the first line with this text; OPENND_LOG_OFF: there is none.
    opennd_log_level level_of(std::string_view text) const {
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 0; i < lines_.size(); ++i)
            if (lines_[i].find(text) != std::string::npos) return levels_[i];
        return OPENND_LOG_OFF;
    }

private:
    static void keep(void* self, opennd_log_level level, const char* line) {
        auto* const lines = static_cast<LogLines*>(self);
        const std::lock_guard lock(lines->mutex_);
        lines->lines_.emplace_back(line);
        lines->levels_.push_back(level);
    }

    mutable std::mutex mutex_;
    std::vector<std::string> lines_;
    std::vector<opennd_log_level> levels_;  // as long
};

}  // namespace opennd::support
