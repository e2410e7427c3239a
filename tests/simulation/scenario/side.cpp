// SPDX-License-Identifier: MIT
// See side.h.
#include "simulation/scenario/side.h"

#include <algorithm>
#include <cstring>

#include "simulation/world/network.h"

namespace opennd::simulation {
namespace {

constexpr std::uint64_t kReceive = std::uint64_t{1} << 32, kInitiated = std::uint64_t{2} << 32;
constexpr std::byte kReceiving{0xEE}, kSent{0xCC}, kGivenBack{0xDD};
constexpr std::uint32_t kNoToken = 0;
// Microseconds. Pauses between polls in vain grow up to this, or a slow wire would cost millions of polls.
constexpr std::uint32_t kMostPause = 50'000;
// Nothing is given up so soon.
constexpr Nanoseconds kFirstLoss = 10 * kSecond;

void* context(std::uint64_t value) { return reinterpret_cast<void*>(value); }

std::byte pattern(std::uint64_t seed, std::size_t index) {
    return static_cast<std::byte>((seed + index * 7 + (index >> 8) * 13) & 0xff);
}

void fill(std::byte* at, std::size_t bytes, std::uint64_t seed) {
    for (std::size_t i = 0; i < bytes; ++i) at[i] = pattern(seed, i);
}

bool holds(const std::byte* at, std::size_t bytes, std::uint64_t seed) {
    for (std::size_t i = 0; i < bytes; ++i)
        if (at[i] != pattern(seed, i)) return false;
    return true;
}

bool is_filled(const std::byte* at, std::size_t bytes, std::byte with) {
    return std::all_of(at, at + bytes, [with](std::byte octet) { return octet == with; });
}

const sockaddr* raw(const sockaddr_storage& address) { return reinterpret_cast<const sockaddr*>(&address); }

std::string text(HRESULT status) { return opennd_status_name(status); }

}  // namespace

Request::Request() {
    (void)opennd_event_create(TRUE, FALSE, &event_);
    overlapped_.hEvent = event_;
}

Request::~Request() { (void)opennd_handle_close(event_); }

HRESULT Request::end(HRESULT begun, IND2Overlapped* object) {
    if (begun != ND_PENDING) return begun;
    (void)opennd_event_wait(event_, OPENND_FOREVER);
    return object->GetOverlappedResult(&overlapped_, FALSE);
}

Side::Side(Process& process, IND2Adapter& adapter, support::ComPtr<IND2Connector> connector, Link& link, int number,
           const Manner& manner)
    : world_(*World::now_running()),
      process_(process),
      adapter_(adapter),
      link_(link),
      number_(number),
      manner_(manner),
      mine_(link.directions[number]),
      peers_(link.directions[1 - number]),
      stride_((std::size_t{link.most_bytes} + 64) & ~std::size_t{63}),
      memory_((2 * manner.depth + kSlots + 1) * stride_, kReceiving),
      connector_(std::move(connector)) {
    mine_.results.assign(mine_.plan.size(), ND_PENDING);
    for (std::uint32_t slot = 0; slot < manner_.depth; ++slot) free_slots_.push_back(slot);
    make_objects();
    fill(source_memory(), link.most_bytes, seed_of(number, ~0u));
    peers_.target = reinterpret_cast<std::uint64_t>(target_memory(0));
    peers_.source = reinterpret_cast<std::uint64_t>(source_memory());
    peers_.token = region_->GetRemoteToken();
    for (std::uint32_t slot = 0; slot < manner_.depth; ++slot) post_receive(slot);
}

void Side::make_objects() {
    expect(adapter_.CreateOverlappedFile(&file_) == ND_SUCCESS, "CreateOverlappedFile succeeds");
    expect(adapter_.CreateCompletionQueue(IID_IND2CompletionQueue, file_, 2 * manner_.depth, 0, 0, queue_.out()) ==
               ND_SUCCESS,
           "CreateCompletionQueue succeeds");
    expect(adapter_.CreateMemoryRegion(IID_IND2MemoryRegion, file_, region_.out()) == ND_SUCCESS,
           "CreateMemoryRegion succeeds");
    Request registration;
    constexpr ULONG kRights =
        ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE;
    expect(registration.end(region_->Register(memory_.data(), memory_.size(), kRights, registration.get()),
                            region_.get()) == ND_SUCCESS,
           "Register succeeds");
    expect(adapter_.CreateQueuePair(IID_IND2QueuePair, queue_.get(), queue_.get(), nullptr, manner_.depth,
                                    manner_.depth, 1, 1, 0, pair_.out()) == ND_SUCCESS,
           "CreateQueuePair succeeds");
}

Side::~Side() {
    connector_.reset();
    pair_.reset();
    queue_.reset();
    mine_.withdraws = true;
    Request end;
    if (region_) expect(end.end(region_->Deregister(end.get()), region_.get()) == ND_SUCCESS, "Deregister succeeds");
    region_.reset();
    watch(memory_, "memory that was deregistered is not written");
    (void)opennd_handle_close(file_);
}

void Side::expect(bool holds, const std::string& claim) const {
    if (!holds)
        world_.fail("connection " + std::to_string(link_.number) + ", side " + std::to_string(number_) +
                    ": this does not hold: " + claim);
}

std::string Side::text_of(std::uint32_t request) const {
    constexpr const char* kNames[] = {"Send", "Write", "Read"};
    const Planned& planned = mine_.plan[request];
    return "request " + std::to_string(request) + ", a " + kNames[static_cast<std::size_t>(planned.kind)] + " of " +
           std::to_string(planned.bytes) + " bytes";
}

std::uint64_t Side::seed_of(int direction, std::uint32_t request) const {
    return link_.number * 2654435761u + static_cast<std::uint64_t>(direction) * 40503 + request * 31u;
}

// ---- the connection

HRESULT Side::connect(const Address& from, const Address& to) {
    const sockaddr_storage local = from.to_sockaddr(), remote = to.to_sockaddr();
    expect(connector_->Bind(raw(local), static_cast<ULONG>(from.sockaddr_length())) == ND_SUCCESS, "Bind succeeds");
    Request asking, completing;
    HRESULT status = asking.end(
        connector_->Connect(pair_.get(), raw(remote), static_cast<ULONG>(to.sockaddr_length()), manner_.read_limit,
                            manner_.read_limit, &link_.number, sizeof link_.number, asking.get()),
        connector_.get());
    if (status == ND_SUCCESS) status = completing.end(connector_->CompleteConnect(completing.get()), connector_.get());
    world_.say("Connect: " + text(status));
    return status;
}

HRESULT Side::accept() {
    Request accepting;
    const HRESULT status = accepting.end(
        connector_->Accept(pair_.get(), manner_.read_limit, manner_.read_limit, nullptr, 0, accepting.get()),
        connector_.get());
    world_.say("Accept: " + text(status));
    return status;
}

void Side::give_up() {
    ending_ = mine_.ends = true;
    connector_.reset();
    pair_.reset();
    expect_all_results();
}

// ---- requests

ND2_SGE Side::entry(std::byte* at, std::uint32_t bytes) const { return {at, bytes, region_->GetLocalToken()}; }

void Side::post_receive(std::uint32_t slot) {
    std::fill_n(receive_memory(slot), stride_, kReceiving);
    const ND2_SGE whole = entry(receive_memory(slot), static_cast<std::uint32_t>(stride_));
    const HRESULT status = pair_->Receive(context(kReceive | slot), &whole, 1);
    expect(status == ND_SUCCESS, "a Receive is accepted: " + text(status));
    ++receives_out_;
}

void Side::post(std::uint32_t request, std::uint32_t slot) {
    const Planned& planned = mine_.plan[request];
    std::byte* const memory = send_memory(slot);
    const ND2_SGE whole = entry(memory, planned.bytes);
    const ULONG flags = planned.silent ? ND_OP_FLAG_SILENT_SUCCESS : 0u;
    const UINT32 token = planned.denied ? kNoToken : mine_.token;
    HRESULT status = ND_SUCCESS;
    outstanding_.push_back({request, slot});
    ++mine_.posted;
    if (planned.kind == Planned::Kind::read) {
        std::fill_n(memory, planned.bytes, kReceiving);
        status = pair_->Read(context(kInitiated | request), &whole, 1, mine_.source, token, flags);
    } else {
        fill(memory, planned.bytes, seed_of(number_, request));
        if (planned.kind == Planned::Kind::write)
            status = pair_->Write(context(kInitiated | request), &whole, 1, mine_.target + request % kSlots * stride_,
                                  token, flags);
        else
            status = pair_->Send(context(kInitiated | request), &whole, 1,
                                 flags | (planned.solicits ? ND_OP_FLAG_SEND_AND_SOLICIT_EVENT : 0u));
    }
    expect(status == ND_SUCCESS, "a request is accepted: " + text(status));
}

void Side::post_what_fits() {
    while (!ending_ && !over_ && mine_.posted < mine_.plan.size() && !free_slots_.empty()) {
        const std::uint32_t slot = free_slots_.back();
        free_slots_.pop_back();
        post(mine_.posted, slot);
    }
}

void Side::post_beside() {
    while (!ending_ && !over_ && mine_.posted < mine_.plan.size()) {
        post_what_fits();
        world_.sleep(static_cast<Nanoseconds>(world_.dice().between(1, longest_pause_)) * kMicrosecond);
        longest_pause_ = std::min(longest_pause_ + longest_pause_ / 4 + 1, kMostPause);
    }
    poster_works_ = false;
}

// ---- results

bool Side::look() {
    ND2_RESULT results[8];
    const ULONG count = queue_->GetResults(results, static_cast<ULONG>(world_.dice().between(1, std::size(results))));
    for (ULONG i = 0; i < count; ++i) take(results[i]);
    if (count > 0) longest_pause_ = manner_.longest_pause;
    return count > 0;
}

void Side::take(const ND2_RESULT& result) {
    if ((reinterpret_cast<std::uint64_t>(result.RequestContext) & kReceive) != 0)
        take_received(result);
    else
        take_finished(result);
}

void Side::take_received(const ND2_RESULT& result) {
    const auto slot = static_cast<std::uint32_t>(reinterpret_cast<std::uint64_t>(result.RequestContext));
    std::byte* const memory = receive_memory(slot);
    --receives_out_;
    if (result.Status != ND_SUCCESS) {
        world_.say("a Receive ends: " + text(result.Status));
        expect(result.Status == ND_CANCELED, "a Receive succeeds or is canceled: " + text(result.Status));
        over_ = receives_over_ = true;
        std::fill_n(memory, stride_, kGivenBack);
        return;
    }
    expect(!receives_over_, "nothing is received behind what was canceled");
    const std::uint32_t message = peers_.received++;
    world_.say("received message " + std::to_string(message));
    expect(message < peers_.sends.size(), "no more messages arrive than were planned");
    const std::uint32_t request = peers_.sends[message];
    const std::uint32_t bytes = peers_.plan[request].bytes;
    expect(request < peers_.posted, "a message was posted before it arrives");
    expect(result.BytesTransferred == bytes, "message " + std::to_string(message) + " has " + std::to_string(bytes) +
                                                 " bytes: " + std::to_string(result.BytesTransferred));
    expect(holds(memory, bytes, seed_of(1 - number_, request)), "message " + std::to_string(message) + " is whole");
    expect(is_filled(memory + bytes, stride_ - bytes, kReceiving), "nothing is written behind a message");
    check_written_before(request);
    if (!ending_)
        post_receive(slot);
    else
        std::fill_n(memory, stride_, kGivenBack);
}

// Every Write before the Send is in place, unless a later one has gone there.
void Side::check_written_before(std::uint32_t send) {
    for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
        std::int64_t last = -1;
        for (std::uint32_t request = slot; request < peers_.posted; request += kSlots)
            if (peers_.plan[request].kind == Planned::Kind::write && !peers_.plan[request].denied) last = request;
        if (last < 0 || last > send) continue;
        const auto write = static_cast<std::uint32_t>(last);
        expect(holds(target_memory(slot), peers_.plan[write].bytes, seed_of(1 - number_, write)),
               "Write " + std::to_string(write) + " is in place before message " + std::to_string(send));
    }
}

