// SPDX-License-Identifier: MIT
// From Status to the numbers of version 1, and the refusals that only version 1 has. Read spi/explanation.h first.
#pragma once

#include <new>
#include <string_view>

#include "base/explanation.h"
#include "base/status_table.h"
#include "ndspi.h"
#include "spi/at_face.h"
#include "spi/explanation.h"

namespace opennd {

// (ND1-RES-07)
inline HRESULT to_nd1(Status status) { return ok(status) ? ND_SUCCESS : row_of(status).nd1; }

// A Status with its number and name in version 1.
FaceStatus nd1_face_status(Status status);
// The same of methods that list ND_NO_MEMORY; with others, memory that is missing is ND_INSUFFICIENT_RESOURCES (ND1-GEN-13).
FaceStatus nd1_made_face_status(Status status);
inline HRESULT to_nd1_made(Status status) { return nd1_made_face_status(status).number; }

// at_face() of the methods that do not list ND_NO_MEMORY: memory that is missing is ND_INSUFFICIENT_RESOURCES there.
template <typename Body>
HRESULT at_nd1_face(Body&& body) noexcept {
    return at_face([&]() -> HRESULT {
        try {
            return body();
        } catch (const std::bad_alloc&) {
            return explain_by_status(ND_INSUFFICIENT_RESOURCES);
        }
    });
}

// The result of `call`, which calls core for the method of `site`. A refusal of core is explained as that method's,
// with `requirement` and the number that `status` gives it.
template <typename Call>
auto in_words_of(const Site& site, std::string_view requirement, Call&& call, FaceStatusOf status = nd1_face_status) {
    const SpokenCall::Words words{site.object, site.operation, status, nullptr, requirement};
    const SpokenCall spoken(words);
    return call();
}
template <typename Call>
auto in_words_of(const Site& site, std::string_view (*requirement_of)(Status), Call&& call,
                 FaceStatusOf status = nd1_face_status) {
    const SpokenCall::Words words{site.object, site.operation, status, requirement_of};
    const SpokenCall spoken(words);
    return call();
}

// A failed result is handed to the program: as remember_result() of spi/status_meaning.h.
[[gnu::cold]] void remember_nd1_result(HRESULT status, std::string_view object, std::string_view operation,
                                       std::string_view asked = {}) noexcept;

// A parameter that must not be NULL is (ND1-GEN-06).
[[gnu::cold]] HRESULT refuse_nd1_null(HRESULT status, const Site& site, std::string_view parameter) noexcept;
// An interface argument is null, of another kind or of another adapter instance (ND1-GEN-08).
[[gnu::cold]] HRESULT refuse_nd1_object(HRESULT status, const Site& site, std::string_view parameter,
                                        std::string_view kind, std::string_view requirement = "ND1-GEN-08") noexcept;
// A number is above a limit of the adapter or of the object.
[[gnu::cold]] HRESULT refuse_nd1_limit(HRESULT status, const Site& site, std::string_view what, SIZE_T asked,
                                       SIZE_T limit, std::string_view requirement, std::string_view imposer = {},
                                       CheckRule misuse = {}) noexcept;

}  // namespace opennd
