// SPDX-License-Identifier: MIT
//
// Read look.h first.
#include "plot/look.h"

#include "plot/markup.h"

#include <iterator>
#include <map>

namespace nd {
namespace {

struct Colour {
    const char *light, *dark;
};
// They differ for colour-blind readers, too, and stand out from light and dark grounds.
constexpr Colour kColours[] = {{"#0072b2", "#56b4e9"}, {"#c65300", "#ff8a3d"}, {"#007a5a", "#2bc79a"},
                               {"#a8447f", "#e39ac6"}, {"#8a6100", "#e6a700"}, {"#6c43a0", "#bda0ea"},
                               {"#7a3b2e", "#d99a8c"}, {"#5a5a5a", "#bdbdbd"}};

struct Family {
    std::vector<std::size_t> colours;
    std::vector<const char*> dashes;
    bool hollow;
    double width;
};

// Equal values lie on each other: through the gaps of a line those drawn before it are seen.
const Family& family_of(LineKind kind) {
    static const std::map<LineKind, Family> families = {
        {LineKind::plain, {{0, 1, 2, 3, 4, 5}, {"none", "16 5", "7 7", "12 4 3 4", "3 5", "9 3 3 3 3 3"}, false, 2}},
        {LineKind::ours, {{0, 2, 3}, {"none"}, false, 2.5}},
        {LineKind::before, {{0, 2, 3}, {"2 3"}, true, 1.5}},
        {LineKind::floor, {{7}, {"7 4", "3 3", "10 3 2 3"}, true, 1.5}},
        {LineKind::peer, {{1, 4, 5, 6}, {"none"}, false, 1.5}},
    };
    return families.at(kind);
}

constexpr std::size_t kMarks = 6;
constexpr double kMark = 4.5;

// A corner of a shape around a point.
struct Corner {
    double dx, dy;
};
const std::vector<Corner>& shape_of(std::size_t mark) {
    static const std::vector<Corner> shapes[kMarks - 1] = {
        {{-kMark, -kMark}, {kMark, -kMark}, {kMark, kMark}, {-kMark, kMark}},
        {{0, -kMark - 1}, {kMark + 1, 0}, {0, kMark + 1}, {-kMark - 1, 0}},
        {{0, -kMark - 1}, {kMark, kMark}, {-kMark, kMark}},
        {{0, kMark + 1}, {kMark, -kMark}, {-kMark, -kMark}},
        {{-kMark, -kMark}, {0, -1.5}, {kMark, -kMark}, {1.5, 0}, {kMark, kMark}, {0, 1.5}, {-kMark, kMark}, {-1.5, 0}},
    };
    return shapes[mark - 1];  // the first mark is a circle
}

std::string variable_of(std::size_t colour) { return "--colour-" + std::to_string(colour); }

std::string variables(const char* Colour::*ground) {
    std::string text;
    for (std::size_t i = 0; i < std::size(kColours); ++i)
        text += " " + variable_of(i) + ": " + kColours[i].*ground + ";";
    return text;
}

}  // namespace

std::vector<Look> looks_of(std::span<const LineKind> kinds) {
    std::vector<Look> looks;
    std::map<LineKind, std::size_t> seen;
    for (const LineKind kind : kinds) {
        const Family& family = family_of(kind);
        const std::size_t index = seen[kind]++;
        looks.push_back({"colour-" + std::to_string(family.colours[index % family.colours.size()]),
                         family.dashes[index % family.dashes.size()], looks.size() % kMarks, family.hollow,
                         family.width});
    }
    return looks;
}

std::string mark(const Look& look, double x, double y) {
    const std::string name = look.hollow ? "hollow" : "mark";
    if (look.mark == 0)
        return element("circle",
                       {{"class", name}, {"cx", coordinate(x)}, {"cy", coordinate(y)}, {"r", coordinate(kMark)}});
    std::string points;
    for (const Corner& corner : shape_of(look.mark))
        points += (points.empty() ? "" : " ") + coordinate(x + corner.dx) + "," + coordinate(y + corner.dy);
    return element("polygon", {{"class", name}, {"points", points}});
}

std::string plot_style() {
    std::string classes;
    for (std::size_t i = 0; i < std::size(kColours); ++i)
        classes += ".colour-" + std::to_string(i) + " { color: var(" + variable_of(i) + "); }\n";
    return ":root { color-scheme: light dark; --ground: #ffffff; --text: #1c1e21; --faint: #d8d8d8;" +
           variables(&Colour::light) +
           " }\n@media (prefers-color-scheme: dark) { :root { --ground: #16181c; --text: #e6e6e6; --faint: #3a3d42;" +
           variables(&Colour::dark) + " } }\n" + classes +
           "svg text { fill: var(--text); font: 14px system-ui, sans-serif; }\n"
           "svg .title { font-size: 15px; font-weight: bold; }\n"
           ".grid { stroke: var(--faint); }\n"
           ".axis { stroke: var(--text); }\n"
           ".line { fill: none; stroke: currentColor; }\n"
           ".range { stroke: currentColor; }\n"
           ".mark { fill: currentColor; stroke: currentColor; }\n"
           ".hollow { fill: var(--ground); stroke: currentColor; stroke-width: 1.5; }\n"
           ".bar { fill: var(--colour-0); }\n";
}

}  // namespace nd
