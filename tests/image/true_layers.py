#!/usr/bin/env python3
"""Small pictures of every layer against pictures from closed forms: places, widths, colours, order.

    true_layers.py KARMAN FOLDER

The grid is a box whose planes stand at uneven distances. Its fields are linear in space, which karman
represents exactly: levels and isosurfaces are planes, lines are straight. numpy computes the same
pictures without a grid. Exits with 77 without h5py.
"""
import json
import os
import pathlib
import subprocess
import sys

try:
    import h5py
    import numpy as np
except ImportError:
    system = "/usr/bin/python3"
    if os.path.exists(system) and os.path.realpath(sys.executable) != os.path.realpath(system):
        os.execv(system, [system, *sys.argv])  # the one that has Debian's packages
    print("there is no h5py (Debian: python3-h5py)")
    sys.exit(77)

KARMAN, FOLDER = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
W, H = 120, 90
X = np.array([0, 0.4, 0.9, 1.5, 1.9, 2.4, 3.1, 3.5, 4.0])
Y = np.array([0, 0.7, 1.1, 1.6, 2.3, 3.0])
Z = np.array([0, 0.3, 0.9, 1.2, 1.7, 2.0])
SLOPE = np.array([1.0, 0.5, 0.25])  # of the field s
BACK = np.array([0.2, 0.3, 0.4])
FLAT = {"lit": False}


def field(p):
    return p @ SLOPE


def write_data():
    z, y, x = np.meshgrid(Z, Y, X, indexing="ij")
    points = np.stack([x, y, z], axis=-1)
    flow = {"s": field(points), "u": 1 + 0 * x, "v": 0.5 + 0 * x, "w": 0 * x, "t": 2 * x - y}
    flow["nan"], flow["z"] = np.where(x > 1.95, np.nan, x), z
    with h5py.File(FOLDER / "box.h5", "w") as file:
        for name, values in zip("xyz", (x, y, z)):
            file[f"grid/a/{name}"] = values.astype("f4")
        for name, values in flow.items():
            file[f"flow/0/a/{name}"] = values.astype("f4")


class View:
    """Rays through the centres of pixels, as docs/user/config.md has them."""

    def __init__(self, position, look_at, height=None, fov=None):
        self.config = {"position": position, "look_at": look_at, "up": [0, 0, 1]}
        self.eye = np.array(position, float)
        ahead = np.array(look_at, float) - self.eye
        self.ahead = ahead / np.linalg.norm(ahead)
        right = np.cross(self.ahead, [0, 0, 1])
        self.right = right / np.linalg.norm(right)
        self.up = np.cross(self.right, self.ahead)
        self.parallel = height is not None
        if self.parallel:
            self.config.update(projection="orthographic", height=height)
        else:
            self.config.update(fov=fov)
        self.size = (height if self.parallel else 2 * np.tan(np.radians(fov) / 2)) / H
        column, row = np.meshgrid(np.arange(W) + 0.5, np.arange(H) + 0.5)
        self.at = np.stack([column, row], axis=-1)
        aside = (column[..., None] - W / 2) * self.size * self.right + (H / 2 - row[..., None]) * self.size * self.up
        if self.parallel:
            self.origin, self.along = self.eye + aside, np.broadcast_to(self.ahead, aside.shape)
        else:
            along = self.ahead + aside
            self.origin = np.broadcast_to(self.eye, aside.shape)
            self.along = along / np.linalg.norm(along, axis=-1, keepdims=True)

    def project(self, point):
        """Pixels of a point, and its depth."""
        to = np.asarray(point, float) - self.eye
        depth = to @ self.ahead
        per = 1 / (self.size * (1 if self.parallel else depth))
        return np.array([W / 2 + (to @ self.right) * per, H / 2 - (to @ self.up) * per]), depth

    def cut(self, normal, offset):
        """Where rays meet the plane normal . p = offset: distances and points."""
        t = (offset - self.origin @ normal) / (self.along @ normal)
        return t, self.origin + t[..., None] * self.along


OBLIQUE = View([-3, -5, 7], [2, 1.5, 1], height=4.6)
NEAR = View([-1, -3, 5], [2, 1.4, 0.6], fov=38)
ABOVE = View([2, 1.499, 9], [2, 1.5, 0], height=4.0)


def inside(p, axes=(0, 1, 2)):
    ends = np.array([X[-1], Y[-1], Z[-1]])
    return np.all([(p[..., a] >= 0) & (p[..., a] <= ends[a]) for a in axes], axis=0)


