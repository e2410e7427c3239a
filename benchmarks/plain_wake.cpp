// SPDX-License-Identifier: MIT
//
// The floor of waking a process: two of them on two processors, each asleep in a read of an eventfd until the other writes it; half
// of a round trip. Read two_sides.h first. Usage: plain_wake [MILLISECONDS]
#include "two_sides.h"

#include <sys/eventfd.h>

namespace {

using namespace benchmark;

void ring(int event) {
    const std::uint64_t one = 1;
    need(::write(event, &one, sizeof one) == sizeof one, "write");
}

void sleep_until_rung(int event) {
    std::uint64_t times = 0;
    need(::read(event, &times, sizeof times) == sizeof times, "read");
}

}  // namespace

int main(int count, char** words) {
    const double milliseconds = count > 1 ? std::strtod(words[1], nullptr) : 100;
    const int there = ::eventfd(0, 0), back = ::eventfd(0, 0);
    start_server([&] {
        for (;;) {
            sleep_until_rung(there);
            ring(back);
        }
    });
    const double seconds = seconds_of_a_turn(milliseconds, [&] {
        ring(there);
        sleep_until_rung(back);
    });
    print_floor("plain_wake", sizeof(std::uint64_t), seconds * 1e6 / 2, "us");
}
