// SPDX-License-Identifier: MIT
// See source_places.h.
#include "platform/process/source_places.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "base/fork_step.h"
#include "base/lock.h"
#include "platform/process/libdw.h"

namespace opennd {
namespace {

std::string text_or_nothing(const char* text) { return text ? text : ""; }

// The entries around an address in the tree of a unit's debug information, the innermost first.
class Scopes {
public:
    Scopes(const Libdw& dw, Dwarf_Die& unit, Dwarf_Addr address) : dw_(dw), address_(address) { descend(unit); }

    std::vector<Dwarf_Die>& all() { return all_; }

private:
    // Returns true if an entry below this one holds the address.
    bool descend(Dwarf_Die& entry) {
        Dwarf_Die below;
        if (dw_.child(&entry, &below) != 0) return false;
        do {
            const bool holds = dw_.haspc(&below, address_) == 1;
            // A namespace has no addresses, but those in it have. libdw's own search passes it by, and with it all that clang puts there.
            const bool may_hold = holds || dw_.tag(&below) == DW_TAG_namespace;
            const bool found = may_hold && descend(below);
            if (holds) all_.push_back(below);
            if (holds || found) return true;
        } while (dw_.siblingof(&below, &below) == 0);
        return false;
    }

    const Libdw& dw_;
    const Dwarf_Addr address_;
    std::vector<Dwarf_Die> all_;
};

// The debug information of one file that is loaded. One thread at a time.
class DebugInformation {
public:
    // `shift`: from the addresses in the file to those in memory. `dw` outlives it.
    DebugInformation(const Libdw& dw, const std::string& path, std::uintptr_t shift) : dw_(dw) {
        callbacks_.find_debuginfo = dw.build_id_find_debuginfo;
        session_.reset(dw.begin(&callbacks_));
        if (!session_) return;
        // libdw closes it, but would leave it to programs that this one starts meanwhile.
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file >= 0) module_ = dw.report_elf(session_.get(), path.c_str(), path.c_str(), file, shift, true);
        dw.report_end(session_.get(), nullptr, nullptr);
    }

    const std::vector<SourcePlace>& places_of(std::uintptr_t address) {
        const auto [known, fresh] = known_.try_emplace(address);
        if (fresh && module_) known->second = found(address);
        return known->second;
    }

private:
    struct Unit {
        Dwarf_Die* die = nullptr;
        Dwarf_Addr shift = 0;
    };

    Unit unit_of(std::uintptr_t address) const {
        Unit unit;
        unit.die = dw_.module_addrdie(module_, address, &unit.shift);
        if (unit.die) return unit;
        // Clang writes no index of the units by address.
        while ((unit.die = dw_.module_nextcu(module_, unit.die, &unit.shift)) != nullptr)
            if (dw_.haspc(unit.die, address - unit.shift) == 1) return unit;
        return unit;
    }

    std::vector<SourcePlace> found(std::uintptr_t address) const {
        // The symbol of a function that no other file sees has its parameters, too; its entry has the name alone.
        const std::string symbol = text_or_nothing(dw_.module_addrname(module_, address));
        const Unit unit = unit_of(address);
        Dwarf_Line* const line = unit.die ? dw_.getsrc_die(unit.die, address - unit.shift) : nullptr;
        SourcePlace place;
        if (!line || dw_.lineno(line, &place.line) != 0) {
            if (symbol.empty()) return {};
            return {{symbol, {}, 0}};
        }
        place.file = text_or_nothing(dw_.linesrc(line, nullptr, nullptr));
        std::vector<SourcePlace> found_places;
        std::string function;
        Scopes around(dw_, *unit.die, address - unit.shift);
        for (Dwarf_Die& scope : around.all()) {
            const int tag = dw_.tag(&scope);
            if (tag == DW_TAG_subprogram) function = name_of(scope);
            if (tag != DW_TAG_inlined_subroutine) continue;
            place.function = name_of(scope);
            found_places.push_back(place);
            place = call_of(unit, scope);
        }
        place.function = symbol.empty() ? function : symbol;
        found_places.push_back(place);
        return found_places;
    }

    std::string name_of(Dwarf_Die& scope) const {
        Dwarf_Attribute attribute;
        if (dw_.attr_integrate(&scope, DW_AT_linkage_name, &attribute))
            if (const char* const name = dw_.formstring(&attribute)) return name;
        return text_or_nothing(dw_.diename(&scope));
    }

    // The place where the function of `scope` would have been called.
    SourcePlace call_of(const Unit& unit, Dwarf_Die& scope) const {
        Dwarf_Files* files = nullptr;
        std::size_t count = 0;
        const Dwarf_Word file = number(scope, DW_AT_call_file);
        if (dw_.getsrcfiles(unit.die, &files, &count) != 0 || file >= count) return {};
        return {{},
                text_or_nothing(dw_.filesrc(files, file, nullptr, nullptr)),
                static_cast<int>(number(scope, DW_AT_call_line))};
    }

    Dwarf_Word number(Dwarf_Die& scope, unsigned name) const {
        Dwarf_Attribute attribute;
        Dwarf_Word value = 0;
        if (dw_.attr(&scope, name, &attribute)) dw_.formudata(&attribute, &value);
        return value;
    }

    const Libdw& dw_;
    // Debug information lies in the file, or in a file of its own by the build's number; libdw's search for more asks servers. libdw keeps
    // the address of this.
    Dwfl_Callbacks callbacks_{};
    std::unique_ptr<Dwfl, decltype(&::dwfl_end)> session_{nullptr, dw_.end};
    Dwfl_Module* module_ = nullptr;
    std::unordered_map<std::uintptr_t, std::vector<SourcePlace>> known_;
};

class SourcePlaces {
public:
    // A child of fork reads the files again.
    explicit SourcePlaces(const SourcePlaces*) : dw_(load_libdw(reason_)) {}

    const std::string& reason() const { return reason_; }

    std::vector<SourcePlace> of(const void* code) EXCLUDES(mutex_) {
        Dl_info info{};
        void* extra = nullptr;
        if (!dw_ || ::dladdr1(code, &info, &extra, RTLD_DL_LINKMAP) == 0) return {};
        const auto* const file = static_cast<const link_map*>(extra);
        // The program itself has no name here. This one leads to its file, even if another one has its name by now.
        std::string path = *file->l_name == '\0' ? "/proc/self/exe" : file->l_name;
        const Held lock(mutex_);
        const auto [known, fresh] = files_.try_emplace({std::move(path), file->l_addr});
        if (fresh) known->second = std::make_unique<DebugInformation>(*dw_, known->first.first, file->l_addr);
        return known->second->places_of(reinterpret_cast<std::uintptr_t>(code));
    }

private:
    std::string reason_;
    const std::optional<Libdw> dw_;

    Mutex mutex_;  // held while libdw reads files
    // By path and shift: a library may be loaded again, at another address.
    std::map<std::pair<std::string, std::uintptr_t>, std::unique_ptr<DebugInformation>> files_ GUARDED_BY(mutex_);
};

constinit OfProcess<SourcePlaces> source_places_of_process;
[[maybe_unused]] const bool source_places_listed = source_places_of_process.list();

}  // namespace

std::vector<SourcePlace> source_places(const void* code) { return source_places_of_process.get().of(code); }

std::string why_no_source_places() { return source_places_of_process.get().reason(); }

}  // namespace opennd
