# SPDX-License-Identifier: MIT
"""What the table and the page say of the run before its figures: rounds, settings, machine, builds, peers, disturbance."""
from .spread import number, spread_of


def rounds_text(results):
    plan = results.head["plan"]
    measured = len({turn for turn, _, _, _ in results.figures})
    wanted = "" if measured == plan["rounds"] else f" of {plan['rounds']}"
    return (f"{measured}{wanted} interleaved round{'' if plan['rounds'] == 1 else 's'}, some {plan['milliseconds']} ms a figure, "
            f"processors {plan['cpus'][0]} and {plan['cpus'][1]}")


def disturbance_text(results):
    """Empty before the first round has ended."""
    if not results.rounds:
        return ""
    parts = []
    for name, words in (("waiting", "some task waited for a processor"), ("stolen", "the hypervisor took a processor away")):
        spread = spread_of(each[name] for each in results.rounds)
        parts.append(f"{words} for {number(spread.median)} % of a round (at most {number(spread.high)} %)")
    return ", ".join(parts)


def peers_text(results):
    return ", ".join(f"{name} {version}" for name, version in results.head["facts"]["peers"])


def absent_text(results):
    return "; ".join(f"{contender}: {reason}" for contender, reason in results.absent.items())


def builds(results):
    """Pairs of a title and facts."""
    facts = results.head["facts"]
    yield "OpenND", facts["build"]
    if facts.get("before"):
        yield "OpenND, before", facts["before"]
