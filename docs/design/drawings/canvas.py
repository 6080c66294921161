"""An SVG picture: shapes by class, one style sheet for light and dark."""
import html

# Colours by role, for light and for dark. Text of a role is legible on "back" and on "box".
LIGHT = {"back": "#ffffff", "frame": "#d0d7de", "box": "#f3f5f7", "edge": "#c3cbd3", "ink": "#1f2328",
         "soft": "#59636e", "line": "#8b949e", "blue": "#0a62b8", "sky": "#dbeafa",
         "rust": "#b0500a", "sand": "#fbe7d3", "leaf": "#2c7a3f", "mint": "#dcf1e0"}
DARK = {"back": "#0d1117", "frame": "#30363d", "box": "#171d25", "edge": "#3b434d", "ink": "#e6edf3",
        "soft": "#9aa4af", "line": "#77818c", "blue": "#74b8ff", "sky": "#15304f",
        "rust": "#f2a765", "sand": "#43290f", "leaf": "#79cf8c", "mint": "#163a20"}

STYLE = """
text{font-family:-apple-system,"Segoe UI","DejaVu Sans",Helvetica,Arial,sans-serif;font-size:13px;fill:%(ink)s}
.head{font-weight:600;font-size:14px}.mono{font-family:"DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:12px}
.soft{fill:%(soft)s}.small{font-size:12px}
.tblue{fill:%(blue)s}.trust{fill:%(rust)s}.tleaf{fill:%(leaf)s}
.back{fill:%(back)s;stroke:%(frame)s}.box{fill:%(box)s;stroke:%(edge)s}
.fsky{fill:%(sky)s}.fsand{fill:%(sand)s}.fmint{fill:%(mint)s}.fbox{fill:%(box)s}
.fblue{fill:%(blue)s}.frust{fill:%(rust)s}.fleaf{fill:%(leaf)s}.fink{fill:%(ink)s}.fline{fill:%(line)s}.fback{fill:%(back)s}
.line,.soft-line,.blue,.rust,.leaf,.ink{fill:none;stroke-linecap:round;stroke-linejoin:round}
.line{stroke:%(line)s}.soft-line{stroke:%(edge)s}.blue{stroke:%(blue)s}.rust{stroke:%(rust)s}.leaf{stroke:%(leaf)s}.ink{stroke:%(ink)s}
.blue-edge{stroke:%(blue)s}.rust-edge{stroke:%(rust)s}.leaf-edge{stroke:%(leaf)s}.soft-edge{stroke:%(edge)s}
.thick{stroke-width:2}.dash{stroke-dasharray:4 4}.dots{stroke-dasharray:1 5}
"""


def style():
    """The style sheet: light, then dark."""
    def compact(colours):
        return "".join((STYLE % colours).strip().split("\n"))
    return f"{compact(LIGHT)}@media(prefers-color-scheme:dark){{{compact(DARK)}}}"


def number(value):
    """A coordinate with one decimal, the same on every machine."""
    text = f"{value:.1f}"
    return {"-0.0": "0"}.get(text, text.removesuffix(".0"))


class Canvas:
    """Collects shapes; the first ones lie below the others."""

    def __init__(self, width, height, title):
        self.size = width, height
        self.title = title
        self.shapes = []

    def add(self, name, classes, content=None, **attributes):
        """Any element. Underscores in names of attributes become hyphens."""
        words = [f'{key.replace("_", "-")}="{number(value) if isinstance(value, (int, float)) else value}"'
                 for key, value in attributes.items()]
        head = " ".join([name, f'class="{classes}"', *words])
        self.shapes.append(f"<{head}/>" if content is None else f"<{head}>{content}</{name}>")

    def text(self, x, y, words, classes="", anchor="middle"):
        """Words whose base line begins, ends or has its middle at a point."""
        attributes = {} if anchor == "start" else {"text_anchor": anchor}
        self.add("text", classes, html.escape(words), x=x, y=y, **attributes)

    def box(self, x, y, width, height, classes="box", round_by=5):
        """A rectangle with round corners."""
        self.add("rect", classes, x=x, y=y, width=width, height=height, rx=round_by)

    def polygon(self, points, classes):
        """A closed polygon."""
        self.add("polygon", classes, points=" ".join(f"{number(x)},{number(y)}" for x, y in points))

    def path(self, points, classes="line"):
        """Straight lines from point to point."""
        first, *rest = [f"{number(x)} {number(y)}" for x, y in points]
        self.add("path", classes, d=f"M{first}" + "".join(f"L{point}" for point in rest))

    def curve(self, a, b, c, d, classes="line"):
        """A cubic curve from a to d."""
        words = [f"{number(x)} {number(y)}" for x, y in (a, b, c, d)]
        self.add("path", classes, d=f"M{words[0]}C{words[1]} {words[2]} {words[3]}")

    def dot(self, x, y, classes="fink", radius=3.5):
        """A filled circle."""
        self.add("circle", classes, cx=x, cy=y, r=radius)

    def head(self, tip, towards, classes="fline", size=7):
        """The head of an arrow at `tip` that comes from the direction of `towards`."""
        dx, dy = tip[0] - towards[0], tip[1] - towards[1]
        length = (dx * dx + dy * dy) ** 0.5
        dx, dy = dx / length * size, dy / length * size
        base = tip[0] - dx, tip[1] - dy
        self.polygon([tip, (base[0] - 0.45 * dy, base[1] + 0.45 * dx),
                      (base[0] + 0.45 * dy, base[1] - 0.45 * dx)], classes)

    def arrow(self, a, b, classes="line", head="fline"):
        """A straight arrow."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        part = 1 - 5 / (dx * dx + dy * dy) ** 0.5
        self.path([a, (a[0] + part * dx, a[1] + part * dy)], classes)
        self.head(b, a, head)

    def svg(self):
        """The file."""
        width, height = self.size
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img">',
            f"<title>{html.escape(self.title)}</title>", f"<style>{style()}</style>",
            f'<rect class="back" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
            *self.shapes, "</svg>", ""])
