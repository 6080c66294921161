#include "faces.h"

#include "base/parallel/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reading more would take longer than drawing. */
enum { MOST_FACES = 6 * 256 };
static const int64_t most_vertices = 2000000;

/* The part of a face that nothing touches is taken for a rectangle if so much of that
 * rectangle is open. */
static const double open_share = 0.9;

/* A face of a cell on an outer face of a block. */
typedef struct patch {
    vec3 middle, area;
    vec3 reach;      /* from the middle to the farthest corner along x, y and z */
    double shortest; /* shortest edge that has a length */
    double place;    /* along a direction that no grid has */
    int face;        /* of a survey */
    int64_t at;      /* in the face */
    bool touches;    /* another patch has the same middle */
} patch;

/* The survey of all faces; on ranks but 0 it has no patches. */
typedef struct survey {
    const frame_auto_data *data;
    auto_faces *out;
    int64_t count;
    patch *patches; /* [count]: face by face, row by row */
} survey;

/* ---- Planes of vertices ------------------------------------------------------------ */

/* Two neighbouring planes of vertices across an axis: the first one is the outer one. */
typedef struct planes {
    int64_t n[2];    /* vertices along the two axes that follow in i, j, k; the first is
                        the faster one in memory */
    int64_t count;   /* n[0] n[1] */
    double (*at)[3]; /* [2 count]; rank 0 only */
} planes;

static bool is_reader(const survey *s)
{
    return parallel_rank(s->data->comm) == 0;
}

/* The axes of a plane across `axis`. */
static void plane_axes(int axis, int axes[2])
{
    axes[0] = axis == 0 ? 1 : 0;
    axes[1] = axis == 2 ? 1 : 2;
}

/* Gives values of a box of two planes to one coordinate of the planes. */
static void take(const planes *p, int axis, bool is_upper, int c, const double *values)
{
    for (int64_t plane = 0; plane < 2; plane++) {
        const int64_t from = is_upper ? 1 - plane : plane;
        for (int64_t v = 0; v < p->n[1]; v++) {
            for (int64_t u = 0; u < p->n[0]; u++) {
                const int64_t at = axis == 0   ? from + 2 * (u + p->n[0] * v)
                                   : axis == 1 ? u + p->n[0] * (from + 2 * v)
                                               : u + p->n[0] * (v + p->n[1] * from);
                p->at[plane * p->count + u + p->n[0] * v][c] = values[at];
            }
        }
    }
}

static status allocate(const survey *s, int block, int axis, planes *p, double **values)
{
    int axes[2];
    plane_axes(axis, axes);
    for (int n = 0; n < 2; n++) {
        p->n[n] = s->data->layout->blocks[block].n[axes[n]];
    }
    p->count = p->n[0] * p->n[1];
    const size_t all = is_reader(s) ? 2 * (size_t)p->count : 0;
    p->at = calloc(all + 1, sizeof *p->at);
    *values = calloc(all + 1, sizeof **values);
    return parallel_agree(
        s->data->comm,
        p->at && *values ? STATUS_OK : base_fail_memory(all * sizeof *p->at, "a face"));
}

/* Reads the planes at `lower` and above it; the outer one is the upper one, or the lower.
 * Collective. */
static status read_planes(const survey *s, const int place[2], int64_t lower,
                          bool is_upper, planes *p)
{
    const frame_auto_data *data = s->data;
    const int block = place[0], axis = place[1];
    double *values = NULL;
    status result = allocate(s, block, axis, p, &values);
    io_box box = {{0, 0, 0}, {0, 0, 0}};
    for (int a = 0; a < 3 && is_reader(s); a++) {
        box.lo[a] = a == axis ? lower : 0;
        box.n[a] = a == axis ? 2 : data->layout->blocks[block].n[a];
    }
    for (int c = 0; c < 3 && result == STATUS_OK; c++) {
        result = parallel_agree(
            data->comm, io_source_read(data->source, data->steps[data->nsteps - 1], block,
                                       IO_ARRAY_X + c, &box, values));
        if (result == STATUS_OK && is_reader(s)) {
            take(p, axis, is_upper, c, values);
        }
    }
    free(values);
    return result;
}

