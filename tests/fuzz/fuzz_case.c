#include "fuzz_case.h"

#include "support/random.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

/* The largest number of cells in a grid, so that thousands of cases run in minutes. */
enum { MOST_CELLS = 12000 };

uint64_t fuzz_hash(uint64_t seed, int64_t a, int64_t b, int64_t c)
{
    const int64_t numbers[3] = {a, b, c};
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    for (int n = 0; n < 3; n++) {
        state ^= ((uint64_t)numbers[n] + 1) * 0xff51afd7ed558ccdu;
        state = state != 0 ? state : 1;
        random_bits(&state);
        state *= 0xc4ceb9fe1a85ec53u;
        state ^= state >> 33;
    }
    return state != 0 ? state : 1;
}

static bool chance(uint64_t *state, double share)
{
    return random_between(state, 0.0, 1.0) < share;
}

static double power_of_ten(uint64_t *state, double lo, double hi)
{
    return pow(10.0, random_between(state, lo, hi));
}

/* ---- Sizes ------------------------------------------------------------------------- */

/* Vertices along an axis: few, many, or close to whole bricks. */
static int64_t draw_size(uint64_t *state)
{
    switch (random_below(state, 4)) {
    case 0:
        return 2 + random_below(state, 5);
    case 1:
        return 7 + random_below(state, 14);
    case 2:
        return 16 + 16 * random_below(state, 2) + random_below(state, 3);
    default:
        return 2 + random_below(state, 39);
    }
}

static void keep_small(int64_t n[3], const int64_t least[3])
{
    while ((n[0] - 1) * (n[1] - 1) * (n[2] - 1) > MOST_CELLS) {
        int largest = n[1] > n[0] ? 1 : 0;
        largest = n[2] > n[largest] ? 2 : largest;
        n[largest] = n[largest] * 3 / 4;
    }
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = n[axis] < least[axis] ? least[axis] : n[axis];
    }
}

/* A full turn needs three cells, half a turn two. */
static void find_least(fuzz_kind kind, int64_t least[3])
{
    least[0] = 2;
    least[1] = kind == FUZZ_RING || kind == FUZZ_POLE ? 4 : kind == FUZZ_BALL ? 3 : 2;
    least[2] = kind == FUZZ_BALL ? 4 : 2;
}

static void draw_sizes(uint64_t *state, fuzz_shape *s)
{
    int64_t least[3];
    find_least(s->kind, least);
    for (int axis = 0; axis < 3; axis++) {
        s->n[axis] = draw_size(state);
    }
    keep_small(s->n, least);
    s->cut = random_below(state, 3);
    s->blocks = chance(state, 0.5) ? 1 : 1 + random_below(state, FUZZ_MOST_BLOCKS);
    s->blocks = s->blocks < s->n[s->cut] ? s->blocks : (int)s->n[s->cut] - 1;
    s->mirrored = (unsigned)random_below(state, 16);
    s->turned = (unsigned)random_below(state, 16);
}

/* ---- Geometry ---------------------------------------------------------------------- */

/* Draws the place and size of the grid, and the storage of its coordinates. */
static void draw_place(uint64_t *state, fuzz_shape *s)
{
    s->rotated = chance(state, 0.5);
    s->centred = chance(state, 0.7);
    s->scale = chance(state, 0.4) ? 1.0 : power_of_ten(state, -6.0, 6.0);
    if (chance(state, 0.5)) {
        double most = s->scale * power_of_ten(state, -1.0, s->centred ? 4.0 : 1.0);
        for (int axis = 0; axis < 3; axis++) {
            s->shift.v[axis] = random_between(state, -most, most);
        }
    }
}

/* Whether an axis of a round grid runs around it. Cells along it that are much longer
 * than others would fold the grid. */
static bool is_angle(fuzz_kind kind, int axis)
{
    bool is_round = kind == FUZZ_RING || kind == FUZZ_POLE || kind == FUZZ_BALL;
    return is_round && (axis == 1 || (kind == FUZZ_BALL && axis == 2));
}

