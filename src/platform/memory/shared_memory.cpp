// SPDX-License-Identifier: MIT
// memfd, seals and mappings; see shared_memory.h.
#include "platform/memory/shared_memory.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

#include "base/explanation.h"
#include "base/fork_step.h"
#include "base/lock.h"
#include "platform/process/errno_status.h"
#include "platform/process/signals.h"

namespace opennd {
namespace {

Status creation_failed(const char* name, std::size_t bytes, const char* step, int error) {
    return explain(resource_status(error),
                   {.object = phrase("shared memory \"{}\"", name),
                    .operation = step,
                    .asked = phrase("shared memory of {} bytes ({})", bytes, step),
                    .limit = std::strerror(error),
                    .remedy = "free memory, raise the limits on files and address space, or let the "
                              "sandbox of this process use memfd",
                    .requirement = "ND2-GEN-02"});
}

// A size over this process's limit raises SIGXFSZ, which ends the process by default.
int set_size(int fd, off_t bytes) {
    const QuietWrite quiet;
    return ::ftruncate(fd, bytes);
}

bool over_limit(std::size_t bytes) {
    rlimit limit{};
    return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && bytes > limit.rlim_cur;
}

Status refuse_foreign(std::string_view asked, std::string_view limit) {
    return report(Status::access_violation, {.object = "shared memory of a peer",
                                             .operation = "connecting",
                                             .asked = asked,
                                             .limit = limit,
                                             .remedy = "use the same version of OpenND in both programs",
                                             .requirement = "ND2-GEN-02",
                                             .cause = LogCause::peer});
}

// Size and kind of a file that a peer sent, or why it may not be mapped. The seals are checked before the properties
// that they fix. A file that could grow would come back longer than its one mapping (Mappings).
Result<std::size_t> check_foreign_file(int fd, SharedMemory::Size size) {
    constexpr int kFast = F_SEAL_SHRINK | F_SEAL_GROW;
    const int seals = ::fcntl(fd, F_GET_SEALS);
    struct stat file {};
    struct statfs system {};
    if (::fstat(fd, &file) != 0 || ::fstatfs(fd, &system) != 0) {
        return refuse_foreign(phrase("descriptor {}", fd), std::strerror(errno));
    }
    if (!S_ISREG(file.st_mode) || system.f_type != TMPFS_MAGIC) {
        return refuse_foreign(phrase("descriptor {}", fd), "a memfd of ordinary pages");
    }
    if (seals < 0 || (seals & kFast) != kFast) {
        return refuse_foreign(phrase("descriptor {} of a file with a size that may change", fd),
                              "a file sealed with F_SEAL_SHRINK and F_SEAL_GROW, so that no access runs past its end");
    }
    const auto bytes = static_cast<std::size_t>(file.st_size);
    if (bytes < size.least || bytes > size.most || bytes == 0) {
        return refuse_foreign(
            phrase("a file of {} bytes", bytes),
            size.least == size.most ? phrase("{} bytes", size.least) : phrase("{} to {} bytes", size.least, size.most));
    }
    return bytes;
}

Status refuse_more(std::size_t bytes) {
    return report(Status::no_memory, {.object = "shared memory of a peer",
                                      .operation = "mapping",
                                      .asked = phrase("{} bytes more", bytes),
                                      .limit = phrase("{} bytes of all peers at a time", SharedMemory::kMostOfPeers),
                                      .remedy = "let peers allocate less with opennd_memory_allocate",
                                      .requirement = "ND2-GEN-02",
                                      .cause = LogCause::peer});
}

struct Mapping {
    std::byte* data;
    std::size_t bytes;
    std::size_t of_peer;  // bytes of a peer's file
    bool peers_may_write;
    SharedMemory::InChild in_child;
    std::size_t users = 1;
};

// One mapping of a file serves the whole process, so that both ends of a connection within one process meet at the same
// addresses. A property of the process by nature, like the handle table.
class Mappings final : public ForkStep {
public:
    using Key = std::pair<dev_t, ino_t>;

    constexpr Mappings() = default;

