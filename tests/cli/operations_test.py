#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What operators take from data/: Prometheus' promtool takes the alerts, which fire when they should; the dashboard asks for metrics that
`nd metrics` has, by expressions that promtool takes; and systemd takes the unit."""
import json
import pathlib
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
from programs import run  # noqa: E402

METRIC = re.compile(r"\bopennd_[a-z_]+")


def known_metrics(command, page):
    """Those that the command gives now, and of the page those that need a process."""
    told = re.findall(r"^# TYPE (\w+) ", run(command, "metrics").stdout, re.MULTILINE)
    assert told, "nd metrics tells of no metric"
    listed = METRIC.findall("\n".join(line for line in page.read_text().splitlines() if line.startswith("| `opennd_")))
    assert set(told) <= set(listed), set(told) - set(listed)
    return set(listed) | {f"{name}_bucket" for name in listed}


def check_alerts(promtool, folder, source, work):
    rules = source / "data/prometheus/opennd.rules.yml"
    shutil.copy(rules, work)
    shutil.copy(folder / "alerts/alerts_test.yml", work)
    for words in (("check", "rules", rules.name), ("test", "rules", "alerts_test.yml")):
        done = run(promtool, *words, cwd=work)
        assert done.returncode == 0, done
    return METRIC.findall(re.sub(r"#.*", "", rules.read_text()))


def expressions(dashboard):
    variables = {each["name"] for each in dashboard["templating"]["list"]}
    for panel in dashboard["panels"]:
        assert panel["title"] and panel["description"] and panel["targets"], panel
        for target in panel["targets"]:
            for name in re.findall(r"\$(\w+)", target["expr"]):
                assert name in variables | {"__rate_interval"}, (panel["title"], name)
            yield target["expr"]


def check_layout(panels):
    taken = set()
    for panel in panels:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert at["x"] + at["w"] <= 24 and not cells & taken, panel["title"]
        taken |= cells
    assert len({panel["id"] for panel in panels}) == len(panels)


def check_dashboard(promtool, source, work):
    dashboard = json.loads((source / "data/grafana/opennd.json").read_text())
    check_layout(dashboard["panels"])
    asked = list(expressions(dashboard))
    rules = "".join(f"      - record: panel:{number}\n        expr: {json.dumps(expr)}\n"
                    for number, expr in enumerate(each.replace("$__rate_interval", "1m") for each in asked))
    (work / "panels.yml").write_text(f"groups:\n  - name: panels\n    rules:\n{rules}")
    done = run(promtool, "check", "rules", "panels.yml", cwd=work)
    assert done.returncode == 0, done
    return METRIC.findall(" ".join(asked))


def check_unit(systemd_analyze, command, source, work):
    unit = (source / "data/systemd/opennd-metrics.service").read_text()
    words = re.search(r"^ExecStart=/usr/bin/nd (.*)$", unit, re.MULTILINE)[1].split()
    done = run(command, *words, "--help")
    assert done.returncode == 0, done
    copy = work / "opennd-metrics.service"
    copy.write_text(unit.replace("/usr/bin/nd", command).replace("Documentation=man:nd-metrics(1)\n", ""))
    done = run(systemd_analyze, "verify", "--man=no", str(copy))
    assert done.returncode == 0 and "opennd-metrics" not in done.stderr, done


def main():
    command, source, promtool = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    systemd_analyze = sys.argv[4] if len(sys.argv) > 4 else ""
    known = known_metrics(command, source / "docs/metrics.md")
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        asked = check_alerts(promtool, pathlib.Path(__file__).parent, source, work)
        asked += check_dashboard(promtool, source, work)
        unknown = set(asked) - known
        assert not unknown, unknown
        if systemd_analyze:
            check_unit(systemd_analyze, command, source, work)
    return 0


if __name__ == "__main__":
    sys.exit(main())