void Side::take_finished(const ND2_RESULT& result) {
    const auto request = static_cast<std::uint32_t>(reinterpret_cast<std::uint64_t>(result.RequestContext));
    while (!outstanding_.empty() && outstanding_.front().request != request) {
        const Outstanding before = outstanding_.front();
        expect(mine_.plan[before.request].silent,
               "results come in order: " + std::to_string(request) + " before " + std::to_string(before.request));
        outstanding_.pop_front();
        finish(before, ND_SUCCESS);
    }
    expect(!outstanding_.empty(), "a result is of an outstanding request: " + std::to_string(request));
    const Outstanding finished = outstanding_.front();
    outstanding_.pop_front();
    expect(result.Status != ND_SUCCESS || !mine_.plan[request].silent, "a silent request has no result of success");
    finish(finished, result.Status);
}

void Side::finish(const Outstanding& finished, HRESULT status) {
    const Planned& planned = mine_.plan[finished.request];
    std::byte* const memory = send_memory(finished.slot);
    mine_.results[finished.request] = status;
    if (status != ND_SUCCESS || !planned.silent)
        world_.say("request " + std::to_string(finished.request) + ": " + text(status));
    if (status == ND_SUCCESS) {
        // Nothing at all is done by a Write or Read of no bytes.
        const bool does_nothing = planned.kind != Planned::Kind::send && planned.bytes == 0;
        expect(!failed_ || does_nothing, "nothing succeeds behind what failed: " + text_of(finished.request));
        expect(!planned.denied || planned.bytes == 0, "what is not granted fails");
        // The peer's program may use its memory again once it has begun to end; it is still registered.
        if (planned.kind == Planned::Kind::read && !peers_.ends)
            expect(holds(memory, planned.bytes, seed_of(1 - number_, ~0u)), "a Read has the peer's bytes");
    } else {
        const bool withdrawn = planned.kind != Planned::Kind::send && peers_.withdraws;
        const bool cause = !failed_ && (planned.denied || withdrawn) && status == ND_ACCESS_VIOLATION;
        // A peer that ends or has a failed queue pair has no receive for a message (ND2-QP-SEND-06), and serves no request
        // (ND2-QP-FLUSH-03).
        const bool declined = (planned.kind == Planned::Kind::send || peers_.ends || peers_.is_denied()) &&
                              status == ND_IO_TIMEOUT && !failed_;
        const bool broken = link_.wire_may_break && !failed_ && status == ND_IO_TIMEOUT;
        expect(cause || declined || broken || status == ND_CANCELED,
               text_of(finished.request) + " ends as it may: " + text(status));
        expect(failed_ || status != ND_CANCELED || !is_lost(),
               text_of(finished.request) + " is the oldest of a lost connection, and times out: " + text(status));
        // Requests behind a Read may overtake it, until the cause of its failure is known.
        failed_ = failed_ || planned.kind != Planned::Kind::read || status != ND_CANCELED;
        over_ = true;
    }
    std::fill_n(memory, stride_, kSent);
    free_slots_.push_back(finished.slot);
}

