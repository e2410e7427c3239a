// SPDX-License-Identifier: MIT
//
// One side of a program of the model, over the public headers of OpenND alone.
#include <arpa/inet.h>
#include <ndsupport.h>
#include <netinet/in.h>
#include <opennd.h>
#include <opennd_immediate.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <thread>
#include <vector>

namespace {

constexpr unsigned kPairs = 2, kRegions = 2, kWindows = 2, kAreas = 4;
constexpr std::size_t kSlot = 64 * 1024, kSlots = 128, kArea = 128 * 1024;  // a slot for each operation
constexpr std::size_t kRegion = kSlots * kSlot + 2 * kArea;

void need(HRESULT status, const char* call) {
    if (status >= 0) return;
    std::fprintf(stderr, "%s: 0x%08x\n", call, static_cast<unsigned>(status));
    std::exit(1);
}

template <typename T>
class Owned {
public:
    Owned() = default;
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() { reset(); }
    T* get() const { return object_; }
    T* operator->() const { return object_; }
    explicit operator bool() const { return object_ != nullptr; }
    void** out() { return reset(), reinterpret_cast<void**>(&object_); }
    void reset() {
        if (object_ != nullptr) object_->Release();
        object_ = nullptr;
    }

private:
    T* object_ = nullptr;
};

// A request that completes later.
class Later {
public:
    Later() {
        need(opennd_event_create(TRUE, FALSE, &event_), "opennd_event_create");
        overlapped_.hEvent = event_;
    }
    Later(const Later&) = delete;
    Later& operator=(const Later&) = delete;
    ~Later() { opennd_handle_close(event_); }
    OVERLAPPED* get() { return &overlapped_; }
    HRESULT wait(IND2Overlapped* object, HRESULT begun, DWORD most_ms = 10'000) {
        if (begun != ND_PENDING) return begun;
        if (opennd_event_wait(event_, most_ms) != ND_SUCCESS) return ND_PENDING;
        return object->GetOverlappedResult(&overlapped_, FALSE);
    }

private:
    HANDLE event_ = nullptr;
    OVERLAPPED overlapped_{};
};

// A side's, which the other may write to until both have ended.
using Memory = std::unique_ptr<unsigned char, void (*)(unsigned char*)>;

Memory mappable_memory(std::size_t bytes) {
    void* memory = nullptr;
    need(opennd_memory_allocate(bytes, &memory), "opennd_memory_allocate");
    return {static_cast<unsigned char*>(memory), [](unsigned char* gone) { (void)opennd_memory_free(gone); }};
}

Memory ordinary_memory(std::size_t bytes) {
    return {static_cast<unsigned char*>(std::malloc(bytes)), [](unsigned char* gone) { std::free(gone); }};
}

// Shared by both sides.
struct Stage {
    unsigned pairs = 1;
    std::atomic<unsigned> port{0};
    std::atomic<std::uint64_t> address[2] = {};
    std::atomic<std::uint32_t> tokens[2][kPairs][kAreas] = {};
    std::atomic<unsigned> phase[2] = {};
    std::atomic<bool> returned[kSlots] = {};
    Memory memory[2] = {{nullptr, nullptr}, {nullptr, nullptr}};

    void wait_for_those_before(std::size_t operation, const std::vector<unsigned>& sides, unsigned side) {
        for (std::size_t i = 0; i < operation; ++i)
            while (sides[i] != side && !returned[i]) std::this_thread::yield();
    }
};

struct Shape {
    ULONG initiator_depth, receive_depth, completion_depth;
    bool shared_receives, mappable;
    ULONG rights[kRegions];
};

struct Piece {
    std::size_t at;
    ULONG length;
};
enum class Spoil { none, stale, outside, token, beyond, foreign, absent };

struct Post {
    unsigned operation;
    unsigned pair = 0, region = 0;
    std::vector<Piece> pieces = {};
    ULONG flags = 0;
    unsigned area = 0;      // of the peer
    std::size_t place = 0;  // in it
    Spoil spoil = Spoil::none;
};

class Side {
public:
    Side(Stage& stage, unsigned index, const Shape& shape) : stage_(stage), index_(index), shape_(shape) {
        const sockaddr_in local = address(0);
        need(NdOpenAdapter(IID_IND2Adapter, reinterpret_cast<const sockaddr*>(&local), sizeof local, adapter_.out()),
             "NdOpenAdapter");
        need(adapter_->CreateOverlappedFile(&file_), "CreateOverlappedFile");
        for (auto* queue : {&received_, &initiated_})
            need(adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, shape.completion_depth, 0, 0,
                                                 queue->out()),
                 "CreateCompletionQueue");
        constexpr std::size_t kBytes = kRegions * kRegion;
        stage.memory[index] = shape.mappable ? mappable_memory(kBytes) : ordinary_memory(kBytes);
        memory_ = stage.memory[index].get();
        std::memset(memory_, kBack, kRegions * kRegion);
        for (unsigned region = 0; region < kRegions; ++region) {
            need(adapter_->CreateMemoryRegion(IID_IND2MemoryRegion, file_, regions_[region].out()),
                 "CreateMemoryRegion");
            enroll(region);
        }
        Owned<IND2MemoryRegion> stale;
        Later registered, deregistered;
        need(adapter_->CreateMemoryRegion(IID_IND2MemoryRegion, file_, stale.out()), "CreateMemoryRegion");
        need(registered.wait(stale.get(),
                             stale->Register(memory_, kRegion, ND_MR_FLAG_ALLOW_LOCAL_WRITE, registered.get())),
             "Register");
        stale_token_ = stale->GetLocalToken();
        need(deregistered.wait(stale.get(), stale->Deregister(deregistered.get())), "Deregister");
        for (auto& window : windows_)
            need(adapter_->CreateMemoryWindow(IID_IND2MemoryWindow, window.out()), "CreateMemoryWindow");
        if (shape.shared_receives)
            need(adapter_->CreateSharedReceiveQueue(IID_IND2SharedReceiveQueue, file_, shape.receive_depth, 4, 0, 0, 0,
                                                    shared_.out()),
                 "CreateSharedReceiveQueue");
        for (std::uintptr_t pair = 0; pair < stage.pairs; ++pair) create_pair(pair);
    }

