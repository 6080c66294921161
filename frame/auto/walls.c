#include "walls.h"

#include "base/parallel/parallel.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 64 };

/* The fluid is at rest if its velocity is below this part of the greatest one on any
 * face. Rounding of float32 leaves less. */
static const double at_rest = 1e-5;

/* At least this part of a rectangle's vertices must be wall. */
static const double wall_share = 0.95;

/* A face and the data read of it. */
typedef struct face {
    const frame_auto_data *data;
    int block, axis;
    io_box box;    /* its vertices */
    int64_t count; /* number of these vertices */
    char *is_wall; /* [count] */
    void *values;  /* [count] doubles */
} face;

/* Reads an array on the face; rank 0 gets it. Collective. */
static status read_array(const face *f, int array)
{
    const io_box nothing = {{0, 0, 0}, {0, 0, 0}};
    const frame_auto_data *data = f->data;
    return io_source_read(data->source, data->steps[data->nsteps - 1], f->block, array,
                          parallel_rank(data->comm) == 0 ? &f->box : &nothing, f->values);
}

/* ---- Marks and no slip ------------------------------------------------------------- */

/* Finds the vertices that iblank marks. Collective. */
static status find_marks(face *f)
{
    status s = read_array(f, IO_ARRAY_IBLANK);
    const int32_t *marks = f->values;
    for (int64_t n = 0; n < f->count; n++) {
        f->is_wall[n] = marks[n] == 2;
    }
    return s;
}

/* The fields of a velocity, and the bound below which it counts as zero. */
typedef struct motion {
    int fields[3];
    float least; /* on rank 0 */
} motion;

/* Raises `most` to the greatest velocity component on the face. Collective. */
static status find_most(const face *f, const motion *velocity, float *most)
{
    status s = STATUS_OK;
    for (int c = 0; c < 3; c++) {
        const status read = read_array(f, velocity->fields[c]);
        s = s == STATUS_OK ? read : s;
        const float *values = f->values;
        for (int64_t n = 0; n < f->count; n++) {
            const float size = fabsf(values[n]);
            *most = size <= FLT_MAX ? fmaxf(*most, size) : *most;
        }
    }
    return s;
}

/* Finds the vertices at which the fluid is at rest. Collective. */
static status find_rest(face *f, const motion *velocity)
{
    status s = STATUS_OK;
    memset(f->is_wall, 1, (size_t)f->count);
    for (int c = 0; c < 3; c++) {
        const status read = read_array(f, velocity->fields[c]);
        s = s == STATUS_OK ? read : s;
        const float *values = f->values;
        for (int64_t n = 0; n < f->count; n++) {
            f->is_wall[n] = (char)(f->is_wall[n] && fabsf(values[n]) <= velocity->least);
        }
    }
    return s;
}

/*
 * Finds three components of a velocity or momentum at vertices; false if there are none.
 */
static bool find_velocity(const frame_auto_data *data, motion *velocity)
{
    static const char *const names[2][3] = {{"velocity_x", "velocity_y", "velocity_z"},
                                            {"momentum_x", "momentum_y", "momentum_z"}};
    const grid_field *fields = io_source_fields(data->source);
    const int last = data->steps[data->nsteps - 1];
    for (int set = 0; set < 2; set++) {
        int found = 0;
        for (int n = 0; n < io_source_field_count(data->source); n++) {
            for (int c = 0; c < 3; c++) {
                if (strcmp(fields[n].name, names[set][c]) == 0 &&
                    fields[n].location == GRID_VERTEX &&
                    io_source_has_field(data->source, last, n)) {
                    velocity->fields[c] = n;
                    found++;
                }
            }
        }
        if (found == 3) {
            return true;
        }
    }
    return false;
}

/* ---- Rectangles -------------------------------------------------------------------- */

/* The rectangle around the wall's vertices, if it spans at least one face and nearly all
 * of its vertices are wall. */
