// SPDX-License-Identifier: MIT
//
// Each check makes a connection of its own, so that one that fails leaves the others as they are. Read rdma.h first.
#include "doctor/rdma/rdma.h"

#include "nd_error.h"
#include "network/connection/completion_queue.h"
#include "network/connection/connection.h"
#include "pattern.h"
#include "text/number_text.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

namespace nd {
namespace {

using Clock = std::chrono::steady_clock;

constexpr ULONG kDepth = 64, kMessages = 32;
constexpr std::size_t kBytes = 65536;
constexpr std::size_t kPinned = std::size_t{64} << 20;
constexpr std::chrono::seconds kLongestWait{30};
constexpr std::chrono::milliseconds kLate{20};
constexpr double kLateCost_ms = 50;        // of a Receive that is posted late, at most
constexpr double kFlushTime_ms = 2000;     // OpenND waits so long for a device
constexpr std::uint64_t kSequence = 4711;  // of the pattern

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string milliseconds_text(double milliseconds) { return number_text(milliseconds, 2) + " ms"; }

// Memory with the object that windows are bound to, which MemoryBuffer does not show.
class WindowMemory {
public:
    WindowMemory(const Adapter& adapter, MemoryBuffer& memory) : memory_(memory) {
        check(adapter.nd2()->CreateMemoryRegion(IID_IND2MemoryRegion, adapter.overlapped_file(), region_.put()),
              "make a memory region", "IND2Adapter::CreateMemoryRegion");
        check(adapter.nd2()->CreateMemoryWindow(IID_IND2MemoryWindow, window_.put()), "make a memory window",
              "IND2Adapter::CreateMemoryWindow");
        check(request_.wait(object(), region_->Register(memory.data(), memory.size(), ND_MR_FLAG_ALLOW_LOCAL_WRITE,
                                                        request_.overlapped())),
              "register memory for a window", "IND2MemoryRegion::Register");
    }
    ~WindowMemory() {
        window_.reset();
        if (region_->Deregister(request_.overlapped()) == ND_PENDING) object().result(request_.overlapped());
    }
    WindowMemory(const WindowMemory&) = delete;
    WindowMemory& operator=(const WindowMemory&) = delete;

    void bind(IND2QueuePair& pair) {
        check(pair.Bind(nullptr, region_.get(), window_.get(), memory_.data(), memory_.size(),
                        ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE),
              "bind a window", "IND2QueuePair::Bind");
    }
    void invalidate(IND2QueuePair& pair) {
        check(pair.Invalidate(nullptr, window_.get(), 0), "invalidate a window", "IND2QueuePair::Invalidate");
    }
    UINT32 token() const { return window_->GetRemoteToken(); }

private:
    OverlappedObject object() const { return {nullptr, region_.get(), nullptr}; }

    MemoryBuffer& memory_;
    PendingRequest request_;  // outlives the region
    ComPtr<IND2MemoryRegion> region_;
    ComPtr<IND2MemoryWindow> window_;
};

struct End {
    explicit End(Adapter& adapter)
        : memory(adapter, kBytes, MemoryKind::ordinary),
          queue(adapter, 2 * kDepth),
          connection(adapter, [this] { pair = connection.make_queue_pair(queue, depths(), nullptr); }),
          inline_bytes(std::min<ULONG>(adapter.limits().MaxInlineDataSize, 64)) {}

    QueueDepths depths() const { return {kDepth, kDepth, inline_bytes}; }

    // The oldest result, which must come within kLongestWait, whatever it says.
    ND2_RESULT result(const char* of) {
        const auto end = Clock::now() + kLongestWait;
        ND2_RESULT result;
        while (queue.look<WaitBy::polling>(&result, 1) == 0)
            if (Clock::now() > end)
                throw std::runtime_error(std::string("no result of a ") + of + " within " +
                                         std::to_string(kLongestWait.count()) + " s");
        return result;
    }
    void take(const char* of) { CompletionQueue::check_result(result(of), of); }

    void send(const Piece& message, ULONG flags = 0) {
        check(pair.send(nullptr, message, flags), "post a Send", pair.method("Send"));
    }
    void receive(const Piece& message) { check(pair.receive(message), "post a Receive", pair.method("Receive")); }
    Piece all() const { return memory.part(0, kBytes); }
    void fill() { fill_pattern(memory.data(), kBytes, kSequence); }
    void compare(std::size_t bytes = kBytes) const { verify_pattern(memory.data(), bytes, kSequence, "message"); }
    RemoteTarget target(UINT32 token) const {
        return RemoteTarget({reinterpret_cast<std::uint64_t>(memory.data()), kBytes, token, 0});
    }

