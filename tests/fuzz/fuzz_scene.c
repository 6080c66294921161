#include "fuzz_scene.h"

#include "support/random.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- Control points ---------------------------------------------------------------- */

static void add_color(fuzz_points *p, uint64_t *state, double position)
{
    double *color = p->colors[p->points.ncolors++];
    color[0] = position;
    for (int c = 1; c < 4; c++) {
        color[c] = random_between(state, 0.0, 1.0);
    }
}

/* height: 0 to 1. */
static void add_opacity(fuzz_points *p, double position, double height)
{
    double *opacity = p->opacities[p->points.nopacities++];
    opacity[0] = position;
    opacity[1] = height;
}

static void make_steps(fuzz_points *p, uint64_t *state)
{
    int steps = 1 + random_below(state, 5);
    double height = random_between(state, 0.0, 1.0);
    add_opacity(p, 0.0, height);
    add_color(p, state, 0.0);
    for (int n = 1; n <= steps; n++) {
        /* Not at the special values of fields: right at a step, nothing is known. */
        double at = (n + random_between(state, -0.2, 0.2)) / (steps + 1);
        add_opacity(p, at, height);
        height = random_between(state, 0.0, 1.0);
        add_opacity(p, at, height);
        add_color(p, state, at);
        if (random_below(state, 2) == 0) {
            add_color(p, state, at);
        }
    }
}

static void make_spikes(fuzz_points *p, uint64_t *state)
{
    int spikes = 1 + random_below(state, 5);
    double half = pow(10.0, random_between(state, -4.0, -1.5));
    for (int n = 1; n <= spikes; n++) {
        double at = (double)n / (spikes + 1);
        add_opacity(p, at - half, 0.0);
        add_opacity(p, at, random_between(state, 0.2, 1.0));
        add_opacity(p, at + half, 0.0);
        add_color(p, state, at);
    }
}

static void make_map(fuzz_points *p, uint64_t *state)
{
    double phase = random_between(state, 0.0, 6.0);
    for (int n = 0; n < FUZZ_MOST_COLORS; n++) {
        double at = (double)n / (FUZZ_MOST_COLORS - 1);
        add_color(p, state, at);
        for (int c = 0; c < 3; c++) {
            p->colors[n][c + 1] = 0.5 + 0.5 * sin(phase * (c + 1) + 5.0 * at);
        }
    }
    int count = 2 + random_below(state, 8);
    for (int n = 0; n < count; n++) {
        add_opacity(p, (double)n / (count - 1), random_between(state, 0.0, 1.0));
    }
}

static void make_clear(fuzz_points *p, uint64_t *state)
{
    double height = random_between(state, 0.2, 1.0);
    add_opacity(p, random_between(state, 0.0, 0.2), 0.0);
    add_opacity(p, random_between(state, 0.2, 0.4), 0.0);
    add_opacity(p, random_between(state, 0.4, 0.6), height);
    add_opacity(p, random_between(state, 0.6, 0.8), 0.0);
    add_opacity(p, random_between(state, 0.8, 0.9), 0.0);
    add_opacity(p, 0.95, random_below(state, 2) ? height : 0.0);
    add_color(p, state, 0.1);
    add_color(p, state, 0.8);
}

static void make_profile(fuzz_profile profile, fuzz_points *p, uint64_t *state)
{
    switch (profile) {
    case FUZZ_STEPS:
        make_steps(p, state);
        break;
    case FUZZ_SPIKES:
        make_spikes(p, state);
        break;
    case FUZZ_MAP:
        make_map(p, state);
        break;
    case FUZZ_CLEAR:
        make_clear(p, state);
        break;
    case FUZZ_RAMP:
        add_opacity(p, 0.0, random_between(state, 0.0, 0.5));
        add_opacity(p, 1.0, random_between(state, 0.5, 1.0));
        add_color(p, state, 0.0);
        add_color(p, state, 1.0);
        break;
    default:
        add_opacity(p, 0.5, 1.0);
        add_color(p, state, 0.5);
    }
}

