/*
 * The code of a kernel (render/walk.h), around the file's own way to measure a cell. The
 * file that includes this has defined
 *
 *     shear_ray      a ray as the measurement wants it,
 *     prepare_ray    makes one from a cell_ray,
 *     measure_cell   fills in a cell_measure for the cell at a lowest vertex,
 *     leave_kernel   what must be done before other code goes on,
 *     KERNEL         the name of the walk_kernel to be.
 */
#include "render/cell_signs.h"
#include "render/transfer_cursor.h"
#include "render/walk.h"

/* A ray ends where less than this shines through: a tenth of the promised 1e-5. */
static const double LEAST_TRANSMITTANCE = 1e-6;

/* Inverted cells take back what others count too much, and for a while it may be more
 * than there was. Beyond this bound, which sound data stays far below, colour is given up
 * so that everything stays finite. */
static const double MOST_TRANSMITTANCE = 1e6;

/* Where a march is: its next cell, and where it enters that. Plain numbers that stay in
 * registers; march_entry is the same, packed. */
typedef struct walk_place {
    const march_brick *brick;
    int at[3];
    int lowest;   /* the cell's lowest vertex in the brick */
    int triangle; /* through which it enters: bit of cell_leaving_triangles */
    double t, scalar;
} walk_place;

static walk_place place_of_entry(const march_grid *grid, const march_entry *entry)
{
    const march_cell *cell = &entry->cell;
    const march_brick *brick = &grid->bricks[cell->brick];
    return (walk_place){.brick = brick,
                        .at = {cell->at[0], cell->at[1], cell->at[2]},
                        .lowest = march_vertex_index(brick, cell->at),
                        .triangle = cell_triangle_bit(entry->crossing.triangle),
                        .t = entry->crossing.t,
                        .scalar = entry->crossing.scalar};
}

static march_entry entry_of_place(const march_grid *grid, const walk_place *place)
{
    return (march_entry){.cell = {.brick = (int)(place->brick - grid->bricks),
                                  .at = {place->at[0], place->at[1], place->at[2]}},
                         .crossing = {.triangle = cell_bit_triangle(place->triangle),
                                      .t = place->t,
                                      .scalar = place->scalar}};
}

/* What happens in every cell is compiled into the loop over cells. */
#define IN_LOOP static inline __attribute__((always_inline))

/* The general way, for cells where an edge function is zero or the ray leaves twice. */
static __attribute__((noinline)) bool find_exit_slowly(const cell_ray *ray,
                                                       walk_place *place)
{
    const march_brick *brick = place->brick;
    cell_vertices cell;
    for (int corner = 0; corner < 8; corner++) {
        render_cell_set_vertex(&cell, corner, ray,
                               brick->vertex[place->lowest + brick->corner[corner]]);
    }
    cell_crossing exit;
    if (!render_cell_exit(&cell, march_diagonals(brick, place->lowest),
                          brick->left_handed, cell_bit_triangle(place->triangle),
                          &exit)) {
        return false;
    }
    place->triangle = cell_triangle_bit(exit.triangle);
    place->t = exit.t;
    place->scalar = exit.scalar;
    return true;
}

/* Moves the place from where the ray enters the cell to where it leaves it. */
IN_LOOP bool find_exit(const cell_ray *ray, const shear_ray *shear, walk_place *place)
{
    const march_brick *brick = place->brick;
    const float *lowest = brick->vertex[place->lowest];
    const uint8_t *flags = brick->flags + place->lowest;
    cell_measure measure;
    measure_cell(shear, lowest, brick->offset, &measure);
    unsigned turned = cell_turned_faces(flags[0], flags[1], flags[brick->corner[2]],
                                        flags[brick->corner[4]]);
    unsigned leaving =
        cell_leaving_triangles(measure.negative, turned, brick->left_handed);
    bool is_single = leaving != 0 && (leaving & (leaving - 1)) == 0;
    if (measure.any_zero || !is_single) {
        return find_exit_slowly(ray, place);
    }
    int bit = __builtin_ctz(leaving);
    int is_turned = (int)(turned >> (bit & ~2)) & 1;
    place->triangle = bit;
    cell_cross_triangle(&measure, ray, lowest, brick->offset, bit + 16 * is_turned,
                        &place->t, &place->scalar);
    return true;
}

