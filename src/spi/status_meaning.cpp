// SPDX-License-Identifier: MIT
// See status_meaning.h.
#include "spi/status_meaning.h"

#include <new>

#include "base/status_names.h"
#include "spi/explanation.h"

namespace opennd {
namespace {

constexpr std::string_view kSeeLog = "; OPENND_LOG=warn shows the cause where it was found";

constexpr StatusMeaning kUnknownMeaning = {"the method's comment in the headers", "ask `nd explain` about the status",
                                           "ND2-GEN-02"};

const StatusMeaning& meaning_of(HRESULT status) {
    return meaning_of(status, &StatusRow::nd2, &StatusRow::nd2_meaning, kUnknownMeaning);
}

}  // namespace

HRESULT explain_by_status(HRESULT status) noexcept {
    const StatusMeaning& meaning = meaning_of(status);
    return explain(status, {.object = "OpenND",
                            .operation = "call",
                            .asked = "what this call asked for",
                            .limit = meaning.limit,
                            .remedy = meaning.remedy,
                            .requirement = meaning.requirement});
}

HRESULT explain_exception(const char* what) noexcept {
    return explain(ND_INTERNAL_ERROR, {.object = "OpenND",
                                       .operation = "call",
                                       .asked = what,
                                       .limit = "no exception reaches the interface",
                                       .remedy = "report it: this is a fault of OpenND",
                                       .requirement = "ND2-GEN-02",
                                       .level = LogLevel::error});
}

void remember_result(HRESULT status, std::string_view object, std::string_view operation,
                     std::string_view asked) noexcept {
    remember_result(status, meaning_of(status), object, operation, asked);
}

void remember_result(HRESULT status, const StatusMeaning& meaning, std::string_view object, std::string_view operation,
                     std::string_view asked) noexcept {
    remember({status, status_name(status)},
             {.object = object,
              .operation = operation,
              .asked = asked.empty() ? phrase("the result of {}", operation) : phrase("{}", asked),
              .limit = meaning.limit,
              .remedy = phrase("{}{}", meaning.remedy, kSeeLog),
              .requirement = meaning.requirement});
}

Phrase connection_text(const Address& local, const Address& peer) noexcept try {
    return phrase("a connection between {} and {}", local.text(), peer.text());
} catch (const std::bad_alloc&) {
    return phrase("a connection");
}

}  // namespace opennd
