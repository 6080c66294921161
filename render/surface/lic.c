/* The sheets of a surface, their data from all ranks, and the texture at the samples of a
 * view. */
#include "lic.h"

#include "lic/trace.h"
#include "mesh.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct render_lic {
    const render_surface *surface;
    uint64_t number; /* of this flow; no other has it */
    double contrast;
    lic_kernel kernel;
    int nsheets;
    lic_place *places;             /* [nsheets], in order */
    lic_sheet *sheets;             /* [nsheets] */
    int64_t nvertices;             /* of all sheets */
    float (*vertices)[LIC_VALUES]; /* [nvertices] */
    uint8_t *present;              /* [nvertices] */
    int64_t *lowest; /* [quads]: vertex of the sheets at the lowest corner; -1: none */
    int32_t *sheet;  /* [quads]: number of the sheet */
};

/* ---- Places ------------------------------------------------------------------------ */

/* Where a face lies in its index plane. False for cuts by planes in space. */
static bool find_place(const render_surface *surface, const surface_quad *quad,
                       lic_place *place)
{
    if (quad->kind & SURFACE_OF_CUT) {
        return false;
    }
    const int64_t *n = surface->store->layout->blocks[quad->block].n;
    const int64_t at[3] = {quad->index % n[0], quad->index / n[0] % n[1],
                           quad->index / n[0] / n[1]};
    const bool is_face = quad->part < 3;
    const int axis = is_face ? quad->part : surface->plane_axes[quad->part - 3];
    const int64_t u = at[(axis + 1) % 3], v = at[(axis + 2) % 3];
    *place = (lic_place){.block = quad->block,
                         .part = quad->part,
                         .axis = axis,
                         .index = is_face ? at[axis] : 0,
                         .lo = {u, v},
                         .hi = {u + 1, v + 1}};
    return true;
}

static int compare_places(const void *a, const void *b)
{
    const lic_place *x = a, *y = b;
    if (x->block != y->block) {
        return x->block < y->block ? -1 : 1;
    }
    if (x->part != y->part) {
        return x->part < y->part ? -1 : 1;
    }
    return (x->index > y->index) - (x->index < y->index);
}

/* Sorts places and joins those of one plane. Returns how many are left. */
static int64_t join_places(int64_t count, lic_place *places)
{
    int64_t joined = 0;
    qsort(places, (size_t)count, sizeof *places, compare_places);
    for (int64_t n = 0; n < count; n++) {
        lic_place *last = &places[joined > 0 ? joined - 1 : 0];
        if (joined == 0 || compare_places(last, &places[n]) != 0) {
            places[joined++] = places[n];
            continue;
        }
        for (int axis = 0; axis < 2; axis++) {
            const lic_place *next = &places[n];
            last->lo[axis] =
                next->lo[axis] < last->lo[axis] ? next->lo[axis] : last->lo[axis];
            last->hi[axis] =
                next->hi[axis] > last->hi[axis] ? next->hi[axis] : last->hi[axis];
        }
    }
    return joined;
}

status render_lic_list(const render_surface *surface, int64_t *count, lic_place **places)
{
    const surface_mesh *mesh = &surface->mesh;
    const size_t bytes = ((size_t)mesh->nquads + 1) * sizeof **places;
    lic_place *list = malloc(bytes);
    int64_t found = 0;
    if (!list) {
        return base_fail_memory(bytes, "the sheets of a surface");
    }
    for (int64_t n = 0; n < mesh->nquads; n++) {
        found += find_place(surface, &mesh->quads[n], &list[found]);
    }
    *count = join_places(found, list);
    *places = list;
    return STATUS_OK;
}

/* ---- Sheets ------------------------------------------------------------------------ */

static void add_sheet(render_lic *lic, const lic_place *place)
{
    const grid_block *block = &lic->surface->store->layout->blocks[place->block];
    lic_sheet *sheet = &lic->sheets[lic->nsheets];
    lic->places[lic->nsheets++] = *place;
    *sheet = (lic_sheet){.first = lic->nvertices};
    for (int axis = 0; axis < 2; axis++) {
        const int of_block = (place->axis + 1 + axis) % 3;
        sheet->n[axis] = place->hi[axis] - place->lo[axis] + 1;
        sheet->closed[axis] =
            block->closed[of_block] && sheet->n[axis] == block->n[of_block];
    }
    lic->nvertices += sheet->n[0] * sheet->n[1];
}

