// SPDX-License-Identifier: MIT
//
// The adapters of this host as JSON, and in words.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace nd {

class SocketAddress;

// Each adapter once, with its interface, addresses, limits and flags. With `wanted` only those of these interfaces or
// addresses. Throws std::invalid_argument for a word that names none.
nlohmann::ordered_json adapters_json(const std::vector<std::string>& wanted);

// The path of a connection to `remote`: the name of the transport, null where nothing reaches it, and the reason.
nlohmann::ordered_json transport_json(const SocketAddress& remote);

// The value of a member that is a text.
std::string text_of(const nlohmann::ordered_json& object, const char* member);

// One line for each.
void print_adapters(const nlohmann::ordered_json& adapters);
// All that is known of it.
void print_adapter(const nlohmann::ordered_json& adapter);
void print_transport(const nlohmann::ordered_json& transport);

}  // namespace nd