    // The mapping that exists, or `wanted` with the address that `map` returns; null: it cannot.
    // access_violation: it exists and may not be written that way. no_memory: peers have too much.
    template <typename Map>
    Result<std::byte*> get(const Key& key, SharedMemory::Access access, const Mapping& wanted, Map map) {
        const Held lock(mutex_);
        if (!tables_) tables_ = new Tables;
        if (const auto found = tables_->by_file.find(key); found != tables_->by_file.end())
            return share(found->second, access);
        if (wanted.of_peer > SharedMemory::kMostOfPeers - tables_->of_peers) return Status::no_memory;
        // The entries first: once the file is mapped nothing may fail for want of memory.
        std::map<Key, Mapping> by_file{{key, wanted}};
        std::map<const std::byte*, Key> by_address{{nullptr, key}};
        std::byte* const data = map();
        if (!data) return data;
        by_file.begin()->second.data = data;
        auto entry = by_address.extract(by_address.begin());
        entry.key() = data;
        tables_->by_file.merge(by_file);
        tables_->by_address.insert(std::move(entry));
        tables_->of_peers += wanted.of_peer;
        return data;
    }
    // One more user of the existing mapping, or null. Mapped files were made here or have been checked.
    Result<std::byte*> find(const Key& key, SharedMemory::Access access) {
        const Held lock(mutex_);
        if (!tables_) return static_cast<std::byte*>(nullptr);
        const auto found = tables_->by_file.find(key);
        if (found == tables_->by_file.end()) return static_cast<std::byte*>(nullptr);
        return share(found->second, access);
    }
    void forbid_writing(const std::byte* data) {
        const Held lock(mutex_);
        tables_->by_file.at(tables_->by_address.at(data)).peers_may_write = false;
    }
    // The last user unmaps. A mapping that a child of fork inherited is none of its own.
    void drop(const std::byte* data) {
        const Held lock(mutex_);
        if (!tables_) return;
        const auto address = tables_->by_address.find(data);
        if (address == tables_->by_address.end()) return;
        const auto file = tables_->by_file.find(address->second);
        if (--file->second.users > 0) return;
        ::munmap(file->second.data, file->second.bytes);
        tables_->of_peers -= file->second.of_peer;
        tables_->by_file.erase(file);
        tables_->by_address.erase(address);
    }

private:
    struct Tables {
        std::size_t of_peers = 0;  // bytes mapped of files that peers made
        std::map<Key, Mapping> by_file;
        std::map<const std::byte*, Key> by_address;
    };

    static Result<std::byte*> share(Mapping& mapping, SharedMemory::Access access) {
        if (access == SharedMemory::Access::read_write && !mapping.peers_may_write) return Status::access_violation;
        ++mapping.users;
        return mapping.data;
    }
    void before_fork() noexcept override NO_THREAD_SAFETY_ANALYSIS { mutex_.lock(); }
    void behind_fork() noexcept override NO_THREAD_SAFETY_ANALYSIS { mutex_.unlock(); }
    // Zeros take the place of what the parent shares with its peers: a child that releases what it inherited stores there, not at its parent's.
    void begin_child() noexcept override NO_THREAD_SAFETY_ANALYSIS {
        forget_holder(mutex_);
        if (Tables* const left = std::exchange(tables_, nullptr)) parents_ = left;
        if (!parents_) return;
        for (const auto& [key, mapping] : parents_->by_file)
            if (mapping.in_child == SharedMemory::InChild::zeros) replace_by_zeros(mapping);
    }
    static void replace_by_zeros(const Mapping& mapping) {
        constexpr int kPrivate = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        if (::mmap(mapping.data, mapping.bytes, PROT_READ | PROT_WRITE, kPrivate, -1, 0) == MAP_FAILED)
            ::munmap(mapping.data, mapping.bytes);
    }

    Mutex mutex_;  // nothing waits under it, and nothing of a program is called
    // Made at the first need and never destroyed: memory is unmapped while the process exits.
    Tables* tables_ GUARDED_BY(mutex_) = nullptr;
    const Tables* parents_ GUARDED_BY(mutex_) = nullptr;
};

constinit Mappings mappings_of_process;
[[maybe_unused]] const bool mappings_listed = mappings_of_process.list();

Mappings::Key key_of(const struct stat& file) { return {file.st_dev, file.st_ino}; }

}  // namespace

SharedMemory::SharedMemory(Descriptor fd, std::byte* data, std::size_t bytes)
    : fd_(std::move(fd)), data_(data), bytes_(bytes) {}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : fd_(std::move(other.fd_)), data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

bool SharedMemory::give_back(std::size_t offset, std::size_t bytes) const {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t begin = (offset + page - 1) / page * page, end = (offset + bytes) / page * page;
    return begin >= end || ::madvise(data_ + begin, end - begin, MADV_REMOVE) == 0;
}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
    SharedMemory old(std::move(*this));
    fd_ = std::move(other.fd_);
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
}

SharedMemory::~SharedMemory() {
    if (data_) mappings_of_process.drop(data_);
}

