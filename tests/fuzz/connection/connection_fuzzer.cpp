// SPDX-License-Identifier: MIT
// Octets of a peer over TCP into one whole connection: handshake, stream and end, with receives, a region and a window
// behind it (connection_side.h). Checked: the connection ends when the peer does, every request completes once, and
// nothing is written that was not granted.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <vector>

#include "fuzz/connection/connection_side.h"
#include "fuzz/connection/connection_steps.h"
#include "fuzz/portions.h"
#include "fuzz/script.h"
#include "transport/iwarp/channel.h"
#include "transport/iwarp/opening.h"
#include "transport/iwarp/stream/mpa_framer.h"
#include "transport/iwarp/wire/mpa_frame.h"

namespace opennd::fuzz {
namespace {

using namespace iwarp;
using Octets = std::vector<std::byte>;

// How long an answer may take that need not come.
constexpr int kAnswerMs = 20;

class Peer {
public:
    explicit Peer(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(port);
        const int yes = 1;
        ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        require(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0,
                "the listener is there");
    }
    ~Peer() { ::close(socket_); }
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    void say(std::span<const std::byte> octets, std::uint8_t choice = 0) {
        for (Portions portions(octets, choice); !portions.over();) {
            const auto portion = portions.next();
            if (::send(socket_, portion.data(), portion.size(), MSG_NOSIGNAL) < 0) return;  // it has ended already
        }
    }
    // The octets received by then, at most `most`; keeps them for last_read_request().
    std::size_t hear(std::size_t most, int limit_ms) {
        std::array<std::byte, 4096> octets;
        pollfd entry{socket_, POLLIN, 0};
        if (::poll(&entry, 1, limit_ms) != 1) return 0;
        const ssize_t count = ::recv(socket_, octets.data(), std::min(most, octets.size()), 0);
        if (count > 0) heard_.insert(heard_.end(), octets.begin(), octets.begin() + count);
        return count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    void forget() { heard_.clear(); }
    // The sink of the first Read that is no fence, once this side has posted one.
    std::optional<Stag> sink_of_read() {
        for (int tries = 0; tries < 2; ++tries) {
            for (std::size_t at = 0; at + kLengthBytes <= heard_.size();) {
                const std::size_t ulpdu = load_length(at);
                if (at + fpdu_bytes(ulpdu) > heard_.size()) break;
                const auto read = std::span<const std::byte>(heard_).subspan(at + kLengthBytes, ulpdu);
                at += fpdu_bytes(ulpdu);
                if (ulpdu != ReadRequest::kUlpduBytes) continue;
                const auto request = ReadRequest::load(read.last<ReadRequest::kBytes>());
                if (request.size > 0) return request.sink;
            }
            hear(4096, kAnswerMs);
        }
        return std::nullopt;
    }
    void end_sending() { ::shutdown(socket_, SHUT_WR); }
    int socket() const { return socket_; }

private:
    std::size_t load_length(std::size_t at) const {
        return std::to_integer<std::size_t>(heard_[at]) << 8 | std::to_integer<std::size_t>(heard_[at + 1]);
    }

    const int socket_;
    Octets heard_;
};

// A peer's messages out of a script, in order and out of it, towards memory that it may use and may not.
class Messages {
public:
    Messages(Script& script, Peer& peer, ConnectionSide& side) : script_(script), peer_(peer), side_(side) {}

    Octets stream() {
        while (!script_.over() && stream_.size() < kMostOctets) add();
        return std::move(stream_);
    }

private:
    static constexpr std::size_t kMostOctets = 1 << 18;