// The connection ends because nothing answers, and for no other reason: no program has begun to end it, and no request fails.
bool Side::is_lost() const {
    if (!link_.alone || ending_ || peers_.ends || mine_.is_denied() || peers_.is_denied()) return false;
    return world_.network().has_lost(process_.machine(), *link_.peers_machine[number_], kFirstLoss);
}

void Side::wait_for_news() {
    if (manner_.waits == Manner::Waits::polls) {
        if (world_.dice().once_in(8))
            world_.yield();
        else
            world_.sleep(static_cast<Nanoseconds>(world_.dice().of_any_size(1, longest_pause_)) * kMicrosecond);
        longest_pause_ = std::min(longest_pause_ + longest_pause_ / 4 + 1, kMostPause);
        return;
    }
    Request news;
    const HRESULT armed = queue_->Notify(ND_CQ_NOTIFY_ANY, news.get());
    expect(armed == ND_PENDING, "Notify is accepted: " + text(armed));
    if (look()) {
        // As programs do that look once more before they sleep.
        (void)queue_->CancelOverlappedRequests();
        (void)news.end(armed, queue_.get());
        return;
    }
    const HRESULT told = news.end(armed, queue_.get());
    expect(told == ND_SUCCESS, "Notify succeeds: " + text(told));
}

