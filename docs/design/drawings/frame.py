"""One frame: its stages from left to right, and three ranks one below the other."""
from canvas import Canvas

RANKS = 3
LEFT, STEP, WIDTH = 84, 110, 98  # of a stage
TOP, HIGH, GAP = 138, 92, 24  # of the row of a rank
STAGES = [("Source", ["metadata only"], "io"),
          ("Layout", ["bounds and cells", "of all bricks"], "io/load"),
          ("Partition", ["a half-open box", "for each rank"], "grid"),
          ("Load", ["bricks that", "show something"], "io/load"),
          ("Render", ["an image", "for each rank"], "render"),
          ("Composite", ["pieces, in", "visibility order"], "composite"),
          ("Finish", ["8 bits, then", "deflated strips"], "io/picture"),
          ("Write", ["a PNG, by", "a thread"], "io/picture")]
ONCE = 3  # stages of a job; the others are of a frame
FILLS = "fsky", "fsand", "fmint"
EDGES = "blue", "rust", "leaf"
# The k-d tree of the drawing: a box [x0, y0, x1, y1] of the unit square for each rank.
BOXES = (0, 0, 0.46, 1), (0.46, 0, 1, 0.52), (0.46, 0.52, 1, 1)
# The part of the picture that each rank's box covers.
SHOWN = (0.06, 0.12, 0.52, 0.86), (0.4, 0.08, 0.94, 0.5), (0.42, 0.44, 0.9, 0.92)
# Bricks of a rank's box that show something: columns and rows of a 4 x 4 grid.
LOADED = ((0, 1), (0, 2), (1, 1), (1, 2)), ((2, 0), (2, 1), (3, 1)), ((2, 2), (2, 3), (3, 2))
SIDE = 54


def middle(stage):
    """The middle of a stage."""
    return LEFT + stage * STEP + WIDTH / 2


def row(rank):
    """The upper end of a rank's row."""
    return TOP + rank * (HIGH + GAP)


def corner(stage, rank):
    """The upper left corner of a stage's picture at a rank."""
    return middle(stage) - SIDE / 2, row(rank) + (HIGH - SIDE) / 2


def draw_heads(canvas):
    """The stages with their folders, and which of them come once."""
    for first, last, words in ((0, ONCE, "once a job"), (ONCE, len(STAGES), "each frame")):
        x0, x1 = LEFT + first * STEP + 4, LEFT + (last - 1) * STEP + WIDTH - 4
        canvas.text((x0 + x1) / 2, 32, words, "soft")
        canvas.path([(x0, 46), (x0, 40), (x1, 40), (x1, 46)])
    for stage, (name, lines, folder) in enumerate(STAGES):
        canvas.text(middle(stage), 70, name, "head")
        for n, line in enumerate(lines):
            canvas.text(middle(stage), 90 + 15 * n, line, "soft small")
        canvas.text(middle(stage), row(RANKS) - 2, folder + "/", "mono soft")


def draw_rows(canvas):
    """The row of each rank, and the agreements between stages."""
    for rank in range(RANKS):
        canvas.box(LEFT - 4, row(rank), len(STAGES) * STEP - 4, HIGH, "box", 8)
        canvas.text(24, row(rank) + HIGH / 2 + 5, f"rank {rank}", f"head t{EDGES[rank]}", "start")
    for stage in range(1, len(STAGES)):
        x = LEFT + stage * STEP - 6
        canvas.path([(x, TOP - 8), (x, row(RANKS) - GAP + 8)], "soft-line thick dots")


def draw_document(canvas, x, y, words):
    """A file."""
    w, h, fold = 40, SIDE, 11
    canvas.polygon([(x, y), (x + w - fold, y), (x + w, y + fold), (x + w, y + h), (x, y + h)], "back")
    canvas.path([(x, y), (x + w - fold, y), (x + w, y + fold), (x + w, y + h), (x, y + h), (x, y)])
    canvas.path([(x + w - fold, y), (x + w - fold, y + fold), (x + w, y + fold)])
    canvas.text(x + w / 2, y + h / 2 + 9, words, "small")


def draw_unit(canvas, x, y, part, classes):
    """A part of the unit square at (x, y)."""
    canvas.add("rect", classes, x=x + part[0] * SIDE, y=y + part[1] * SIDE,
               width=(part[2] - part[0]) * SIDE, height=(part[3] - part[1]) * SIDE)