static bool find_rectangle(const face *f, auto_wall *wall)
{
    int64_t lo[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, hi[3] = {-1, -1, -1}, marked = 0;
    int64_t at = 0, size = 1;
    for (int64_t k = 0; k < f->box.n[2]; k++) {
        for (int64_t j = 0; j < f->box.n[1]; j++) {
            for (int64_t i = 0; i < f->box.n[0]; i++, at++) {
                const int64_t index[3] = {i, j, k};
                for (int axis = 0; axis < 3 && f->is_wall[at]; axis++) {
                    lo[axis] = index[axis] < lo[axis] ? index[axis] : lo[axis];
                    hi[axis] = index[axis] > hi[axis] ? index[axis] : hi[axis];
                }
                marked += f->is_wall[at];
            }
        }
    }
    *wall = (auto_wall){.block = f->block, .axis = f->axis};
    for (int axis = 0; axis < 3; axis++) {
        if (axis != f->axis && hi[axis] - lo[axis] < 1) {
            return false;
        }
        wall->from[axis] = f->box.lo[axis] + lo[axis];
        wall->to[axis] = f->box.lo[axis] + hi[axis];
        size *= hi[axis] - lo[axis] + 1;
    }
    return (double)marked >= wall_share * (double)size;
}

static bool has_any(const face *f)
{
    return memchr(f->is_wall, 1, (size_t)f->count) != NULL;
}

/* Notes the bounds of the wall's vertices. Collective. */
static status note_bounds(const face *f, auto_walls *out)
{
    box3 all = auto_no_box(), *bounds = &all;
    status s = STATUS_OK;
    for (int axis = 0; axis < 3; axis++) {
        const status read = read_array(f, IO_ARRAY_X + axis);
        s = s == STATUS_OK ? read : s;
        const double *x = f->values;
        for (int64_t n = 0; n < f->count; n++) {
            if (f->is_wall[n] && isfinite(x[n])) {
                bounds->lo.v[axis] = fmin(bounds->lo.v[axis], x[n]);
                bounds->hi.v[axis] = fmax(bounds->hi.v[axis], x[n]);
            }
        }
    }
    if (out->npatches < AUTO_MOST_PATCHES) {
        out->patches[out->npatches++] = all;
    }
    out->bounds = box3_union(out->bounds, all);
    return s;
}

/* ---- Faces ------------------------------------------------------------------------- */

/* Opens the lower or the upper face of a block along an axis. Rank 0 allocates its
 * arrays. */
static status open_face(const frame_auto_data *data, int block, int side, face *out)
{
    const grid_block *b = &data->layout->blocks[block];
    face f = {.data = data, .block = block, .axis = side / 2, .count = 1};
    for (int axis = 0; axis < 3; axis++) {
        f.box.n[axis] = axis == f.axis ? 1 : b->n[axis];
        f.count *= f.box.n[axis];
    }
    f.box.lo[f.axis] = side % 2 ? b->n[f.axis] - 1 : 0;
    f.count = parallel_rank(data->comm) == 0 ? f.count : 0;
    f.is_wall = calloc((size_t)f.count + 1, sizeof *f.is_wall);
    f.values = calloc((size_t)f.count + 1, sizeof(double));
    *out = f;
    return f.is_wall && f.values
               ? STATUS_OK
               : base_fail_memory((size_t)f.count * sizeof(double), "a face");
}

static void close_face(face *f)
{
    free(f->is_wall);
    free(f->values);
}

/* The work for one face, called for one face after the other. */
typedef status look_at(face *f, const motion *velocity, auto_walls *out);

/* Notes the walls that iblank marks. Collective. */
static status note_marks(face *f, const motion *velocity, auto_walls *out)
{
    (void)velocity;
    status s = find_marks(f);
    int shows = s == STATUS_OK && has_any(f);
    parallel_bcast(&shows, 1, MPI_INT, 0, f->data->comm);
    out->has_marks = out->has_marks || shows;
    const status grown = shows ? note_bounds(f, out) : STATUS_OK;
    return s == STATUS_OK ? grown : s;
}

/* Notes a wall at which the fluid is at rest. Collective. */
static status note_rest(face *f, const motion *velocity, auto_walls *out)
{
    auto_wall wall;
    status s = find_rest(f, velocity);
    /* Rank 0 alone has the values of the face. */
    int shows = s == STATUS_OK && f->count > 0 && out->count < AUTO_MOST_WALLS &&
                find_rectangle(f, &wall);
    if (shows && f->data->layout->blocks[f->block].copy == 0) {
        out->walls[out->count++] = wall; /* copies have the name of their block */
    }
    parallel_bcast(&shows, 1, MPI_INT, 0, f->data->comm);
    const status grown = shows ? note_bounds(f, out) : STATUS_OK;
    return s == STATUS_OK ? grown : s;
}

/* Finds the greatest velocity component on all faces. Collective. */
static status note_most(face *f, const motion *velocity, auto_walls *out)
{
    return find_most(f, velocity, &out->fastest);
}

static status look_at_face(const frame_auto_data *data, int block, int side,
                           look_at *look, const motion *velocity, auto_walls *out)
{
    face f;
    status s = parallel_agree(data->comm, open_face(data, block, side, &f));
    if (s == STATUS_OK) {
        s = parallel_agree(data->comm, look(&f, velocity, out));
    }
    close_face(&f);
    return s;
}

static status look_at_block(const frame_auto_data *data, int block, look_at *look,
                            const motion *velocity, auto_walls *out)
{
    const int before = out->count;
    const grid_block *b = &data->layout->blocks[block];
    status s = STATUS_OK;
    for (int side = 0; side < 6 && s == STATUS_OK; side++) {
        if (!b->closed[side / 2]) {
            s = look_at_face(data, block, side, look, velocity, out);
        }
    }
    /* If all six faces are at rest, the fluid in the whole block is, and none of them is
     * a wall. */
    out->count = out->count == before + 6 ? before : out->count;
    return s;
}

/* Does the work for all faces of the first MOST_BLOCKS blocks and of their copies.
 * Collective. */
static status look_at_blocks(const frame_auto_data *data, look_at *look,
                             const motion *velocity, auto_walls *out)
{
    const grid_layout *layout = data->layout;
    int count = 0;
    status s = STATUS_OK;
    for (int block = 0; block < layout->nblocks && s == STATUS_OK; block++) {
        count += layout->blocks[block].copy == 0;
        if (count <= MOST_BLOCKS && (velocity || layout->blocks[block].has_iblank)) {
            s = look_at_block(data, block, look, velocity, out);
        }
    }
    parallel_bcast(out, (int)sizeof *out, MPI_BYTE, 0, data->comm);
    return s;
}

status auto_walls_find(const frame_auto_data *data, auto_walls *out)
{
    motion velocity = {{0, 0, 0}, 0.0f};
    memset(out, 0, sizeof *out);
    out->bounds = auto_no_box();
    status s = look_at_blocks(data, note_marks, NULL, out);
    if (s != STATUS_OK || out->has_marks || !find_velocity(data, &velocity)) {
        return s;
    }
    s = look_at_blocks(data, note_most, &velocity, out);
    velocity.least = (float)at_rest * out->fastest;
    return s == STATUS_OK ? look_at_blocks(data, note_rest, &velocity, out) : s;
}

/* ---- Covered sides ----------------------------------------------------------------- */

/* The part of a side of the box, across `axis`, that a patch covers; 0 if it is no broad
 * wall at that side. */
static double covered_part(const box3 *patch, const box3 *box, int axis, bool is_upper)
{
    const double flat = 0.4, near = 0.25;
    const double size = box->hi.v[axis] - box->lo.v[axis];
    const double end = is_upper ? box->hi.v[axis] : box->lo.v[axis];
    const double middle = 0.5 * (patch->lo.v[axis] + patch->hi.v[axis]);
    if (patch->hi.v[axis] - patch->lo.v[axis] > flat * size ||
        fabs(middle - end) > near * size) {
        return 0.0;
    }
    double part = 1.0;
    for (int a = 0; a < 3; a++) {
        const double shared =
            fmin(patch->hi.v[a], box->hi.v[a]) - fmax(patch->lo.v[a], box->lo.v[a]);
        part *= a == axis ? 1.0 : fmax(shared, 0.0) / (box->hi.v[a] - box->lo.v[a]);
    }
    return part;
}

auto_cover auto_walls_cover(const auto_walls *walls, const box3 *box)
{
    const double most = 0.5;
    auto_cover cover = {.count = 0};
    for (int axis = 0; axis < 3; axis++) {
        for (int side = 0; side < 2; side++) {
            double parts = 0.0;
            for (int n = 0; n < walls->npatches; n++) {
                parts += covered_part(&walls->patches[n], box, axis, side == 1);
            }
            cover.sides[axis][side] = parts > most;
            cover.count += parts > most;
        }
    }
    return cover;
}
