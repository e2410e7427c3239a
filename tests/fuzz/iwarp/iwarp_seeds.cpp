// SPDX-License-Identifier: MIT
// The golden frames as scripts, and edge cases: see iwarp_seeds.h.
#include "fuzz/iwarp/iwarp_seeds.h"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <span>
#include <string>

#include "fuzz/iwarp/iwarp_steps.h"
#include "transport/iwarp/wire/read_request.h"
#include "vectors/iwarp_frames.h"

namespace opennd::fuzz {
namespace {

using namespace iwarp;
using vectors::Octets;

constexpr std::byte kInParts{7};  // see Portions

Octets script(IwarpTarget target, std::initializer_list<vectors::Frame> frames) {
    Octets octets{static_cast<std::byte>(target), kInParts};
    for (const vectors::Frame& frame : frames) {
        const Octets more = vectors::octets(frame.hex);
        octets.insert(octets.end(), more.begin(), more.end());
    }
    return octets;
}

// ULPDUs with their lengths in front, instead of FPDUs.
Octets unframed(IwarpTarget target, std::initializer_list<vectors::Frame> frames) {
    Octets octets{static_cast<std::byte>(target), kInParts};
    for (const vectors::Frame& frame : frames) {
        const Octets fpdu = vectors::octets(frame.hex);
        const auto bytes = std::to_integer<std::ptrdiff_t>(fpdu[1]);
        octets.push_back(fpdu[1]);
        octets.insert(octets.end(), fpdu.begin() + 2, fpdu.begin() + 2 + bytes);
    }
    return octets;
}

// ULPDUs of the seeds' own, with `payload_bytes` of zero.
class Ulpdus {
public:
    Ulpdus() : octets_{static_cast<std::byte>(IwarpTarget::ulpdus), kInParts} {}

    Ulpdus& untagged(Opcode opcode, const UntaggedHeader& header, bool last, std::size_t payload_bytes) {
        header.store(add<UntaggedHeader::kBytes>(payload_bytes), opcode, last);
        return *this;
    }
    Ulpdus& tagged(Opcode opcode, const TaggedHeader& header, bool last, std::size_t payload_bytes) {
        header.store(add<TaggedHeader::kBytes>(payload_bytes), opcode, last);
        return *this;
    }
    Ulpdus& read(std::uint32_t msn, const ReadRequest& request) {
        std::ranges::copy(request.message(msn), add<ReadRequest::kUlpduBytes>(0).begin());
        return *this;
    }
    const Octets& octets() const { return octets_; }

private:
    template <std::size_t kHeaderBytes>
    std::span<std::byte, kHeaderBytes> add(std::size_t payload_bytes) {
        octets_.push_back(static_cast<std::byte>(kHeaderBytes + payload_bytes));
        octets_.resize(octets_.size() + kHeaderBytes + payload_bytes);
        return std::span(octets_).last(kHeaderBytes + payload_bytes).template first<kHeaderBytes>();
    }

    Octets octets_;
};

void write(const std::filesystem::path& folder, const std::string& name, const Octets& octets) {
    std::filesystem::create_directories(folder);
    std::ofstream stream(folder / name, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(octets.data()), static_cast<std::streamsize>(octets.size()));
}

// Everything that the receiver of the fuzzer grants, to its last octet and one further (iwarp_receiver.cpp).
void write_edges(const std::filesystem::path& to) {
    constexpr Stag kBuffer{0xa1b2c3d4}, kSink{0x55667788};
    constexpr std::uint64_t kBase = 0x100000000;
    constexpr UntaggedHeader kFirst{Stag::none, Queue::sends, 1, 0};
    for (const std::uint32_t over : {0u, 1u}) {
        const std::string name = over == 0 ? "_to_the_end" : "_beyond_the_end";
        write(to, "send" + name,
              Ulpdus()
                  .untagged(Opcode::send, kFirst, false, 40)
                  .untagged(Opcode::send, {Stag::none, Queue::sends, 1, 40}, true, 24 + over)
                  .octets());
        write(to, "immediate_data" + name,
              Ulpdus()
                  .tagged(Opcode::write, {kBuffer, kBase}, true, 8)
                  .untagged(Opcode::immediate_data, kFirst, true, 8 + over)
                  .octets());
        write(to, "write" + name, Ulpdus().tagged(Opcode::write, {kBuffer, kBase + 40}, true, 24 + over).octets());
        write(to, "response" + name,
              Ulpdus()
                  .tagged(Opcode::read_response, {}, true, 0)
                  .tagged(Opcode::read_response, {kSink, 0}, false, 50)
                  .tagged(Opcode::read_response, {kSink, 50}, true, 46 + over)
                  .octets());
        write(to, "read" + name, Ulpdus().read(1, {kSink, 0, 24 + over, kBuffer, kBase + 40}).octets());
    }
    Ulpdus reads;
    for (std::uint32_t msn = 1; msn <= 4; ++msn) reads.read(msn, {kSink, 0, msn == 2 ? 0 : 8u, kBuffer, kBase});
    write(to, "more_reads_than_slots", reads.octets());
}

}  // namespace

void write_iwarp_seeds(const std::filesystem::path& to) {
    using namespace vectors;
    for (const Frame& frame : {kRequest, kOwnRequest, kRequest1})
        write(to, std::string(frame.name), script(IwarpTarget::request, {frame}));
    for (const Frame& frame : {kReply, kOwnReply, kRejection, kReply1})
        write(to, std::string(frame.name), script(IwarpTarget::reply, {frame, kSend}));
    for (const Frame& frame : kFpdus) {
        write(to, std::string(frame.name), script(IwarpTarget::stream, {frame}));
        write(to, std::string(frame.name) + "_unframed", unframed(IwarpTarget::ulpdus, {frame}));
    }
    write(to, "in_order", script(IwarpTarget::stream, {kRtrWrite, kSend, kSendInvalidate, kWrite, kReadRequest}));
    write(to, "in_order_unchecked",
          script(IwarpTarget::unchecked_stream, {kRtrRead, kRtrReadResponse, kSendSolicited, kWrite, kTerminateCrc}));
    write(to, "in_order_unframed", unframed(IwarpTarget::ulpdus, {kRtrWrite, kSend, kSendInvalidate, kReadRequest}));
    write(to, "repeated", unframed(IwarpTarget::ulpdus, {kSend, kSend}));
    write(to, "marked", script(IwarpTarget::stream, {kMarked}));
    write(to, "marked_unframed", unframed(IwarpTarget::marked_ulpdus, {kSend, kTerminateBounds, kReadRequest, kWrite}));
    write_edges(to);
    write(to, "message", octets("06 07 10 27 a8 05 a8 05 18 02 f4 22"));
}

}  // namespace opennd::fuzz
