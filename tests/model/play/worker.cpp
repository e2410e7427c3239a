// SPDX-License-Identifier: MIT
//
// See worker.h.
#include "model/play/worker.h"

#include <unistd.h>

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "conformance/vocabulary/variant.h"
#include "model/play/complaints.h"
#include "model/play/side.h"

namespace opennd::modeled {
namespace {

class Worker {
public:
    Worker(Board& board, const char* sides) : board_(board) {
        for (const char* side = sides; *side != 0; ++side) sides_.push_back(static_cast<unsigned>(*side - '0'));
        Complaints::listen(board, [side = sides_.front()] { return side; });
        for (const unsigned side : sides_) board_.process[side] = getpid();
    }

    void run() {
        const Program program = parse(board_.program);
        conformance::Driver& driver = driver_of(program.setting.face);
        std::vector<std::thread> threads;
        for (std::size_t i = 1; i < sides_.size(); ++i)
            threads.emplace_back([&, side = sides_[i]] { play(driver, program, side, board_); });
        play(driver, program, sides_.front(), board_);
        for (std::thread& thread : threads) thread.join();
    }

private:
    conformance::Driver& driver_of(const std::string& face) {
        auto& driver = drivers_[face];
        if (!driver) driver = conformance::open_driver(face);
        return *driver;
    }

    Board& board_;
    std::vector<unsigned> sides_;
    std::map<std::string, std::unique_ptr<conformance::Driver>> drivers_;
};

}  // namespace

int work(const char* sides) {
    const SharedBoard board(kBoard);
    Worker worker(*board, sides);
    for (char command = 'r'; write(kCommands, &command, 1) == 1 && read(kCommands, &command, 1) == 1;) worker.run();
    return 0;
}

}  // namespace opennd::modeled