static __attribute__((noinline)) bool move_to_next_brick(const march_grid *grid, int face,
                                                         walk_place *place)
{
    march_cell cell = entry_of_place(grid, place).cell;
    if (!render_march_step_over(grid, face, &cell)) {
        return false;
    }
    place->brick = &grid->bricks[cell.brick];
    place->at[face >> 1] = cell.at[face >> 1];
    place->lowest = march_vertex_index(place->brick, cell.at);
    return true;
}

/* Moves on through the face at which the place has come; false where there is no cell. */
IN_LOOP bool move_over(const march_grid *grid, walk_place *place)
{
    const march_brick *brick = place->brick;
    int side = place->triangle & 1, axis = place->triangle >> 2;
    int next = place->at[axis] + 2 * side - 1;
    place->triangle ^= 1; /* the next cell's other side */
    if ((unsigned)next >= (unsigned)brick->n[axis]) {
        return move_to_next_brick(grid, 2 * axis + side, place);
    }
    place->at[axis] = next;
    place->lowest += brick->step[2 * axis + side];
    return brick->is_full || (brick->flags[place->lowest] & GRID_PRESENT);
}

IN_LOOP march_result cross_cell(const march_grid *grid, const cell_ray *ray,
                                const shear_ray *shear, walk_place *place,
                                march_segment *segment)
{
    const march_brick *brick = place->brick;
    segment->t0 = place->t;
    segment->s0 = place->scalar;
    if (!find_exit(ray, shear, place)) {
        return MARCH_LOST;
    }
    segment->t1 = place->t;
    segment->s1 = place->scalar;
    if (brick->cell) {
        const int *c = place->at;
        float value = brick->cell[c[0] + brick->n[0] * (c[1] + brick->n[1] * c[2])];
        segment->s0 = segment->s1 = (double)value;
    }
    return move_over(grid, place) ? MARCH_ON : MARCH_LEFT;
}

static inline double clamp(double t, double lo, double hi)
{
    return t < lo ? lo : t > hi ? hi : t;
}

/* Cuts a segment to the part from a to b. */
static march_segment cut_segment(const march_segment *segment, double a, double b)
{
    double s0 = segment->s0, s1 = segment->s1;
    double slope = (s1 - s0) / (segment->t1 - segment->t0);
    return (march_segment){
        .t0 = a,
        .t1 = b,
        .s0 = a == segment->t0 ? s0 : s0 + slope * (a - segment->t0),
        .s1 = b == segment->t1 ? s1 : s0 + slope * (b - segment->t0),
    };
}

/* A ray under way. */
typedef struct walk_march {
    shear_ray shear;
    cell_ray ray;
    walk_place place; /* in the run that is first along the ray */
    double last;      /* it is so up to here */
    transfer_cursor cursor;
    ray_walk *walk;
    int active, next; /* the first `active` runs are under way, those from `next` on are
                         to come; the one at `place` is number `current` */
    int current;
} walk_march;

/* Blends a segment behind what the ray has gathered. */
IN_LOOP void blend_segment(const walk_scene *scene, walk_march *march,
                           march_segment segment, render_counters *counters)
{
    ray_walk *walk = march->walk;
    double begin = segment.t0 < segment.t1 ? segment.t0 : segment.t1;
    walk->first_t = begin < walk->first_t ? begin : walk->first_t;
    if (!isfinite(segment.s0 + segment.s1)) {
        counters->nan_cells++;
        return;
    }
    if (transfer_cursor_is_clear(&march->cursor, segment.s0, segment.s1)) {
        return;
    }
    double rgb[3], through;
    render_transfer_advance(scene->transfer, &march->cursor, segment.s0, segment.s1,
                            segment.t1 - segment.t0, rgb, &through);
    if (through > 1.0 && through * walk->transmittance > MOST_TRANSMITTANCE) {
        walk->transmittance = MOST_TRANSMITTANCE;
        return;
    }
    for (int c = 0; c < 3; c++) {
        walk->rgb[c] += walk->transmittance * rgb[c];
    }
    walk->transmittance *= through;
}

static inline bool is_drawn(const ray_walk *walk, double t)
{
    return t >= walk->t0 && t <= walk->t1;
}

