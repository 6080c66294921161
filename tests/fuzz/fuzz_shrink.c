#include "fuzz_shrink.h"

/* The largest number of cases to try: shrinking ends within seconds. */
enum { MOST_ATTEMPTS = 150 };

/* One way to make a case simpler; false if it changes nothing any more. */
typedef bool shrink_step(fuzz_case *c);

static bool one_block(fuzz_case *c)
{
    bool done = c->shape.blocks > 1;
    c->shape.blocks = 1;
    c->shape.overlap = 0.0;
    return done;
}

static bool fewer_blocks(fuzz_case *c)
{
    return c->shape.blocks > 1 && --c->shape.blocks >= 1;
}

/* Fewer vertices along an axis, but as many as a full turn and all blocks need. */
static bool set_size(fuzz_case *c, int axis, int64_t n)
{
    int64_t least = c->shape.kind == FUZZ_BOX || c->shape.kind == FUZZ_LATTICE ? 2 : 4;
    least =
        axis == c->shape.cut && least <= c->shape.blocks ? c->shape.blocks + 1 : least;
    if (n < least) {
        return false;
    }
    c->shape.n[axis] = n;
    return true;
}

static bool half_size(fuzz_case *c, int axis)
{
    return set_size(c, axis, (c->shape.n[axis] + 1) / 2);
}

static bool half_i(fuzz_case *c)
{
    return half_size(c, 0);
}

static bool half_j(fuzz_case *c)
{
    return half_size(c, 1);
}

static bool half_k(fuzz_case *c)
{
    return half_size(c, 2);
}

static bool less_i(fuzz_case *c)
{
    return set_size(c, 0, c->shape.n[0] - 1);
}

static bool less_j(fuzz_case *c)
{
    return set_size(c, 1, c->shape.n[1] - 1);
}

static bool less_k(fuzz_case *c)
{
    return set_size(c, 2, c->shape.n[2] - 1);
}

static bool half_picture(fuzz_case *c)
{
    c->side = c->side / 2;
    return c->side >= 1;
}

static bool fewer_parts(fuzz_case *c)
{
    return c->parts > 2 && --c->parts >= 2;
}

static bool clear(double *x, double simple)
{
    bool done = *x != simple;
    *x = simple;
    return done;
}

static bool no_blanks(fuzz_case *c)
{
    return clear(&c->shape.blanked, 0.0);
}

static bool nothing_nowhere(fuzz_case *c)
{
    return clear(&c->shape.nowhere, 0.0);
}

static bool no_fills(fuzz_case *c)
{
    return clear(&c->field.fills, 0.0);
}

static bool no_holes(fuzz_case *c)
{
    return clear(&c->field.holes, 0.0);
}

static bool no_warp(fuzz_case *c)
{
    return clear(&c->shape.warp, 0.0);
}

static bool no_jitter(fuzz_case *c)
{
    return clear(&c->shape.jitter, 0.0);
}

static bool no_stretch(fuzz_case *c)
{
    bool done = clear(&c->shape.stretch[0], 1.0);
    done |= clear(&c->shape.stretch[1], 1.0);
    return clear(&c->shape.stretch[2], 1.0) || done;
}

static bool no_shift(fuzz_case *c)
{
    bool done = clear(&c->shape.shift.v[0], 0.0);
    done |= clear(&c->shape.shift.v[1], 0.0);
    return clear(&c->shape.shift.v[2], 0.0) || done;
}

static bool unit_scale(fuzz_case *c)
{
    bool done = c->shape.scale != 1.0;
    no_shift(c);
    c->shape.scale = 1.0;
    return done;
}

static bool no_turn(fuzz_case *c)
{
    bool done = c->shape.rotated || c->shape.mirrored != 0 || c->shape.turned != 0;
    c->shape.rotated = false;
    c->shape.mirrored = c->shape.turned = 0;
    return done;
}

static bool unit_field(fuzz_case *c)
{
    bool done = clear(&c->field.low, 0.0);
    return clear(&c->field.high, 1.0) || done;
}

static bool values_in_vertices(fuzz_case *c)
{
    bool done = c->field.in_cells;
    c->field.in_cells = false;
    return done;
}

static bool linear_field(fuzz_case *c)
{
    bool done = c->field.values != FUZZ_LINEAR;
    c->field.values = FUZZ_LINEAR;
    return done;
}

static bool ramp(fuzz_case *c)
{
    bool done = c->light.profile > FUZZ_RAMP;
    c->light.profile = FUZZ_RAMP;
    return done;
}

static bool linear_style(fuzz_case *c)
{
    bool done = fuzz_case_style(c) != 0;
    c->trilinear = c->quadratic = false;
    return done;
}

static bool no_light(fuzz_case *c)
{
    const bool done = c->shaded;
    c->shaded = false;
    return done;
}

static bool no_layers(fuzz_case *c)
{
    const bool done = c->layered;
    c->layered = false;
    return done;
}

static bool fails_alike(const fuzz_case *c, fuzz_check check, fuzz_failure *failure)
{
    fuzz_tally unused = {0};
    return !fuzz_check_case(c, &unused, failure) && failure->check == check;
}

void fuzz_case_shrink(fuzz_case *c, fuzz_failure *failure)
{
    static shrink_step *const steps[] = {
        one_block,    half_i,       half_j,          half_k,
        half_picture, no_blanks,    no_holes,        no_fills,
        no_turn,      no_warp,      nothing_nowhere, no_stretch,
        no_shift,     unit_scale,   no_jitter,       values_in_vertices,
        unit_field,   linear_field, fewer_parts,     ramp,
        linear_style, no_light,     no_layers,       fewer_blocks,
        less_i,       less_j,       less_k};
    int attempts = 0;
    for (bool better = true; better && attempts < MOST_ATTEMPTS;) {
        better = false;
        for (size_t n = 0; n < sizeof steps / sizeof steps[0]; n++) {
            fuzz_case simpler = *c;
            fuzz_failure other;
            if (attempts < MOST_ATTEMPTS && steps[n](&simpler) && ++attempts &&
                fails_alike(&simpler, failure->check, &other)) {
                *c = simpler;
                *failure = other;
                better = true;
            }
        }
    }
}
