// SPDX-License-Identifier: MIT
// See scenario.h.
#include "simulation/scenario/scenario.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "base/log.h"
#include "simulation/file/file.h"
#include "simulation/world/nemeses.h"
#include "simulation/world/network.h"

namespace opennd::simulation {
namespace {

constexpr std::uint16_t kPort = 7471;
constexpr std::uint64_t kSteps = 20'000'000, kStepsOfEach = 100'000;
constexpr Nanoseconds kLongestRun = 24 * 3600 * kSecond;

// Lines of the library go into the trace; no switch may happen while one is written.
void hear_line(void* context, LogLevel, const char* line) { static_cast<World*>(context)->say(line); }

}  // namespace

Scenario::Scenario(std::uint64_t seed, const ScenarioOptions& options) : options_(options), world_(seed) {
    near_ = &world_.network().add_machine({*Address::parse("192.0.2.1")});
    far_ = options_.one_machine ? near_ : &world_.network().add_machine({*Address::parse("192.0.2.2")});
    client_ = std::make_unique<Process>(*near_, "client", 101);
    server_ = std::make_unique<Process>(*far_, "server", 202);
    for (Process* const process : {client_.get(), server_.get()}) {
        process->set("OPENND_TRANSPORT", options_.transport);
        process->set("OPENND_LOOPS", options_.loops);
    }
    draw_wire();
    const std::uint64_t count = world_.dice().between(options_.least_connections, options_.most_connections);
    for (std::uint64_t i = 0; i < count; ++i) draw_link();
    world_.set_limits(kSteps + count * kStepsOfEach, kLongestRun);
    broken_ = options_.lost || (options_.nemeses && !options_.stopped && world_.dice().once_in(3));
    if (options_.lost)
        draw_loss(world_, *near_, *far_);
    else if (broken_)
        draw_nemeses(world_, *near_, *far_);
    for (Link& link : links_) {
        link.wire_may_break = broken_;
        link.alone = links_.size() == 1;
        link.peers_machine[0] = far_;
        link.peers_machine[1] = near_;
    }
    const bool may_stop = options_.nemeses && !options_.one_machine && !broken_;
    if (options_.stopped)
        draw_stop(world_, *client_, *server_, 60 * kSecond);
    else if (may_stop && world_.dice().once_in(4))
        draw_stop(world_, *client_, *server_, kMillisecond);
}

void Scenario::draw_wire() { world_.network().path(*near_, *far_) = Path::of(world_.dice()); }

void Scenario::draw_link() {
    Dice& dice = world_.dice();
    Link& link = links_.emplace_back();
    link.number = links_.size() - 1;
    // Long messages in one direction, and one request in the other: more arrivals would make up for a forgotten wake-up.
    const bool bulk = options_.bulk || dice.once_in(5);
    link.most_bytes = static_cast<std::uint32_t>(bulk               ? dice.of_any_size(20'000, 300'000)
                                                 : dice.once_in(10) ? dice.of_any_size(1, 200'000)
                                                                    : dice.of_any_size(1, 3000));
    for (Direction& direction : link.directions) {
        direction.plan = draw_plan(link.most_bytes);
        if (bulk) {
            direction.plan.resize(&direction == link.directions ? std::min<std::size_t>(direction.plan.size(), 8) : 1);
            direction.plan.back().silent = false;
            if (&direction == link.directions)
                for (Planned& planned : direction.plan) planned.bytes = std::max(planned.bytes, link.most_bytes / 2);
        }
        for (std::uint32_t i = 0; i < direction.plan.size(); ++i)
            if (direction.plan[i].kind == Planned::Kind::send) direction.sends.push_back(i);
    }
    Manner both[2] = {draw_manner(dice), draw_manner(dice)};
    // While one thread sleeps and another posts, no poll finds a lost wake-up.
    if (bulk && dice.once_in(2)) {
        both[0].waits = Manner::Waits::arms;
        both[0].posts_beside = true;
    }
    if (both[0].ends == Manner::Ends::leaves_it_to_the_peer) both[1].ends = Manner::Ends::disconnects;
    manners_[0].push_back(both[0]);
    manners_[1].push_back(both[1]);
}

std::vector<Planned> Scenario::draw_plan(std::uint32_t most_bytes) {
    Dice& dice = world_.dice();
    std::vector<Planned> plan(dice.of_any_size(1, options_.most_requests));
    const bool denies = dice.once_in(10) && !options_.lost;
    const bool silent = dice.once_in(4);
    for (Planned& planned : plan) {
        planned.kind = static_cast<Planned::Kind>(dice.once_in(2) ? 0 : dice.below(3));
        planned.bytes = static_cast<std::uint32_t>(dice.once_in(10) ? 0 : dice.of_any_size(1, most_bytes));
        planned.solicits = dice.once_in(2);
        planned.denied = denies && planned.kind != Planned::Kind::send && planned.bytes > 0 && dice.once_in(6);
        planned.silent = silent && !planned.denied && dice.once_in(2);
    }
    // Of each queue full of requests one tells of those before it.
    for (std::size_t i = 0; i < plan.size(); ++i)
        if (i % 3 == 2 || i + 1 == plan.size()) plan[i].silent = false;
    return plan;
}

Manner Scenario::draw_manner(Dice& dice) {
    const auto latency = static_cast<std::uint64_t>(world_.network().path(*near_, *far_).latency / kMicrosecond);
    Manner manner;
    manner.waits = dice.once_in(2) ? Manner::Waits::polls : Manner::Waits::arms;
    constexpr Manner::Ends kEnds[] = {Manner::Ends::disconnects, Manner::Ends::disconnects,
                                      Manner::Ends::disconnects, Manner::Ends::leaves_it_to_the_peer,
                                      Manner::Ends::flushes,     Manner::Ends::releases};
    manner.ends = options_.lost ? Manner::Ends::disconnects : kEnds[dice.below(std::size(kEnds))];
    manner.depth = static_cast<std::uint32_t>(dice.between(3, 16));
    manner.longest_pause = static_cast<std::uint32_t>(std::max<std::uint64_t>(2, latency));
    manner.posts_beside = dice.once_in(3);
    manner.ends_after = dice.once_in(8) && !options_.lost ? static_cast<std::uint32_t>(dice.of_any_size(1, 40)) : ~0u;
    manner.waits_for_end = dice.once_in(2);
    manner.read_limit = static_cast<std::uint32_t>(dice.between(1, 8));
    return manner;
}

// ---- the programs

void Scenario::server() {
    Instance instance(*server_);
    auto adapter = instance.open_adapter();
    HANDLE file = nullptr;
    support::ComPtr<IND2Listener> listener;
    const sockaddr_storage raw = instance.address().with_port(kPort).to_sockaddr();
    if (adapter->CreateOverlappedFile(&file) != ND_SUCCESS ||
        adapter->CreateListener(IID_IND2Listener, file, listener.out()) != ND_SUCCESS ||
        listener->Bind(reinterpret_cast<const sockaddr*>(&raw),
                       static_cast<ULONG>(instance.address().sockaddr_length())) != ND_SUCCESS ||
        listener->Listen(0) != ND_SUCCESS)
        world_.fail("a listener can be made");
    listening_ = true;
    world_.wake_all(events_);
    std::size_t busy = 0;
    for (std::size_t i = 0; i < links_.size(); ++i) {
        ++busy;
        world_.spawn(*server_, "accepts " + std::to_string(i), [&, this] {
            serve_one(*adapter.get(), *listener.get(), file);
            --busy;
            world_.wake_all(events_);
        });
    }
    while (clients_done_ < links_.size()) (void)world_.wait(events_);
    // Those that no client came for.
    while (busy > 0) {
        (void)listener->CancelOverlappedRequests();
        if (busy > 0) (void)world_.wait(events_, world_.time() + kMillisecond);
    }
    listener.reset();
    adapter.reset();
    (void)opennd_handle_close(file);
    expect_no_sockets(world_, *server_);
}

void Scenario::serve_one(IND2Adapter& adapter, IND2Listener& listener, HANDLE file) {
    support::ComPtr<IND2Connector> connector;
    Request waiting;
    if (adapter.CreateConnector(IID_IND2Connector, file, connector.out()) != ND_SUCCESS ||
        waiting.end(listener.GetConnectionRequest(connector.get(), waiting.get()), &listener) != ND_SUCCESS)
        return;
    std::uint64_t number = 0;
    ULONG bytes = sizeof number;
    if (const HRESULT got = connector->GetPrivateData(&number, &bytes); got != ND_SUCCESS) return;
    if (bytes != sizeof number || number >= links_.size()) world_.fail("private data are as they were sent");
    Side side(*server_, adapter, std::move(connector), links_[number], 1, manners_[1][number]);
    if (side.accept() == ND_SUCCESS)
        side.converse();
    else
        side.give_up();
}

void Scenario::client() {
    while (!listening_) (void)world_.wait(events_);
    Instance instance(*client_);
    auto adapter = instance.open_adapter();
    HANDLE file = nullptr;
    if (adapter->CreateOverlappedFile(&file) != ND_SUCCESS) world_.fail("CreateOverlappedFile succeeds");
    for (Link& link : links_)
        world_.spawn(*client_, "connects " + std::to_string(link.number), [&, this] {
            connect_one(*adapter.get(), file, link);
            ++clients_done_;
            world_.wake_all(events_);
        });
    while (clients_done_ < links_.size()) (void)world_.wait(events_);
    adapter.reset();
    (void)opennd_handle_close(file);
    expect_no_sockets(world_, *client_);
}

void Scenario::connect_one(IND2Adapter& adapter, HANDLE file, Link& link) {
    support::ComPtr<IND2Connector> connector;
    if (adapter.CreateConnector(IID_IND2Connector, file, connector.out()) != ND_SUCCESS)
        world_.fail("CreateConnector succeeds");
    Side side(*client_, adapter, std::move(connector), link, 0, manners_[0][link.number]);
    if (side.connect(near_->addresses().front(), far_->addresses().front().with_port(kPort)) == ND_SUCCESS)
        side.converse();
    else
        side.give_up();
}

// ---- the oracle, at the end

// Each message that succeeded was received, unless the wire broke: a peer that fell back to an older handshake then answers no
// fence.
std::string Scenario::broken_rule(const Link& link) const {
    for (const Direction& direction : link.directions) {
        const auto succeeded =
            std::count_if(direction.sends.begin(), direction.sends.end(), [&](std::uint32_t request) {
                // Of a side that never was there are none.
                return request < direction.results.size() && direction.results[request] == ND_SUCCESS;
            });
        if (!broken_ && succeeded > direction.received)
            return "connection " + std::to_string(link.number) + ": " + std::to_string(succeeded) +
                   " messages succeeded, and " + std::to_string(direction.received) + " were received";
    }
    return {};
}

void Scenario::describe(const Link& link) const {
    for (int side = 0; side < 2; ++side) {
        const Direction& direction = link.directions[side];
        const auto results = std::count_if(direction.results.begin(), direction.results.end(),
                                           [](HRESULT status) { return status != ND_PENDING; });
        const Manner& manner = manners_[side][link.number];
        std::fprintf(
            stderr,
            "connection %d, %s: %zu requests, %u posted, %d with a result; %zu messages, %u received; %s, ends by "
            "%d after %u, depth %u%s\n",
            static_cast<int>(link.number), side == 0 ? "client" : "server", direction.plan.size(), direction.posted,
            static_cast<int>(results), direction.sends.size(), direction.received,
            manner.waits == Manner::Waits::polls ? "polls" : "arms", static_cast<int>(manner.ends), manner.ends_after,
            manner.depth, manner.posts_beside ? ", posts beside" : "");
    }
}

Report Scenario::run(bool prints) {
    Report report;
    if (prints) world_.trace().keep(1 << 22);
    set_log_sink(&hear_line, &world_, options_.level);
    world_.spawn(*server_, "main", [this] { server(); });
    world_.spawn(*client_, "main", [this] { client(); });
    report.outcome = world_.run();
    set_log_sink(nullptr, nullptr, LogLevel::error);
    report.why = world_.why();
    report.hash = world_.trace().hash();
    report.steps = world_.steps();
    report.time = world_.time();
    report.broken = broken_ ? 1 : 0;
    for (const Link& link : links_) {
        report.connections += 1;
        for (const Direction& direction : link.directions) {
            for (std::size_t i = 0; i < direction.results.size(); ++i)
                if (direction.results[i] == ND_SUCCESS) ++report.requests, report.bytes += direction.plan[i].bytes;
        }
        if (!report.ok()) continue;
        report.why = broken_rule(link);
        if (!report.why.empty()) report.outcome = World::Outcome::failed;
    }
    if (prints) {
        world_.print_trace();
        for (const Link& link : links_) describe(link);
    }
    return report;
}

}  // namespace opennd::simulation
