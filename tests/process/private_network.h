// SPDX-License-Identifier: MIT
//
// A network that only this process sees: one loopback interface, down, without addresses, that the test arranges.
// Needs no right where user namespaces are allowed.
#pragma once

#include <string>

namespace opennd::process {

class PrivateNetwork {
public:
    // Why this host does not let a process have one; empty if it does. Tries it in a child.
    static std::string refusal();
    // The same for one with a second interface.
    static std::string refusal_of_interfaces();

    // This process's from now on, for good. It has no thread yet. Throws std::runtime_error, as do the others.
    PrivateNetwork();

    void set_up(bool up);
    // "192.0.2.1" or "2001:db8::1", of the loopback interface.
    void add_address(const char* address, unsigned prefix_bits);
    // `label`: the name that the address is shown under, "eth0:1" of eth0.
    void add_address(unsigned interface, const char* address, unsigned prefix_bits, const char* label = nullptr);
    void remove_address(const char* address, unsigned prefix_bits);
    // One more interface, which is up and leads nowhere; its number.
    unsigned add_interface(const char* name);
    // Packets to these addresses stay on this host, though no interface has them.
    void route_here(const char* prefix, unsigned prefix_bits);

    // The interface's number: the scope of its link-local addresses.
    unsigned scope() const { return interface_; }

private:
    unsigned interface_ = 0;
};

}  // namespace opennd::process
