// SPDX-License-Identifier: MIT
// The calls that list the interfaces of a machine.
#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/socket.h>

#include <cstddef>
#include <vector>

#include "simulation/system/call.h"
#include "simulation/system/real.h"
#include "simulation/world/network.h"
#include "simulation/world/process.h"

using namespace opennd::simulation;
namespace real = opennd::simulation::real;

namespace {

// The interface of a machine as the kernel lists it: its link, and behind that its addresses.
struct InterfaceList {
    explicit InterfaceList(const Machine& machine) : addresses(machine.addresses().size()), rest(addresses.size()) {
        link.sll_family = AF_PACKET;
        link.sll_ifindex = 2;
        first = {rest.data(), name, IFF_UP, reinterpret_cast<sockaddr*>(&link), nullptr, {}, nullptr};
        for (std::size_t i = 0; i < rest.size(); ++i) {
            addresses[i] = machine.addresses()[i].to_sockaddr();
            ifaddrs* const next = i + 1 < rest.size() ? &rest[i + 1] : nullptr;
            rest[i] = {next, name, IFF_UP, reinterpret_cast<sockaddr*>(&addresses[i]), nullptr, {}, nullptr};
        }
    }

    ifaddrs first{};
    char name[8] = "sim0";
    sockaddr_ll link{};
    std::vector<sockaddr_storage> addresses;
    std::vector<ifaddrs> rest;
};

}  // namespace

extern "C" {

int getifaddrs(ifaddrs** list) __THROW {
    World* const world = calling_world();
    if (!world) return real::getifaddrs(list);
    *list = &(new InterfaceList(world->process().machine()))->first;
    return 0;
}

void freeifaddrs(ifaddrs* list) __THROW {
    if (!calling_world()) return real::freeifaddrs(list);
    delete reinterpret_cast<InterfaceList*>(list);
}

}  // extern "C"