    void meet() {
        stage_.address[index_] = reinterpret_cast<std::uintptr_t>(memory_);
        for (unsigned pair = 0; pair < stage_.pairs; ++pair)
            for (unsigned area = 0; area < kRegions; ++area)
                stage_.tokens[index_][pair][area] = regions_[area]->GetRemoteToken();
        Owned<IND2Listener> listener;
        if (index_ == 1) {
            sockaddr_in local = address(0);
            ULONG size = sizeof local;
            need(adapter_->CreateListener(IID_IND2Listener, file_, listener.out()), "CreateListener");
            need(listener->Bind(reinterpret_cast<sockaddr*>(&local), sizeof local), "IND2Listener::Bind");
            need(listener->Listen(0), "Listen");
            need(listener->GetLocalAddress(reinterpret_cast<sockaddr*>(&local), &size), "GetLocalAddress");
            stage_.port = ntohs(local.sin_port);
        }
        while (stage_.port == 0) std::this_thread::yield();
        for (unsigned pair = 0; pair < stage_.pairs; ++pair) {
            IND2Connector* const connector = connectors_[pair].get();
            Later first, second;
            if (index_ == 1) {
                need(first.wait(listener.get(), listener->GetConnectionRequest(connector, first.get())),
                     "GetConnectionRequest");
                need(second.wait(connector, connector->Accept(pairs_[pair].get(), 16, 16, nullptr, 0, second.get())),
                     "Accept");
            } else {
                const sockaddr_in local = address(0), there = address(static_cast<std::uint16_t>(stage_.port));
                need(connector->Bind(reinterpret_cast<const sockaddr*>(&local), sizeof local), "IND2Connector::Bind");
                need(first.wait(connector,
                                connector->Connect(pairs_[pair].get(), reinterpret_cast<const sockaddr*>(&there),
                                                   sizeof there, 16, 16, nullptr, 0, first.get())),
                     "Connect");
                need(second.wait(connector, connector->CompleteConnect(second.get())), "CompleteConnect");
            }
        }
        reach(1);
    }

    void receive(const Post& post) {
        auto sges = prepare(post, false);
        void* const tag = context(post);
        const auto count = static_cast<ULONG>(sges.size());
        tell("Receive", post,
             shared_ ? shared_->Receive(tag, sges.data(), count) : pairs_[post.pair]->Receive(tag, sges.data(), count));
    }
    void send(const Post& post) {
        auto sges = prepare(post, true);
        tell("Send", post,
             pairs_[post.pair]->Send(context(post), sges.data(), static_cast<ULONG>(sges.size()), post.flags));
    }
    void send_with_immediate(const Post& post) {
        auto sges = prepare(post, true);
        Owned<IND2ImmediateQueuePair> pair;
        need(pairs_[post.pair]->QueryInterface(IID_IND2ImmediateQueuePair, pair.out()), "QueryInterface");
        tell("SendWithImmediate", post,
             pair->SendWithImmediate(context(post), sges.data(), static_cast<ULONG>(sges.size()), post.flags,
                                     static_cast<UINT32>(post.operation)));
    }
    void write(const Post& post) {
        auto sges = prepare(post, true);
        tell("Write", post,
             pairs_[post.pair]->Write(context(post), sges.data(), static_cast<ULONG>(sges.size()), remote(post),
                                      token(post), post.flags));
    }
    void read(const Post& post) {
        auto sges = prepare(post, false);
        tell("Read", post,
             pairs_[post.pair]->Read(context(post), sges.data(), static_cast<ULONG>(sges.size()), remote(post),
                                     token(post), post.flags));
    }
    // The peer learns of a grant when its Bind is done.
    void bind(const Post& post, unsigned window) {
        posted_[post.operation] = post;
        binds_[post.operation] = window;
        tell("Bind", post,
             pairs_[post.pair]->Bind(context(post), regions_[window].get(), windows_[window].get(),
                                     memory_ + area_at(kRegions + window), kArea, post.flags));
    }
    void invalidate(const Post& post, unsigned window) {
        posted_[post.operation] = post;
        tell("Invalidate", post, pairs_[post.pair]->Invalidate(context(post), windows_[window].get(), post.flags));
    }

