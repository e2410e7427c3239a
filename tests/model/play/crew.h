// SPDX-License-Identifier: MIT
//
// Crew: the workers that play programs, started when they are needed and again when they died.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "model/oracle/oracle.h"
#include "model/oracle/story.h"

namespace opennd::modeled {

class Crew {
public:
    // For programs of one transport, world and number of processes. `program` is this program's own file, by which
    // workers are started.
    Crew(std::string program, const Setting& setting);
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;
    ~Crew() { dismiss(); }

    // Plays and judges. A worker that did not end is a finding too.
    Judgement run(const Program& program);
    std::string last_story(const Program& program) const { return story(program, *board_); }

private:
    struct Worker {
        std::string sides;
        pid_t process = -1;
        int channel = -1;
    };

    void start(Worker& worker);
    // Returns false if the worker died, or did not come by the deadline.
    bool await(std::int64_t deadline, Judgement& judgement);
    void bury(Worker& worker, Judgement& judgement);
    void dismiss();

    const std::string program_;
    const std::vector<std::string> settings_;  // of their environment
    SharedBoard board_;
    std::vector<Worker> workers_;
};

}  // namespace opennd::modeled