/* Finds the sheet of each face, and its place there. */
static void find_faces(const render_surface *surface, render_lic *lic)
{
    const lic_place *plane = NULL;
    for (int64_t n = 0; n < surface->mesh.nquads; n++) {
        lic_place place;
        lic->lowest[n] = -1;
        if (!find_place(surface, &surface->mesh.quads[n], &place)) {
            continue;
        }
        if (!plane || compare_places(&place, plane) != 0) {
            plane = bsearch(&place, lic->places, (size_t)lic->nsheets,
                            sizeof *lic->places, compare_places);
        }
        const lic_sheet *sheet = &lic->sheets[plane - lic->places];
        const int64_t u = place.lo[0] - plane->lo[0], v = place.lo[1] - plane->lo[1];
        lic->sheet[n] = (int32_t)(plane - lic->places);
        lic->lowest[n] = sheet->first + v * sheet->n[0] + u;
    }
}

static status reserve(const render_surface *surface, int64_t sheets, render_lic *lic)
{
    const size_t quads = (size_t)surface->mesh.nquads + 1;
    lic->places = malloc(((size_t)sheets + 1) * sizeof *lic->places);
    lic->sheets = malloc(((size_t)sheets + 1) * sizeof *lic->sheets);
    lic->lowest = malloc(quads * sizeof *lic->lowest);
    lic->sheet = malloc(quads * sizeof *lic->sheet);
    return lic->places && lic->sheets && lic->lowest && lic->sheet
               ? STATUS_OK
               : base_fail_memory(quads * sizeof *lic->lowest, "the sheets of a surface");
}

/* Sheets have so few vertices that lanes can count them. */
static status check_sheets(const render_lic *lic)
{
    for (int n = 0; n < lic->nsheets; n++) {
        const int64_t *size = lic->sheets[n].n;
        if (size[0] * size[1] > LIC_MOST_VERTICES) {
            return base_fail(STATUS_INPUT,
                             "a plane of %lld x %lld vertices is too large for `lic`, "
                             "which takes %d at most: remove `lic`",
                             (long long)size[0], (long long)size[1], LIC_MOST_VERTICES);
        }
    }
    return STATUS_OK;
}

static status fill_sheets(const render_surface *surface, int64_t count,
                          const lic_place *places, render_lic *lic)
{
    status s = reserve(surface, count, lic);
    for (int64_t n = 0; s == STATUS_OK && n < count; n++) {
        add_sheet(lic, &places[n]);
    }
    s = s == STATUS_OK ? check_sheets(lic) : s;
    if (s != STATUS_OK) {
        return s;
    }
    const size_t vertices = (size_t)lic->nvertices + 1;
    lic->vertices = calloc(vertices, sizeof *lic->vertices);
    lic->present = calloc(vertices + 3, sizeof *lic->present);
    if (!lic->vertices || !lic->present) {
        return base_fail_memory(vertices * sizeof *lic->vertices,
                                "the sheets of a surface");
    }
    for (int n = 0; n < lic->nsheets; n++) {
        lic->sheets[n].vertex = lic->vertices + lic->sheets[n].first;
        lic->sheets[n].present = lic->present + lic->sheets[n].first;
    }
    find_faces(surface, lic);
    return STATUS_OK;
}

status render_lic_create(const render_surface *surface, const lic_look *look,
                         int64_t count, const lic_place *places, render_lic **out)
{
    const size_t bytes = ((size_t)count + 1) * sizeof *places;
    render_lic *lic = calloc(1, sizeof *lic);
    lic_place *joined = malloc(bytes);
    status s = STATUS_OK;
    if (!lic || !joined) {
        s = base_fail_memory(bytes, "the sheets of a surface");
    } else {
        lic->surface = surface;
        lic->contrast = look->contrast;
        lic->kernel = lic_kernel_make(look->length, lic_walks()[0]);
        memcpy(joined, places, (size_t)count * sizeof *places);
        s = fill_sheets(surface, join_places(count, joined), joined, lic);
    }
    free(joined);
    if (s != STATUS_OK) {
        render_lic_destroy(&lic);
        return s;
    }
    *out = lic;
    return STATUS_OK;
}