def covered(width, distance):
    """Share of a pixel of width 1 that a band has, across it."""
    return np.clip(np.minimum(distance + width / 2, 0.5) - np.maximum(distance - width / 2, -0.5), 0, 1)


def over(front, alpha, behind):
    alpha = np.asarray(alpha)[..., None]
    return np.asarray(front) * alpha + behind * (1 - alpha)


def back():
    return np.broadcast_to(BACK, (H, W, 3)).copy()


def pixels_to_levels(view, normal, offset, levels):
    """Distance in pixels to the nearest level on a plane, from the exact change across the picture."""
    t, p = view.cut(normal, offset)
    depth = 1 if view.parallel else (p - view.eye) @ view.ahead
    turn = view.along @ normal
    change = []
    for axis in (view.right, view.up):
        step = axis - view.along * ((normal @ axis) / turn)[..., None]
        change.append((step @ SLOPE) * view.size * depth)
    s = field(p)
    return np.min([abs(s - level) for level in levels], axis=0) / np.hypot(*change)


def on_k(view, k):
    low = int(np.floor(k))
    z = Z[low] if k == low else Z[low] + (k - low) * (Z[low + 1] - Z[low])
    normal = np.array([0, 0, 1.0])
    p = view.cut(normal, z)[1]
    return normal, z, p, inside(p, (0, 1))


RANGE, GREY = [1.0, 5.0], [[0, 0, 0, 0], [1, 1, 1, 1]]
LEVELS = [RANGE[0] + 4 * (n + 1) / 7 for n in range(6)]
FIELD = {"field": "s", "range": RANGE, "levels": 6, "colors": GREY}


def grey_of(s):
    return np.repeat(np.clip((s - 1) / 4, 0, 1)[..., None], 3, axis=-1)


def bands_of(s):
    edges = np.array([RANGE[0], *LEVELS, RANGE[1]])
    band = np.searchsorted(LEVELS, s, side="right")
    return grey_of((edges[band] + edges[band + 1]) / 2)


def contour(view, normal, offset, mask, style, width=1.5, color=None):
    p = view.cut(normal, offset)[1]
    picture = back()
    if style != "lines":
        picture[mask] = (bands_of(field(p)) if style != "smooth" else grey_of(field(p)))[mask]
    if style in ("lines", "both"):
        share = covered(width, pixels_to_levels(view, normal, offset, LEVELS)) * mask
        level = np.array(LEVELS)[np.argmin([abs(field(p) - v) for v in LEVELS], axis=0)]
        picture = over(grey_of(level) if color is None else color, share, picture)
    return picture


def segment_distance(view, a, b, at=None):
    (p, _), (q, _) = view.project(a), view.project(b)
    at = view.at if at is None else at
    share = np.clip(((at - p) @ (q - p)) / ((q - p) @ (q - p)), 0, 1)
    return np.linalg.norm(at - p - share[..., None] * (q - p), axis=-1)


def grid_lines(view, k, width):
    z = Z[k]
    lines = [((x, 0, z), (x, Y[-1], z)) for x in X] + [((0, y, z), (X[-1], y, z)) for y in Y]
    return covered(width, np.min([segment_distance(view, a, b) for a, b in lines], axis=0))


def ribbon(width, distance):
    """A line in space with a width in pixels."""
    return np.clip(np.minimum(min(1, width), width / 2 + 0.5 - distance), 0, 1)


def outline(view, width):
    """Edges are lines of their own, which lie over each other at corners."""
    ends = [[0, X[-1]], [0, Y[-1]], [0, Z[-1]]]
    left = np.ones((H, W))
    for axis in range(3):
        others = [a for a in range(3) if a != axis]
        for m in range(4):
            a = np.zeros(3)
            a[others[0]], a[others[1]] = ends[others[0]][m & 1], ends[others[1]][m >> 1]
            b = a.copy()
            b[axis] = ends[axis][1]
            left *= 1 - ribbon(width, segment_distance(view, a, b))
    return 1 - left


def lit(color, normal, view, shade, light):
    """Light of one direction; light: the direction in which it shines."""
    to_light = -np.array(light) / np.linalg.norm(light)
    half = to_light - view.along
    half /= np.linalg.norm(half, axis=-1, keepdims=True)
    diffuse = shade["ambient"] + shade["diffuse"] * abs(normal @ to_light)
    return np.array(color) * diffuse + (shade["specular"] * abs(half @ normal) ** shade["shininess"])[..., None]


