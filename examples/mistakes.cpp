// SPDX-License-Identifier: MIT
//
// Twelve mistakes of programs, made on purpose, and OpenND's explanation of each: the object, the request, the limit,
// and the remedy. Exit code 0 if each was noticed and explained.
#include "connected_pair.h"

#include <vector>

namespace {

using namespace example;

int mistakes = 0, explained = 0, missed = 0;

// Called for every failure, in this thread or another.
void print(void*, const opennd_error* error) {
    ++explained;
    std::printf("    %s: %s: %s\n        asked: %s\n        limit: %s\n        remedy: %s (%s)\n", error->object,
                error->operation, error->status_name, error->asked, error->limit, error->remedy, error->requirement);
}

// Makes the mistake, which must fail somewhere.
template <typename Mistake>
void make(const char* what, Mistake mistake) {
    const int before = explained;
    std::printf("%d. %s\n", ++mistakes, what);
    mistake();
    if (explained > before) return;
    ++missed;
    std::printf("    NOBODY NOTICED\n");
}

constexpr ULONG kLocal = ND_MR_FLAG_ALLOW_LOCAL_WRITE;
constexpr ULONG kAll =
    kLocal | ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE | ND_MR_FLAG_RDMA_READ_SINK;

void mistakes_before_a_connection(const Adapter& adapter) {
    make("An adapter on an address that this host does not have", [] {
        sockaddr_in elsewhere = loopback();
        inet_pton(AF_INET, "192.0.2.1", &elsewhere.sin_addr);
        Object<IND2Adapter> none;
        (void)NdOpenAdapter(IID_IND2Adapter, generic(elsewhere), sizeof elsewhere, none.out());
    });
    make("A port that somebody listens at", [&] {
        Object<IND2Listener> first, second;
        need(adapter->CreateListener(IID_IND2Listener, adapter.file(), first.out()), "CreateListener");
        need(adapter->CreateListener(IID_IND2Listener, adapter.file(), second.out()), "CreateListener");
        sockaddr_in address = loopback();
        ULONG bytes = sizeof address;
        need(first->Bind(generic(address), sizeof address), "Bind");
        need(first->GetLocalAddress(reinterpret_cast<sockaddr*>(&address), &bytes), "GetLocalAddress");
        (void)second->Bind(generic(address), sizeof address);
    });
    make("A server that is not there", [&] {
        End end(adapter);
        Request request;
        const sockaddr_in here = loopback(), nobody = loopback(1);
        need(end.connector->Bind(generic(here), sizeof here), "Bind");
        (void)request.finish(end.connector, end.connector->Connect(end.queue_pair.get(), generic(nobody), sizeof nobody,
                                                                   0, 0, nullptr, 0, request.get()));
    });
    make("A queue pair deeper than the adapter has them", [&] {
        End end(adapter);
        Object<IND2QueuePair> deep;
        (void)adapter->CreateQueuePair(IID_IND2QueuePair, end.results.get(), end.results.get(), nullptr, 1u << 30, 8, 1,
                                       1, 0, deep.out());
    });
    make("A Send before there is a connection", [&] {
        End end(adapter);
        Memory memory(adapter, 64, kLocal);
        const ND2_SGE part = memory.part(64);
        (void)end.queue_pair->Send(nullptr, &part, 1, 0);
    });
}

void mistakes_in_a_connection(const Adapter& adapter) {
    make("A message in more pieces than a queue pair takes", [&] {
        ConnectedPair pair(adapter);
        Memory memory(adapter, 64, kLocal);
        const std::vector<ND2_SGE> parts(17, memory.part(1));
        (void)pair.active.queue_pair->Send(nullptr, parts.data(), static_cast<ULONG>(parts.size()), 0);
    });
    make("More requests outstanding than the queue is deep", [&] {
        ConnectedPair pair(adapter);
        Memory memory(adapter, 64, kLocal);
        const ND2_SGE part = memory.part(64);
        while (SUCCEEDED(pair.active.queue_pair->Receive(nullptr, &part, 1))) {
        }
    });
    make("A receive shorter than the message", [&] {
        ConnectedPair pair(adapter);
        Memory memory(adapter, 64, kLocal);
        const ND2_SGE shorter = memory.part(16), message = memory.part(64);
        need(pair.passive.queue_pair->Receive(nullptr, &shorter, 1), "Receive");
        need(pair.active.queue_pair->Send(nullptr, &message, 1, 0), "Send");
        (void)pair.passive.wait();
        (void)pair.active.wait();
    });
    make("A message for which no receive is posted", [&] {
        ConnectedPair pair(adapter);
        Memory memory(adapter, 64, kLocal);
        const ND2_SGE message = memory.part(64);
        need(pair.active.queue_pair->Send(nullptr, &message, 1, 0), "Send");
        (void)pair.active.wait();
    });
    make("A Write to memory that was registered for reading only", [&] {
        ConnectedPair pair(adapter);
        Memory from(adapter, 64, kLocal), to(adapter, 64, kLocal | ND_MR_FLAG_ALLOW_REMOTE_READ);
        const ND2_SGE part = from.part(64);
        need(pair.active.queue_pair->Write(nullptr, &part, 1, to.address(), to.token(), 0), "Write");
        (void)pair.active.wait();
    });
    make("A Read past the end of the peer's region", [&] {
        ConnectedPair pair(adapter);
        Memory into(adapter, 64, kAll), from(adapter, 32, kAll);
        const ND2_SGE part = into.part(64);
        need(pair.active.queue_pair->Read(nullptr, &part, 1, from.address(), from.token(), 0), "Read");
        (void)pair.active.wait();
    });
    make("A Read where both sides connected without allowing any", [&] {
        ConnectedPair pair(adapter, 0);
        Memory into(adapter, 64, kAll), from(adapter, 64, kAll);
        const ND2_SGE part = into.part(64);
        need(pair.active.queue_pair->Read(nullptr, &part, 1, from.address(), from.token(), 0), "Read");
        (void)pair.active.wait();
    });
}

}  // namespace

int main() try {
    {
        const Adapter adapter;
        need(opennd_error_sink(print, nullptr), "opennd_error_sink");
        mistakes_before_a_connection(adapter);
        mistakes_in_a_connection(adapter);
        need(opennd_error_sink(nullptr, nullptr), "opennd_error_sink");
    }
    std::printf("%d mistakes, %d messages, %d unnoticed\n", mistakes, explained, missed);
    return missed == 0 ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}
