"""A ray through a cell: in space, as the ray sees it, and along the ray."""
import math

from canvas import Canvas

# The cell's vertices, numbered di + 2 dj + 4 dk, and a ray.
VERTICES = ((0, 0, 0), (2.1, 0.1, -0.1), (-0.1, 2, 0.1), (2.3, 2.2, 0.2),
            (0.1, -0.2, 1.7), (2.2, 0.2, 1.9), (0.2, 2.1, 2.1), (2.1, 1.9, 1.8))
ORIGIN, DIRECTION = (-1.9, 1.7, 1.5), (1, -0.24, -0.1)
# Corners of the six faces, each in a ring.
FACES = ((0, 2, 6, 4), (1, 3, 7, 5), (0, 1, 5, 4), (2, 3, 7, 6), (0, 1, 3, 2), (4, 5, 7, 6))


def minus(a, b):
    """a - b."""
    return tuple(x - y for x, y in zip(a, b))


def dot(a, b):
    """The scalar product."""
    return math.fsum(x * y for x, y in zip(a, b))


def cross(a, b):
    """The vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def along(t):
    """The point of the ray at a distance."""
    return tuple(o + t * d for o, d in zip(ORIGIN, DIRECTION))


def sheared(vertex):
    """(u, v): a vertex in the plane across the ray, which is the origin there."""
    t = (vertex[0] - ORIGIN[0]) / DIRECTION[0]
    point = along(t)
    return vertex[1] - point[1], vertex[2] - point[2]


def edge(a, b):
    """The edge function: on which side of the edge from a to b the ray passes."""
    (au, av), (bu, bv) = sheared(VERTICES[a]), sheared(VERTICES[b])
    return au * bv - av * bu


def triangles():
    """The 12 triangles: the diagonal of a face begins at its smallest vertex."""
    found = []
    for face in FACES:
        first = min(range(4), key=lambda n, face=face: VERTICES[face[n]])
        p, a, q, b = (face[(first + n) % 4] for n in range(4))
        found += [(p, a, q), (p, q, b)]
    return found


def crossings():
    """(t, triangle) of the triangles that the ray crosses, by t."""
    found = []
    for triangle in triangles():
        a, b, c = triangle
        signs = {edge(a, b) > 0, edge(b, c) > 0, edge(c, a) > 0}
        if len(signs) == 1:
            normal = cross(minus(VERTICES[b], VERTICES[a]), minus(VERTICES[c], VERTICES[a]))
            found.append((dot(normal, minus(VERTICES[a], ORIGIN)) / dot(normal, DIRECTION), triangle))
    return sorted(found)


def in_space(point):
    """The place of a point in the first panel: seen from in front, from the right and above."""
    x, y, z = point
    return 94 + 68 * x + 34 * y, 286 - 74 * z - 25 * y + 7 * x


def as_seen(point):
    """The place of a (u, v) in the second panel."""
    return 538 + 84 * point[0], 190 - 84 * point[1]


def draw_wires(canvas, place):
    """The cell's edges and the diagonals of its faces."""
    edges = {tuple(sorted((face[n], face[(n + 1) % 4]))) for face in FACES for n in range(4)}
    diagonals = {tuple(sorted((t[0], t[2]))) for t in triangles()[::2]}
    for a, b in sorted(diagonals):
        canvas.path([place(a), place(b)], "soft-line dash")
    for a, b in sorted(edges):
        canvas.path([place(a), place(b)], "line")
    for n in range(8):
        canvas.dot(*place(n), "fline", 2.5)


def draw_space(canvas, entry, exit_):
    """The first panel."""
    def place(n):
        return in_space(VERTICES[n])
    points = [in_space(along(t)) for t in (0.35, entry[0], exit_[0], 5.0)]
    canvas.polygon([place(n) for n in exit_[1]], "fsand")
    canvas.path([points[1], points[2]], "ink dash")
    draw_wires(canvas, place)
    canvas.polygon([place(n) for n in entry[1]], "fsky")
    for (_, triangle), classes in ((exit_, "rust"), (entry, "blue")):
        canvas.path([place(n) for n in (*triangle, triangle[0])], classes)
    canvas.path(points[0:2], "ink thick")
    canvas.path([points[1], points[2]], "ink dash")
    canvas.arrow(points[2], points[3], "ink thick", "fink")
    canvas.dot(*points[1], "fblue", 4.5)
    canvas.dot(*points[2], "frust", 4.5)
    canvas.text(points[0][0], points[0][1] - 10, "ray", "head", "start")
    canvas.text(88, points[1][1] + 16, "entry", "head tblue", "end")
    canvas.text(points[2][0] + 2, points[2][1] + 47, "exit", "head trust", "start")


