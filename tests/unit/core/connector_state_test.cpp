// SPDX-License-Identifier: MIT
// Every cell of the connector's table, written down a second time as text: the table's columns in the order of the
// states.
#include "core/state/connector_state.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/requirement.h"
#include "support/state_table.h"

namespace opennd {
namespace {

using support::next_letters;
using support::proves;

std::vector<ConnectorState> all_states() {
    std::vector<ConnectorState> states;
    for (std::size_t i = 0; i < kConnectorStates; ++i) states.push_back(static_cast<ConnectorState>(i));
    return states;
}

// One letter a state: idle bound cOnnecting replied completing waiting requested accepting connected peer_gone
// disconnecting done. '.' is "not allowed".
constexpr std::string_view kLetters = "IBORCWQAKPDX";

TEST(ConnectorState, TransitionsAreThoseOfTheSpecification) {
    proves("ND2-CON-STATE-01");
    struct Row {
        ConnectorEvent event;
        std::string_view next;  // for I B O R C W Q A K P D X
    };
    const Row rows[] = {
        {ConnectorEvent::bind, "B..........."},       {ConnectorEvent::connect, ".O.........."},
        {ConnectorEvent::reply, "..R........."},      {ConnectorEvent::refuse, "..B........."},
        {ConnectorEvent::fail, "..X.X..X...."},       {ConnectorEvent::complete, "...C........"},
        {ConnectorEvent::wait, "W..........."},       {ConnectorEvent::stop_waiting, ".....I......"},
        {ConnectorEvent::request, ".....Q......"},    {ConnectorEvent::accept, "......A....."},
        {ConnectorEvent::establish, "....K..K...."},  {ConnectorEvent::reject, "...X..X....."},
        {ConnectorEvent::lose_peer, "........P..."},  {ConnectorEvent::disconnect, "....D..DDD.."},
        {ConnectorEvent::end, "..........X."},        {ConnectorEvent::cancel, "..X.X..X...."},
        {ConnectorEvent::start_over, ".II........."}, {ConnectorEvent::lose_queue_pair, "..XXX..XX..."},
        {ConnectorEvent::close, "XXXXXXXXXXXX"},
    };
    ASSERT_EQ(std::size(rows), kConnectorEvents);
    for (const Row& row : rows)
        EXPECT_EQ(next_letters<ConnectorState>(row.event, kLetters), row.next)
            << "event " << static_cast<int>(row.event);
}

// S success; A connection_active; B address_bound; U address_not_bound; N not_connected; V invalid_state; G aborted.
char letter(Status status) {
    switch (status) {
        case Status::success: return 'S';
        case Status::connection_active: return 'A';
        case Status::address_bound: return 'B';
        case Status::address_not_bound: return 'U';
        case Status::not_connected: return 'N';
        case Status::invalid_state: return 'V';
        case Status::connection_aborted: return 'G';
        default: return '?';
    }
}

std::string row_of(ConnectorMethod method, ConnectorHistory history = {}) {
    std::string row;
    for (const ConnectorState state : all_states()) row += letter(check(method, state, history));
    return row;
}

TEST(ConnectorState, MethodsAreAllowedWhereTheSpecificationSays) {
    proves("ND2-CON-STATE-01", "ND2-CON-BIND-02", "ND2-LIS-REQ-02");
    // clang-format off: one column a state
    //                                                        IBORCWQAKPDX
    EXPECT_EQ(row_of(ConnectorMethod::bind), "SBBBBABBBBBB");
    EXPECT_EQ(row_of(ConnectorMethod::connect), "USAAAAAAAAAV");
    EXPECT_EQ(row_of(ConnectorMethod::complete_connect), "NNNSNNNNNNNN");
    EXPECT_EQ(row_of(ConnectorMethod::accept), "NNAAANSAAAAV");
    EXPECT_EQ(row_of(ConnectorMethod::reject), "VVVSVVSVVVVV");
    EXPECT_EQ(row_of(ConnectorMethod::get_read_limits), "NNNSSNSSSSSN");
    EXPECT_EQ(row_of(ConnectorMethod::get_private_data), "NNNSSNSSSSSN");
    EXPECT_EQ(row_of(ConnectorMethod::get_local_address), "NSSSSNSSSSSS");
    EXPECT_EQ(row_of(ConnectorMethod::get_peer_address), "NNSSSNSSSSSN");
    EXPECT_EQ(row_of(ConnectorMethod::notify_disconnect), "NNNNSNNSSSSN");
    EXPECT_EQ(row_of(ConnectorMethod::disconnect), "NNNNSNNSSSVN");
    EXPECT_EQ(row_of(ConnectorMethod::get_connection_request), "SAAAAAAAAAAA");
    // clang-format on
}

TEST(ConnectorState, ThePastAllowsMore) {
    proves("ND2-CON-PD-04", "ND2-CON-REJ-04", "ND2-LIS-REQ-06");
    // clang-format off: one column a state
    EXPECT_EQ(row_of(ConnectorMethod::get_private_data, {.refused_with_data = true}), "SSNSSNSSSSSN");
    EXPECT_EQ(row_of(ConnectorMethod::get_peer_address, {.named_peer = true}), "NNSSSNSSSSSS");
    EXPECT_EQ(row_of(ConnectorMethod::notify_disconnect, {.was_connected = true}), "NNNNSNNSSSSS");
    EXPECT_EQ(row_of(ConnectorMethod::get_private_data, {.abandoned = true}), "NNNSSNGSSSSN");
    EXPECT_EQ(row_of(ConnectorMethod::reject, {.abandoned = true}), "VVVSVVGVVVVV");
    // clang-format on
}

}  // namespace
}  // namespace opennd