CASES = []


def case(name, view, layers, picture, away=None, worst=2e-4, count=0, more=None):
    """away: pixels that are not compared, as a border passes them; count: others that may be off."""
    CASES.append((name, view, layers, picture, away, worst, count, more or {}))


def border(mask):
    """Pixels beside the border of a mask: rays close to it fall on either side by rounding."""
    edge = np.zeros_like(mask)
    for axis in (0, 1):
        differs = np.diff(mask.astype(int), axis=axis) != 0
        edge |= np.concatenate([differs, np.zeros_like(edge.take([0], axis))], axis)
        edge |= np.concatenate([np.zeros_like(edge.take([0], axis)), differs], axis)
    return edge


def sheets():
    red, navy = [1, 0, 0], [0, 0, 0.5]
    for name, view in (("oblique", OBLIQUE), ("perspective", NEAR)):
        for k, style, width in ((2, "fringes", 1), (3.5, "lines", 2.5), (2, "lines", 0.6), (3.5, "both", 1.5)):
            normal, z, _, mask = on_k(view, k)
            color = red if style != "fringes" else None
            layer = {"contour": {**FIELD, "k": k, "style": style, "line_width": width}}
            if color:
                layer["contour"]["line_color"] = color
            case(f"{name}, k {k}, {style} {width}", view, [layer],
                 contour(view, normal, z, mask, style, width, color), count=3)
        normal, z, p, mask = on_k(view, 1)
        case(f"{name}, smooth", view, [{"contour": {**FIELD, "k": 1, "bands": False}}],
             contour(view, normal, z, mask, "smooth"), count=3)
        case(f"{name}, lines of their levels", view, [{"contour": {**FIELD, "k": 1, "style": "lines"}}],
             contour(view, normal, z, mask, "lines"), count=3)
        share = grid_lines(view, 1, 1.5) * mask
        case(f"{name}, grid", view, [{"grid": {"k": 1, "color": navy, "line_width": 1.5}}],
             over(navy, share, back()), count=3)
        filled = np.where(mask[..., None], [0.6, 0.7, 0.8], back())
        case(f"{name}, object with edges", view,
             [{"object": {"k": 1, "color": [0.6, 0.7, 0.8], "style": "both", "line_color": navy, **FLAT}}],
             over(navy, share, filled), count=3)
        normal = np.array([1, 0.4, -0.7]) / np.linalg.norm([1, 0.4, -0.7])
        offset = np.array([2, 1.5, 1]) @ normal
        mask = inside(view.cut(normal, offset)[1])
        case(f"{name}, plane in space", view,
             [{"contour": {**FIELD, "style": "both", "line_color": red,
                           "plane": {"point": [2, 1.5, 1], "normal": [1, 0.4, -0.7]}}}],
             contour(view, normal, offset, mask, "both", 1.5, red), away=border(mask), count=3)


