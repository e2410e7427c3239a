// SPDX-License-Identifier: MIT
// A path in its parts.
#include "win32/paths.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <string_view>

namespace {

template <typename Char>
using Text = std::basic_string_view<Char>;

template <typename Char>
bool is_slash(Char c) {
    return c == '/' || c == '\\';
}

template <typename Char>
using Parts = std::array<Text<Char>, 4>;  // drive, folder, name, extension

template <typename Char>
Parts<Char> parts_of(Text<Char> path) {
    const std::size_t drive = path.size() > 1 && path[1] == ':' ? 2 : 0;
    const auto last_slash =
        std::find_if(path.rbegin(), path.rend() - static_cast<std::ptrdiff_t>(drive), is_slash<Char>);
    const auto name = static_cast<std::size_t>(last_slash.base() - path.begin());
    const std::size_t dot = path.rfind(Char('.'));
    const std::size_t extension = dot == path.npos || dot < name ? path.size() : dot;
    return {path.substr(0, drive), path.substr(drive, name - drive), path.substr(name, extension - name),
            path.substr(extension)};
}

template <typename Char>
struct Place {
    Char* text;
    std::size_t room;
};

template <typename Char>
using Places = std::array<Place<Char>, 4>;

template <typename Char>
void put(const Place<Char>& place, Text<Char> part) {
    if (place.text == nullptr || place.room == 0) return;
    const std::size_t length = std::min(part.size(), place.room - 1);
    std::copy_n(part.data(), length, place.text);
    place.text[length] = 0;
}

template <typename Char>
errno_t split(const Char* path, const Places<Char>& places) {
    const auto refuse = [&](errno_t error) {
        for (const Place<Char>& place : places) put(place, Text<Char>());
        return error;
    };
    if (path == nullptr) return refuse(EINVAL);
    const Parts<Char> parts = parts_of(Text<Char>(path));
    for (const Place<Char>& place : places)
        if ((place.text == nullptr) != (place.room == 0)) return refuse(EINVAL);
    for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i].text != nullptr && parts[i].size() >= places[i].room) return refuse(ERANGE);
    for (std::size_t i = 0; i < places.size(); ++i) put(places[i], parts[i]);
    return 0;
}

template <typename Char>
void split_and_cut(const Char* path, const Places<Char>& places) {
    if (path == nullptr) return;
    const Parts<Char> parts = parts_of(Text<Char>(path));
    for (std::size_t i = 0; i < places.size(); ++i) put(places[i], parts[i]);
}

}  // namespace

void _splitpath(const char* path, char* drive, char* folder, char* name, char* extension) {
    split_and_cut<char>(path, {{{drive, _MAX_DRIVE}, {folder, _MAX_DIR}, {name, _MAX_FNAME}, {extension, _MAX_EXT}}});
}

void _wsplitpath(const wchar_t* path, wchar_t* drive, wchar_t* folder, wchar_t* name, wchar_t* extension) {
    split_and_cut<wchar_t>(path,
                           {{{drive, _MAX_DRIVE}, {folder, _MAX_DIR}, {name, _MAX_FNAME}, {extension, _MAX_EXT}}});
}

errno_t _splitpath_s(const char* path, char* drive, size_t drive_size, char* folder, size_t folder_size, char* name,
                     size_t name_size, char* extension, size_t extension_size) {
    return split<char>(path,
                       {{{drive, drive_size}, {folder, folder_size}, {name, name_size}, {extension, extension_size}}});
}

errno_t _wsplitpath_s(const wchar_t* path, wchar_t* drive, size_t drive_size, wchar_t* folder, size_t folder_size,
                      wchar_t* name, size_t name_size, wchar_t* extension, size_t extension_size) {
    return split<wchar_t>(
        path, {{{drive, drive_size}, {folder, folder_size}, {name, name_size}, {extension, extension_size}}});
}