static vec3 point(const planes *p, int64_t number)
{
    return vec3_make(p->at[number][0], p->at[number][1], p->at[number][2]);
}

/* The distance of a vertex to its neighbour in the other plane. */
static double height(const planes *p, int64_t vertex)
{
    return vec3_length(vec3_sub(point(p, vertex), point(p, vertex + p->count)));
}

/* ---- Patches ----------------------------------------------------------------------- */

static patch make_patch(const planes *p, int face, int64_t u, int64_t v)
{
    const int64_t first = u + p->n[0] * v;
    const int64_t around[4] = {first, first + 1, first + p->n[0] + 1, first + p->n[0]};
    vec3 corner[4];
    patch made = {.face = face, .at = u + (p->n[0] - 1) * v, .shortest = INFINITY};
    for (int n = 0; n < 4; n++) {
        corner[n] = point(p, around[n]);
        made.middle = vec3_add(made.middle, vec3_scale(corner[n], 0.25));
    }
    for (int n = 0; n < 4; n++) {
        const vec3 off = vec3_sub(corner[n], made.middle);
        made.reach = vec3_make(fmax(made.reach.v[0], fabs(off.v[0])),
                               fmax(made.reach.v[1], fabs(off.v[1])),
                               fmax(made.reach.v[2], fabs(off.v[2])));
        const double edge = vec3_length(vec3_sub(corner[(n + 1) % 4], corner[n]));
        made.shortest = edge > 0.0 ? fmin(made.shortest, edge) : made.shortest;
    }
    made.area = vec3_scale(
        vec3_cross(vec3_sub(corner[2], corner[0]), vec3_sub(corner[3], corner[1])), 0.5);
    made.place = vec3_dot(made.middle, vec3_make(0.4870, 0.3307, 0.8084));
    return made;
}

static int64_t patches_of(const survey *s, const auto_face *f)
{
    int axes[2];
    plane_axes(f->axis, axes);
    const int64_t *n = s->data->layout->blocks[f->block].n;
    return (n[axes[0]] - 1) * (n[axes[1]] - 1);
}

/* ---- Crowding ---------------------------------------------------------------------- */

/* The mean of the heights at the face over those half-way, each at most 1. */
static double find_crowding(const planes *outer, const planes *half_way)
{
    double sum = 0.0;
    int64_t count = 0;
    for (int64_t n = 0; n < outer->count; n++) {
        const double near = height(outer, n), far = height(half_way, n);
        if (far > 0.0 && isfinite(near / far)) {
            sum += fmin(near / far, 1.0);
            count++;
        }
    }
    return count > 0 ? sum / (double)count : 1.0;
}

/* ---- Faces ------------------------------------------------------------------------- */

static void measure(const planes *p, auto_face *f)
{
    vec3 behind = vec3_make(0, 0, 0);
    f->bounds = (box3){vec3_make(INFINITY, INFINITY, INFINITY),
                       vec3_make(-INFINITY, -INFINITY, -INFINITY)};
    for (int64_t n = 0; n < p->count; n++) {
        const double share = 1.0 / (double)p->count;
        f->middle = vec3_add(f->middle, vec3_scale(point(p, n), share));
        behind = vec3_add(behind, vec3_scale(point(p, n + p->count), share));
        f->height += share * height(p, n);
    }
    f->inward = vec3_sub(behind, f->middle);
}

static void add_patches(survey *s, const planes *p, int face)
{
    for (int64_t v = 0; v + 1 < p->n[1]; v++) {
        for (int64_t u = 0; u + 1 < p->n[0]; u++) {
            s->patches[s->count++] = make_patch(p, face, u, v);
        }
    }
}