static void draw_spacing(uint64_t *state, fuzz_shape *s)
{
    for (int axis = 0; axis < 3; axis++) {
        s->extent[axis] = power_of_ten(state, -0.7, 0.0);
        s->stretch[axis] = 1.0;
    }
    if (chance(state, 0.4)) {
        int axis = random_below(state, 3);
        double most = is_angle(s->kind, axis) ? 0.4 : 6.0;
        s->stretch[axis] = power_of_ten(state, -most, most);
    }
}

static void draw_trouble(uint64_t *state, fuzz_shape *s)
{
    const double jitters[] = {0.0, 0.0, 0.0, 0.05, 0.1, 0.15, 0.25};
    s->jitter = jitters[random_below(state, 7)];
    s->warp = chance(state, 0.6) ? random_between(state, 0.0, 0.08) : 0.0;
    s->even_boundary = chance(state, 0.4);
    switch (random_below(state, 10)) {
    case 0:
        s->jitter = 1.2;
        s->even_boundary = chance(state, 0.7);
        break;
    case 1:
        s->folds = random_between(state, 0.0, 0.1);
        s->even_boundary = chance(state, 0.7);
        break;
    case 2:
        s->jitter = chance(state, 0.3) ? 5.0 : s->jitter;
        s->overlap = s->blocks > 1 ? random_between(state, -0.2, 0.2) : 0.0;
        break;
    default:
        break;
    }
    if (chance(state, 0.25)) {
        s->blanked = power_of_ten(state, -3.0, -0.5);
    }
    if (chance(state, 0.07)) {
        s->nowhere = power_of_ten(state, -3.0, -1.0);
    }
}

/* A box of cubes: vertices at whole numbers times a power of two. */
static void make_even(fuzz_shape *s)
{
    *s = (fuzz_shape){.kind = FUZZ_BOX,
                      .seed = s->seed,
                      .n = {s->n[0], s->n[1], s->n[2]},
                      .blocks = s->blocks,
                      .cut = s->cut,
                      .mirrored = s->mirrored,
                      .turned = s->turned,
                      .blanked = s->blanked,
                      .stretch = {1.0, 1.0, 1.0},
                      .scale = exp2(round(log2(s->scale)))};
    for (int axis = 0; axis < 3; axis++) {
        s->extent[axis] = (double)(s->n[axis] - 1);
    }
}

static void draw_shape(uint64_t *state, fuzz_shape *s)
{
    static const fuzz_kind kinds[] = {FUZZ_BOX,  FUZZ_BOX,  FUZZ_BOX,  FUZZ_BOX,
                                      FUZZ_RING, FUZZ_RING, FUZZ_POLE, FUZZ_BALL,
                                      FUZZ_BALL, FUZZ_WEDGE};
    *s = (fuzz_shape){.kind = kinds[random_below(state, 10)]};
    if (chance(state, 0.05)) {
        s->kind = FUZZ_LATTICE;
    }
    s->seed = random_bits(state);
    draw_sizes(state, s);
    draw_place(state, s);
    draw_spacing(state, s);
    draw_trouble(state, s);
}

/* Fine, gently curved, nothing missing: on such cases the fast and the reference renderer
 * agree. */
static void make_smooth(uint64_t *state, fuzz_case *c)
{
    static const fuzz_kind kinds[] = {FUZZ_BOX, FUZZ_BOX, FUZZ_RING, FUZZ_WEDGE};
    fuzz_shape *s = &c->shape;
    s->kind = kinds[random_below(state, 4)];
    for (int axis = 0; axis < 3; axis++) {
        s->n[axis] = 14 + random_below(state, 8);
        s->stretch[axis] = random_between(state, 0.5, 2.0);
        s->extent[axis] = random_between(state, 0.5, 1.0);
    }
    s->n[1] = s->kind == FUZZ_RING ? 33 : s->n[1];
    s->blocks = s->blocks < 4 ? s->blocks : 2;
    s->warp = random_between(state, 0.0, 0.02);
    s->overlap = s->jitter = s->folds = s->blanked = s->nowhere = 0.0;
    c->field.values = chance(state, 0.5) ? FUZZ_LINEAR : FUZZ_SMOOTH;
    c->field.in_cells = false;
    c->field.holes = 0.0;
    c->light.profile = chance(state, 0.7) ? FUZZ_RAMP : FUZZ_CONSTANT;
    c->light.density = random_between(state, 0.3, 3.0);
    c->light.is_alpha = false;
    c->eye.stand = (fuzz_stand[]){FUZZ_OUTSIDE, FUZZ_FAR, FUZZ_INSIDE,
                                  FUZZ_PARALLEL}[random_below(state, 4)];
}