void render_lic_destroy(render_lic **lic)
{
    render_lic *l = lic ? *lic : NULL;
    if (l) {
        free(l->places);
        free(l->sheets);
        free(l->vertices);
        free(l->present);
        free(l->lowest);
        free(l->sheet);
        free(l);
        *lic = NULL;
    }
}

int64_t render_lic_count(const render_lic *lic)
{
    return lic->nvertices;
}

/* ---- Data of all ranks ------------------------------------------------------------- */

/* Place of corner n of a quadrilateral in its sheet, relative to the lowest corner. */
static void corner_place(const surface_quad *quad, int n, int at[2])
{
    const int corner = (n + quad->turn) % 4;
    at[0] = corner == 1 || corner == 2;
    at[1] = corner >= 2;
}

/* The vertex of the sheets at a corner. */
static int64_t corner_vertex(const render_lic *lic, int64_t quad, int n)
{
    int at[2];
    corner_place(&lic->surface->mesh.quads[quad], n, at);
    return lic->lowest[quad] + at[0] + at[1] * lic->sheets[lic->sheet[quad]].n[0];
}

enum { UNKNOWN = INT32_MIN };

void render_lic_tell_points(const render_lic *lic, int32_t (*values)[4])
{
    const surface_mesh *mesh = &lic->surface->mesh;
    for (int64_t v = 0; v < lic->nvertices; v++) {
        for (int c = 0; c < 4; c++) {
            values[v][c] = UNKNOWN;
        }
    }
    for (int64_t q = 0; q < mesh->nquads; q++) {
        for (int n = 0; n < 4 && lic->lowest[q] >= 0; n++) {
            memcpy(values[corner_vertex(lic, q, n)],
                   mesh->vertices[mesh->quads[q].corner[n]].at, 3 * sizeof(float));
            values[lic->lowest[q]][3] = 1;
        }
    }
}

void render_lic_set_points(render_lic *lic, const int32_t (*values)[4])
{
    for (int64_t v = 0; v < lic->nvertices; v++) {
        float point[3];
        memcpy(point, values[v], sizeof point);
        lic_turn(point, lic->vertices[v]);
        lic->present[v] = values[v][3] == 1;
    }
}

/* A velocity at a corner, and how it was found: of two, the higher rank is right. */
typedef struct corner_flow {
    float velocity[3];
    enum { FLOW_UNKNOWN, FLOW_HERE, FLOW_ABOVE, FLOW_BELOW } rank;
} corner_flow;

static corner_flow find_flow(const render_surface *surface, int64_t quad, int n,
                             const float (*velocity)[3])
{
    const surface_mesh *mesh = &surface->mesh;
    const surface_vertex *vertex = &mesh->vertices[mesh->quads[quad].corner[n]];
    const float *a = velocity[vertex->a], *b = velocity[vertex->b];
    const int32_t inner = mesh->inner[quad][n];
    const bool is_still = a[0] == 0.0f && a[1] == 0.0f && a[2] == 0.0f;
    corner_flow out = {.rank = FLOW_HERE};
    if (inner >= 0 && (is_still || (surface->store->flags[vertex->a] & GRID_WALL))) {
        out.rank = inner > vertex->a ? FLOW_ABOVE : FLOW_BELOW;
        memcpy(out.velocity, velocity[inner], sizeof out.velocity);
        return out;
    }
    const double share = (double)vertex->share;
    for (int c = 0; c < 3; c++) {
        out.velocity[c] =
            vertex->a == vertex->b
                ? a[c]
                : (float)((1.0 - share) * (double)a[c] + share * (double)b[c]);
    }
    return out;
}

void render_lic_tell_flow(const render_lic *lic, const float (*velocity)[3],
                          int64_t (*values)[3])
{
    const surface_mesh *mesh = &lic->surface->mesh;
    memset(values, 0, (size_t)lic->nvertices * sizeof *values);
    for (int64_t q = 0; q < mesh->nquads; q++) {
        for (int n = 0; n < 4 && lic->lowest[q] >= 0; n++) {
            const corner_flow flow = find_flow(lic->surface, q, n, velocity);
            int64_t *to = values[corner_vertex(lic, q, n)];
            for (int c = 0; c < 3; c++) {
                uint32_t bits;
                memcpy(&bits, &flow.velocity[c], sizeof bits);
                const int64_t value = (int64_t)flow.rank << 32 | (int64_t)bits;
                to[c] = value > to[c] ? value : to[c];
            }
        }
    }
}

