# SPDX-License-Identifier: MIT
"""benchmarks/report: its options, and the run from the plan to the files."""
import argparse
import datetime
import os
import pathlib
import shlex
import sys
import time

from . import machine, markdown, page, parsers, plan, results, row as rows
from .processes import Failed, Programs, Runner
from .rows import ROWS, SHORT

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS, TABLE, PAGE = "results.jsonl", "table.md", "report.html"
MOST_WAITING = 3  # percent of a round, for figures that a document shows


def parser():
    result = argparse.ArgumentParser(prog="benchmarks/report", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("--rounds", type=int, metavar="N", help="rounds, of which each measures every figure once (default 3)")
    result.add_argument("--milliseconds", type=int, metavar="MS", help="how long a program measures one figure (default 60)")
    result.add_argument("--rows", action="append", default=[], metavar="PATTERN",
                        help="only these: a set (connections, processors, short), a row (shm.send_lat, 'tcp.*'), or ROW@POINT ('*@8'); repeatable")
    result.add_argument("--short", action="store_true", help="one round of the set short, some 10 ms a figure: does everything run?")
    result.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release", metavar="DIR",
                        help="the build of OpenND, with OPENND_BENCHMARKS=ON for the floors (default build/release)")
    result.add_argument("--before", type=pathlib.Path, metavar="DIR", help="a second build, which is measured in the same rounds")
    result.add_argument("--cpus", default="0,1", metavar="SERVER,CLIENT", help="the two processors (default 0,1)")
    result.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "report", metavar="DIR",
                        help=f"where {RESULTS}, {TABLE} and {PAGE} go (default build/report); a broken run of the same plan is continued")
    result.add_argument("--into", type=pathlib.Path, metavar="DOCUMENT", help="also put the table between the marks of this document, if the machine was quiet")
    result.add_argument("--from", dest="source", type=pathlib.Path, metavar="FILE", help=f"measure nothing: make table and page from this {RESULTS}; the nd of --build draws the plots")
    result.add_argument("--list", action="store_true", help="name the rows with their points, and leave")
    return result


def main(words=None):
    options = parser().parse_args(words)
    try:
        if options.source is None:
            return measure_and_write(options)
        options.out.mkdir(parents=True, exist_ok=True)
        write(results.read(options.source), options)
        return 0
    except KeyboardInterrupt:
        return 130  # the same command goes on
    except (OSError, ValueError) as error:
        print(f"report: {error}", file=sys.stderr)
        return 1


def planned_rows(options):
    chosen = plan.chosen(ROWS, options.rows + [SHORT] * options.short)
    if not chosen:
        raise ValueError(f"no row matches {' '.join(options.rows)}; --list names them")
    return [rows.with_before(row) for row in chosen] if options.before else chosen


def plan_of(options):
    """What makes two runs the same: the results of one continue the other."""
    builds = [str(each.resolve()) for each in (options.build, options.before) if each]
    cpus = [int(each) for each in options.cpus.split(",")]
    if len(cpus) != 2:
        raise ValueError("--cpus needs two numbers")
    return {
        "rounds": options.rounds or (1 if options.short else 3),
        "milliseconds": options.milliseconds or (10 if options.short else 60),
        "cpus": cpus,
        "builds": builds,
        "rows": [rows.to_json(row) for row in planned_rows(options)],
    }


def facts_of(options, absent):
    return {
        "begun": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "command": shlex.join(["benchmarks/report", *sys.argv[1:]]),
        "machine": machine.machine(),
        "build": machine.build(options.build),
        "before": machine.build(options.before) if options.before else [],
        "peers": machine.peers(),
        "settings": machine.settings(),
        "absent": absent,
    }


def absent_contenders(run_rows, programs):
    """{contender: reason}"""
    found = {}
    for each in (each for row in run_rows for each in row.contenders):
        reason = programs.absence(each.command.program)
        if reason:
            found[each.name] = reason
    return found