def draw_seen(canvas, entry, exit_):
    """The second panel."""
    def place(n):
        return as_seen(sheared(VERTICES[n]))
    x, y = as_seen((0, 0))
    canvas.polygon([place(n) for n in exit_[1]], "fsand")
    canvas.path([(x - 126, y), (x + 140, y)], "soft-line")
    canvas.path([(x, y - 108), (x, y + 148)], "soft-line")
    canvas.text(x + 140, y - 6, "u", "soft", "end")
    canvas.text(x + 6, y - 100, "v", "soft", "start")
    draw_wires(canvas, place)
    canvas.path([place(n) for n in (*entry[1], entry[1][0])], "blue")
    canvas.path([place(n) for n in (*exit_[1], exit_[1][0])], "rust thick")
    corners = [place(n) for n in exit_[1]]
    center = tuple(math.fsum(c[n] for c in corners) / 3 for n in range(2))
    for n in range(3):
        a, b = corners[n], corners[(n + 1) % 3]
        half = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        sign = "+" if edge(exit_[1][n], exit_[1][(n + 1) % 3]) > 0 else "−"
        canvas.text(half[0] + 0.2 * (center[0] - half[0]), half[1] + 0.2 * (center[1] - half[1]) + 5, sign,
                    "head trust")
    canvas.dot(x, y, "fink", 4.5)


def draw_along(canvas):
    """The third panel: the scalar between entry and exit, and where a box cuts the segment."""
    x0, x1, y0, y1 = 728, 944, 318, 84
    enter, leave, cut = x0 + 38, x1 - 34, x0 + 124
    canvas.polygon([(enter, y0), (enter, 254), (leave, 138), (leave, y0)], "fbox")
    canvas.polygon([(enter, y0), (enter, 254), (cut, 254 - 116 * (cut - enter) / (leave - enter)), (cut, y0)],
                   "fsky")
    canvas.arrow((x0, y0), (x1 + 8, y0))
    canvas.arrow((x0 + 8, y0 + 8), (x0 + 8, y1))
    canvas.text(x1 + 8, y0 + 20, "t", "soft", "end")
    canvas.text(x0 + 18, y1 + 10, "scalar", "soft", "start")
    canvas.path([(enter, 254), (leave, 138)], "ink thick")
    canvas.path([(cut, y0), (cut, y1 + 20)], "line dash")
    canvas.text(cut, y1 + 12, "side of a box", "small soft")
    canvas.text((enter + cut) / 2, y0 - 10, "rank 0", "small tblue")
    canvas.text((cut + leave) / 2, y0 - 10, "rank 1", "small soft")
    for x, y, classes, words in ((enter, 254, "blue", "entry"), (leave, 138, "rust", "exit")):
        canvas.path([(x, y0), (x, y)], classes)
        canvas.dot(x, y, f"f{classes}", 4.5)
        canvas.text(x, y0 + 20, words, f"t{classes}")


def draw():
    """The drawing."""
    entry, exit_ = crossings()
    canvas = Canvas(984, 420, "A ray through a cell")
    panels = [(28, "1  In space", ["Six faces, two triangles each, cut along diagonals",
                                   "that all cells of a face agree on."]),
              (380, "2  As the ray sees it", ["Vertices sheared into the plane across the ray:",
                                              "A.u B.v − A.v B.u has one sign on all three edges."]),
              (724, "3  Along the ray", ["The scalar is linear; each piece",
                                         "of the ray belongs to one rank."])]
    for x, head, lines in panels:
        canvas.text(x, 34, head, "head", "start")
        for n, line in enumerate(lines):
            canvas.text(x, 374 + 17 * n, line, "soft small", "start")
    for x in (354, 702):
        canvas.path([(x, 24), (x, 396)], "soft-line")
    draw_space(canvas, entry, exit_)
    draw_seen(canvas, entry, exit_)
    draw_along(canvas)
    return canvas.svg()