    std::size_t poll(ULONG most) {
        std::size_t taken = 0;
        for (auto* queue : {&received_, &initiated_}) {
            std::vector<ND2_RESULT> results(most);
            const ULONG count = (*queue)->GetResults(results.data(), most);
            for (ULONG i = 0; i < count; ++i) tell(results[i]);
            taken += count;
        }
        return taken;
    }
    void drain() {
        for (auto last = now(); now() - last < std::chrono::milliseconds(5);)
            if (poll(16) != 0) last = now();
    }
    void arm(ULONG type) { received_->Notify(type, arms_.emplace_back(new Later)->get()); }
    void cancel() { received_->CancelOverlappedRequests(); }
    void resize(ULONG depth) {
        received_->Resize(depth);
        initiated_->Resize(depth);
    }
    void modify(ULONG depth) {
        if (shared_) shared_->Modify(depth, 0);
    }
    void await_end(unsigned pair) { connectors_[pair]->NotifyDisconnect(arms_.emplace_back(new Later)->get()); }
    void flush(unsigned pair) { tell("Flush", pair, pairs_[pair]->Flush()); }
    void disconnect(unsigned pair) {
        Later later;
        tell("Disconnect", pair, later.wait(connectors_[pair].get(), connectors_[pair]->Disconnect(later.get())));
    }
    void release_queue_pair(unsigned pair) { pairs_[pair].reset(); }
    void release_connector(unsigned pair) { connectors_[pair].reset(); }
    void withdraw(unsigned region) {
        Later later;
        tell("Deregister", region, later.wait(regions_[region].get(), regions_[region]->Deregister(later.get())));
        std::memset(memory_ + region * kRegion, kBack, kRegion - kArea);
        std::memset(memory_ + area_at(region), kBack, kArea);
    }
    void enroll(unsigned region) {
        Later later;
        tell("Register", region,
             later.wait(regions_[region].get(), regions_[region]->Register(memory_ + region * kRegion, kRegion,
                                                                           shape_.rights[region], later.get())));
        for (unsigned pair = 0; pair < stage_.pairs; ++pair)
            stage_.tokens[index_][pair][region] = regions_[region]->GetRemoteToken();
    }
    void release_window(unsigned window) {
        windows_[window].reset();
        need(adapter_->CreateMemoryWindow(IID_IND2MemoryWindow, windows_[window].out()), "CreateMemoryWindow");
    }

    void finish() {
        reach(2);
        drain();
        reach(3);
        for (unsigned pair = 0; pair < stage_.pairs; ++pair)
            if (pairs_[pair]) flush(pair);
        drain();
        reach(4);
    }

private:
    static constexpr int kBack = 0x77;  // memory that this side has back