/* Blends the part of a segment that is drawn, if there is any. */
static __attribute__((noinline)) void blend_cut_segment(const walk_scene *scene,
                                                        walk_march *march,
                                                        const march_segment *segment,
                                                        render_counters *counters)
{
    double a = clamp(segment->t0, march->walk->t0, march->walk->t1);
    double b = clamp(segment->t1, march->walk->t0, march->walk->t1);
    if (a != b) {
        blend_segment(scene, march, cut_segment(segment, a, b), counters);
    }
}

static int nearest_run(const march_entry *runs, int count)
{
    int nearest = 0;
    for (int r = 1; r < count; r++) {
        if (runs[r].crossing.t < runs[nearest].crossing.t) {
            nearest = r;
        }
    }
    return nearest;
}

/* Goes on with the run that is first along the ray; false where nothing more of the ray
 * is drawn. */
static bool choose_run(const walk_scene *scene, walk_march *march)
{
    ray_walk *walk = march->walk;
    march_entry *runs = walk->runs;
    if (march->active == 0 && march->next == walk->nruns) {
        return false;
    }
    int r = march->active > 1 ? nearest_run(runs, march->active) : 0;
    if (march->active == 0 || (march->next < walk->nruns &&
                               runs[march->next].crossing.t < runs[r].crossing.t)) {
        r = march->active;
        runs[march->active++] = runs[march->next++];
    }
    if (runs[r].crossing.t >= walk->end || walk->transmittance < LEAST_TRANSMITTANCE) {
        return false;
    }
    march->current = r;
    march->place = place_of_entry(scene->grid, &runs[r]);
    /* Side by side, runs take turns after every cell. */
    march->last = march->active > 1           ? -INFINITY
                  : march->next < walk->nruns ? runs[march->next].crossing.t
                                              : INFINITY;
    return true;
}

static bool start_march(const walk_scene *scene, ray_walk *walk, walk_march *march)
{
    *march = (walk_march){.shear = prepare_ray(walk->ray),
                          .ray = *walk->ray,
                          .cursor = render_transfer_cursor(scene->transfer),
                          .walk = walk};
    return choose_run(scene, march);
}

/* Puts the run of a march back among the others, or drops it where it has ended. */
static __attribute__((noinline)) bool change_run(const walk_scene *scene, bool has_ended,
                                                 walk_march *march)
{
    march_entry *runs = march->walk->runs;
    runs[march->current] =
        has_ended ? runs[--march->active] : entry_of_place(scene->grid, &march->place);
    return choose_run(scene, march);
}

/* Crosses one cell; false where the ray is done. */
IN_LOOP bool advance_march(const walk_scene *scene, walk_march *march,
                           render_counters *counters)
{
    march_segment segment;
    march_result result =
        cross_cell(scene->grid, &march->ray, &march->shear, &march->place, &segment);
    counters->crossings++;
    if (result == MARCH_LOST) {
        counters->lost_rays++;
    } else if (!is_drawn(march->walk, segment.t0) || !is_drawn(march->walk, segment.t1)) {
        blend_cut_segment(scene, march, &segment, counters);
    } else if (segment.t0 != segment.t1) {
        blend_segment(scene, march, segment, counters);
    }
    double t = march->place.t;
    if (result == MARCH_ON && t <= march->last && t < march->walk->end &&
        march->walk->transmittance >= LEAST_TRANSMITTANCE) {
        return true;
    }
    return change_run(scene, result != MARCH_ON, march);
}

static void follow(const walk_scene *scene, int count, ray_walk *walks,
                   render_counters *counters)
{
    for (int n = 0; n < count; n++) {
        walk_march march;
        bool goes_on = start_march(scene, &walks[n], &march);
        while (goes_on) {
            goes_on = advance_march(scene, &march, counters);
        }
    }
    leave_kernel();
}

static march_result step(const march_grid *grid, const cell_ray *ray, march_entry *at,
                         march_segment *segment)
{
    const shear_ray shear = prepare_ray(ray);
    walk_place place = place_of_entry(grid, at);
    march_result result = cross_cell(grid, ray, &shear, &place, segment);
    *at = entry_of_place(grid, &place);
    leave_kernel();
    return result;
}

const walk_kernel KERNEL = {.name = KERNEL_NAME, .follow = follow, .step = step};