def colors():
    view = OBLIQUE
    _, _, p, mask = on_k(view, 0)
    t = 2 * p[..., 0] - p[..., 1]
    scales = {"linear": (np.clip((t + 3) / 11, 0, 1), [-3, 8]),
              "log": (np.clip(np.log(np.maximum(t, 1e-9) / 0.5) / np.log(16), 0, 1), [0.5, 8]),
              "symlog": (np.clip((np.sign(t) * np.log1p(abs(t) / 0.7) + np.log1p(4 / 0.7)) /
                                 (np.log1p(8 / 0.7) + np.log1p(4 / 0.7)), 0, 1), [-4, 8])}
    map_points = np.array([[0, 0.1, 0.8, 0.3], [0.4, 0.9, 0.2, 0.6], [1, 0.2, 0.5, 1]])
    for scale, (at, ends) in scales.items():
        for part in ([0.2, 0.7],):
            place = part[0] + at * (part[1] - part[0])
            rgb = np.stack([np.interp(place, map_points[:, 0], map_points[:, c]) for c in (1, 2, 3)], -1)
            layer = {"k": 0, "color_by": "t", "range": ends, "scale": scale, "map_range": part,
                     "colors": map_points.tolist(), **FLAT}
            if scale == "symlog":
                layer["threshold"] = 0.7
            case(f"colours, {scale}, {part}", view, [{"object": layer}],
                 np.where(mask[..., None], rgb, back()), worst=1.5e-3, count=3)
    known = np.where(p[..., 0, None] > 1.9, [0.7, 0.1, 0.2], grey_of(4 * p[..., 0] / 4 + 1))
    near = (p[..., 0] > 1.85) & (p[..., 0] < 2.45)
    case("missing values", view, [{"object": {"k": 0, "color_by": "nan", "range": [0, 4], "colors": GREY,
                                              "nan_color": [0.7, 0.1, 0.2], **FLAT}}],
         np.where(mask[..., None], known, back()), away=near, count=3)
    shade = {"ambient": 0.2, "diffuse": 0.6, "specular": 0.3, "shininess": 9}
    light = [0.4, 0.9, -0.8]
    lights = {"lights": [{"direction": light}]}
    rgb = lit([0.6, 0.5, 0.9], np.array([0, 0, 1.0]), view, shade, light)
    case("lit object", view, [{"object": {"k": 0, "color": [0.6, 0.5, 0.9], "shade": shade}}],
         np.where(mask[..., None], rgb, back()), count=3, more=lights)
    normal = SLOPE / np.linalg.norm(SLOPE)
    _, p = view.cut(SLOPE, 2.6)
    mask = inside(p)
    rgb = lit([0.6, 0.5, 0.9], normal, view, shade, light)
    case("lit isosurface", view, [{"isosurface": {"field": "s", "value": 2.6, "color": [0.6, 0.5, 0.9],
                                                  "shade": shade, "opacity": 0.6}}],
         over(rgb, 0.6 * mask, back()), away=border(mask), worst=1e-3, count=3, more=lights)
    case("isosurface by another field", view,
         [{"isosurface": {"field": "s", "value": 2.6, "color_by": "t", "range": [-3, 7], "colors": GREY, **FLAT}}],
         np.where(mask[..., None], grey_of(1 + 4 * (2 * p[..., 0] - p[..., 1] + 3) / 10), back()),
         away=border(mask), worst=1e-3, count=3)
    picture = back()
    for k, color in ((0, [1, 0, 0]), (-1, [0, 1, 0])):
        _, p = view.cut(np.array([0, 0, 1.0]), Z[k])
        picture = over(color, 0.4 * inside(p, (0, 1)), picture)
    case("two clear objects", view, [{"object": {"k": -1, "color": [0, 1, 0], "opacity": 0.4, **FLAT}},
                                     {"object": {"k": 0, "color": [1, 0, 0], "opacity": 0.4, **FLAT}}],
         picture, count=6)


def tubes():
    green = [0.1, 0.9, 0.3]
    for name, view in (("oblique", OBLIQUE), ("perspective", NEAR)):
        case(f"{name}, outline", view, [{"outline": {"color": green, "line_width": 2}}],
             over(green, outline(view, 2), back()), worst=2e-3, count=3)
    start, end = np.array([0.5, 0.6, 1]), np.array([2.5, 1.6, 1])  # along u, v, w
    length = float(np.linalg.norm(end - start))
    seed = {"seeds": [{"points": [start.tolist()]}], "velocity": ["u", "v", "w"], "length": length,
            "color": green, **FLAT}
    for name, view in (("oblique", OBLIQUE), ("perspective", NEAR)):
        share = ribbon(3, segment_distance(view, start, end))
        case(f"{name}, line", view, [{"particles": {**seed, "style": "lines", "line_width": 3}}],
             over(green, share, back()), worst=2e-3, count=3)
    view, radius = ABOVE, 0.4
    away = segment_distance(view, start, end) * view.size
    case("tube", view, [{"particles": {**seed, "style": "tubes", "radius": radius}}],
         np.where((away < radius)[..., None], green, back()), away=abs(away - radius) < 0.003, count=3)
    radius = 0.12
    ahead, p = (end - start) / length, view.cut(np.array([0, 0, 1.0]), 1)[1] - end
    along = -(p @ ahead)  # from the tip
    aside = np.linalg.norm(p + along[..., None] * ahead, axis=-1)
    head = (along > 0) & (along < 8 * radius) & (aside < 3 * radius * along / (8 * radius))
    shaft = segment_distance(view, start, end - 8 * radius * ahead) * view.size < radius
    mask = head | shaft
    case("arrow", view, [{"particles": {**seed, "style": "arrows", "radius": radius}}],
         np.where(mask[..., None], green, back()), count=4)
    seeds = {"seeds": [{"points": [[1, 1, 1], [3, 2, 0.5]]}], "velocity": ["u", "v", "w"], "mode": "path",
             "style": "spheres", "radius": 0.3, "color": green, **FLAT}
    away = np.min([np.linalg.norm((view.cut(np.array([0, 0, 1.0]), 1)[1] - p)[..., :2], axis=-1)
                   for p in ([1, 1, 1], [3, 2, 0.5])], axis=0)
    case("spheres", view, [{"particles": seeds}], np.where((away < 0.3)[..., None], green, back()),
         away=abs(away - 0.3) < 0.003, count=3)