def measure_and_write(options):
    run_rows = planned_rows(options)
    if options.list:
        for row in run_rows:
            names = ", ".join(rows.point_name(row.axis, point) for point in row.points)
            print(f"{row.name:24} {names or row.unit}")
        return 0
    run_plan = plan_of(options)
    programs = Programs(options.build.resolve(), options.before.resolve() if options.before else None)
    absent = absent_contenders(run_rows, programs)
    if programs.absence("{nd}"):
        raise ValueError(f"{options.build} has no nd: {programs.absence('{nd}')}; cmake --preset release -D OPENND_BENCHMARKS=ON && "
                         "cmake --build --preset release")
    options.out.mkdir(parents=True, exist_ok=True)
    found, recorder = results.open_run(options.out / RESULTS, run_plan, facts_of(options, absent))
    try:
        for contender, reason in found.absent.items():
            say(f"{contender} is absent: {reason}")
        runner = Runner(programs, run_plan["cpus"])
        try:
            measure(run_rows, run_plan, runner, found, recorder)
        finally:
            runner.close()
    finally:
        recorder.close()
        write(found, options)
    return 0


def measure(run_rows, run_plan, runner, found, recorder):
    """Records each figure that is not there yet."""
    todo = [each for each in plan.measurements(run_rows, run_plan["rounds"])
            if not found.has(each.key) and each.contender.name not in found.absent]
    for turn in sorted({each.round for each in todo}):
        begin, disturbance, outputs = time.monotonic(), machine.Disturbance(), {}
        in_round = [each for each in todo if each.round == turn]
        for done, each in enumerate(in_round):
            progress(f"round {turn} of {run_plan['rounds']}: {done} of {len(in_round)}, {each.row.name} {each.point}, {each.contender.name}")
            if each.contender.command.crowded:
                disturbance.pause()
            recorder.record(line_of(each, run_plan, runner, outputs))
            if each.contender.command.crowded:
                disturbance.go_on()
        progress("")
        seconds = round(time.monotonic() - begin, 1)
        recorder.record({"kind": "round", "round": turn, "seconds": seconds, **disturbance.shares()})
        say(f"round {turn} of {run_plan['rounds']} took {seconds:.0f} s")


def line_of(measurement, run_plan, runner, outputs):
    """The line for the figure, or for its failure. Contenders with the same command share one run of it in a round: `outputs`."""
    turn, row_name, point, contender = measurement.key
    line = {"round": turn, "row": row_name, "point": point, "contender": contender}
    fields = plan.fields(point, run_plan["milliseconds"], run_plan["cpus"])
    each = measurement.contender
    try:
        if (each.command, point) not in outputs:
            outputs[each.command, point] = _output(runner, each.command, fields)
        output = outputs[each.command, point]
        if isinstance(output, Failed):
            raise output
        value = parsers.parse(each.parser, output, each.argument.format(**fields))
        return {"kind": "figure", **line, "value": value}
    except (Failed, parsers.Unreadable) as error:
        return {"kind": "failure", **line, "reason": str(error)}


def _output(runner, command, fields):
    """A failure is kept like an output, so that the command does not run once more for the next contender."""
    try:
        return runner.run(command, fields)
    except Failed as error:
        return error


def write(found, options):
    table = markdown.markdown(found)
    (options.out / TABLE).write_text(table)
    (options.out / PAGE).write_text(page.page(found, options.build.resolve() / "cli" / "nd"))
    if options.into:
        refuse_if_disturbed(found, options)
        options.into.write_text(markdown.put_into(options.into.read_text(), table))
    figures, failures = len(found.figures), len(found.failures)
    say(f"{figures} figures, {failures} failures: {os.path.relpath(options.out / PAGE)}, {os.path.relpath(options.out / TABLE)}")


def refuse_if_disturbed(found, options):
    """Ratios hide a busy machine from the reader of a document: a wake-up costs nothing where no processor ever sleeps."""
    for each in found.rounds:
        if each["waiting"] > MOST_WAITING:
            raise ValueError(f"{options.into} stays as it is: in round {each['round']} tasks waited for a processor for {each['waiting']} % of the "
                             f"time, and a document shows figures of at most {MOST_WAITING} %. Measure on a machine that does nothing else; table "
                             f"and page of this run are in {os.path.relpath(options.out)}")


def say(text):
    print(f"report: {text}", file=sys.stderr)


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
