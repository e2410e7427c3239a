// SPDX-License-Identifier: MIT
// A request, or a receive, in the queue of a fake device.
#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace opennd::verbs {

struct FakeRequest {
    std::uint64_t id = 0;
    ibv_wr_opcode opcode = IBV_WR_SEND;
    unsigned flags = 0;
    std::vector<ibv_sge> entries;
    std::vector<std::byte> inline_data;
    std::uint64_t remote_address = 0;
    std::uint32_t remote_key = 0;
    std::uint32_t immediate = 0;  // in network byte order
    ibv_mw_bind_info part{};      // of a Bind

    static FakeRequest receive(const ibv_recv_wr& wanted) {
        FakeRequest made;
        made.id = wanted.wr_id;
        made.entries.assign(wanted.sg_list, wanted.sg_list + wanted.num_sge);
        return made;
    }

    bool has_immediate() const { return opcode == IBV_WR_SEND_WITH_IMM || opcode == IBV_WR_RDMA_WRITE_WITH_IMM; }
    bool is_write() const { return opcode == IBV_WR_RDMA_WRITE || opcode == IBV_WR_RDMA_WRITE_WITH_IMM; }
    bool is_read() const { return opcode == IBV_WR_RDMA_READ; }
    bool takes_receive() const { return has_immediate() || (!is_write() && !is_read()); }

    // The data that its entries name.
    std::vector<std::byte> gathered() const {
        std::vector<std::byte> all;
        for (const ibv_sge& entry : entries) {
            const auto* const from = reinterpret_cast<const std::byte*>(entry.addr);
            all.insert(all.end(), from, from + entry.length);
        }
        return all;
    }
    std::uint32_t bytes() const {
        std::uint32_t all = static_cast<std::uint32_t>(inline_data.size());
        for (const ibv_sge& entry : entries) all += entry.length;
        return all;
    }
};

}  // namespace opennd::verbs