def draw_bricks(canvas, x, y, chosen, classes):
    """Bricks of a 4 x 4 grid: all of them in outline, some filled."""
    unit = SIDE / 4
    for n in range(16):
        filled = (n % 4, n // 4) in chosen
        canvas.add("rect", classes if filled else "soft-line", x=x + n % 4 * unit + 1, y=y + n // 4 * unit + 1,
                   width=unit - 2, height=unit - 2, rx=1.5)


def draw_source(canvas):
    """Rank 0 opens the file, and all know its catalogue."""
    x = middle(0) - 20
    draw_document(canvas, x, corner(0, 0)[1], "HDF5")
    for rank in range(1, RANKS):
        canvas.arrow((middle(0), row(rank) - GAP - (14 if rank == 1 else 22)), (middle(0), row(rank) + 28))
        canvas.text(middle(0), row(rank) + HIGH / 2 + 5, "blocks,", "small")
        canvas.text(middle(0), row(rank) + HIGH / 2 + 20, "fields, steps", "small")


def draw_rank(canvas, rank):
    """The stages of one rank, up to its image."""
    x, y = corner(1, rank)
    draw_bricks(canvas, x, y, [(n % 4, n // 4) for n in range(16) if n * RANKS // 16 == rank],
                f"{FILLS[rank]} {EDGES[rank]}-edge")
    x, y = corner(2, rank)
    for other, part in enumerate(BOXES):
        draw_unit(canvas, x, y, part, FILLS[other] if other == rank else "soft-line")
    draw_unit(canvas, x, y, BOXES[rank], EDGES[rank])
    x, y = corner(3, rank)
    draw_bricks(canvas, x, y, LOADED[rank], f"{FILLS[rank]} {EDGES[rank]}-edge")
    draw_unit(canvas, x, y, BOXES[rank], EDGES[rank] + " dash")
    x, y = corner(4, rank)
    draw_unit(canvas, x, y, (0, 0, 1, 1), "fback soft-edge")
    draw_unit(canvas, x, y, SHOWN[rank], FILLS[rank])
    draw_unit(canvas, x, y, SHOWN[rank], EDGES[rank])


def draw_picture(canvas, x, y, first, last):
    """The rows [first, last] of the finished picture, in parts of 1."""
    draw_unit(canvas, x, y, (0, 0, 1, 1), "fback soft-edge")
    for rank in reversed(range(RANKS)):
        part = SHOWN[rank]
        cut = part[0], max(part[1], first), part[2], min(part[3], last)
        if cut[1] < cut[3]:
            draw_unit(canvas, x, y, cut, FILLS[rank])
    draw_unit(canvas, x, y, (0, first, 1, last), "ink")


def draw_together(canvas):
    """Compositing, compressing and writing."""
    thirds = [(n / RANKS, (n + 1) / RANKS) for n in range(RANKS)]
    for rank in range(RANKS):
        x, y = corner(5, rank)
        draw_picture(canvas, x, y, *thirds[rank])
        x, y = middle(6) - 23, row(rank) + HIGH / 2 - 9
        canvas.box(x, y, 46, 18, "back", 3)
        canvas.add("rect", "line", x=x, y=y, width=46, height=18, rx=3)
        canvas.text(middle(6), y + 13, "deflate", "small")
    for a in range(RANKS):
        for b in range(RANKS):
            x0, x1 = middle(4) + SIDE / 2 + 5, middle(5) - SIDE / 2 - 5
            y0, y1 = row(a) + HIGH / 2, row(b) + HIGH / 2
            canvas.curve((x0, y0), (x0 + 24, y0), (x1 - 30, y1), (x1 - 5, y1), EDGES[a])
            canvas.head((x1, y1), (x1 - 5, y1), f"f{EDGES[a]}", 6)
    for rank in range(RANKS):
        y = row(rank) + HIGH / 2
        canvas.arrow((middle(5) + SIDE / 2 + 4, y), (middle(6) - 26, y))
        canvas.curve((middle(6) + 26, y), (middle(6) + 52, y), (middle(7) - 60, row(0) + HIGH / 2),
                     (middle(7) - 30, row(0) + HIGH / 2))
    canvas.head((middle(7) - 24, row(0) + HIGH / 2), (middle(7) - 30, row(0) + HIGH / 2))
    draw_document(canvas, middle(7) - 20, corner(7, 0)[1], "PNG")


def draw():
    """The drawing."""
    canvas = Canvas(984, 532, "One frame on three ranks")
    draw_heads(canvas)
    draw_rows(canvas)
    draw_source(canvas)
    for rank in range(RANKS):
        draw_rank(canvas, rank)
    draw_together(canvas)
    canvas.text(24, 512, "Dotted lines: all ranks agree on errors before any rank goes on.", "soft small", "start")
    return canvas.svg()
