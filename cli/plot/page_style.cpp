// SPDX-License-Identifier: MIT
//
// Read page_style.h first.
#include "plot/page_style.h"

#include "plot/look.h"

namespace nd {

std::string page_style() {
    return plot_style() +
           R"(body { background: var(--ground); color: var(--text); font: 16px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 1.5rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; overflow-wrap: anywhere; }
h2, h3 { margin-top: 2.5rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.5rem; margin: 1.5rem 0; }
figure { margin: 0; max-width: 38rem; }
svg { display: block; width: 100%; height: auto; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 0.88rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.5rem; border-bottom: 1px solid var(--faint); text-align: right; vertical-align: top; }
td { white-space: nowrap; }
.words th, .words td, td.words, th.words { text-align: left; }
td.words { white-space: normal; min-width: 9rem; }
table.words td { white-space: normal; overflow-wrap: anywhere; }
table.words th { white-space: nowrap; }
summary { cursor: pointer; }
)";
}

}  // namespace nd
