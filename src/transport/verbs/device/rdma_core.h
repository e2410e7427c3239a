// SPDX-License-Identifier: MIT
// rdma-core's two libraries, libibverbs and librdmacm, as tables of functions. They are loaded when a device is opened: a
// host without RDMA needs neither, and libopennd.so is linked with neither (docs/decisions/0052).
//
// The requests of the data path are no functions of a library: ibv_post_send, ibv_poll_cq, ibv_alloc_mw and their like are
// inline calls through the device's own table. Other inline functions of <infiniband/verbs.h> call exported ones, which
// this library does not have: use the tables.
#pragma once

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#include <bit>
#include <cstdint>
#include <optional>
#include <string>

#include "model/token.h"

namespace opennd::verbs {

// Each is the function of libibverbs with the prefix ibv_. None is newer than rdma-core 25 but those that may be null.
struct VerbsFunctions {
    decltype(&::ibv_get_device_name) get_device_name;
    decltype(&::ibv_open_device) open_device;
    decltype(&::ibv_close_device) close_device;
    decltype(&::ibv_query_device) query_device;
    decltype(&::ibv_query_port) query_port;  // of an attribute structure without its newest members
    decltype(&::ibv_alloc_pd) alloc_pd;
    decltype(&::ibv_dealloc_pd) dealloc_pd;
    decltype(&::ibv_reg_mr) reg_mr;
    decltype(&::ibv_reg_mr_iova) reg_mr_iova;
    decltype(&::ibv_dereg_mr) dereg_mr;
    decltype(&::ibv_create_comp_channel) create_comp_channel;
    decltype(&::ibv_destroy_comp_channel) destroy_comp_channel;
    decltype(&::ibv_create_cq) create_cq;
    decltype(&::ibv_destroy_cq) destroy_cq;
    decltype(&::ibv_get_cq_event) get_cq_event;
    decltype(&::ibv_ack_cq_events) ack_cq_events;
    decltype(&::ibv_get_async_event) get_async_event;
    decltype(&::ibv_ack_async_event) ack_async_event;
    decltype(&::ibv_create_srq) create_srq;
    decltype(&::ibv_modify_srq) modify_srq;
    decltype(&::ibv_destroy_srq) destroy_srq;
    decltype(&::ibv_create_qp) create_qp;
    decltype(&::ibv_query_qp) query_qp;
    decltype(&::ibv_modify_qp) modify_qp;
    decltype(&::ibv_destroy_qp) destroy_qp;
    decltype(&::ibv_wc_status_str) wc_status_str;
    decltype(&::ibv_event_type_str) event_type_str;

    decltype(&::_ibv_query_gid_ex) query_gid_ex;  // from rdma-core 32 on; null before
    decltype(&::ibv_query_ece) query_ece;         // from 31 on
    decltype(&::ibv_set_ece) set_ece;
    decltype(&::ibv_is_fork_initialized) is_fork_initialized;  // from 35 on
};

// Each is the function of librdmacm with the prefix rdma_.
struct CmFunctions {
    decltype(&::rdma_create_event_channel) create_event_channel;
    decltype(&::rdma_destroy_event_channel) destroy_event_channel;
    decltype(&::rdma_create_id) create_id;
    decltype(&::rdma_destroy_id) destroy_id;
    decltype(&::rdma_bind_addr) bind_addr;
    decltype(&::rdma_resolve_addr) resolve_addr;
    decltype(&::rdma_resolve_route) resolve_route;
    decltype(&::rdma_init_qp_attr) init_qp_attr;
    decltype(&::rdma_connect) connect;
    decltype(&::rdma_establish) establish;
    decltype(&::rdma_listen) listen;
    decltype(&::rdma_accept) accept;
    decltype(&::rdma_reject) reject;
    decltype(&::rdma_notify) notify;
    decltype(&::rdma_disconnect) disconnect;
    decltype(&::rdma_get_cm_event) get_cm_event;
    decltype(&::rdma_ack_cm_event) ack_cm_event;
    decltype(&::rdma_set_option) set_option;

    decltype(&::rdma_get_remote_ece) get_remote_ece;  // from rdma-core 31 on; null before
    decltype(&::rdma_set_local_ece) set_local_ece;
};

struct RdmaCore {
    VerbsFunctions ibv;
    CmFunctions rdma;
};

// The files of the two libraries.
struct RdmaLibraries {
    std::string verbs = "libibverbs.so.1";
    std::string cm = "librdmacm.so.1";
};

// Loads the libraries, for good, and fills the tables. Returns nothing if a library or function is missing; `reason`
// says which. Loads no provider: the first call of rdma_bind_addr does.
std::optional<RdmaCore> load_rdma_core(std::string& reason, const RdmaLibraries& libraries = {});

// The folders where the kernel shows RDMA devices. A container may have either alone.
struct DeviceFolders {
    const char* classes = "/sys/class/infiniband";
    const char* files = "/dev/infiniband";
};

// Returns true if the host has an RDMA device: the first folder is not empty, or the second has a file of one. Two system calls where
// both are missing.
bool has_rdma_device(const DeviceFolders& folders = {});

// Converts between the rkey of verbs, a number, and the remote token of Network Direct, whose octets in memory are
// those of the number on the wire (IW-ND-05, IW-ND-07): programs send tokens as they are, and other programs of verbs
// send keys most significant octet first.
constexpr std::uint32_t exchange_octets(std::uint32_t number) {
    if constexpr (std::endian::native == std::endian::big) return number;
    return __builtin_bswap32(number);
}

constexpr Token to_token(std::uint32_t remote_key) { return static_cast<Token>(exchange_octets(remote_key)); }
constexpr std::uint32_t to_remote_key(Token token) { return exchange_octets(value(token)); }

// No device makes a key of ones: its index would be the last of all that 24 bits name.
inline constexpr Token kNamesNothing{0xFFFFFFFF};

}  // namespace opennd::verbs