    void add() {
        switch (static_cast<ConnectionStep>(script_.below(kConnectionSteps))) {
            case ConnectionStep::send: return send();
            case ConnectionStep::write: return tagged(Opcode::write, memory_tag(), memory_offset(), payload_bytes());
            case ConnectionStep::read: return read(script_.number() % 10000);
            case ConnectionStep::fence: return read(0);
            case ConnectionStep::answer: return answer();
            case ConnectionStep::ulpdu: return frame(script_.octets(script_.byte()));
            case ConnectionStep::octets: return append(script_.octets(script_.byte()));
            case ConnectionStep::receipt: return frame(Receipt{script_.number()}.message());
            case ConnectionStep::immediate: return immediate();
            case ConnectionStep::again:
                sends_ -= script_.byte() % 2;
                reads_ -= script_.byte() % 2;
                return;
        }
    }
    void send() {
        const std::uint8_t choice = script_.byte();
        const auto opcode = static_cast<Opcode>(3 + choice % 4);
        const bool last = (choice & 4) == 0;
        const std::size_t bytes = payload_bytes();
        Octets ulpdu(UntaggedHeader::kBytes + bytes, std::byte{0x5a});
        const UntaggedHeader header{invalidates(opcode) ? memory_tag() : Stag::none, Queue::sends, sends_, sent_};
        const std::span<std::byte, UntaggedHeader::kBytes> octets(ulpdu.data(), UntaggedHeader::kBytes);
        header.store(octets, opcode, last);
        if (choice >= 0x80 && !invalidates(opcode)) Receipt{script_.number()}.stamp(octets);
        if ((choice & 0x40) != 0 && !invalidates(opcode)) ImmediateData{script_.number()}.stamp(octets);
        frame(ulpdu);
        sent_ = last ? 0 : sent_ + static_cast<std::uint32_t>(bytes);
        if (last) ++sends_;
    }
    void immediate() {
        const std::uint8_t choice = script_.byte();
        const auto message = ImmediateData{script_.number()}.message(sends_++, (choice & 1) != 0);
        Octets ulpdu(message.begin(), message.end());
        if ((choice & 0x40) != 0) ulpdu.resize(UntaggedHeader::kBytes + choice % 16);
        if ((choice & 0x80) != 0) ulpdu[0] &= std::byte{0xbf};  // L=0
        frame(ulpdu);
    }
    void read(std::uint32_t size) {
        frame(ReadRequest{Stag{77}, 0, size, memory_tag(), memory_offset()}.message(reads_++));
    }
    void tagged(Opcode opcode, Stag stag, std::uint64_t offset, std::size_t bytes) {
        Octets ulpdu(TaggedHeader::kBytes + bytes, std::byte{0xa5});
        TaggedHeader{stag, offset}.store(std::span(ulpdu).first<TaggedHeader::kBytes>(), opcode,
                                         script_.byte() % 4 != 0);
        frame(ulpdu);
    }
    void answer() {
        peer_.say(stream_);
        stream_.clear();
        const std::optional<Stag> sink = peer_.sink_of_read();
        tagged(Opcode::read_response, sink.value_or(Stag{1}), answered_, script_.number() % 66);
        answered_ = script_.byte() % 2 == 0 ? 0 : 32;
    }

    Stag memory_tag() {
        switch (script_.below(6)) {
            case 0:
            case 1: return to_stag(side_.token(ConnectionSide::shared));
            case 2: return to_stag(side_.window_token());
            case 3: return to_stag(side_.token(ConnectionSide::outbox));
            case 4: return to_stag(side_.token(ConnectionSide::inbox));
            default: return static_cast<Stag>(script_.raw<std::uint32_t>());
        }
    }
    std::uint64_t memory_offset() {
        const auto area = static_cast<ConnectionSide::Area>(script_.below(ConnectionSide::kAreas));
        return side_.address(area) + script_.number() % 8300;
    }
    std::size_t payload_bytes() { return script_.number() % 5000; }

    void frame(std::span<const std::byte> ulpdu) {
        framer_.frame({{ulpdu}}, fpdu_);
        for (const auto piece : fpdu_.pieces()) append(piece);
    }
    void append(std::span<const std::byte> octets) { stream_.insert(stream_.end(), octets.begin(), octets.end()); }