/* ---- Steps along the flow ---------------------------------------------------------- */

/* Adds the edge from vertex `from` to `to` in the sheet, if both lie in it. */
static void add_edge(const lic_sheet *sheet, int64_t from, int64_t to, double tangent[3])
{
    for (int c = 0; c < 3; c++) {
        tangent[c] += (double)sheet->vertex[to][c] - (double)sheet->vertex[from][c];
    }
}

static bool has_cell(const lic_sheet *sheet, int64_t u, int64_t v)
{
    return u >= 0 && v >= 0 && u < sheet->n[0] - 1 && v < sheet->n[1] - 1 &&
           sheet->present[v * sheet->n[0] + u];
}

/* The change of the position with one index at a vertex: the mean of the edges on both
 * sides. False if it has none. */
static bool find_tangent(const lic_sheet *sheet, int64_t u, int64_t v, int axis,
                         double tangent[3])
{
    const int64_t stride = axis == 0 ? 1 : sheet->n[0], vertex = v * sheet->n[0] + u;
    const int64_t du = axis == 0, dv = axis == 1;
    /* The edge upwards has a cell on either side, and so has that downwards. */
    const bool up = has_cell(sheet, u, v) || has_cell(sheet, u - dv, v - du);
    const bool down = has_cell(sheet, u - du, v - dv) || has_cell(sheet, u - 1, v - 1);
    memset(tangent, 0, 3 * sizeof *tangent);
    if (up) {
        add_edge(sheet, vertex, vertex + stride, tangent);
    }
    if (down) {
        add_edge(sheet, vertex - stride, vertex, tangent);
    }
    for (int c = 0; c < 3 && up && down; c++) {
        tangent[c] *= 0.5;
    }
    return up || down;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Solves for the step (s, t) along both tangents that is nearest to the velocity, by the
 * first fundamental form, and scales it to length 1 in space. */
static void find_step(const double x[3], const double y[3], const double velocity[3],
                      float step[2])
{
    const double xx = dot(x, x), xy = dot(x, y), yy = dot(y, y);
    const double vx = dot(velocity, x), vy = dot(velocity, y);
    const double area = xx * yy - xy * xy;
    double s = xx > 0.0 ? vx / xx : 0.0, t = yy > 0.0 ? vy / yy : 0.0;
    if (area > 1e-12 * xx * yy) {
        s = (vx * yy - vy * xy) / area;
        t = (vy * xx - vx * xy) / area;
    }
    const double speed = sqrt(s * s * xx + 2.0 * s * t * xy + t * t * yy);
    const bool moves = speed > 0.0 && isfinite(speed);
    step[0] = moves ? (float)(s / speed) : 0.0f;
    step[1] = moves ? (float)(t / speed) : 0.0f;
}

static void set_step(lic_sheet *sheet, int64_t u, int64_t v, const int64_t values[3])
{
    float *vertex = sheet->vertex[v * sheet->n[0] + u], velocity[3], turned[3];
    double tangent[2][3], along[3];
    for (int c = 0; c < 3; c++) {
        const uint32_t bits = (uint32_t)values[c];
        memcpy(&velocity[c], &bits, sizeof bits);
    }
    lic_turn(velocity, turned);
    for (int c = 0; c < 3; c++) {
        along[c] = (double)turned[c];
    }
    vertex[LIC_FLOW] = vertex[LIC_FLOW + 1] = 0.0f;
    if (find_tangent(sheet, u, v, 0, tangent[0]) &&
        find_tangent(sheet, u, v, 1, tangent[1])) {
        find_step(tangent[0], tangent[1], along, &vertex[LIC_FLOW]);
    }
}

void render_lic_set_flow(render_lic *lic, const int64_t (*values)[3])
{
    static atomic_uint_fast64_t last;
    lic->number = atomic_fetch_add(&last, 1) + 1;
    for (int n = 0; n < lic->nsheets; n++) {
        lic_sheet *sheet = &lic->sheets[n];
        for (int64_t v = 0; v < sheet->n[1]; v++) {
            for (int64_t u = 0; u < sheet->n[0]; u++) {
                set_step(sheet, u, v, values[sheet->first + v * sheet->n[0] + u]);
            }
        }
    }
}

/* ---- Samples ----------------------------------------------------------------------- */

/* The size of a pixel on a half that is seen obliquely: the geometric mean of its sides
 * there. */
static double pixel_on(const render_surface *surface, const surface_sample *sample)
{
    const surface_view *view = &surface->view;
    const double least_facing = 1.0 / 16.0;
    vec3 corner[3];
    surface_half_corners(&surface->mesh, sample->half, corner);
    const vec3 normal = vec3_normalize(
        vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0])));
    const render_ray ray = surface_sample_ray(view, sample);
    const double p = (double)sample->p, q = (double)sample->q;
    const vec3 point =
        vec3_add(vec3_add(vec3_scale(corner[0], p), vec3_scale(corner[1], q)),
                 vec3_scale(corner[2], 1.0 - p - q));
    const double facing = fabs(vec3_dot(normal, ray.direction));
    return render_camera_pixel(&view->seen.camera, point) /
           sqrt(facing > least_facing ? facing : least_facing);
}