void fuzz_points_create(const fuzz_case *c, const fuzz_grid *grid, fuzz_points *out)
{
    const fuzz_field *f = &c->field;
    uint64_t state = c->light.seed != 0 ? c->light.seed : 1;
    memset(out, 0, sizeof *out);
    make_profile(c->light.profile, out, &state);
    render_transfer_points *p = &out->points;
    p->colors = (const double(*)[4])out->colors;
    p->opacities = (const double(*)[2])out->opacities;
    p->opacities_are_extinction = !c->light.is_alpha;
    p->positions_are_data = c->light.is_data;
    p->range[0] = f->low;
    p->range[1] = f->low + f->high;
    /* An alpha of 0.9 in a unit of length is an extinction of 2.3; of 1, no more than
     * 9.2. */
    p->unit_length = grid->diagonal / (c->light.is_alpha ? c->light.density / 2.3 : 1.0);
    for (int n = 0; n < p->nopacities; n++) {
        out->opacities[n][1] *= c->light.is_alpha ? 0.9 : c->light.density;
    }
    for (int n = 0; p->positions_are_data && n < p->nopacities; n++) {
        out->opacities[n][0] = f->low + f->high * out->opacities[n][0];
    }
    for (int n = 0; p->positions_are_data && n < p->ncolors; n++) {
        out->colors[n][0] = f->low + f->high * out->colors[n][0];
    }
}

/* ---- The view ---------------------------------------------------------------------- */

static vec3 random_direction(uint64_t *state)
{
    for (;;) {
        vec3 v;
        for (int axis = 0; axis < 3; axis++) {
            v.v[axis] = random_between(state, -1.0, 1.0);
        }
        if (vec3_length(v) > 0.1) {
            return vec3_normalize(v);
        }
    }
}

/* A direction along an axis or a diagonal. */
static vec3 even_direction(uint64_t *state)
{
    for (;;) {
        vec3 v;
        for (int axis = 0; axis < 3; axis++) {
            v.v[axis] = random_below(state, 3) - 1;
        }
        if (vec3_length(v) > 0.0) {
            return v;
        }
    }
}

static bool read_vertex(const fuzz_block *block, const int64_t at[3], vec3 *out)
{
    const float *vertex = block->vertex[fuzz_block_index(block, at)];
    *out = vec3_make((double)vertex[0], (double)vertex[1], (double)vertex[2]);
    return isfinite(vec3_length(*out));
}

/* The middle between a cell's vertex and its corner `corner`, relative to the origin; 0
 * gives the vertex itself. */
static vec3 point_of_cell(const fuzz_grid *grid, uint64_t *state, int corner)
{
    for (int attempt = 0; attempt < 20; attempt++) {
        const fuzz_block *block = &grid->blocks[random_below(state, grid->nblocks)];
        int64_t lo[3], hi[3];
        for (int axis = 0; axis < 3; axis++) {
            lo[axis] = random_below(state, (int)block->n[axis] - 1);
            hi[axis] = lo[axis] + (corner >> axis & 1);
        }
        vec3 a, b;
        if (read_vertex(block, lo, &a) && read_vertex(block, hi, &b)) {
            return vec3_scale(vec3_add(a, b), 0.5);
        }
    }
    return vec3_make(0.0, 0.0, 0.0);
}

/* The length of an edge of the first cell, or a share of the grid if that length is 0. */
static double cell_size(const fuzz_grid *grid)
{
    vec3 a, b;
    bool known = read_vertex(&grid->blocks[0], (const int64_t[3]){0, 0, 0}, &a) &&
                 read_vertex(&grid->blocks[0], (const int64_t[3]){1, 0, 0}, &b);
    double size = known ? vec3_length(vec3_sub(a, b)) : 0.0;
    return size > 0.0 ? size : 0.1 * grid->diagonal;
}

/* Looks at `target` from such a distance that the grid about fills the picture. */
static void stand_back(double distance, double size, uint64_t *state, render_view *view)
{
    vec3 back = vec3_scale(random_direction(state), distance);
    double share = random_between(state, 0.3, 1.2);
    view->position = vec3_add(view->look_at, back);
    view->height = size * share;
    view->fov =
        fmin(fmax(2.0 * atan(0.5 * share * size / distance) * 180.0 / pi, 1.0), 170.0);
}

/* Half of the rays run along lines of vertices of an even grid, the others within
 * faces. */