/* ---- The rest ---------------------------------------------------------------------- */

static void draw_field(uint64_t *state, fuzz_field *f)
{
    static const fuzz_values values[] = {FUZZ_LINEAR, FUZZ_SMOOTH, FUZZ_RANDOM,
                                         FUZZ_RANDOM, FUZZ_RANDOM, FUZZ_EQUAL};
    *f = (fuzz_field){.values = values[random_below(state, 6)],
                      .in_cells = chance(state, 0.2),
                      .high = chance(state, 0.5) ? 1.0 : power_of_ten(state, -6.0, 6.0)};
    f->seed = random_bits(state);
    if (chance(state, 0.4)) {
        f->low = f->high * random_between(state, -10.0, 10.0);
    }
    if (chance(state, 0.15)) {
        f->holes = power_of_ten(state, -3.0, -0.5);
    }
}

/* Values near the limits of float32: the whole field, or fill values in it. They use
 * random numbers of their own, so that other cases do not change. */
static void draw_extremes(uint64_t *state, fuzz_field *f)
{
    const double fills[] = {(double)FLT_MAX, -(double)FLT_MAX, 1.6e38, -1e38, 9.96921e36};
    if (chance(state, 0.03)) {
        f->high = (double)FLT_MAX * random_between(state, 0.2, 2.0);
        f->low = -0.5 * f->high;
    }
    if (chance(state, 0.05)) {
        f->fills = power_of_ten(state, -3.0, -0.5);
        f->fill = fills[random_below(state, 5)];
    }
}

static void draw_light(uint64_t *state, fuzz_light *l)
{
    l->profile = (fuzz_profile)random_below(state, FUZZ_PROFILES);
    l->seed = random_bits(state);
    l->is_alpha = chance(state, 0.4);
    l->is_data = chance(state, 0.5);
    l->density = chance(state, 0.2) ? power_of_ten(state, 1.5, 5.0)
                                    : power_of_ten(state, -1.0, 1.5);
}

void fuzz_case_draw(uint64_t seed, int64_t number, fuzz_case *out)
{
    uint64_t state = fuzz_hash(seed, number, 0, 0);
    fuzz_case c = {.seed = seed, .number = number};
    draw_shape(&state, &c.shape);
    draw_field(&state, &c.field);
    draw_light(&state, &c.light);
    c.eye.stand = (fuzz_stand)random_below(&state, FUZZ_STANDS);
    c.eye.seed = random_bits(&state);
    c.side = 24 + random_below(&state, 25);
    c.parts = 2 + random_below(&state, FUZZ_MOST_PARTS - 1);
    c.trilinear = chance(&state, 0.35);
    c.is_smooth = chance(&state, 0.15);
    if (c.is_smooth) {
        make_smooth(&state, &c);
    } else if (chance(&state, 0.12)) {
        make_even(&c.shape);
        c.eye.stand = chance(&state, 0.6) ? FUZZ_ALONG_LINES : c.eye.stand;
    } else if (c.shape.folds > 0.0 || c.shape.jitter > 0.5) {
        /* The right picture of a folded grid is known only if the medium is uniform. */
        c.light.profile = chance(&state, 0.5) ? FUZZ_CONSTANT : c.light.profile;
        c.light.density = fmin(c.light.density, power_of_ten(&state, -1.0, 3.0));
    }
    uint64_t extremes = fuzz_hash(seed, number, 1, 0);
    draw_extremes(&extremes, &c.field);
    c.quadratic = !c.trilinear && chance(&extremes, 0.5);
    c.field.fills = c.is_smooth ? 0.0 : c.field.fills;
    *out = c;
}

void fuzz_case_overlap(fuzz_case *c)
{
    fuzz_shape *s = &c->shape;
    uint64_t state = fuzz_hash(c->seed, c->number, 1, 0);
    s->kind = s->kind == FUZZ_LATTICE ? FUZZ_BOX : s->kind;
    s->jitter = fmin(s->jitter, 0.25);
    s->folds = 0.0;
    if (s->blocks < 2) {
        s->blocks = 2;
        s->n[s->cut] = s->n[s->cut] < 3 ? 3 : s->n[s->cut];
    }
    s->overlap = random_between(&state, -0.2, 0.2);
    c->is_smooth = false;
    c->trilinear = chance(&state, 0.5);
    c->quadratic = !c->trilinear && chance(&state, 0.5);
}

