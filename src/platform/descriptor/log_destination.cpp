// SPDX-License-Identifier: MIT
// See log_destination.h.
#include "platform/descriptor/log_destination.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>

#include "base/fork_step.h"
#include "base/format.h"
#include "base/lock.h"
#include "platform/descriptor/descriptor.h"
#include "platform/process/signals.h"
#include "platform/process/this_process.h"
#include "platform/process/user.h"

namespace opennd {
namespace {

// The time of day of a line.
enum class LineTime {
    with_zone,      // "2026-02-03 04:05:06.123456+0100", in the zone of this process, as `nd dump` writes it
    of_system_log,  // "Feb  3 04:05:06", in English and in the zone of this process
    universal,      // "2026-02-03T04:05:06.123456Z"
};

constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

class LineClock final : public ForkStep {
public:
    constexpr LineClock() = default;

    tm parts_of(time_t seconds, bool universal) noexcept {
        const Held lock(mutex_);
        tm parts{};
        if (universal)
            ::gmtime_r(&seconds, &parts);
        else
            ::localtime_r(&seconds, &parts);
        return parts;
    }

private:
    void before_fork() noexcept override NO_THREAD_SAFETY_ANALYSIS { mutex_.lock(); }
    void behind_fork() noexcept override NO_THREAD_SAFETY_ANALYSIS { mutex_.unlock(); }
    void begin_child() noexcept override NO_THREAD_SAFETY_ANALYSIS { mutex_.unlock(); }

    Mutex mutex_;  // held around the C library's conversion alone
};

constinit LineClock line_clock;
[[maybe_unused]] const bool line_clock_listed = line_clock.list();

// Ends with a zero. A fork waits for it: both conversions of the C library take the lock of its zone, which children would find held.
std::array<char, 40> line_time(LineTime form) noexcept {
    timespec at{};
    ::clock_gettime(CLOCK_REALTIME, &at);
    const bool universal = form == LineTime::universal;
    const tm parts = line_clock.parts_of(at.tv_sec, universal);
    std::array<char, 40> text{};
    if (form != LineTime::of_system_log) {
        const char* const format = universal ? "%Y-%m-%dT%H:%M:%S" : "%Y-%m-%d %H:%M:%S";
        const std::size_t date = ::strftime(text.data(), text.size(), format, &parts);
        const std::span<char> rest = std::span(text).subspan(date);
        const long microseconds = at.tv_nsec / 1000, minutes = std::labs(parts.tm_gmtoff) / 60;
        if (universal)
            std::snprintf(rest.data(), rest.size(), ".%06ldZ", microseconds);
        else  // strftime's %z may take the lock of the zone
            std::snprintf(rest.data(), rest.size(), ".%06ld%c%02ld%02ld", microseconds, parts.tm_gmtoff < 0 ? '-' : '+',
                          minutes / 60, minutes % 60);
    } else {
        const std::size_t month = std::snprintf(text.data(), text.size(), "%s ", kMonths[parts.tm_mon]);
        ::strftime(text.data() + month, text.size() - month, "%e %H:%M:%S", &parts);
    }
    return text;
}

const char* name_of(LogLevel level) {
    switch (level) {
        case LogLevel::error: return "error";
        case LogLevel::warn: return "warning";
        case LogLevel::info: return "info";
        case LogLevel::debug: return "debug";
        case LogLevel::off: return "off";
    }
    return "off";
}

int priority_of(LogLevel level) {
    switch (level) {
        case LogLevel::error: return LOG_ERR;
        case LogLevel::warn: return LOG_WARNING;
        case LogLevel::info: return LOG_INFO;
        case LogLevel::debug:
        case LogLevel::off: return LOG_DEBUG;
    }
    return LOG_DEBUG;
}

bool write_once(int fd, std::string_view line) {
    const QuietWrite quiet;
    ssize_t written = 0;
    do written = ::write(fd, line.data(), line.size());
    while (written < 0 && errno == EINTR);
    return written > 0;
}

bool send_once(int fd, std::string_view line) {
    ssize_t sent = 0;
    do sent = ::send(fd, line.data(), line.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent > 0;
}

bool has_room(int fd) {
    pollfd entry{fd, POLLOUT, 0};
    return ::poll(&entry, 1, 0) == 1 && (entry.revents & POLLOUT) != 0;
}

// The pipe once more, as a file of its own that does not wait: O_NONBLOCK on the given one would be its other users' too. Without /proc the
// pipe is asked for room, which another writer may take in between.
bool write_to_pipe(int fd, std::string_view line) {
    char path[32];
    std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const Descriptor own = Descriptor::made([&] { return ::open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC); });
    if (own) return write_once(own.get(), line);
    return errno != ENXIO && has_room(fd) && write_once(fd, line.substr(0, PIPE_BUF));
}

// Writes to a file, a terminal, a pipe or a socket; its open file may be other processes' too, and keeps its flags. False: there is no room now,
// nobody reads, the file is full. A line of more than 4 KiB may be cut. No signal is raised.
[[nodiscard]] bool write_line(int fd, std::string_view line) noexcept {
    struct stat file {};
    if (::fstat(fd, &file) != 0) return false;
    if (S_ISREG(file.st_mode)) return write_once(fd, line);
    if (S_ISSOCK(file.st_mode)) return send_once(fd, line);
    if (S_ISFIFO(file.st_mode)) return write_to_pipe(fd, line);
    return has_room(fd) && write_once(fd, line);
}

constexpr const char* kSystemLog = "/dev/log";

// Sends to the socket of the system's log. False: there is none, or it takes no more now.
[[nodiscard]] bool send_to_system_log(std::string_view line) noexcept {
    const Descriptor socket =
        Descriptor::made([] { return ::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); });
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, kSystemLog, sizeof address.sun_path - 1);
    if (!socket || ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return false;
    return send_once(socket.get(), line);
}

// A string of JSON. `text` is printable: only a quotation mark and a backslash need one in front.
std::string quoted(std::string_view text) {
    std::string all = "\"";
    for (const char each : text) {
        if (each == '"' || each == '\\') all += '\\';
        all += each;
    }
    return all += '"';
}

// A descriptor of standard error, or of a file that stays open: a child of fork writes to it as well.
class Stream final : public LogDestination {
public:
    Stream(int fd, LogForm form) : fd_(fd), form_(form) {}
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() override {
        if (fd_ != STDERR_FILENO) ::close(fd_);
    }
    bool write(LogLevel level, std::string_view line) override {
        return write_line(fd_, form_ == LogForm::json ? as_json(level, line) : as_text(level, line));
    }

private:
    static std::string as_text(LogLevel level, std::string_view line) {
        return format("{} {}:{} opennd {}: {}\n", line_time(LineTime::with_zone).data(), ::getpid(), ::gettid(),
                      name_of(level), line);
    }
    static std::string as_json(LogLevel level, std::string_view line) {
        return format(R"({{"time":"{}","pid":{},"tid":{},"level":"{}","message":{}}})"
                      "\n",
                      line_time(LineTime::universal).data(), ::getpid(), ::gettid(), name_of(level), quoted(line));
    }