static lic_hit find_hit(const render_lic *lic, const surface_sample *sample)
{
    const int32_t number = sample->half / 2;
    const surface_quad *quad = &lic->surface->mesh.quads[number];
    const lic_sheet *sheet = &lic->sheets[lic->sheet[number]];
    const int64_t lowest = lic->lowest[number] - sheet->first;
    const double p = (double)sample->p, q = (double)sample->q;
    const double weight[3] = {p, q, 1.0 - p - q};
    const int corner[3] = {0, 2, sample->half % 2 ? 3 : 1};
    const int64_t u = lowest % sheet->n[0], v = lowest / sheet->n[0];
    lic_hit hit = {.sheet = sheet,
                   .at = {(double)u, (double)v},
                   .pixel = pixel_on(lic->surface, sample)};
    for (int n = 0; n < 3; n++) {
        int at[2];
        corner_place(quad, corner[n], at);
        hit.at[0] += weight[n] * at[0];
        hit.at[1] += weight[n] * at[1];
    }
    return hit;
}

/* Hits of one sheet, and their samples. */
typedef struct pending_hits {
    int count;
    lic_hit hit[LIC_BATCH];
    int64_t sample[LIC_BATCH];
} pending_hits;

static void trace_pending(const render_lic *lic, surface_view *view,
                          pending_hits *pending)
{
    double textures[LIC_BATCH];
    lic_trace(&lic->kernel, pending->count, pending->hit, textures);
    for (int n = 0; n < pending->count; n++) {
        const double texture = textures[n];
        view->lic[pending->sample[n]] =
            (float)(lic->contrast * texture / sqrt(1.0 + texture * texture));
    }
    pending->count = 0;
}

static void find_tile(const render_lic *lic, surface_view *view, int32_t tile,
                      pending_hits *pending)
{
    for (int64_t n = view->first[tile]; n < view->first[tile + 1]; n++) {
        const surface_sample *sample = &view->samples[n];
        view->lic[n] = 0.0f;
        if (lic->lowest[sample->half / 2] < 0) {
            continue;
        }
        const lic_hit hit = find_hit(lic, sample);
        const bool is_other = pending->count > 0 && pending->hit[0].sheet != hit.sheet;
        if (is_other || pending->count == LIC_BATCH) {
            trace_pending(lic, view, pending);
        }
        pending->hit[pending->count] = hit;
        pending->sample[pending->count++] = n;
    }
}

status surface_lic_find(render_surface *surface, const render_lic *lic, int threads)
{
    surface_view *view = &surface->view;
    const size_t bytes = ((size_t)surface_view_count(view) + 1) * sizeof *view->lic;
    if (view->lic && view->lic_number == lic->number) {
        return STATUS_OK;
    }
    if (!view->lic) {
        view->lic = malloc(bytes);
    }
    if (!view->lic) {
        return base_fail_memory(bytes, "the texture of a surface");
    }
    view->lic_number = lic->number;
#pragma omp parallel num_threads(threads)
    {
        pending_hits pending = {.count = 0};
#pragma omp for schedule(dynamic, 1) nowait
        for (int64_t n = 0; n < view->nfull; n++) {
            find_tile(lic, view, view->full[n], &pending);
        }
        trace_pending(lic, view, &pending);
    }
    return STATUS_OK;
}