void fuzz_case_shade(fuzz_case *c)
{
    c->shaded = true;
    c->is_smooth = false;
}

void fuzz_case_layer(fuzz_case *c)
{
    c->layered = true;
    c->is_smooth = false;
    c->shape.overlap = c->shape.folds = 0.0;
    c->shape.kind = c->shape.kind == FUZZ_LATTICE ? FUZZ_BOX : c->shape.kind;
    if (c->number % 2 == 0) { /* the plane in space lies in the faces of a plane */
        c->shape.warp = c->shape.jitter = 0.0;
    }
}

/* ---- Names ------------------------------------------------------------------------- */

int fuzz_case_style(const fuzz_case *c)
{
    return c->trilinear ? 1 : c->quadratic ? 2 : 0;
}

const char *fuzz_style_name(int style)
{
    static const char *const names[FUZZ_STYLES] = {"linear", "trilinear", "quadratic"};
    return names[style];
}

const char *fuzz_kind_name(fuzz_kind kind)
{
    static const char *const names[FUZZ_KINDS] = {"box",  "ring",  "pole",
                                                  "ball", "wedge", "lattice"};
    return names[kind];
}

const char *fuzz_values_name(fuzz_values values)
{
    static const char *const names[FUZZ_VALUES] = {"linear", "smooth", "random", "equal"};
    return names[values];
}

const char *fuzz_profile_name(fuzz_profile profile)
{
    static const char *const names[FUZZ_PROFILES] = {"constant", "ramp", "steps",
                                                     "spikes",   "map",  "clear"};
    return names[profile];
}

const char *fuzz_stand_name(fuzz_stand stand)
{
    static const char *const names[FUZZ_STANDS] = {
        "outside", "far", "inside", "at-vertex", "at-face", "parallel", "along-lines"};
    return names[stand];
}

void fuzz_case_print(FILE *out, const fuzz_case *c)
{
    const fuzz_shape *s = &c->shape;
    fprintf(out,
            "  grid: %s, %" PRId64 " x %" PRId64 " x %" PRId64 " vertices, %d blocks",
            fuzz_kind_name(s->kind), s->n[0], s->n[1], s->n[2], s->blocks);
    fprintf(out, " cut along %c (mirrored %#x, turned %#x, overlap %g)\n", 'i' + s->cut,
            s->mirrored, s->turned, s->overlap);
    fprintf(out,
            "        extent %g %g %g, stretch %g %g %g, scale %g, shift %g %g %g%s%s\n",
            s->extent[0], s->extent[1], s->extent[2], s->stretch[0], s->stretch[1],
            s->stretch[2], s->scale, s->shift.v[0], s->shift.v[1], s->shift.v[2],
            s->rotated ? ", rotated" : "", s->centred ? ", centred" : "");
    fprintf(out, "        warp %g, jitter %g, folds %g%s, blanked %g, nowhere %g\n",
            s->warp, s->jitter, s->folds, s->even_boundary ? ", even outside" : "",
            s->blanked, s->nowhere);
    fprintf(out, "  field: %s in %s, from %g by %g, holes %g\n",
            fuzz_values_name(c->field.values), c->field.in_cells ? "cells" : "vertices",
            c->field.low, c->field.high, c->field.holes);
    if (c->field.fills > 0.0) {
        fprintf(out, "         %g of its values are %g\n", c->field.fills, c->field.fill);
    }
    fprintf(out, "  transfer: %s, density %g, %s, positions are %s\n",
            fuzz_profile_name(c->light.profile), c->light.density,
            c->light.is_alpha ? "opacity" : "extinction",
            c->light.is_data ? "data" : "fractions");
    fprintf(out, "  view: %s, %d x %d pixels, %s%s; %d parts\n",
            fuzz_stand_name(c->eye.stand), c->side, c->side,
            fuzz_style_name(fuzz_case_style(c)),
            c->shaded    ? ", shaded"
            : c->layered ? ", layered"
                         : "",
            c->parts);
}