    static std::chrono::steady_clock::time_point now() { return std::chrono::steady_clock::now(); }
    static sockaddr_in address(std::uint16_t port) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return address;
    }
    static std::size_t area_at(unsigned area) {
        return area % kRegions * kRegion + kSlots * kSlot + (1 - area / kRegions) * kArea;
    }
    static void* context(const Post& post) { return reinterpret_cast<void*>(std::uintptr_t{post.operation} + 1); }

    void create_pair(std::uintptr_t pair) {
        void* const context = reinterpret_cast<void*>(pair);
        if (shared_)
            need(adapter_->CreateQueuePairWithSrq(IID_IND2QueuePair, received_.get(), initiated_.get(), shared_.get(),
                                                  context, shape_.initiator_depth, 4, 256, pairs_[pair].out()),
                 "CreateQueuePairWithSrq");
        else
            need(adapter_->CreateQueuePair(IID_IND2QueuePair, received_.get(), initiated_.get(), context,
                                           shape_.receive_depth, shape_.initiator_depth, 4, 4, 256, pairs_[pair].out()),
                 "CreateQueuePair");
        need(adapter_->CreateConnector(IID_IND2Connector, file_, connectors_[pair].out()), "CreateConnector");
    }

    unsigned char* slot(const Post& post) const {
        return memory_ + post.region * kRegion + post.operation % kSlots * kSlot;
    }

    // The bytes of a message count up from the operation's number.
    std::vector<ND2_SGE> prepare(const Post& post, bool sends) {
        posted_[post.operation] = post;
        std::memset(slot(post), 0xC3, kSlot);
        std::vector<ND2_SGE> sges;
        unsigned char next = static_cast<unsigned char>(post.operation);
        bool spoils = post.spoil == Spoil::stale || post.spoil == Spoil::outside || post.spoil == Spoil::absent;
        for (const Piece& piece : post.pieces) {
            unsigned char* const at = slot(post) + piece.at;
            for (ULONG i = 0; sends && i < piece.length; ++i) at[i] = next++;
            sges.push_back({at, piece.length, regions_[post.region]->GetLocalToken()});
            if (!spoils || piece.length == 0) continue;
            if (post.spoil == Spoil::stale) sges.back().MemoryRegionToken = stale_token_;
            if (post.spoil == Spoil::outside) sges.back().Buffer = memory_ + kRegions * kRegion - piece.length + 1;
            if (post.spoil == Spoil::absent) lose(sges.back());
            spoils = false;
        }
        return sges;
    }
    // The entry begins in memory that is there, and ends in memory that is gone.
    void lose(ND2_SGE& sge) {
        void* const memory = mmap(nullptr, 2 * kSlot, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        Later registered;
        need(adapter_->CreateMemoryRegion(IID_IND2MemoryRegion, file_, lost_.emplace_back().out()),
             "CreateMemoryRegion");
        IND2MemoryRegion* const region = lost_.back().get();
        need(registered.wait(region,
                             region->Register(memory, 2 * kSlot, ND_MR_FLAG_ALLOW_LOCAL_WRITE, registered.get())),
             "Register");
        unsigned char* const gone = static_cast<unsigned char*>(memory) + kSlot;
        mprotect(gone, kSlot, PROT_NONE);
        sge = {gone - sge.BufferLength / 2, sge.BufferLength, region->GetLocalToken()};
    }
    UINT64 remote(const Post& post) const { return stage_.address[1 - index_] + area_at(post.area) + post.place; }
    UINT32 token(const Post& post) const {
        const unsigned pair = post.spoil == Spoil::foreign ? 1 - post.pair : post.pair;
        return stage_.tokens[1 - index_][pair][post.area] ^ (post.spoil == Spoil::token ? 0x5A5A5A5A : 0);
    }

    void tell(const char* call, const Post& post, HRESULT status) const {
        std::printf("side %u, operation %u: %s gives 0x%08x\n", index_, post.operation, call,
                    static_cast<unsigned>(status));
    }
    void tell(const char* call, unsigned object, HRESULT status) const {
        std::printf("side %u: %s of %u gives 0x%08x\n", index_, call, object, static_cast<unsigned>(status));
    }
    // With the first octets of its memory, which then is this side's again.
    void tell(const ND2_RESULT& result) {
        const auto operation = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(result.RequestContext) - 1);
        const Post post = posted_[operation];
        std::printf("side %u: result of operation %u: 0x%08x, %u bytes:", index_, operation,
                    static_cast<unsigned>(result.Status), static_cast<unsigned>(result.BytesTransferred));
        if (!post.pieces.empty())
            for (std::size_t i = 0; i < 16; ++i) std::printf(" %02x", slot(post)[post.pieces[0].at + i]);
        std::printf("\n");
        std::memset(slot(post), kBack, kSlot);
        if (result.RequestType == Nd2RequestTypeBind && result.Status == ND_SUCCESS)
            stage_.tokens[index_][post.pair][kRegions + binds_[operation]] =
                windows_[binds_[operation]]->GetRemoteToken();
    }

    void reach(unsigned phase) {
        stage_.phase[index_] = phase;
        while (stage_.phase[1 - index_] < phase) std::this_thread::yield();
    }

    Stage& stage_;
    const unsigned index_;
    const Shape shape_;
    Owned<IND2Adapter> adapter_;
    HANDLE file_ = nullptr;
    unsigned char* memory_ = nullptr;
    Owned<IND2CompletionQueue> received_, initiated_;
    Owned<IND2SharedReceiveQueue> shared_;
    std::array<Owned<IND2MemoryRegion>, kRegions> regions_;
    std::array<Owned<IND2MemoryWindow>, kWindows> windows_;
    std::array<Owned<IND2QueuePair>, kPairs> pairs_;
    std::array<Owned<IND2Connector>, kPairs> connectors_;
    std::uint32_t stale_token_ = 0;
    std::deque<Owned<IND2MemoryRegion>> lost_;
    std::map<unsigned, Post> posted_;
    std::map<unsigned, unsigned> binds_;
    std::vector<std::unique_ptr<Later>> arms_;
};

}  // namespace
