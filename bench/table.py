"""The table of what was measured."""

import operator
import statistics


def median(results, field="per_second"):
    return statistics.median(result[field] for result in results)


def at_least(field, value):
    return {"of": field, "is": "≥", "bar": value}


def at_most(field, value):
    return {"of": field, "is": "≤", "bar": value}


def below(field, value):
    return {"of": field, "is": "<", "bar": value}


MEETS = {"≥": operator.ge, "≤": operator.le, "<": operator.lt}
NAMES = {"ratio": "", "value": "", "factor": "× ", "p99_factor": "p99 × "}


class Table:
    """Shows each line when it is measured, and keeps all of them."""

    def __init__(self, has_before):
        self.has_before, self.lines = has_before, []
        before = f" {'before /s':>10} {'×':>6} {'p99 ×':>6}" if has_before else ""
        print(f"{'engine':<13} {'what':<44} {'here /s':>10} {'p50 ms':>8} {'p99 ms':>8} {'worst ms':>8}{before} "
              f"{'reference':>10} {'ratio':>6}  bars and more", flush=True)

    def row(self, engine, what, ours, theirs=None, against="constant bytes", before=None, bars=(), disks=(), **more):
        """Medians of what this build, the other build and the reference reached, and how they compare. The worst
        latency is the worst of all rounds. Disks tell what this build and the other one wrote."""
        written = [disk.per_request() for disk in disks] or [{}, {}]
        line = {"engine": engine, "what": what, **medians(ours), **written[0], **more}
        if before:
            line["before"] = {**medians(before), **written[1]}
            line["factor"] = compare(ours, before, "per_second")
            line["p99_factor"] = compare(ours, before, "p99_us")
        if theirs:
            line |= {"against": against, "reference_per_second": round(median(theirs)),
                     "ratio": compare(ours, theirs, "per_second")}
        self.keep(line, bars)

    def figure(self, engine, what, value, unit, bars=(), before=None):
        """A single number."""
        line = {"engine": engine, "what": what, "value": round(value, 3), "unit": unit}
        if before:
            line |= {"before": {"value": round(before, 3)}, "factor": round(value / before, 3)}
        self.keep(line, bars)

    def missing(self, engine, what, why):
        """A row that cannot be measured here."""
        self.keep({"engine": engine, "what": what, "missing": why}, ())

    def keep(self, line, bars):
        # Without another build there is no factor, and no bar for it.
        line["bars"] = [{**bar, "met": MEETS[bar["is"]](line[bar["of"]], bar["bar"])} for bar in bars if bar["of"] in line]
        self.lines.append(line)
        shown = shown_missing if "missing" in line else shown_figure if "value" in line else self.shown
        print(shown(line).rstrip(), flush=True)

    def shown(self, line):
        text = f"{line['engine']:<13} {line['what']:<44} {line['per_second']:>10,} " + " ".join(
            f"{line[field] / 1000:>8.2f}" if line[field] else " " * 8 for field in ("p50_us", "p99_us", "worst_us"))
        if "before" in line:
            text += f" {line['before']['per_second']:>10,} {line['factor']:>6.2f} {line['p99_factor']:>6.2f}"
        elif self.has_before:
            text += " " * 25
        text += f" {line['reference_per_second']:>10,} {line['ratio']:>6.3f}" if "ratio" in line else " " * 18
        return f"{text}  {', '.join(notes(line))}"


def medians(results):
    return {"per_second": round(median(results)), "p50_us": median(results, "p50_us"), "p99_us": median(results, "p99_us"),
            "worst_us": max(result["worst_us"] for result in results),
            "refused": sum(result.get("refused", 0) for result in results)}


def compare(ours, theirs, field):
    """How many times theirs ours is. Where there was nothing at all to compare with, nothing is divided by."""
    return round(median(ours, field) / (median(theirs, field) or 1), 3)


def shown_figure(line):
    before = f"; before {line['before']['value']:,.6g}, × {line['factor']}" if "before" in line else ""
    more = ", ".join(notes(line))
    return f"{line['engine']:<13} {line['what']:<44} {line['value']:>10,.6g} {line['unit']}{before}  {more}"


def shown_missing(line):
    return f"{line['engine']:<13} {line['what']:<44} not measured: {line['missing']}"


def notes(line):
    for bar in line["bars"]:
        yield f"{NAMES[bar['of']]}{bar['is']} {bar['bar']} {'met' if bar['met'] else 'MISSED'}"
    if line.get("against", "constant bytes") != "constant bytes":
        yield f"against {line['against']}"
    for where, name in ((line, ""), (line.get("before", {}), "before: ")):
        if "per_sync" in where:
            yield f"{name}{where['per_sync']} a sync, {where['written_kb']} kB each"
        if "server_us" in where:
            yield f"{where['server_us']} µs of the processor each for the server, {where['database_us']} for databases"
        if where.get("refused"):
            yield f"{name}{where['refused']} REFUSED"