// ---- the conversation and its end

bool Side::all_done() const {
    return mine_.posted == mine_.plan.size() && outstanding_.empty() && peers_.received == peers_.sends.size();
}

void Side::converse() {
    Request notice;
    const bool asked = manner_.waits_for_end && connector_->NotifyDisconnect(notice.get()) == ND_PENDING;
    if (manner_.posts_beside) {
        poster_works_ = true;
        world_.spawn(process_, "poster " + std::to_string(link_.number) + "." + std::to_string(number_),
                     [this] { post_beside(); });
    }
    const bool leaves = manner_.ends == Manner::Ends::leaves_it_to_the_peer;
    while (!over_ && (leaves || !all_done()) && mine_.posted < manner_.ends_after) {
        if (!manner_.posts_beside) post_what_fits();
        if (!look()) wait_for_news();
    }
    ending_ = mine_.ends = true;
    while (poster_works_) world_.sleep(kMicrosecond);
    end();
    if (asked) (void)notice.end(ND_PENDING, connector_ ? connector_.get() : nullptr);
    // The peer may write to its target until the memory is deregistered.
    watch(std::span(memory_).first(2 * manner_.depth * stride_), "memory that was given back is not written");
}

void Side::end() {
    switch (manner_.ends) {
        case Manner::Ends::flushes:
            expect(pair_->Flush() == ND_SUCCESS, "Flush succeeds");
            expect_all_results();
            break;
        case Manner::Ends::releases:
            pair_.reset();
            expect_all_results();
            break;
        case Manner::Ends::disconnects:
        case Manner::Ends::leaves_it_to_the_peer: break;
    }
    Request ending;
    const HRESULT status = ending.end(connector_->Disconnect(ending.get()), connector_.get());
    world_.say("Disconnect: " + text(status));
    expect(status == ND_SUCCESS || status == ND_CONNECTION_INVALID, "Disconnect succeeds: " + text(status));
    expect_all_results();
}

// They are there when the call returns, or the Disconnect is complete.
void Side::expect_all_results() {
    while (look()) {
    }
    // Silent ones that no result came behind have succeeded.
    while (!outstanding_.empty() && mine_.plan[outstanding_.front().request].silent && !failed_) {
        const Outstanding silent = outstanding_.front();
        outstanding_.pop_front();
        finish(silent, ND_SUCCESS);
    }
    expect(outstanding_.empty(), "every request has its result: " + std::to_string(outstanding_.size()) + " lack it");
    expect(receives_out_ == 0, "every Receive has its result: " + std::to_string(receives_out_) + " lack it");
}

void Side::watch(std::span<std::byte> memory, const char* claim) {
    std::ranges::fill(memory, kGivenBack);
    world_.sleep(static_cast<Nanoseconds>(world_.dice().of_any_size(1, kSecond)));
    expect(is_filled(memory.data(), memory.size(), kGivenBack), claim);
}

}  // namespace opennd::simulation