def places():
    """Surfaces at the same place, in either order and in pairs of every kind."""
    light, dark = [0.9, 0.8, 0.6], [0.1, 0.2, 0.5]
    top = {"point": [0, 0, 2], "normal": [0, 0, 1]}
    kinds = {"object": lambda c: {"object": {"k": -1, "color": c, **FLAT}},
             "contour": lambda c: {"contour": {"field": "s", "range": RANGE, "k": 5, "color": c}},
             "plane": lambda c: {"contour": {"field": "s", "range": RANGE, "plane": top, "color": c}}}
    for name, view in (("oblique", OBLIQUE), ("perspective", NEAR), ("flat", View([-9, -7, 3.4], [2, 1.5, 2], height=3))):
        normal, z, _, mask = on_k(view, 5)
        lines = ("lines", {"contour": {**FIELD, "k": -1, "style": "lines", "line_color": dark}},
                 covered(1.5, pixels_to_levels(view, normal, z, LEVELS)))
        grid = ("grid", {"grid": {"k": -1, "color": dark}}, grid_lines(view, 5, 1.5))
        for first, second in (("plane", "object"), ("object", "plane"), ("contour", "object")):
            case(f"{name}, {second} over {first}", view, [kinds[first](dark), kinds[second](light)],
                 np.where(mask[..., None], light, back()), away=border(mask), count=3)
        for first, (kind, layer, share) in (("object", lines), ("plane", lines), ("plane", grid)):
            if name != "flat" or kind != "grid":
                case(f"{name}, {kind} and {first}", view, [layer, kinds[first](light)],
                     over(dark, share * mask, np.where(mask[..., None], light, back())), away=border(mask), count=3)
        both = {"contour": {**FIELD, "k": -1, "style": "both", "line_color": dark}}
        case(f"{name}, lines of a covered contour", view, [both, kinds["object"](light)],
             over(dark, lines[2] * mask, np.where(mask[..., None], light, back())), away=border(mask), count=3)
    view = OBLIQUE
    mask = on_k(view, 2)[3]
    sheet = {"isosurface": {"field": "z", "value": 0.9, "color": dark, **FLAT}}
    plane = {"object": {"k": 2, "color": light, **FLAT}}
    for layers, color in (([sheet, plane], light), ([plane, sheet], dark)):
        case(f"isosurface and plane {color}", view, layers, np.where(mask[..., None], color, back()),
             away=border(mask), count=3)


def check(name, picture, expected, away, worst, count):
    off = abs(picture - expected).max(axis=-1)
    bad = off > worst
    if away is not None:
        bad &= ~away
    if bad.sum() <= count:
        return True
    row, column = np.unravel_index(np.argmax(np.where(bad, off, 0)), off.shape)
    print(f"FAILED: {name}: {bad.sum()} pixels are off by more than {worst}, {count} may; pixel {column}, {row}: "
          f"expected {expected[row, column]}, got {picture[row, column]}")
    return False


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    write_data()
    for add in (sheets, colors, tubes, places):
        add()
    failures = 0
    for n, (name, view, layers, expected, away, worst, count, more) in enumerate(CASES):
        config = {"data": {"file": "box.h5"}, "image": {"width": W, "height": H, "samples": 1,
                                                        "background": BACK.tolist()},
                  "camera": view.config, "layers": layers,
                  "output": {"frames": f"p{n}.png", "float": f"p{n}.h5"}, **more}
        (FOLDER / "case.yaml").write_text(json.dumps(config))
        done = subprocess.run([KARMAN, "render", "case.yaml", "--threads", "1"], cwd=FOLDER,
                              capture_output=True, text=True, timeout=60, check=False)
        if done.returncode != 0:
            print(f"FAILED: {name}: {done.stderr}")
            failures += 1
            continue
        with h5py.File(FOLDER / f"p{n}.h5") as file:
            rgba = np.array(file["rgba"])
        picture = rgba[..., :3] + (1 - rgba[..., 3:]) * BACK
        failures += not check(name, picture, expected, away, worst, count)
    print(f"{len(CASES)} pictures, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
