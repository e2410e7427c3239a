// SPDX-License-Identifier: MIT
//
// See worker.h.
#include "model/worker.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "conformance/variant.h"
#include "model/side.h"

namespace opennd::modeled {
namespace {

// What the drivers report as failed expectations goes to the board.
class Complaints final : public testing::EmptyTestEventListener {
public:
    Complaints(Board& board, unsigned side) : board_(board), side_(side) {}
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (!result.failed()) return;
        const std::lock_guard lock(mutex_);
        Writer(board_.trails[side_]).complain(std::string(result.summary()) + '\n');
    }

private:
    Board& board_;
    const unsigned side_;
    std::mutex mutex_;
};

class Worker {
public:
    Worker(Board& board, const char* sides) : board_(board) {
        for (const char* side = sides; *side != 0; ++side) sides_.push_back(static_cast<unsigned>(*side - '0'));
        auto& listeners = testing::UnitTest::GetInstance()->listeners();
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new Complaints(board, sides_.front()));
        for (const unsigned side : sides_) board_.process[side] = getpid();
    }

    void run() {
        const Program program = parse(board_.program);
        conformance::Driver& driver = driver_of(program.setting.face);
        std::vector<std::thread> threads;
        for (std::size_t i = 1; i < sides_.size(); ++i)
            threads.emplace_back([&, side = sides_[i]] { play(driver, program, side); });
        play(driver, program, sides_.front());
        for (std::thread& thread : threads) thread.join();
    }

private:
    void play(conformance::Driver& driver, const Program& program, unsigned side) {
        try {
            Side(driver, program, side, board_).play();
        } catch (const std::exception& failure) {
            Writer(board_.trails[side])
                .complain(std::string("side ") + std::to_string(side) + ": " + failure.what() + '\n');
            board_.phase[side] = 100;
            board_.bell.ring();
        }
    }

    conformance::Driver& driver_of(const std::string& face) {
        auto& driver = drivers_[face];
        for (const conformance::Face& each : conformance::faces())
            if (!driver && face == each.name) driver = each.open();
        if (!driver) throw std::runtime_error("no face is called " + face);
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
