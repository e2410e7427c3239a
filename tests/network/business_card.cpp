// SPDX-License-Identifier: MIT
//
// A client that finds its peer as MPI libraries do: it publishes one address of this host, its business card, and
// connects to its peer's; both at once.
//
//     business_card first|last_ipv4|reversed|lowest_id
//
// Prints its card, reads the peer's as a line, and ends with exit code 0 once each has the other's connection. Its port
// is the same on every host, so that a card that names this host everywhere leads to itself.
#include <ndsupport.h>
#include <netdb.h>
#include <opennd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../../examples/object.h"

namespace {

using example::need;
using example::Object;

constexpr const char* kPort = "7471";

struct Address {
    sockaddr_storage raw{};
    socklen_t length = 0;

    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&raw); }
    bool is_ipv4() const { return raw.ss_family == AF_INET; }
    bool is_link_local() const {
        return !is_ipv4() && IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(&raw)->sin6_addr);
    }
    std::string text() const {
        char host[NI_MAXHOST] = "";
        getnameinfo(get(), length, host, sizeof host, nullptr, 0, NI_NUMERICHOST);
        return host;
    }
    Address with_port() const { return parse(text()); }

    static Address of(const SOCKET_ADDRESS& entry) {
        Address address;
        address.length = static_cast<socklen_t>(entry.iSockaddrLength);
        std::memcpy(&address.raw, entry.lpSockaddr, address.length);
        return address;
    }
    static Address parse(const std::string& text) {
        addrinfo wanted{}, *found = nullptr;
        wanted.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
        wanted.ai_socktype = SOCK_STREAM;
        if (getaddrinfo(text.c_str(), kPort, &wanted, &found) != 0) throw std::runtime_error("no address: " + text);
        Address address;
        address.length = found->ai_addrlen;
        std::memcpy(&address.raw, found->ai_addr, found->ai_addrlen);
        freeaddrinfo(found);
        return address;
    }
};

// `query(list, bytes)` as the size query and as the other.
template <typename Size, typename Query>
std::vector<Address> read_list(Query&& query) {
    Size bytes = 0;
    if (query(nullptr, &bytes) != ND_BUFFER_OVERFLOW) throw std::runtime_error("no addresses");
    std::vector<std::byte> buffer(bytes);
    auto* const list = reinterpret_cast<SOCKET_ADDRESS_LIST*>(buffer.data());
    need(query(list, &bytes), "QueryAddressList");
    std::vector<Address> all;
    for (const SOCKET_ADDRESS& entry : std::span(list->Address, static_cast<std::size_t>(list->iAddressCount)))
        all.push_back(Address::of(entry));
    return all;
}

// Of the adapter with the lowest id, its own first address.
Address of_lowest_id(const std::vector<Address>& listed) {
    Object<IND2Provider> provider;
    need(DllGetClassObject(CLSID_OpenNDProvider, IID_IND2Provider, provider.out()), "DllGetClassObject");
    UINT64 lowest = ~UINT64{0};
    for (const Address& address : listed) {
        UINT64 id = 0;
        need(provider->ResolveAddress(address.get(), address.length, &id), "ResolveAddress");
        lowest = std::min(lowest, id);
    }
    Object<IND2Adapter> adapter;
    need(provider->OpenAdapter(IID_IND2Adapter, lowest, adapter.out()), "OpenAdapter");
    return read_list<ULONG>(
               [&](SOCKET_ADDRESS_LIST* list, ULONG* bytes) { return adapter->QueryAddressList(list, bytes); })
        .front();
}

Address choose(std::string_view pick) {
    std::vector<Address> listed = read_list<SIZE_T>([](SOCKET_ADDRESS_LIST* list, SIZE_T* bytes) {
        return NdQueryAddressList(ND_QUERY_EXCLUDE_NDv1_ADDRESSES, list, bytes);
    });
    const auto find = [](auto from, auto to, auto fits) {
        const auto found = std::find_if(from, to, fits);
        if (found == to) throw std::runtime_error("no address fits");
        return *found;
    };
    const auto is_ipv4 = [](const Address& address) { return address.is_ipv4(); };
    const auto is_global = [](const Address& address) { return !address.is_link_local(); };
    if (pick == "first") return listed.front();
    if (pick == "last_ipv4") return find(listed.rbegin(), listed.rend(), is_ipv4);
    if (pick == "reversed") return find(listed.rbegin(), listed.rend(), is_global);
    if (pick == "lowest_id") return of_lowest_id(listed);
    throw std::runtime_error("first, last_ipv4, reversed or lowest_id");
}

