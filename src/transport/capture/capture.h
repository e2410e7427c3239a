// SPDX-License-Identifier: MIT
// One capture while it runs: takes messages of connections, gives each its place in a stream of TCP, and has a thread that writes
// them as packets. Whoever hands a message over never waits for the file: a frame without room in the buffer is dropped, and counted.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "model/sge.h"
#include "platform/thread/condition.h"
#include "transport/capture/capture_files.h"
#include "transport/capture/frame.h"
#include "transport/capture/options.h"
#include "transport/iwarp/wire/ddp_header.h"
#include "transport/iwarp/wire/fault.h"
#include "transport/iwarp/wire/read_request.h"
#include "transport/soft/channel/channel_layer.h"

namespace opennd::capture {

// The facts about this process that the files tell.
struct Author {
    std::string application;  // "OpenND 1.0"
    std::string program;
    std::int64_t process = 0;
};

struct Counts {
    std::uint64_t connections = 0;
    std::uint64_t packets = 0;  // dropped ones included
    std::uint64_t dropped = 0;
    std::string file;                 // the newest
    Status status = Status::success;  // of the first write that failed
};

// A message of RDMAP with octets of a program.
struct Message {
    iwarp::Opcode opcode;
    iwarp::Stag stag{};        // the memory that the message goes to, or that it ends
    std::uint64_t offset = 0;  // the place in that memory, of a tagged message
    std::span<const Sge> sges;
    std::uint32_t length_bytes = 0;
    std::optional<std::uint32_t> immediate = {};  // in a Send, or in a message behind the Write
};

// A capture while it runs. Any thread.
class Capture final : public RefCounted {
public:
    // Opens the first file of `source` and starts the thread. Otherwise `fault` says why not.
    static Result<Ref<Capture>> begin(const Options& options, const Author& author, std::unique_ptr<FileSource> source,
                                      std::string& fault);
    ~Capture() override;

    // Adds one end of a connection in this process. Returns null if the filter leaves it out, or there is no memory.
    Ref<Flow> enter(const soft::ConnectionFacts& facts) EXCLUDES(mutex_);
    void leave(Flow& flow, End end) EXCLUDES(mutex_);
    // Records a message that `from` sends. `known_by` is the end that tells of it: where both ends are in this process,
    // only the sender tells.
    void put(Flow& flow, End from, End known_by, const Message& message) EXCLUDES(mutex_);
    // Records the immediate data behind a Write. As put().
    void put_immediate_data(Flow& flow, End from, End known_by, std::uint32_t immediate, bool solicited)
        EXCLUDES(mutex_);
    void put_read_request(Flow& flow, End from, const iwarp::ReadRequest& request) EXCLUDES(mutex_);
    // Records the Terminate that `from` sends, once a flow.
    void put_terminate(Flow& flow, End from, const iwarp::TerminateCause& cause, std::string_view why) EXCLUDES(mutex_);
    // Records that the connection is over for the end `known_by`, since `first` ended it. The other end in this process
    // may have more to tell.
    void put_end(Flow& flow, End first, End known_by) EXCLUDES(mutex_);

    // Writes the frames that wait, with statistics, and ends; takes nothing from here on. Waits for two seconds at
    // most, which only a pipe or a disk that takes nothing needs.
    Counts end() EXCLUDES(mutex_);
    Counts counts() const EXCLUDES(mutex_);

private:
    // The wires in the files, by the order in which they came.
    struct WireCounts {
        std::string_view wire;
        std::uint64_t seen = 0, dropped = 0;
    };
    using Key = std::pair<Address, Address>;

    Capture(const Options& options, const Author& author, std::unique_ptr<FileSource> source, Filter filter);

    static void* write_all(void* self);
    void write_until_end() EXCLUDES(mutex_);
    void write(std::vector<Frame>& frames) EXCLUDES(mutex_);
    Status write_frame(const Frame& frame) EXCLUDES(mutex_);
    void describe_wires(std::size_t interface) EXCLUDES(mutex_);
    Status begin_file(WallTime at) EXCLUDES(mutex_);
    Status finish_file(WallTime at) EXCLUDES(mutex_);
    Status flush_blocks();
    void fail(Status status, std::string_view path) EXCLUDES(mutex_);
    // Returns the words for a failure to write with this status.
    std::string_view reason_of(Status status) const;
    Ref<Flow> make_flow(const soft::ConnectionFacts& facts) REQUIRES(mutex_);
    std::string describe(const soft::ConnectionFacts& facts) const;
    std::uint32_t interface_of(std::string_view wire) REQUIRES(mutex_);
    Frame frame(Flow& flow, Frame::Kind kind, End from, TcpFlags flags, std::uint32_t octets) REQUIRES(mutex_);
    Frame fpdu(Flow& flow, End from, std::span<const std::byte> head, std::uint32_t payload_bytes) REQUIRES(mutex_);
    void enqueue(Frame frame) REQUIRES(mutex_);
    void count_dropped(Flow& flow) REQUIRES(mutex_);
    void end_if_due(Flow& flow) REQUIRES(mutex_);
    bool is_told_by_sender(const Flow& flow, End from, End known_by) const REQUIRES(mutex_) {
        return flow.present[index(from)] != 0 && known_by != from;
    }
    void acknowledge_if_due(Flow& flow, End from) REQUIRES(mutex_);

    // Constant after construction.
    const Options options_;
    const Author author_;
    const Filter filter_;
    const WallTime began_;

    mutable Mutex mutex_;  // nothing but the log is called under it
    Condition news_, finished_news_;
    std::vector<Frame> queue_ GUARDED_BY(mutex_);
    std::size_t held_bytes_ GUARDED_BY(mutex_) = 0;      // of frames that are not written yet
    std::map<Key, Ref<Flow>> flows_ GUARDED_BY(mutex_);  // by the address of the active end first
    std::vector<WireCounts> wires_ GUARDED_BY(mutex_);
    std::uint32_t flows_made_ GUARDED_BY(mutex_) = 0;
    bool ending_ GUARDED_BY(mutex_) = false, finished_ GUARDED_BY(mutex_) = false;
    bool told_of_drops_ GUARDED_BY(mutex_) = false;
    Status status_ GUARDED_BY(mutex_) = Status::success;
    std::string path_ GUARDED_BY(mutex_);

    // The writer's, once it has started.
    CaptureFiles files_;
    PacketMaker packets_;
    Octets blocks_;
    std::size_t described_ = 0;  // wires that the newest file describes
};

}  // namespace opennd::capture