    const int fd_;
    const LogForm form_;
};

// The system's log. A line is worded as syslog(3) words it, which waits for the daemon.
class SystemLog final : public LogDestination {
public:
    bool write(LogLevel level, std::string_view line) override {
        return send_to_system_log(format("<{}>{} {}[{}]: opennd {}", LOG_USER | priority_of(level),
                                         line_time(LineTime::of_system_log).data(), program_name(), ::getpid(), line));
    }
};

std::unique_ptr<LogDestination> standard_error(LogForm form) { return std::make_unique<Stream>(STDERR_FILENO, form); }

std::unique_ptr<LogDestination> standard_error_instead(LogForm form, std::string_view place, std::string_view reason) {
    std::unique_ptr<LogDestination> destination = standard_error(form);
    (void)destination->write(LogLevel::error,
                             format("the log cannot go to \"{}\": {}; it goes to standard error", place, reason));
    return destination;
}

// Most containers have no daemon of the system's log. One that is only busy, or is started anew, leaves its socket there.
std::unique_ptr<LogDestination> system_log(LogForm form, std::string_view place) {
    if (::access(kSystemLog, F_OK) != 0)
        return standard_error_instead(form, place, format("{}: {}", kSystemLog, std::strerror(errno)));
    return std::make_unique<SystemLog>();
}

// Why the file that is open may not be the log; empty: it may.
std::string_view unfit(int fd) {
    struct stat file {};
    if (::fstat(fd, &file) != 0) return std::strerror(errno);
    if (!S_ISREG(file.st_mode)) return "it is no regular file";
    if (file.st_uid != own_user()) return "the file belongs to another user; name one that this user may make";
    return file.st_nlink > 1 ? "the file has a second name; name another one" : std::string_view();
}

// O_NONBLOCK: a pipe without a reader is an error then, and no wait.
std::unique_ptr<LogDestination> file_at(const std::string& path, LogForm form) {
    std::error_code folders;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), folders);
    constexpr int kFlags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    const int fd = ::open(path.c_str(), kFlags, S_IRUSR | S_IWUSR);
    if (fd < 0)
        return standard_error_instead(form, path,
                                      errno == ELOOP ? "it is a symbolic link; name the file" : std::strerror(errno));
    auto file = std::make_unique<Stream>(fd, form);
    const std::string_view reason = unfit(fd);
    if (!reason.empty()) return standard_error_instead(form, path, reason);
    return file;
}

}  // namespace

std::unique_ptr<LogDestination> make_log_destination(std::string_view place, LogForm form) {
    if (place.empty() || place == "stderr") return standard_error(form);
    if (place == "syslog") return system_log(form, place);
    if (!place.starts_with('/'))
        return standard_error_instead(form, place, "expected stderr, syslog, or an absolute path");
    return file_at(std::string(place), form);
}

}  // namespace opennd
