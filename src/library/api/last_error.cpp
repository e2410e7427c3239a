// SPDX-License-Identifier: MIT
// The functions of opennd.h that tell why something failed: base/explanation.h in the words of the C interface.
#include <cstring>
#include <string_view>

#include "base/explanation.h"
#include "base/published_sizes.h"
#include "library/api/program_sink.h"
#include "opennd.h"
#include "spi/at_face.h"

namespace opennd {
namespace {

using ErrorSizes = PublishedSizes<opennd_error, 64>;

opennd_error to_error(const Failure& failure) noexcept {
    const bool none = failure.status.number == ND_SUCCESS && std::string_view(failure.object).empty();
    return {static_cast<ULONG>(sizeof(opennd_error)),
            failure.status.number,
            none ? "ND_SUCCESS" : failure.status.name,
            failure.object.c_str(),
            failure.operation.c_str(),
            failure.asked.c_str(),
            failure.limit.c_str(),
            failure.remedy.c_str(),
            failure.requirement.c_str()};
}

using ErrorSink = ProgramSink<opennd_error_function>;

void call_failure_sink(void* context, const Failure& failure) {
    const auto* sink = static_cast<const ErrorSink*>(context);
    const opennd_error error = to_error(failure);
    sink->function(sink->context, &error);
}

constinit ProgramSinkOwner<opennd_error_function> error_sink_owner;
[[maybe_unused]] const bool error_sink_owner_listed = error_sink_owner.list();

}  // namespace
}  // namespace opennd

using namespace opennd;

// Explains no refusal of its own: that would replace the failure that the program asks for.
HRESULT opennd_last_error(opennd_error* error) {
    if (error == nullptr) return ND_INVALID_PARAMETER;
    opennd_error known = to_error(last_failure());
    known.bytes = static_cast<ULONG>(ErrorSizes::within(error->bytes));
    if (known.bytes == 0) return ND_INVALID_PARAMETER;
    std::memcpy(error, &known, known.bytes);
    return ND_SUCCESS;
}

VOID opennd_last_error_clear(VOID) { forget_last_failure(); }

HRESULT opennd_error_sink(opennd_error_function function, void* context) {
    return at_face([&] {
        error_sink_owner.replace(function, context,
                                 [](ErrorSink* sink) { set_failure_sink(sink ? call_failure_sink : nullptr, sink); });
        return ND_SUCCESS;
    });
}