/* Reads one face of a block. half_way: NULL in blocks of a single cell. Collective. */
static status read_face(survey *s, int face, const planes *half_way)
{
    auto_face *f = &s->out->faces[face];
    const int64_t n = s->data->layout->blocks[f->block].n[f->axis];
    planes outer = {0};
    status result = read_planes(s, (const int[]){f->block, f->axis}, f->side ? n - 2 : 0,
                                f->side, &outer);
    if (result == STATUS_OK && is_reader(s)) {
        measure(&outer, f);
        f->crowding = half_way ? find_crowding(&outer, half_way) : 1.0;
        add_patches(s, &outer, face);
    }
    free(outer.at);
    return result;
}

/* Reads both faces of a block across an axis. Collective. */
static status read_pair(survey *s, int block, int axis)
{
    const int64_t n = s->data->layout->blocks[block].n[axis];
    const bool has_half = n > 2;
    planes half_way = {0};
    status result = has_half ? read_planes(s, (const int[]){block, axis}, (n - 2) / 2,
                                           false, &half_way)
                             : STATUS_OK;
    for (int side = 0; side < 2 && result == STATUS_OK; side++) {
        const int face = 6 * block + 2 * axis + side;
        s->out->faces[face].block = block;
        s->out->faces[face].axis = axis;
        s->out->faces[face].side = side;
        result = read_face(s, face, has_half ? &half_way : NULL);
    }
    free(half_way.at);
    return result;
}

/* ---- Touching patches -------------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
    const patch *x = a, *y = b;
    if (x->place != y->place) {
        return x->place < y->place ? -1 : 1;
    }
    return x->face != y->face ? x->face - y->face : (x->at > y->at) - (x->at < y->at);
}

static int compare_faces(const void *a, const void *b)
{
    const patch *x = a, *y = b;
    return x->face != y->face ? x->face - y->face : (x->at > y->at) - (x->at < y->at);
}

/* Finds the patches that touch another one. The order of patches is as before. */
static void find_touching(survey *s)
{
    const double part = 1e-3; /* of a patch's edge: neighbours are farther away */
    qsort(s->patches, (size_t)s->count, sizeof *s->patches, compare_places);
    for (int64_t n = 0; n < s->count; n++) {
        patch *one = &s->patches[n];
        const double size =
            fabs(one->middle.v[0]) + fabs(one->middle.v[1]) + fabs(one->middle.v[2]);
        const double near =
            fmax(isfinite(one->shortest) ? part * one->shortest : 0.0, 1e-14 * size);
        for (int64_t m = n + 1; m < s->count && s->patches[m].place - one->place <= near;
             m++) {
            patch *other = &s->patches[m];
            if (vec3_length(vec3_sub(other->middle, one->middle)) <= near) {
                one->touches = other->touches = true;
            }
        }
    }
    qsort(s->patches, (size_t)s->count, sizeof *s->patches, compare_faces);
}

/* ---- Open parts -------------------------------------------------------------------- */

static bool is_open(const patch *p)
{
    return !p->touches && vec3_length(p->area) > 0.0;
}

static void grow(box3 *bounds, vec3 at)
{
    for (int c = 0; c < 3; c++) {
        bounds->lo.v[c] = fmin(bounds->lo.v[c], at.v[c]);
        bounds->hi.v[c] = fmax(bounds->hi.v[c], at.v[c]);
    }
}

/* The rectangle around the open patches of a face: from its first to its last patch. */
static void find_rectangle(const survey *s, const auto_face *f, const patch *patches,
                           int64_t lo[2], int64_t hi[2])
{
    int axes[2];
    plane_axes(f->axis, axes);
    const int64_t row = s->data->layout->blocks[f->block].n[axes[0]] - 1;
    lo[0] = lo[1] = INT64_MAX;
    hi[0] = hi[1] = -1;
    for (int64_t n = 0; n < patches_of(s, f); n++) {
        const int64_t at[2] = {n % row, n / row};
        for (int a = 0; a < 2 && is_open(&patches[n]); a++) {
            lo[a] = at[a] < lo[a] ? at[a] : lo[a];
            hi[a] = at[a] > hi[a] ? at[a] : hi[a];
        }
    }
}