    Script& script_;
    Peer& peer_;
    ConnectionSide& side_;
    MpaFramer framer_{Crc::on, Markers::none};
    Fpdu fpdu_;
    Octets stream_;
    std::uint32_t sends_ = 1, reads_ = 1, sent_ = 0;
    std::uint64_t answered_ = 0;
};

// A valid Request of an initiator, and the listener's Reply. `immediate`: an opening that takes its offer.
bool open_stream(Peer& peer, Maker maker, bool receipts, bool immediate) {
    MpaFrame request;
    request.maker = maker;
    request.receipts = receipts;
    request.enhanced = EnhancedData{.inbound_reads = 4, .outbound_reads = 4};
    if (immediate) request.enhanced->peer_to_peer = true, request.enhanced->rtr = Rtr::write;
    std::array<std::byte, MpaFrame::kMaxBytes> room;
    peer.say(request.store(room));
    constexpr std::size_t kReplyBytes = MpaFrame::kHeaderBytes + EnhancedData::kBytes;
    for (std::size_t heard = 0; heard < kReplyBytes;) {
        const std::size_t more = peer.hear(kReplyBytes - heard, -1);
        if (more == 0) return false;
        heard += more;
    }
    peer.forget();
    if (!immediate) return true;
    const auto buffers = make_ref<SocketBuffers>();
    Output output(Crc::on, Markers::none, *buffers);
    require(output.has_slab(), "there is memory for a message");
    put_opening(output, Rtr::write, true);
    peer.say(output.unsent());
    return true;
}

// The peer has sent everything; the program uses its connection and closes it, and the peer reads to the end.
void run_to_the_end(ConnectionHost& host, Peer& peer) {
    peer.end_sending();
    Ref<ConnectionSide> finished;
    for (;;) {
        std::array<pollfd, 2> entries{{{peer.socket(), POLLIN, 0}, {host.ended(), POLLIN, 0}}};
        if (::poll(entries.data(), entries.size(), -1) < 0) {
            require(errno == EINTR, "poll works");  // libFuzzer's alarm
            continue;
        }
        std::array<std::byte, 16384> dropped;
        if (entries[1].revents != 0) {
            std::uint64_t rings = 0;
            (void)!::read(host.ended(), &rings, sizeof rings);
            const Ref<ConnectionSide> side = host.side();
            if (side && side->over() && !finished) {
                side->finish();
                finished = side;
            }
        }
        if (entries[0].revents != 0 && ::recv(peer.socket(), dropped.data(), dropped.size(), 0) <= 0) break;
    }
    const Ref<ConnectionSide> side = host.side();
    if (!side || finished) return;
    while (!side->over()) {
        pollfd entry{host.ended(), POLLIN, 0};
        ::poll(&entry, 1, -1);
    }
    std::uint64_t rings = 0;
    (void)!::read(host.ended(), &rings, sizeof rings);
    side->finish();
}

void run(Script& script) {
    ConnectionHost& host = ConnectionHost::shared();
    const auto mode = static_cast<ConnectionMode>(script.below(kConnectionModes));
    const std::uint8_t portions = script.byte(), plan = script.byte();
    host.begin({static_cast<std::size_t>(plan % 9), 1 + script.number() % ConnectionSide::kMostBytes,
                (plan & 0x40) != 0, (plan & 0x90) == 0x90});
    {
        Peer peer(host.port());
        const Maker maker = (plan & 0x20) != 0 ? Maker::other : Maker::opennd;
        if (mode == ConnectionMode::handshake ||
            open_stream(peer, maker, (plan & 0x08) != 0, maker == Maker::opennd && (plan & 0x10) != 0)) {
            const Ref<ConnectionSide> side = host.side();
            if (mode == ConnectionMode::messages && side)
                peer.say(Messages(script, peer, *side).stream(), portions);
            else
                peer.say(script.octets(1 << 16), portions);
        }
        run_to_the_end(host, peer);
    }
    host.forget();
}

}  // namespace
}  // namespace opennd::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    opennd::fuzz::Script script({data, size});
    opennd::fuzz::run(script);
    return 0;
}
