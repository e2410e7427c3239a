// SPDX-License-Identifier: MIT
// What simulated descriptors stand for. As with Linux, several descriptors may stand for one file, and epoll sets watch files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simulation/world/world.h"

namespace opennd::simulation {

class Epoll;

class File {
public:
    virtual ~File() = default;

    // EPOLLIN and so on, as poll(2) would say.
    virtual std::uint32_t readiness() { return 0; }
    virtual std::string name() const = 0;
    // The last descriptor is gone.
    virtual void on_close() {}

    // Something of `events` happened: epoll sets that watch for it hear of it.
    void tell(World& world, std::uint32_t events);

private:
    friend class FileTable;
    friend class Epoll;
    std::uint32_t descriptors_ = 0;
    std::vector<Epoll*> watched_by_;
};

// Descriptors of all processes, from kFirst on. Files live as long as the run.
// Waits until the library has given up connections of lost peers; fails the run if the process still has one.
void expect_no_sockets(World& world, const Process& process);

class FileTable {
public:
    static constexpr int kFirst = 1 << 20;

    static bool is_simulated(int fd) { return fd >= kFirst; }

    template <typename T, typename... Args>
    T& make(Args&&... args) {
        auto made = std::make_unique<T>(std::forward<Args>(args)...);
        T& file = *made;
        files_.push_back(std::move(made));
        return file;
    }
    // Sockets are numbered for the trace.
    std::uint32_t next_number() { return ++last_number_; }
    // The lowest that is free.
    int open(File& file, const Process& process);
    // The open file; null: it is not open.
    File* find(int fd) const;
    template <typename T>
    T* find(int fd) const {
        return dynamic_cast<T*>(find(fd));
    }
    // Returns false if it is not open.
    bool close(int fd, World& world);
    void close_all_of(const Process& process, World& world);
    // The open files of a process of one kind, by number.
    std::string open_list(const Process& process, const std::string& kind) const;

private:
    struct Entry {
        File* file = nullptr;
        const Process* process = nullptr;
    };
    std::vector<std::unique_ptr<File>> files_;
    std::vector<Entry> entries_;
    std::uint32_t last_number_ = 0;
    std::size_t lowest_free_ = 0;  // none below it is
};

}  // namespace opennd::simulation