class Pending {
public:
    explicit Pending(const char* what) : what_(what) {}
    OVERLAPPED* get() { return &overlapped_; }
    template <typename T>
    void finish(const Object<T>& object, HRESULT status) {
        need(status == ND_PENDING ? object->GetOverlappedResult(&overlapped_, TRUE) : status, what_);
    }

private:
    const char* what_;
    OVERLAPPED overlapped_{};
};

class End {
public:
    explicit End(const Address& local) {
        need(NdOpenAdapter(IID_IND2Adapter, local.get(), local.length, adapter_.out()), "NdOpenAdapter");
        need(adapter_->CreateOverlappedFile(&file_), "CreateOverlappedFile");
        need(adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, 8, 0, 0, results_.out()),
             "CreateCompletionQueue");
        need(adapter_->CreateQueuePair(IID_IND2QueuePair, results_.get(), results_.get(), nullptr, 4, 4, 1, 1, 0,
                                       queue_pair.out()),
             "CreateQueuePair");
        need(adapter_->CreateConnector(IID_IND2Connector, file_, connector.out()), "CreateConnector");
    }
    Object<IND2Listener> listen(const Address& at) {
        Object<IND2Listener> listener;
        need(adapter_->CreateListener(IID_IND2Listener, file_, listener.out()), "CreateListener");
        need(listener->Bind(at.get(), at.length), "listener's Bind");
        need(listener->Listen(0), "Listen");
        return listener;
    }

    Object<IND2QueuePair> queue_pair;
    Object<IND2Connector> connector;

private:
    Object<IND2Adapter> adapter_;
    Object<IND2CompletionQueue> results_;
    HANDLE file_ = nullptr;
};

Address local_address_for(const Address& remote) {
    Address local;
    SIZE_T bytes = sizeof local.raw;
    need(NdResolveAddress(remote.get(), remote.length, reinterpret_cast<sockaddr*>(&local.raw), &bytes),
         "NdResolveAddress");
    local.length = static_cast<socklen_t>(bytes);
    return local;
}

std::string caller_of(const Object<IND2Connector>& connector) {
    char text[64] = "";
    ULONG bytes = sizeof text - 1;
    const HRESULT status = connector->GetPrivateData(text, &bytes);
    if (FAILED(status) && status != ND_BUFFER_OVERFLOW) need(status, "GetPrivateData");
    return text;
}

// A name that differs between two hosts.
std::string own_name(std::string_view card) { return std::string(card) + " of " + std::to_string(getpid()); }

int meet(std::string_view pick) {
    need(NdStartup(), "NdStartup");
    const Address card = choose(pick).with_port();
    const std::string name = own_name(card.text());
    End passive(card);
    const Object<IND2Listener> listener = passive.listen(card);
    std::printf("%s\n", card.text().c_str());
    std::fflush(stdout);

    std::string line;
    if (!std::getline(std::cin, line)) return 2;
    const Address peer = Address::parse(line);
    const Address local = local_address_for(peer);
    End active(local);
    Pending asking("GetConnectionRequest"), connecting("Connect"), accepting("Accept"), completing("CompleteConnect");
    const HRESULT asked = listener->GetConnectionRequest(passive.connector.get(), asking.get());
    need(active.connector->Bind(local.get(), local.length), "Bind");
    const HRESULT connected =
        active.connector->Connect(active.queue_pair.get(), peer.get(), peer.length, 0, 0, name.c_str(),
                                  static_cast<ULONG>(name.size() + 1), connecting.get());
    asking.finish(listener, asked);
    const std::string caller = caller_of(passive.connector);
    if (caller == name) {
        std::printf("connected to itself\n");
        return 1;
    }
    const HRESULT accepted = passive.connector->Accept(passive.queue_pair.get(), 0, 0, nullptr, 0, accepting.get());
    connecting.finish(active.connector, connected);
    completing.finish(active.connector, active.connector->CompleteConnect(completing.get()));
    accepting.finish(passive.connector, accepted);
    std::printf("met %s\n", caller.c_str());
    return 0;
}

}  // namespace

int main(int arguments, char** values) {
    try {
        return meet(arguments == 2 ? values[1] : "");
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "%s\n", failure.what());
        return 2;
    }
}
