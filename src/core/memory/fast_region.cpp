// SPDX-License-Identifier: MIT
// FastRegion: see fast_region.h.
#include "core/memory/fast_region.h"

#include <algorithm>
#include <utility>

#include "base/explanation.h"
#include "core/adapter/adapter.h"
#include "core/memory/memory_region.h"

namespace opennd {
namespace {

[[gnu::cold]] Status refuse(Status status, std::string_view operation, std::string_view asked, std::string_view limit,
                            std::string_view remedy, std::string_view requirement) {
    return explain(status, {.object = "fast memory region",
                            .operation = operation,
                            .asked = asked,
                            .limit = limit,
                            .remedy = remedy,
                            .requirement = requirement});
}

// NDK-QP-FREG-03.
PageList placed(PageList pages) {
    if (pages.first_byte == 0) pages.first_byte = static_cast<std::uint32_t>(pages.base % kPageBytes);
    return pages;
}

}  // namespace

FastRegion::FastRegion(Ref<Adapter> adapter) : adapter_(std::move(adapter)) {}

FastRegion::~FastRegion() = default;

Status FastRegion::initialize(std::uint32_t max_pages, Reach reach) {
    constexpr std::string_view kInitialize = "InitializeFastRegister";
    if (max_pages == 0)
        return refuse(Status::invalid_parameter, kInitialize, "no pages", "1 page or more",
                      "pass how many pages one registration may have", "NDK-MR-FRMR-01");
    const std::uint32_t most = adapter_->traits().max_fast_pages;
    if (max_pages > most)
        return refuse(Status::insufficient_resources, kInitialize, phrase("{} pages", max_pages),
                      phrase("{} pages", most), "use several regions", "NDK-MR-FRMR-01");
    const Held lock(mutex_);
    if (transport_ && transport_->valid())
        return refuse(Status::invalid_state, kInitialize, "a change of a region that is registered",
                      "while it is not registered", "invalidate it first", "NDK-MR-FRMR-02");
    if (reach == Reach::peers && !adapter_->traits().fast_regions_for_peers)
        return explain(Status::not_supported,
                       {.object = phrase("fast memory region of adapter {}", adapter_->opened_on().name),
                        .operation = kInitialize,
                        .asked = "fast registration for peers",
                        .limit = "for this side: a key of its RDMA device changes with every registration",
                        .remedy = "register the memory with NdkRegisterMr, or let peers in by memory windows",
                        .requirement = "NDK-MAP-10"});
    if (!transport_) {
        auto region = adapter_->transport().create_fast_region();
        if (!region.ok()) return region.status();
        transport_ = region.take();
    }
    max_pages_ = max_pages;
    reach_ = reach;
    return Status::success;
}

Token FastRegion::local_token() const {
    const Held lock(mutex_);
    return transport_ ? transport_->local_token() : Token::none;
}

Token FastRegion::remote_token() const {
    const Held lock(mutex_);
    return transport_ ? transport_->remote_token() : Token::none;
}

bool FastRegion::valid() const {
    const Held lock(mutex_);
    return transport_ && transport_->valid();
}

Ref<TransportFastRegion> FastRegion::transport() const {
    const Held lock(mutex_);
    return transport_;
}

Status FastRegion::check(const PageList& pages, Access access) const {
    constexpr std::string_view kFastRegister = "FastRegister";
    if (!transport_)
        return refuse(Status::invalid_parameter, kFastRegister, "a registration of a region that was never initialised",
                      "after InitializeFastRegister", "initialise it first", "NDK-QP-FREG-01");
    if (pages.pages.empty() || pages.pages.size() > max_pages_)
        return refuse(Status::invalid_parameter, kFastRegister, phrase("{} pages", pages.pages.size()),
                      phrase("1 to {}, as it was initialised", max_pages_), "initialise it for more, or register less",
                      "NDK-QP-FREG-01");
    if (pages.first_byte != 0 && pages.base % kPageBytes != pages.first_byte)
        return refuse(Status::invalid_parameter, kFastRegister,
                      phrase("base {:#x} with first byte offset {:#x}", pages.base, pages.first_byte),
                      "a base at that offset in its page, or an offset of 0",
                      "pass the place of the first byte in its page, or 0", "NDK-QP-FREG-03");
    if (const Status status = check_pages(placed(pages), kFastRegister); !ok(status)) return status;
    if (any_of(access, Access::remote_read | Access::remote_write) && reach_ == Reach::local)
        return refuse(Status::access_violation, kFastRegister, "rights for peers",
                      "a region initialised for remote access", "initialise it for remote access", "NDK-QP-FREG-02");
    return Status::success;
}

Result<Ref<TransportRequestSubject>> FastRegion::prepare(const PageList& pages, Access access) {
    const Held lock(mutex_);
    if (const Status status = check(pages, access); !ok(status)) return status;
    return transport_->prepare(placed(pages), access, reach_);
}

void FastRegion::close() {
    Ref<TransportFastRegion> transport;
    {
        const Held lock(mutex_);
        transport = std::exchange(transport_, nullptr);
    }
    if (transport) transport->close();
}

}  // namespace opennd