/* Sums the areas of the open patches, and of all. */
static double sum_areas(const survey *s, const patch *patches, auto_face *f,
                        int64_t *open)
{
    vec3 sum = vec3_make(0, 0, 0);
    double all = 0.0;
    *open = 0;
    f->area = 0.0;
    for (int64_t n = 0; n < patches_of(s, f); n++) {
        all += vec3_length(patches[n].area);
        if (is_open(&patches[n])) {
            f->area += vec3_length(patches[n].area);
            sum = vec3_add(sum, patches[n].area);
            grow(&f->bounds, vec3_sub(patches[n].middle, patches[n].reach));
            grow(&f->bounds, vec3_add(patches[n].middle, patches[n].reach));
            ++*open;
        }
    }
    f->flatness = f->area > 0.0 ? vec3_length(sum) / f->area : 0.0;
    f->normal = f->flatness > 0.0 ? vec3_normalize(sum) : sum;
    return all;
}

/* Finds the open part of a face. Returns the area of all of it. */
static double find_open(const survey *s, const patch *patches, auto_face *f)
{
    const int64_t end = s->data->layout->blocks[f->block].n[f->axis] - 1;
    int64_t open = 0, lo[2], hi[2];
    int axes[2];
    plane_axes(f->axis, axes);
    const double all = sum_areas(s, patches, f, &open);
    find_rectangle(s, f, patches, lo, hi);
    f->from[f->axis] = f->to[f->axis] = f->side ? end : 0;
    int64_t size = 1;
    for (int a = 0; a < 2 && open > 0; a++) {
        f->from[axes[a]] = lo[a];
        f->to[axes[a]] = hi[a] + 1;
        size *= hi[a] + 1 - lo[a];
    }
    if ((double)open < open_share * (double)size) {
        f->area = 0.0;
    }
    return all;
}

static void find_all_open(const survey *s)
{
    int64_t first = 0;
    for (int face = 0; face < s->out->count; face++) {
        auto_face *f = &s->out->faces[face];
        s->out->faces[face ^ 1].opposite = find_open(s, s->patches + first, f);
        first += patches_of(s, f);
    }
}

/* ---- All --------------------------------------------------------------------------- */

/* The number of vertices on all faces; more than most_vertices: there are too many. */
static int64_t count_vertices(const grid_layout *layout)
{
    int64_t count = 6 * layout->nblocks > MOST_FACES ? most_vertices + 1 : 0;
    for (int block = 0; block < layout->nblocks && count <= most_vertices; block++) {
        const int64_t *n = layout->blocks[block].n;
        count += 2 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]);
    }
    return count;
}

static status read_all(survey *s)
{
    status result = STATUS_OK;
    for (int block = 0; block < s->data->layout->nblocks; block++) {
        for (int axis = 0; axis < 3 && result == STATUS_OK; axis++) {
            result = read_pair(s, block, axis);
        }
    }
    return result;
}

status auto_faces_find(const frame_auto_data *data, auto_faces *out)
{
    const int64_t vertices = count_vertices(data->layout);
    *out = (auto_faces){0};
    survey s = {.data = data, .out = out};
    if (vertices > most_vertices) {
        return STATUS_OK;
    }
    out->count = 6 * data->layout->nblocks;
    out->faces = calloc((size_t)out->count, sizeof *out->faces);
    const size_t most = is_reader(&s) ? (size_t)vertices : 1;
    s.patches = malloc(most * sizeof *s.patches);
    status result = parallel_agree(
        data->comm, out->faces && s.patches
                        ? STATUS_OK
                        : base_fail_memory(most * sizeof *s.patches, "faces of blocks"));
    if (result == STATUS_OK) {
        result = read_all(&s);
    }
    if (result == STATUS_OK && is_reader(&s)) {
        find_touching(&s);
        find_all_open(&s);
    }
    if (result == STATUS_OK) {
        parallel_bcast(out->faces, out->count * (int)sizeof *out->faces, MPI_BYTE, 0,
                       data->comm);
    } else {
        auto_faces_destroy(out);
    }
    free(s.patches);
    return result;
}

void auto_faces_destroy(auto_faces *faces)
{
    free(faces->faces);
    *faces = (auto_faces){0};
}