static void look_along_lines(const fuzz_case *c, const fuzz_grid *grid, uint64_t *state,
                             render_view *view)
{
    vec3 along = even_direction(state);
    double size = cell_size(grid);
    view->look_at = point_of_cell(grid, state, 0);
    view->position = vec3_sub(view->look_at, vec3_scale(along, 64.0 * c->side * size));
    view->orthographic = true;
    view->height = 0.5 * size * c->side;
    view->up = vec3_make(0.0, 0.0, 0.0);
    int across = along.v[0] == 0.0 ? 0 : along.v[1] == 0.0 ? 1 : 2;
    view->up.v[across] = 1.0;
    if (along.v[2] != 0.0 && across == 2) { /* along a diagonal of the cell */
        view->up = vec3_make(along.v[0], -along.v[1], 0.0);
    }
}

static void take_stand(const fuzz_case *c, const fuzz_grid *grid, uint64_t *state,
                       render_view *view)
{
    double size = grid->diagonal;
    view->fov = random_between(state, 1.0, 170.0);
    switch (c->eye.stand) {
    case FUZZ_FAR:
        stand_back(size * random_between(state, 5.0, 30.0), size, state, view);
        break;
    case FUZZ_INSIDE:
        view->position = point_of_cell(grid, state, 7);
        view->position =
            vec3_add(view->position, vec3_scale(random_direction(state), 0.01 * size));
        break;
    case FUZZ_AT_VERTEX:
        view->position = point_of_cell(grid, state, 0);
        break;
    case FUZZ_AT_FACE:
        view->position = point_of_cell(grid, state, 1 + random_below(state, 7));
        break;
    case FUZZ_PARALLEL:
        stand_back(size * random_between(state, 0.0, 2.0), size, state, view);
        view->orthographic = true;
        break;
    case FUZZ_ALONG_LINES:
        look_along_lines(c, grid, state, view);
        break;
    default:
        stand_back(size * random_between(state, 0.6, 3.0), size, state, view);
    }
}

/* Replaces an undefined view direction or upward direction. */
static void make_valid(uint64_t *state, double size, render_view *view)
{
    vec3 forward = vec3_sub(view->look_at, view->position);
    if (!(vec3_length(forward) > 1e-6 * size)) {
        forward = vec3_scale(random_direction(state), size);
        view->look_at = vec3_add(view->position, forward);
    }
    vec3 side = vec3_cross(vec3_normalize(forward), vec3_normalize(view->up));
    if (!(vec3_length(side) > 1e-3)) {
        view->up = vec3_cross(forward, random_direction(state));
    }
}

/* Keeps the view's two points apart: a grid without cells may have vertices so far out
 * that rounding joins them. */
static void keep_apart(uint64_t *state, render_view *view)
{
    if (vec3_length(vec3_sub(view->look_at, view->position)) == 0.0) {
        const double far = 1e-6 * vec3_length(view->position);
        view->look_at =
            vec3_add(view->position, vec3_scale(random_direction(state), far));
        make_valid(state, far, view);
    }
}

render_view fuzz_view_create(const fuzz_case *c, const fuzz_grid *grid)
{
    uint64_t state = c->eye.seed != 0 ? c->eye.seed : 1;
    render_view view = {.up = random_direction(&state)};
    /* Mostly toward the middle of some cell, sometimes at a vertex. */
    view.look_at = point_of_cell(grid, &state, random_below(&state, 4) ? 7 : 0);
    if (c->eye.stand <= FUZZ_FAR || c->eye.stand == FUZZ_PARALLEL) {
        box3 bounds = grid->layout->bounds;
        vec3 middle = vec3_scale(vec3_add(bounds.lo, bounds.hi), 0.5);
        if (grid->cells > 0) {
            view.look_at =
                vec3_add(vec3_scale(middle, 0.7), vec3_scale(view.look_at, 0.3));
        }
    }
    take_stand(c, grid, &state, &view);
    make_valid(&state, grid->diagonal, &view);
    view.position = vec3_add(view.position, grid->layout->origin);
    view.look_at = vec3_add(view.look_at, grid->layout->origin);
    keep_apart(&state, &view);
    return view;
}
