"""The folders and the arrows of their includes: STOREYS of tests/package/rooms.py."""
import importlib.util
import math
import pathlib

from canvas import Canvas

ROOMS = pathlib.Path(__file__).resolve().parents[3] / "tests/package/rooms.py"
HIGH, GAP, ROW, TOP = 30, 28, 78, 58  # boxes, the room between them, rows, the first row


def storeys():
    """STOREYS and GUESTS, as the test style-rooms has them."""
    spec = importlib.util.spec_from_file_location("rooms", ROOMS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {**module.STOREYS, **{guest: ["library"] for guest in module.GUESTS}}


def reach(graph, node):
    """All places below a place."""
    found = set()
    for other in graph[node]:
        found |= {other} | reach(graph, other)
    return found


def reduce(graph):
    """The arrows that do not follow from others."""
    return {node: sorted(other for other in others
                         if not any(other in reach(graph, between) for between in others))
            for node, others in graph.items()}


def levels(graph):
    """The row of each place, from below: one above the highest that it includes."""
    found = {}

    def level(node):
        if node not in found:
            found[node] = 1 + max((level(other) for other in graph[node]), default=-1)
        return found[node]

    for node in graph:
        level(node)
    return found


def rows_of(graph):
    """Rows of places and of (from, to, row) for arrows that pass a row; and arrows of one row each."""
    level = levels(graph)
    rows = [[] for _ in range(1 + max(level.values()))]
    for node in graph:
        rows[level[node]].append(node)
    links = []
    for node, others in graph.items():
        for other in others:
            chain = [node, *((node, other, n) for n in range(level[node] - 1, level[other], -1)), other]
            for n, part in enumerate(chain[1:-1], 1):
                rows[level[node] - n].append(part)
            links += zip(chain, chain[1:])
    return rows, links


def crossings(rows, links):
    """The number of pairs of arrows that cross."""
    place = {node: n for row in rows for n, node in enumerate(row)}
    row_of = {node: n for n, row in enumerate(rows) for node in row}
    count = 0
    for n, (a, b) in enumerate(links):
        for c, d in links[n + 1:]:
            if row_of[a] == row_of[c]:
                count += (place[a] - place[c]) * (place[b] - place[d]) < 0
    return count


def length(rows, links):
    """The way of all arrows sideways, in parts of a row."""
    place = {node: (n + 0.5) / len(row) for row in rows for n, node in enumerate(row)}
    return math.fsum(abs(place[a] - place[b]) for a, b in links)


def sort_rows(rows, links, down):
    """Sorts each row by the mean place of its neighbours in the row before."""
    for n in reversed(range(len(rows))) if down else range(len(rows)):
        place = {node: (at + 0.5) / len(row) for row in rows for at, node in enumerate(row)}
        mean = {}
        for node in rows[n]:
            near = [place[a] for a, b in links if b == node] if down else [place[b] for a, b in links if a == node]
            mean[node] = math.fsum(near) / len(near) if near else place[node]
        rows[n].sort(key=lambda node: (mean[node], str(node)))


def swap(rows, links):
    """Swaps neighbours of a row as long as fewer arrows cross, or they become shorter."""
    cost = crossings(rows, links), length(rows, links)
    better = True
    while better:
        better = False
        for row in rows:
            for n in range(len(row) - 1):
                row[n], row[n + 1] = row[n + 1], row[n]
                new = crossings(rows, links), length(rows, links)
                if new[0] < cost[0] or (new[0] == cost[0] and new[1] < cost[1] - 1e-9):
                    cost, better = new, True
                else:
                    row[n], row[n + 1] = row[n + 1], row[n]
    return cost


def order(rows, links):
    """The best order of all rows that a few turns of sorting and swapping find."""
    best = None
    for turn in range(8):
        sort_rows(rows, links, turn % 2 == 0)
        trial = [list(row) for row in rows]
        cost = swap(trial, links)
        if best is None or cost < best[0]:
            best = cost, trial
    return best[1]


def width_of(node):
    """The width of a box; of an arrow that passes, next to nothing."""
    return 22 + 7.6 * len(node) if isinstance(node, str) else 8


def space_out(row, wish):
    """Middles of a row's nodes, near those that they wish for, without overlap."""
    groups = []  # [sum of wishes of the first node's left side, count, width, nodes]
    for node in row:
        wide = width_of(node) + GAP
        groups.append([wish[node] - wide / 2, 1, wide, [node]])
        while len(groups) > 1:
            left, right = groups[-2], groups[-1]
            if left[0] / left[1] + left[2] <= right[0] / right[1]:
                break
            groups[-2:] = [[left[0] + right[0] - left[2] * right[1], left[1] + right[1], left[2] + right[2],
                            left[3] + right[3]]]
    found = {}
    for total, count, _, nodes in groups:
        x = total / count
        for node in nodes:
            wide = width_of(node) + GAP
            found[node] = x + wide / 2
            x += wide
    return found


def place_all(rows, links):
    """The middles of all nodes."""
    x = {}
    for row in rows:
        at = 0
        for node in row:
            wide = width_of(node) + GAP
            x[node] = at + wide / 2
            at += wide
        for node in row:
            x[node] -= at / 2
    for turn in range(60):
        for row in rows if turn % 2 else reversed(rows):
            wish = {}
            for node in row:
                near = [x[b] for a, b in links if a == node] + [x[a] for a, b in links if b == node]
                wish[node] = (x[node] + math.fsum(near)) / (1 + len(near))
            x.update(space_out(row, wish))
    return x


def draw():
    """The drawing."""
    graph = reduce(storeys())
    rows, links = rows_of(graph)
    rows = order(rows, links)
    x = place_all(rows, links)
    left = min(x[node] - width_of(node) / 2 for node in x)
    right = max(x[node] + width_of(node) / 2 for node in x)
    width = max(984, int(right - left) + 64)
    height = TOP + ROW * (len(rows) - 1) + HIGH + 56
    shift = (width - right - left) / 2
    y = {node: TOP + ROW * (len(rows) - 1 - n) for n, row in enumerate(rows) for node in row}
    canvas = Canvas(width, height, "The folders of the source and the arrows of their includes")
    for a, b in links:
        start = x[a] + shift, y[a] + HIGH
        end = x[b] + shift, y[b] - (6 if isinstance(b, str) else 0)
        bend = 0.5 * (end[1] - start[1])
        canvas.curve(start, (start[0], start[1] + bend), (end[0], end[1] - bend), end)
        if isinstance(b, str):
            canvas.head((end[0], end[1] + 5), (end[0], end[1] - 5), size=6)
        else:
            canvas.path([end, (end[0], end[1] + HIGH)])
    for node in graph:
        wide = width_of(node)
        canvas.box(x[node] + shift - wide / 2, y[node], wide, HIGH, "box" if node.split("/")[0] != "messages" else "fsky blue-edge", 6)
        canvas.text(x[node] + shift, y[node] + 20, node + "/", "mono")
    canvas.text(24, 32, "Folders, and the folders that they may include", "head", "start")
    canvas.text(24, height - 22, "Blue: the laboratory. Arrows that follow from others are left out. From STOREYS of tests/package/rooms.py.",
                "soft small", "start")
    return canvas.svg()
