// SPDX-License-Identifier: MIT
// See nemeses.h.
#include "simulation/world/nemeses.h"

namespace opennd::simulation {

void draw_nemeses(World& world, Machine& near, Machine& far) {
    Dice& dice = world.dice();
    Network& network = world.network();
    const Nanoseconds latency = network.path(near, far).latency;
    for (std::uint64_t count = dice.between(1, 4); count > 0; --count) {
        const auto when = static_cast<Nanoseconds>(dice.of_any_size(1000, static_cast<std::uint64_t>(50 * latency)));
        const std::uint64_t which = dice.below(4);
        const auto length = static_cast<Nanoseconds>(dice.of_any_size(kMillisecond, 200 * kSecond));
        world.after(when, [&network, &near, &far, which, length] {
            if (which == 0) network.reset_one();
            if (which == 1) network.end_one();
            if (which > 1) network.be_silent(near, far, length);
        });
    }
}

void draw_loss(World& world, Machine& near, Machine& far) {
    Network& network = world.network();
    const Nanoseconds latency = network.path(near, far).latency;
    // A handshake takes some five ways.
    const auto when = static_cast<Nanoseconds>(world.dice().between(
        static_cast<std::uint64_t>(6 * latency), static_cast<std::uint64_t>(60 * latency + 20 * kMillisecond)));
    world.after(when, [&network, &near, &far] { network.be_silent(near, far, 3600 * kSecond); });
}

void draw_stop(World& world, Process& near, Process& far, Nanoseconds least) {
    Dice& dice = world.dice();
    const Nanoseconds latency = world.network().path(near.machine(), far.machine()).latency;
    const auto when = static_cast<Nanoseconds>(dice.of_any_size(1000, static_cast<std::uint64_t>(50 * latency)));
    const auto length = static_cast<Nanoseconds>(dice.of_any_size(static_cast<std::uint64_t>(least), 400 * kSecond));
    Process& stopped = dice.once_in(2) ? near : far;
    world.after(when, [&world, &stopped, length] { world.stop(stopped, length); });
}

}  // namespace opennd::simulation