Result<SharedMemory> SharedMemory::create(const char* name, std::size_t bytes, Peers peers, InChild in_child) {
    if (bytes == 0 || bytes > static_cast<std::size_t>(std::numeric_limits<off_t>::max())) {
        return explain(Status::invalid_length, {.object = phrase("shared memory \"{}\"", name),
                                                .operation = "creation",
                                                .asked = phrase("shared memory of {} bytes", bytes),
                                                .limit = "1 byte to the size of a file",
                                                .remedy = "ask for as much as is needed",
                                                .requirement = "ND2-GEN-02"});
    }
    Descriptor fd = Descriptor::made([&] { return ::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); });
    if (!fd) return creation_failed(name, bytes, "memfd_create", errno);
    if (set_size(fd.get(), static_cast<off_t>(bytes)) != 0) {
        if (errno == EFBIG && over_limit(bytes))
            return explain(Status::insufficient_resources,
                           {.object = phrase("shared memory \"{}\"", name),
                            .operation = "ftruncate",
                            .asked = phrase("shared memory of {} bytes", bytes),
                            .limit = "the size of a file of this process (RLIMIT_FSIZE), which memory for peers is",
                            .remedy = "raise the limit on the size of files (ulimit -f)",
                            .requirement = "ND2-GEN-02"});
        // EFBIG, EINVAL: longer than a file of this system can be.
        if (errno == EFBIG || errno == EINVAL) {
            return explain(Status::invalid_length, {.object = phrase("shared memory \"{}\"", name),
                                                    .operation = "creation",
                                                    .asked = phrase("shared memory of {} bytes", bytes),
                                                    .limit = "the size a file can have",
                                                    .remedy = "ask for as much as is needed",
                                                    .requirement = "ND2-GEN-02"});
        }
        return creation_failed(name, bytes, "ftruncate", errno);
    }
    auto memory = map_all(std::move(fd), bytes, Access::read_write, Maker::self, in_child);
    if (!memory.ok()) return memory;
    // Sealed against later writers only after this process has its own writable mapping.
    const int against_writers = peers == Peers::read_only ? F_SEAL_FUTURE_WRITE : 0;
    if (::fcntl(memory.value().descriptor(), F_ADD_SEALS,
                F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | against_writers) != 0)
        return creation_failed(name, bytes, "sealing", errno);
    if (peers == Peers::read_only) mappings_of_process.forbid_writing(memory.value().data());
    return memory;
}

Result<SharedMemory> SharedMemory::map(ForeignDescriptor sent, Size size, Access access) {
    if (!sent.is_memory()) return refuse_foreign(phrase("descriptor {}", sent.get()), "a memfd of ordinary pages");
    Descriptor fd = sent.take_memory();
    struct stat file {};
    if (::fstat(fd.get(), &file) != 0) return refuse_foreign(phrase("descriptor {}", fd.get()), std::strerror(errno));
    // Mapped already: checked then, and its size cannot change.
    const auto length = static_cast<std::size_t>(file.st_size);
    if (length >= size.least && length <= size.most) {
        const Result<std::byte*> mapped = mappings_of_process.find(key_of(file), access);
        if (!mapped.ok()) return mapped.status();
        if (mapped.value()) return SharedMemory(std::move(fd), mapped.value(), length);
    }
    const Result<std::size_t> bytes = check_foreign_file(fd.get(), size);
    if (!bytes.ok()) return bytes.status();
    return map_all(std::move(fd), bytes.value(), access, Maker::peer, InChild::zeros);
}

Result<SharedMemory> SharedMemory::map_all(Descriptor fd, std::size_t bytes, Access access, Maker maker,
                                           InChild in_child) {
    struct stat file {};
    if (::fstat(fd.get(), &file) != 0) return resource_status(errno);
    const std::size_t of_peer = maker == Maker::peer ? bytes : 0;
    int error = 0;
    const Mapping wanted{nullptr, bytes, of_peer, access == Access::read_write, in_child};
    const auto data = mappings_of_process.get(key_of(file), access, wanted, [&]() -> std::byte* {
        const int protection = access == Access::read_write ? PROT_READ | PROT_WRITE : PROT_READ;
        void* const mapped = ::mmap(nullptr, bytes, protection, MAP_SHARED | MAP_NORESERVE, fd.get(), 0);
        if (mapped != MAP_FAILED) return static_cast<std::byte*>(mapped);
        error = errno;
        return nullptr;
    });
    if (!data.ok()) return data.status() == Status::no_memory ? refuse_more(of_peer) : data.status();
    if (data.value()) return SharedMemory(std::move(fd), data.value(), bytes);
    // EPERM, EACCES: sealed against writing, opened without the right, or a sandbox.
    const Status refused = maker == Maker::peer ? Status::access_violation : Status::insufficient_resources;
    return explain(error == EPERM || error == EACCES ? refused : resource_status(error),
                   {.object = "shared memory",
                    .operation = "mapping",
                    .asked = phrase("shared memory of {} bytes", bytes),
                    .limit = std::strerror(error),
                    .remedy = "free address space, or raise the limits on memory",
                    .requirement = "ND2-GEN-02",
                    .cause = maker == Maker::peer ? LogCause::peer : LogCause::program});
}

}  // namespace opennd
