// SPDX-License-Identifier: MIT
//
// Two processes and one connection of version 2: the client writes into the server's memory, says so in a message, and gets an
// answer. docs/tutorial/version_2.md goes through it.
//
//     message_v2 server ADDRESS          prints its port
//     message_v2 client ADDRESS PORT
#include "connection.h"

#include <unistd.h>

#include <cstring>

namespace {

using namespace tutorial;

constexpr ULONG kBytes = 64;

// The server's private data: the memory that the client may write.
struct Grant {
    UINT64 address;
    UINT32 token;
    UINT32 bytes;
};

void receive(Connection& connection, Memory& memory) {
    const ND2_SGE part = memory.part(0, kBytes);
    need(connection.queue_pair->Receive(nullptr, &part, 1), "Receive");
}

void send(Connection& connection, Memory& memory, const char* text) {
    const ND2_SGE part = memory.part(0, std::strlen(text));
    std::memcpy(part.Buffer, text, part.BufferLength);
    need(connection.queue_pair->Send(nullptr, &part, 1, 0), "Send");
}

void server(const sockaddr_in& local) {
    Adapter adapter(local);
    Memory board(adapter, kBytes, ND_MR_FLAG_ALLOW_REMOTE_WRITE);
    Memory question(adapter, kBytes, ND_MR_FLAG_ALLOW_LOCAL_WRITE), answer(adapter, kBytes, 0);
    Connection connection(adapter, 1, 1);
    receive(connection, question);  // before the client can send
    const Grant grant{board.address(), board.token(), kBytes};
    connection.accept(&grant, sizeof grant);

    const ULONG length = connection.result(connection.received, "the client's message").BytesTransferred;
    std::printf("message: %.*s\n", static_cast<int>(length), question.start());
    std::printf("written: %.*s\n", static_cast<int>(kBytes), board.start());
    send(connection, answer, "I have read it");
    (void)connection.result(connection.sent, "Send");

    adapter.finish(connection.connector, connection.connector->NotifyDisconnect(&adapter.request), "NotifyDisconnect");
    std::printf("the client has left\n");
    connection.disconnect();
}

void client(const sockaddr_in& server) {
    Adapter adapter(local_address(server));
    Memory text(adapter, kBytes, 0), question(adapter, kBytes, 0);
    Memory answer(adapter, kBytes, ND_MR_FLAG_ALLOW_LOCAL_WRITE);
    Connection connection(adapter, 1, 2);
    receive(connection, answer);  // before the server can
    Grant grant{};
    connection.connect(server, &grant, sizeof grant);

    std::snprintf(text.start(), kBytes, "greetings from process %d", static_cast<int>(getpid()));
    const ND2_SGE part = text.part(0, kBytes);
    expect(part.BufferLength <= grant.bytes, "the server's memory is too small");
    need(connection.queue_pair->Write(nullptr, &part, 1, grant.address, grant.token, 0), "Write");
    send(connection, question, "look at your memory");
    (void)connection.result(connection.sent, "Write");
    (void)connection.result(connection.sent, "Send");

    const ULONG length = connection.result(connection.received, "the server's answer").BytesTransferred;
    std::printf("answer: %.*s\n", static_cast<int>(length), answer.start());
    connection.disconnect();
}

}  // namespace

int main(int count, char* arguments[]) { return run(count, arguments, 0, server, client); }
