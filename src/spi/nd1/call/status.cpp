// SPDX-License-Identifier: MIT
// See status.h.
#include "spi/nd1/call/status.h"

#include "base/status_names.h"
#include "spi/status_meaning.h"

namespace opennd {
namespace {

constexpr StatusMeaning kNothingKnown = {"the method's comment in the headers", "ask `nd explain` about the status",
                                         "ND1-RES-07"};

}  // namespace

FaceStatus nd1_face_status(Status status) {
    const HRESULT number = to_nd1(status);
    return {number, status_name(number)};
}

FaceStatus nd1_made_face_status(Status status) {
    if (status != Status::no_memory) return nd1_face_status(status);
    return {ND_NO_MEMORY, status_name(ND_NO_MEMORY)};
}

void remember_nd1_result(HRESULT status, std::string_view object, std::string_view operation,
                         std::string_view asked) noexcept {
    remember_result(status, meaning_of(status, &StatusRow::nd1, &StatusRow::nd1_meaning, kNothingKnown), object,
                    operation, asked);
}

HRESULT refuse_nd1_null(HRESULT status, const Site& site, std::string_view parameter) noexcept {
    return explain(status, {.object = site.object,
                            .operation = site.operation,
                            .asked = phrase("{} is NULL", parameter),
                            .limit = "a pointer that is not NULL",
                            .remedy = phrase("pass a valid address for {}", parameter),
                            .requirement = "ND1-GEN-06"});
}

HRESULT refuse_nd1_object(HRESULT status, const Site& site, std::string_view parameter, std::string_view kind,
                          std::string_view requirement) noexcept {
    return explain(status, {.object = site.object,
                            .operation = site.operation,
                            .asked = phrase("{} is NULL, of another kind, or of another adapter instance", parameter),
                            .limit = phrase("a {} of the same INDAdapter", kind),
                            .remedy = phrase("pass a {} that this adapter instance has created", kind),
                            .requirement = requirement});
}

HRESULT refuse_nd1_limit(HRESULT status, const Site& site, std::string_view what, SIZE_T asked, SIZE_T limit,
                         std::string_view requirement, std::string_view imposer, CheckRule misuse) noexcept {
    return explain(status, {.object = site.object,
                            .operation = site.operation,
                            .asked = phrase("{} {}", what, asked),
                            .limit = phrase("{}", limit),
                            .remedy = "stay within the limits of INDAdapter::Query, and of the object's creation",
                            .requirement = requirement,
                            .imposed_by = imposer,
                            .rule = misuse});
}

}  // namespace opennd