    MemoryBuffer memory;
    CompletionQueue queue;
    QueuePair pair;  // goes before the queue
    Connection connection;
    ULONG inline_bytes;
};

// Both ends of a connection.
struct Exchange {
    explicit Exchange(const SocketAddress& local)
        : adapter(local, Api::nd2), listener(adapter, 0), here(adapter), there(adapter) {
        Connection::connect_both(listener, here.connection, there.connection);
    }

    // On iWARP a message without a Receive ends the connection.
    bool waits_for_receives() const { return here.connection.transport() != "verbs (iWARP)"; }
    // A message of a byte, behind which everything before has arrived.
    void tell() {
        there.receive(there.memory.part(kBytes - 1, 1));
        here.send(here.memory.part(kBytes - 1, 1));
        here.take("Send");
        there.take("Receive");
    }

    Adapter adapter;
    Listener listener;
    End here, there;
};

const std::string kCompared = std::to_string(kBytes) + " bytes, compared";

Finding send(Exchange& both) {
    both.here.fill();
    both.there.receive(both.there.all());
    both.here.send(both.here.all());
    both.here.take("Send");
    both.there.take("Receive");
    both.there.compare();
    return {Verdict::good, "", kCompared};
}

Finding send_inline(Exchange& both) {
    const ULONG bytes = both.here.inline_bytes;
    if (bytes == 0) return {Verdict::good, "", "not tried: MaxInlineDataSize is 0"};
    both.here.fill();
    both.there.receive(both.there.all());
    Piece message = both.here.memory.part(0, bytes);
    message.make_inline();
    both.here.send(message);
    std::fill_n(both.here.memory.data(), bytes, std::byte{});  // the program's again as soon as the call returns
    both.here.take("Send");
    both.there.take("Receive");
    both.there.compare(bytes);
    return {Verdict::good, "", std::to_string(bytes) + " bytes, compared"};
}

Finding write(Exchange& both) {
    both.here.fill();
    const RemoteTarget target = both.there.target(both.there.memory.remote_token());
    check(both.here.pair.write(nullptr, both.here.all(), target, 0, 0), "post a Write", "IND2QueuePair::Write");
    both.here.take("Write");
    both.tell();
    both.there.compare();
    return {Verdict::good, "", kCompared};
}

Finding read(Exchange& both) {
    both.there.fill();
    const RemoteTarget target = both.there.target(both.there.memory.remote_token());
    check(both.here.pair.read(nullptr, both.here.all(), target, 0, 0), "post a Read", "IND2QueuePair::Read");
    both.here.take("Read");
    both.here.compare();
    return {Verdict::good, "", kCompared};
}

Finding send_silently(Exchange& both) {
    const Piece from = both.here.memory.part(0, 64), to = both.there.memory.part(0, 64);
    for (ULONG i = 0; i < kMessages; ++i) both.there.receive(to);
    for (ULONG i = 0; i < kMessages; ++i) both.here.send(from, ND_OP_FLAG_SILENT_SUCCESS);
    for (ULONG i = 0; i < kMessages; ++i) both.there.take("Receive");
    ND2_RESULT result;
    if (both.here.queue.look<WaitBy::polling>(&result, 1) != 0)
        throw std::runtime_error("a silent Send has a result: " + describe_status(result.Status));
    return {Verdict::good, "", std::to_string(kMessages) + " messages, no result"};
}

Finding use_window(Exchange& both) {
    if (both.adapter.limits().MaxWindowSize == 0) return {Verdict::good, "", "not tried: MaxWindowSize is 0"};
    both.here.fill();
    WindowMemory window(both.adapter, both.there.memory);
    window.bind(*both.there.pair.nd2());
    both.there.take("Bind");
    const RemoteTarget target = both.there.target(window.token());
    check(both.here.pair.write(nullptr, both.here.all(), target, 0, 0), "post a Write", "IND2QueuePair::Write");
    both.here.take("Write through a window");
    both.tell();
    both.there.compare();
    window.invalidate(*both.there.pair.nd2());
    both.there.take("Invalidate");
    return {Verdict::good, "", "Bind, Write of " + kCompared + ", Invalidate"};
}

// The event of a completion queue, as the device's completion channel tells it.
Finding await_event(Exchange& both) {
    PendingRequest event;
    IND2CompletionQueue* const queue = both.there.queue.nd2();
    both.there.receive(both.there.all());
    const HRESULT armed = queue->Notify(ND_CQ_NOTIFY_ANY, event.overlapped());
    const auto start = Clock::now();
    both.here.send(both.here.memory.part(0, 64));
    const HRESULT status = event.wait({nullptr, queue, nullptr}, armed, [start] {
        if (Clock::now() > start + kLongestWait) throw std::runtime_error("no event of a completion queue came");
    });
    const double took = milliseconds_since(start);
    check(status, "wait for a completion", "IND2CompletionQueue::Notify");
    both.there.take("Receive");
    both.here.take("Send");
    return {Verdict::good, "", milliseconds_text(took) + " behind the message"};
}

Finding receive_late(Exchange& both) {
    if (!both.waits_for_receives())
        return {Verdict::good, "", "not tried: on iWARP a message without a Receive ends the connection"};
    both.here.fill();
    both.here.send(both.here.all());
    std::this_thread::sleep_for(kLate);
    const auto start = Clock::now();
    both.there.receive(both.there.all());
    both.there.take("Receive");
    const double took = milliseconds_since(start);
    both.there.compare();
    const std::string found = std::to_string(kLate.count()) + " ms late, filled " + milliseconds_text(took) + " later";
    if (took < kLateCost_ms) return {Verdict::good, "", found};
    return {Verdict::note, "", found, "the device repeats a message less often than it was told",
            "post Receives before the peer sends"};
}

Finding receive_never(Exchange& both) {
    if (!both.waits_for_receives()) return {Verdict::good, "", "not tried: on iWARP it ends the connection"};
    const auto start = Clock::now();
    both.here.send(both.here.memory.part(0, 64));
    const ND2_RESULT ended = both.here.result("Send");
    const std::string found = describe_status(ended.Status) + " after " + milliseconds_text(milliseconds_since(start));
    if (ended.Status == ND_IO_TIMEOUT) return {Verdict::good, "", found};
    return {Verdict::problem, "", found, "programs wait for ND_IO_TIMEOUT (ND2-QP-SEND-05)",
            "report it with this output: docs/verbs.md"};
}

Finding flush(Exchange& both) {
    for (ULONG i = 0; i < kMessages; ++i) both.there.receive(both.there.memory.part(0, 64));
    const auto start = Clock::now();
    check(both.there.pair.nd2()->Flush(), "flush a queue pair", "IND2QueuePair::Flush");
    for (ULONG i = 0; i < kMessages; ++i)
        if (const ND2_RESULT result = both.there.result("Receive"); result.Status != ND_CANCELED)
            throw std::runtime_error("a flushed Receive has the result " + describe_status(result.Status));
    const double took = milliseconds_since(start);
    const std::string found = std::to_string(kMessages) + " Receives back in " + milliseconds_text(took);
    if (took < kFlushTime_ms) return {Verdict::good, "", found};
    return {Verdict::note, "", found, "the device keeps flushed requests, and OpenND cancels them after 2 s",
            "report it with this output: docs/verbs.md"};
}

Finding disconnect(Exchange& both) {
    const auto start = Clock::now();
    both.here.connection.disconnect();
    while (!both.there.connection.lost()) {
        if (Clock::now() > start + kLongestWait) throw std::runtime_error("the other end was not told");
        std::this_thread::yield();
    }
    return {Verdict::good, "", "the other end told after " + milliseconds_text(milliseconds_since(start))};
}

Finding register_much(Exchange& both) {
    const auto start = Clock::now();
    const MemoryBuffer much(both.adapter, kPinned, MemoryKind::ordinary);
    return {Verdict::good, "", "64 MiB allocated and registered in " + milliseconds_text(milliseconds_since(start))};
}

struct NamedCheck {
    const char* subject;
    Finding (*check)(Exchange&);
};
constexpr NamedCheck kChecks[] = {
    {"Send", send},
    {"inline Send", send_inline},
    {"Write", write},
    {"Read", read},
    {"silent Sends", send_silently},
    {"memory window", use_window},
    {"completion channel", await_event},
    {"a Receive posted late", receive_late},
    {"a Receive never posted", receive_never},
    {"Flush", flush},
    {"Disconnect", disconnect},
    {"registration", register_much},
};

Finding tried(const NamedCheck& named, const SocketAddress& local) {
    try {
        Exchange both(local);
        Finding finding = named.check(both);
        finding.subject = named.subject;
        return finding;
    } catch (const std::runtime_error& failure) {
        return {Verdict::problem, named.subject, failure.what(), "programs that need it do not run over this device",
                "see OPENND_LOG=debug for the reason, and docs/verbs.md for the report"};
    }
}

}  // namespace

Findings check_requests(const SocketAddress& local) {
    Findings findings;
    try {
        const auto start = Clock::now();
        const Exchange both(local);
        findings.push_back(
            {Verdict::good, "connection with itself",
             both.here.connection.transport() + ", made in " + milliseconds_text(milliseconds_since(start))});
    } catch (const std::runtime_error& failure) {
        return {{Verdict::problem, "connection with itself", failure.what(), "nothing further was tried",
                 "compare with `rping -s -a " + local.host() + "` and `rping -c -a " + local.host() + " -v -C 10`"}};
    }
    for (const NamedCheck& each : kChecks) findings.push_back(tried(each, local));
    return findings;
}

}  // namespace nd
