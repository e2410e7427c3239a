// SPDX-License-Identifier: MIT
// Anonymous memory that can be passed to another process as a descriptor (memfd), and the careful way to map a peer's
// memory. Sealed against resizing, so that no peer can cut it short under a reader (SIGBUS).
#pragma once

#include <cstddef>

#include "base/result.h"
#include "platform/descriptor/descriptor.h"
#include "platform/descriptor/foreign_descriptor.h"

namespace opennd {

// Within one process a file is mapped once, however often it is created or received. Owns a share of that mapping and,
// until close_descriptor(), the descriptor behind it. Movable. The object is not thread-safe. Every process that maps
// the bytes may change them at any time.
class SharedMemory {
public:
    // The size that a peer's file must have.
    struct Size {
        std::size_t least, most;  // bytes
        constexpr Size(std::size_t exactly) : least(exactly), most(exactly) {}
        constexpr Size(std::size_t at_least, std::size_t at_most) : least(at_least), most(at_most) {}
    };
    // Bytes of peers' files that one process maps at a time, a quarter of the address space: beyond it none is mapped.
    static constexpr std::size_t kMostOfPeers = std::size_t{1} << 45;

    enum class Access { read_only, read_write };
    // The access that a process gets by the descriptor, even if it opens the file again.
    enum class Peers { read_only, read_write };
    // What a child of fork has at the same addresses: private zeros, or the same memory, as its program expects of its own.
    enum class InChild { zeros, same };

    // Owns nothing.
    SharedMemory() = default;
    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&& other) noexcept;
    ~SharedMemory();

    // `bytes` zero bytes, readable and writable. Memory is committed page by page on first touch. `name` appears in
    // /proc/<pid>/maps and need not be unique; at most 249 characters.
    //   invalid_length          bytes is 0 or more than a file can have
    //   insufficient_resources  no descriptor left, or the kernel or its sandbox forbids memfd_create
    //   no_memory               no address space, or no memory for the file
    // `peers` read_only needs Linux 5.1 (F_SEAL_FUTURE_WRITE); an older kernel gives insufficient_resources.
    static Result<SharedMemory> create(const char* name, std::size_t bytes, Peers peers = Peers::read_write,
                                       InChild in_child = InChild::zeros);

    // Maps a peer's whole file. The peer is not trusted: the file must be ordinary memory (not huge pages, since
    // their exhaustion raises SIGBUS), sealed against shrinking and growing, and of the right size.
    //   access_violation  not such a file, of another size, or sealed against the access asked for; logged
    //   no_memory         no address space, or peers have had kMostOfPeers of it; logged
    static Result<SharedMemory> map(ForeignDescriptor fd, Size size, Access access);

    // Page-aligned; nullptr if nothing is owned.
    std::byte* data() const { return data_; }
    // Bytes.
    std::size_t size() const { return bytes_; }
    // Borrowed; -1 after close_descriptor().
    int descriptor() const { return fd_.get(); }
    // Drops the descriptor and keeps the mapping.
    void close_descriptor() { fd_.reset(); }
    // The whole pages of the range go back to the system, for every process that maps them, and read as zero again. False: the
    // system refuses (errno).
    [[nodiscard]] bool give_back(std::size_t offset, std::size_t bytes) const;

private:
    SharedMemory(Descriptor fd, std::byte* data, std::size_t bytes);
    enum class Maker { self, peer };
    static Result<SharedMemory> map_all(Descriptor fd, std::size_t bytes, Access access, Maker maker, InChild in_child);

    Descriptor fd_;
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace opennd
