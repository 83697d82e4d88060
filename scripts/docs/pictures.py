#!/usr/bin/env python3
"""Draws pictures of the code, from the code, as SVG: layers.svg, the folders of lib/ with who uses whom, as scripts/checks/layers.py
finds it; walk.svg, the functions that one call goes through, each looked for in its file and in its caller's.

usage: pictures.py FOLDER      writes both there; fails if the code has no such function or call any more"""

import collections
import html
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/checks"))
from layers import LAYERS, arrows_of, layer_of  # noqa: E402

COLORS = {"include": "#dbe9f6", "api": "#d5e8d4", "exec": "#fff2cc", "policy": "#ffe6cc", "backend": "#f8cecc",
          "machine": "#e1d5e7", "base": "#e8e8e8", "offload": "#cfe2f3"}
DOES = {"api": "the functions of the interface", "exec": "how a call is done", "policy": "what a call will do",
        "backend": "what runs kernels on devices", "machine": "topology, instruction set, environment",
        "base": "errors, log, state, clock"}

# The walk of usw_sum(x, n, &s) on a GPU: depth, function, its file, the file that calls it, what it does.
WALK = (
    (0, "usw_sum", "include/upsweep/upsweep.h", None, "picks usw_sum_f64() by the type of x"),
    (1, "usw_reduce", "lib/api/reduce.c", "lib/api/typed.c", "finds the kernel by operation, type, accuracy"),
    (2, "uswi_run_kernel", "lib/exec/run.c", "lib/api/reduce.c", "makes a call of it"),
    (3, "uswi_prepare", "lib/policy/prepare.c", "lib/exec/run.c", "takes the decisions"),
    (4, "uswi_check", "lib/policy/check.c", "lib/policy/prepare.c", "arguments and options"),
    (4, "uswi_place", "lib/policy/place.c", "lib/policy/prepare.c", "where the data is"),
    (4, "uswi_choose", "lib/policy/choose.c", "lib/policy/prepare.c", "strategy and teams, by the tuning table"),
    (3, "uswi_run_once", "lib/exec/dispatch.c", "lib/exec/run.c", "to a device, the host's threads, or staged"),
    (4, "uswi_run_on_device", "lib/exec/device.c", "lib/exec/dispatch.c", "takes scratch, launches, collects"),
    (5, "uswi_driver_launch", "lib/backend/driver.c", "lib/exec/device.c", "through NVIDIA's driver"),
    (6, "_team_body", "offload/include/upsweep/engine/bodies.h", None, "on the GPU: every thread of every team"),
    (7, "_accumulate", "offload/include/upsweep/engine/accumulate.h", "offload/include/upsweep/engine/bodies.h",
     "visits the thread's items"),
    (7, "_fold_accumulators", "offload/include/upsweep/engine/tree.h", "offload/include/upsweep/engine/bodies.h", "folds the team"),
    (7, "_finish_team", "offload/include/upsweep/engine/finish.h", "offload/include/upsweep/engine/bodies.h",
     "the last team folds all partials"),
    (3, "finish", "lib/exec/run.c", "lib/exec/run.c", "combines original values in, writes the result"),
)


def text(x, y, words, size=13, weight="normal", color="#222222", anchor="start"):
    return (f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" fill="{color}" text-anchor="{anchor}" '
            f'font-family="sans-serif">{html.escape(words)}</text>')


def box(x, y, width, height, color):
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{color}" stroke="#777777"/>'


def picture(width, height, parts):
    marker = ('<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">'
              '<path d="M0 0 L8 4 L0 8 z" fill="#555555"/></marker></defs>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>{marker}{"".join(parts)}</svg>\n')


def counts_of(arrows):
    """Files of each layer, and arrows from one layer to another."""
    files, uses = collections.Counter(), collections.Counter()
    for name, others in arrows.items():
        mine = layer_of(name)
        if mine is None:
            continue
        files[LAYERS[mine]] += 1
        uses.update((LAYERS[mine], LAYERS[layer_of(other)]) for other in others
                    if layer_of(other) is not None and layer_of(other) != mine)
    return files, uses


def layers(arrows):
    files, uses = counts_of(arrows)
    order = list(reversed(LAYERS))
    top = {name: 20 + 74 * at for at, name in enumerate(order)}
    parts = []
    for name in order:
        parts += [box(20, top[name], 300, 52, COLORS[name]), text(34, top[name] + 22, f"lib/{name}", 15, "bold"),
                  text(34, top[name] + 41, f"{DOES[name]}: {files[name]} files", 12)]
    for (user, used), count in sorted(uses.items(), key=lambda item: order.index(item[0][1]) - order.index(item[0][0])):
        span = order.index(used) - order.index(user)
        reach, start, end = 320 + 52 * span, top[user] + 14 + 4 * span, top[used] + 34 - 4 * span
        parts.append(f'<path d="M320 {start} C{reach} {start} {reach} {end} 324 {end}" fill="none" stroke="#555555" '
                     f'stroke-width="{1 + count / 40:.1f}" marker-end="url(#tip)"/>')
        parts.append(text(320 + 39 * span + 6, (start + end) / 2 + 4, str(count), 11, "bold", "#333333"))
    return picture(580, 20 + 74 * len(order), parts)


def color_of(file):
    first, second = file.split("/")[:2]
    return COLORS[second if first == "lib" else first]


def walk():
    parts, last = [], {}
    for at, (depth, name, file, _, does) in enumerate(WALK):
        x, y = 16 + 26 * depth, 14 + 46 * at
        if depth:
            above = last[depth - 1]
            parts.append(f'<path d="M{x - 16} {above + 36} V{y + 18} H{x - 2}" fill="none" stroke="#555555" '
                         'marker-end="url(#tip)"/>')
        parts += [box(x, y, 520, 36, color_of(file)), text(x + 10, y + 16, name + "()", 13, "bold"),
                  text(x + 10, y + 30, does, 11),
                  text(x + 510, y + 16, file.removeprefix("offload/include/upsweep/"), 11, color="#444444", anchor="end")]
        last[depth] = y
    return picture(750, 20 + 46 * len(WALK), parts)


def missing():
    """Steps of the walk that the code does not have."""
    for _, name, file, caller, _ in WALK:
        if name not in (ROOT / file).read_text():
            yield f"{file} has no {name}"
        if caller and name not in (ROOT / caller).read_text():
            yield f"{caller} does not call {name}"


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    problems = list(missing())
    if problems:
        print("pictures.py: " + "\npictures.py: ".join(problems), file=sys.stderr)
        return 1
    folder = pathlib.Path(arguments[0])
    (folder / "layers.svg").write_text(layers(arrows_of("lib")))
    (folder / "walk.svg").write_text(walk())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
