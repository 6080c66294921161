"""The rounds of radix-k with 8 positions and factors 4 and 2, by composite/algorithms/radix_k.c."""
from canvas import Canvas

FACTORS = 4, 2
POSITIONS = FACTORS[0] * FACTORS[1]
SIDE, LEFT, STEP = 56, 252, 87  # of an image; from the left to position 0, and to the next one
TOPS = 104, 256, 408  # of the images at the start and after each round


def digits(position):
    """The digits of a position in the radices FACTORS, the lowest first."""
    found = []
    for factor in FACTORS:
        found.append(position % factor)
        position //= factor
    return found


def held(position, rounds):
    """The eighths [begin, end) of the picture at a position after some rounds."""
    begin, size = 0, POSITIONS
    for digit, factor in list(zip(digits(position), FACTORS))[:rounds]:
        size //= factor
        begin += digit * size
    return begin, begin + size


def run(position, rounds):
    """The positions [begin, end) whose images are blended there after some rounds."""
    size = 1
    for factor in FACTORS[:rounds]:
        size *= factor
    begin = position // size * size
    return begin, begin + size


def messages(number):
    """The messages (src, dst, eighths, run) of a round: all members of a group to each other."""
    found = []
    for src in range(POSITIONS):
        for dst in range(POSITIONS):
            others = [n for n in range(len(FACTORS)) if digits(src)[n] != digits(dst)[n]]
            if others == [number]:
                found.append((src, dst, held(dst, number + 1), run(src, number)))
    return found


def mismatch(schedule):
    """A difference from `karman schedule radix-k --ranks 8 --factors 4,2 --format json`, or None."""
    for number, listed in enumerate(schedule["rounds"]):
        unit = schedule["pixels"] // POSITIONS
        theirs = sorted((m["src"], m["dst"], tuple(n // unit for n in m["pixels"]), tuple(m["run"]))
                        for m in listed["messages"])
        if theirs != sorted(messages(number)):
            return f"round {number}: the schedule has {theirs}, the drawing {sorted(messages(number))}"
    return None if len(schedule["rounds"]) == len(FACTORS) else "another number of rounds"


def place(position, row):
    """The upper left corner of an image."""
    return LEFT + position * STEP + (18 if position >= FACTORS[0] else 0), TOPS[row]


def colour(position):
    """The colour of a position's group in round 0."""
    return "blue" if position < FACTORS[0] else "rust"


def draw_image(canvas, position, row):
    """An image: the eighths that the position holds, one row each."""
    x, y = place(position, row)
    canvas.box(x, y, SIDE, SIDE, "box", 3)
    begin, end = held(position, row)
    unit = SIDE / POSITIONS
    groups = {"blue"} if run(position, row)[1] <= FACTORS[0] else {"rust"}
    if run(position, row) == (0, POSITIONS):
        groups = {"blue", "rust"}
    for side, group in enumerate(sorted(groups)):
        width = SIDE / len(groups)
        canvas.add("rect", f"f{'sky' if group == 'blue' else 'sand'}", x=x + side * width + 0.5,
                   y=y + begin * unit + 0.5, width=width - 1, height=(end - begin) * unit - 1)
    edge = colour(position) if len(groups) == 1 else "ink"
    canvas.add("rect", f"{edge}", x=x + 0.5, y=y + begin * unit + 0.5, width=SIDE - 1,
               height=(end - begin) * unit - 1, rx=2)


def draw_messages(canvas, number):
    """The messages of a round, from the images before it to those after it."""
    for src, dst, _, _ in messages(number):
        (x0, y0), (x1, y1) = place(src, number), place(dst, number + 1)
        a, d = (x0 + SIDE / 2, y0 + SIDE + 4), (x1 + SIDE / 2, y1 - 4)
        bend = 34 if number == 0 else 46
        canvas.curve(a, (a[0], a[1] + bend), (d[0], d[1] - bend), (d[0], d[1] - 5), colour(src))
        canvas.head(d, (d[0], d[1] - 10), "fblue" if colour(src) == "blue" else "frust", 6)


def draw():
    """The drawing."""
    canvas = Canvas(984, 524, "Radix-k with 8 positions and factors 4 and 2")
    for position in range(POSITIONS):
        x, _ = place(position, 0)
        canvas.text(x + SIDE / 2, TOPS[0] - 14, str(position), "head")
    canvas.text(28, 32, "Radix-k, 8 positions, factors 4 and 2", "head", "start")
    canvas.text(LEFT, 62, "front", "soft", "start")
    canvas.text(place(POSITIONS - 1, 0)[0] + SIDE, 62, "back", "soft", "end")
    canvas.arrow((LEFT + 44, 58), (place(POSITIONS - 1, 0)[0] + SIDE - 40, 58))
    words = [(TOPS[0] + 24, "Start", ["each holds its own image"]),
             (TOPS[0] + 96, "Round 0: k = 4", ["neighbours exchange quarters:", "12 messages a group"]),
             (TOPS[1] + 24, "After round 0", ["a quarter, 4 images blended"]),
             (TOPS[1] + 96, "Round 1: k = 2", ["positions at distance 4", "exchange eighths"]),
             (TOPS[2] + 24, "After round 1", ["an eighth, 8 images blended:", "finished pixels"])]
    for y, head, lines in words:
        canvas.text(28, y, head, "head", "start")
        for n, line in enumerate(lines):
            canvas.text(28, y + 19 + 17 * n, line, "soft", "start")
    for number in range(len(FACTORS)):
        draw_messages(canvas, number)
    for row in range(len(FACTORS) + 1):
        for position in range(POSITIONS):
            draw_image(canvas, position, row)
    canvas.text(28, 504, "An image is drawn as eight rows of pixels. Blue: images 0 to 3; orange: images 4 to 7.",
                "soft small", "start")
    return canvas.svg()
