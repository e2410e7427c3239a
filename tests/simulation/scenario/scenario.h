// SPDX-License-Identifier: MIT
// What happens in a run, drawn from its seed: two machines, a server and its clients, their plans and manners, and what befalls
// the wire.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "simulation/instance.h"
#include "simulation/scenario/report.h"
#include "simulation/scenario/side.h"
#include "simulation/world/world.h"

namespace opennd::simulation {

struct ScenarioOptions {
    std::string transport = "iwarp";
    bool one_machine = false;  // for transports between processes of a host
    std::uint32_t least_connections = 1, most_connections = 3;
    std::uint32_t most_requests = 40;
    bool nemeses = true;
    bool bulk = false;        // long messages on every connection
    bool stopped = false;     // one process is stopped for minutes
    bool lost = false;        // the wire falls silent amid the traffic, and nothing else goes wrong
    std::string loops = "1";  // event loops that a process may have
    LogLevel level = LogLevel::info;
};

class Scenario {
public:
    Scenario(std::uint64_t seed, const ScenarioOptions& options);

    // Once. A failure prints the trace if asked to.
    Report run(bool prints);

private:
    void draw_wire();
    void draw_link();
    std::vector<Planned> draw_plan(std::uint32_t most_bytes);
    Manner draw_manner(Dice& dice);
    void server();
    void client();
    void serve_one(IND2Adapter& adapter, IND2Listener& listener, HANDLE file);
    void connect_one(IND2Adapter& adapter, HANDLE file, Link& link);
    // Empty: none.
    std::string broken_rule(const Link& link) const;
    void describe(const Link& link) const;

    ScenarioOptions options_;
    World world_;
    Machine* near_ = nullptr;
    Machine* far_ = nullptr;
    std::unique_ptr<Process> client_, server_;
    std::deque<Link> links_;
    std::deque<Manner> manners_[2];
    std::size_t clients_done_ = 0;
    bool listening_ = false, broken_ = false;
    WaitList events_;
};

}  // namespace opennd::simulation
