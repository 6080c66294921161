#include "seams.h"

#include "base/log.h"
#include "io/source_kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A vertex at an end of a block. A block has six faces, and a vertex on an edge is on
 * several of them. */
typedef struct end_point {
    vec3 place;  /* in the data */
    double edge; /* the shortest one in the face; NAN: the vertex has no place */
} end_point;

struct copies_seams {
    const copies_places *places;
    int64_t (*n)[3]; /* [blocks]: vertices */
    int64_t *first;  /* [6 blocks + 1]: points of faces, by block, axis and side */
    bool *is_live;   /* [6 blocks]: some points of the face lie on others */
    end_point *points;
    /* Of each entry of data.copies: [copies of the entries before it][points]. The point
     * of the next copy on which a point lies, as such an index; itself: a place that the
     * entry leaves where it is; -1: none. */
    int64_t copies[GRID_MOST_COPIES];
    int64_t *onto[GRID_MOST_COPIES];
    double gap, part; /* the widest gap, and the widest in shortest edges */
    int64_t met[GRID_MOST_COPIES];
};

static int64_t point_count(const copies_seams *s)
{
    return s->first[6 * s->places->nblocks];
}

/* The axes of a face across `axis`. */
static void face_axes(int axis, int axes[2])
{
    axes[0] = axis == 0 ? 1 : 0;
    axes[1] = axis == 2 ? 1 : 2;
}

/* The block of a point. */
static int block_of(const copies_seams *s, int64_t point)
{
    int lo = 0, hi = s->places->nblocks;
    while (hi - lo > 1) {
        const int middle = (lo + hi) / 2;
        *(s->first[6 * middle] <= point ? &lo : &hi) = middle;
    }
    return lo;
}

/* ---- Reading ----------------------------------------------------------------------- */

/* Sets the edge of a point in a face of n[0] x n[1] points. */
static void find_edge(end_point *face, const int64_t n[2], int64_t u, int64_t v)
{
    end_point *own = &face[v * n[0] + u];
    double shortest = INFINITY;
    for (int way = 0; way < 4; way++) {
        const int64_t a = u + (way == 0) - (way == 1), b = v + (way == 2) - (way == 3);
        if (a >= 0 && a < n[0] && b >= 0 && b < n[1]) {
            const double edge =
                vec3_length(vec3_sub(face[b * n[0] + a].place, own->place));
            shortest = edge > 0.0 ? fmin(shortest, edge) : shortest;
        }
    }
    own->edge = isfinite(vec3_length(own->place)) && isfinite(shortest) ? shortest : NAN;
}

/* Reads a face of a block; `works`: this rank has memory. Collective if the data is. */
static status read_face(io_source *data, int step, int face, copies_seams *s,
                        double *values)
{
    static const io_box nothing = {{0, 0, 0}, {0, 0, 0}};
    const int block = face / 6, axis = face / 2 % 3;
    const int64_t *n = data->catalog.blocks[block].n;
    io_box box = {{0, 0, 0}, {n[0], n[1], n[2]}};
    int axes[2];
    face_axes(axis, axes);
    box.lo[axis] = face % 2 ? n[axis] - 1 : 0;
    box.n[axis] = 1;
    const int64_t size[2] = {n[axes[0]], n[axes[1]]};
    status first = STATUS_OK;
    for (int c = 0; c < 3; c++) {
        const status read = data->kind->read(data, step, block, IO_ARRAY_X + c,
                                             values ? &box : &nothing, values);
        first = first == STATUS_OK ? read : first;
        for (int64_t p = 0; values && p < size[0] * size[1]; p++) {
            s->points[s->first[face] + p].place.v[c] = values[p];
        }
    }
    for (int64_t p = 0; values && first == STATUS_OK && p < size[0] * size[1]; p++) {
        find_edge(s->points + s->first[face], size, p % size[0], p / size[0]);
    }
    return first;
}

/* A block of one vertex along an axis has no faces across it. */
static int64_t face_size(const io_source *data, int face)
{
    const int64_t *n = data->catalog.blocks[face / 6].n;
    int axes[2];
    face_axes(face / 2 % 3, axes);
    return n[face / 2 % 3] > 1 ? n[axes[0]] * n[axes[1]] : 0;
}

static status read_faces(io_source *data, int step, copies_seams *s, bool works)
{
    const int nfaces = 6 * data->catalog.nblocks;
    int64_t most = 0;
    for (int face = 0; face < nfaces; face++) {
        most = face_size(data, face) > most ? face_size(data, face) : most;
    }
    double *values = works ? malloc((size_t)(most + 1) * sizeof *values) : NULL;
    status first = !works || values ? STATUS_OK
                                    : base_fail_memory((size_t)most * sizeof *values,
                                                       "ends of blocks");
    for (int face = 0; face < nfaces; face++) {
        if (face_size(data, face) > 0) {
            const status read = read_face(data, step, face, s, values);
            first = first == STATUS_OK ? read : first;
        }
    }
    free(values);
    return first;
}

/* ---- Finding ----------------------------------------------------------------------- */

/* Largest gap that is closed at a point. */
static double reach_of(const end_point *point)
{
    double size = 0.0;
    for (int c = 0; c < 3; c++) {
        size = fmax(size, fabs(point->place.v[c]));
    }
    return fmax(1e-3 * point->edge, fmin(5e-7 * size, 0.25 * point->edge));
}

/* A point of a copy, by its place along a line that is askew to all axes. */
typedef struct line_point {
    double along;
    int64_t index;
} line_point;

static double along_line(vec3 at)
{
    return at.v[0] + 0.7548776662466927 * at.v[1] + 0.5698402909980532 * at.v[2];
}

static int compare_along(const void *first, const void *second)
{
    const line_point *a = first, *b = second;
    const int order = (a->along > b->along) - (a->along < b->along);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

/* The search for the seams of an entry. */
typedef struct seam_search {
    copies_seams *seams;
    int level;
    grid_view *views; /* [copies]: from the data to the copies of the entries before */
    grid_view next;   /* from a copy to the next one */
    int64_t count;
    line_point *line; /* [count]: points of the next copies, sorted */
} seam_search;

/* Splits the index of a copy of the first `levels` entries, and joins it. */
static void split_copies(const copies_places *places, int levels, int64_t index, int *at)
{
    for (int level = 0; level < levels; level++) {
        at[level] = (int)(index % places->counts[level]);
        index /= places->counts[level];
    }
}

static int64_t join_copies(const copies_places *places, int levels, const int *at)
{
    int64_t index = 0;
    for (int level = levels - 1; level >= 0; level--) {
        index = index * places->counts[level] + at[level];
    }
    return index;
}

static vec3 place_of(const seam_search *look, int64_t index)
{
    const int64_t points = point_count(look->seams);
    return grid_view_point(&look->views[index / points],
                           look->seams->points[index % points].place);
}

/* Whether a point is there, of a block that the entry copies. */
static bool takes_part(const seam_search *look, int64_t index)
{
    const copies_seams *s = look->seams;
    const int64_t points = point_count(s);
    if (isnan(s->points[index % points].edge)) {
        return false;
    }
    const bool *copied = s->places->copied[block_of(s, index % points)];
    int at[GRID_MOST_COPIES];
    bool is = copied[look->level];
    split_copies(s->places, look->level, index / points, at);
    for (int level = 0; level < look->level; level++) {
        is = is && (at[level] == 0 || copied[level]);
    }
    return is;
}

/* The point of the next copy nearest to a place within `reach`; -1: there is none. */
static int64_t find_nearest(const seam_search *look, vec3 place, double reach,
                            double *gap)
{
    const double along = along_line(place), width = 1.4 * reach;
    int64_t lo = 0, hi = look->count, best = -1;
    while (lo < hi) {
        const int64_t middle = (lo + hi) / 2;
        *(look->line[middle].along < along - width ? &lo : &hi) =
            look->line[middle].along < along - width ? middle + 1 : middle;
    }
    *gap = reach;
    for (; lo < look->count && look->line[lo].along <= along + width; lo++) {
        const int64_t index = look->line[lo].index;
        const vec3 other = grid_view_point(&look->next, place_of(look, index));
        const double distance = vec3_length(vec3_sub(other, place));
        if (distance < *gap || (distance == *gap && (best < 0 || index < best))) {
            best = index;
            *gap = distance;
        }
    }
    return best;
}

/* The point on which a point lies. */
static int64_t find_onto(const seam_search *look, int64_t index, double *gap)
{
    const copies_seams *s = look->seams;
    const vec3 place = place_of(look, index);
    const double reach = reach_of(&s->points[index % point_count(s)]);
    *gap = vec3_length(vec3_sub(grid_view_point(&look->next, place), place));
    if (*gap <= reach) {
        return index;
    }
    const bool is_mirror = vec3_length(s->places->levels[look->level].reflect.normal) > 0;
    return is_mirror ? -1 : find_nearest(look, place, reach, gap);
}

static void match(const seam_search *look)
{
    copies_seams *s = look->seams;
    const int64_t points = point_count(s), all = s->copies[look->level] * points;
    double widest = 0.0, part = 0.0;
    int64_t met = 0;
#pragma omp parallel for reduction(max : widest, part) reduction(+ : met)
    for (int64_t index = 0; index < all; index++) {
        double gap = 0.0;
        const int64_t onto = takes_part(look, index) ? find_onto(look, index, &gap) : -1;
        s->onto[look->level][index] = onto;
        if (onto >= 0) {
            const double edge = s->points[index % points].edge;
            widest = fmax(widest, gap);
            part = fmax(part, gap / edge);
            met++;
        }
    }
    s->gap = fmax(s->gap, widest);
    s->part = fmax(s->part, part);
    s->met[look->level] = met;
}

/* Lists the points of the next copies along the line. */
static void make_line(seam_search *look)
{
    copies_seams *s = look->seams;
    const int64_t all = s->copies[look->level] * point_count(s);
    for (int64_t index = 0; index < all; index++) {
        if (takes_part(look, index)) {
            const vec3 place = grid_view_point(&look->next, place_of(look, index));
            look->line[look->count++] = (line_point){along_line(place), index};
        }
    }
    qsort(look->line, (size_t)look->count, sizeof *look->line, compare_along);
}

static status find_level(copies_seams *s, int level)
{
    const copies_places *places = s->places;
    const size_t copies = (size_t)s->copies[level];
    const size_t all = copies * (size_t)point_count(s) + 1;
    seam_search look = {.seams = s,
                        .level = level,
                        .views = calloc(copies, sizeof *look.views),
                        .line = malloc(all * sizeof *look.line)};
    s->onto[level] = malloc(all * sizeof *s->onto[level]);
    const bool works = look.views && look.line && s->onto[level];
    for (size_t n = 0; n < copies && works; n++) {
        int at[GRID_MOST_COPIES];
        split_copies(places, level, (int64_t)n, at);
        look.views[n] = copies_view(places, at, level);
    }
    if (works) {
        grid_view_add_copy(&look.next, &places->levels[level], 1);
        make_line(&look);
        match(&look);
    }
    free(look.views);
    free(look.line);
    return works ? STATUS_OK
                 : base_fail_memory(all * sizeof *look.line, "ends of blocks");
}

/* Marks faces with points that lie on others. */
static void mark_faces(copies_seams *s)
{
    const int64_t points = point_count(s);
    for (int face = 0; face < 6 * s->places->nblocks; face++) {
        for (int level = 0; level < s->places->nlevels; level++) {
            for (int64_t copy = 0; copy < s->copies[level]; copy++) {
                for (int64_t p = s->first[face]; p < s->first[face + 1]; p++) {
                    s->is_live[face] =
                        s->is_live[face] || s->onto[level][copy * points + p] >= 0;
                }
            }
        }
    }
}

static status allocate(const io_source *data, copies_seams *s)
{
    const size_t blocks = (size_t)data->catalog.nblocks;
    int64_t points = 0;
    s->n = calloc(blocks + 1, sizeof *s->n);
    s->first = calloc(6 * blocks + 1, sizeof *s->first);
    s->is_live = calloc(6 * blocks + 1, sizeof *s->is_live);
    if (!s->n || !s->first || !s->is_live) {
        return base_fail_memory(6 * blocks * sizeof *s->first, "ends of blocks");
    }
    for (size_t b = 0; b < blocks; b++) {
        memcpy(s->n[b], data->catalog.blocks[b].n, sizeof s->n[b]);
    }
    for (int face = 0; face < 6 * (int)blocks; face++) {
        s->first[face] = points;
        points += face_size(data, face);
    }
    s->first[6 * blocks] = points;
    s->points = malloc(((size_t)points + 1) * sizeof *s->points);
    return s->points
               ? STATUS_OK
               : base_fail_memory((size_t)points * sizeof *s->points, "ends of blocks");
}

status copies_seams_find(io_source *data, int step, const copies_places *places,
                         copies_seams **out)
{
    copies_seams *s = calloc(1, sizeof *s);
    status first = s ? STATUS_OK : base_fail_memory(sizeof *s, "seams of copies");
    if (s) {
        s->places = places;
        first = allocate(data, s);
    }
    const status read = read_faces(data, step, s, first == STATUS_OK);
    first = first == STATUS_OK ? read : first;
    int64_t copies = 1;
    for (int level = 0; level < places->nlevels && first == STATUS_OK; level++) {
        s->copies[level] = copies;
        copies *= places->counts[level];
        first = find_level(s, level);
    }
    if (first == STATUS_OK) {
        mark_faces(s);
    } else {
        copies_seams_destroy(&s);
    }
    *out = s;
    return first;
}

void copies_seams_destroy(copies_seams **seams)
{
    copies_seams *old = *seams;
    if (old) {
        free(old->n);
        free(old->first);
        free(old->is_live);
        free(old->points);
        for (int level = 0; level < GRID_MOST_COPIES; level++) {
            free(old->onto[level]);
        }
        free(old);
    }
    *seams = NULL;
}

void copies_seams_say(const copies_seams *seams, const char *path)
{
    for (int level = 0; level < seams->places->nlevels; level++) {
        if (seams->met[level] == 0) {
            base_log_note("data.copies.%d: copies of '%s' have no vertices in common: "
                          "there is a gap between them, or cells overlap",
                          level, path);
        }
    }
    if (seams->part > 1e-12) {
        base_log_note("copies of '%s' meet: vertices up to %.3g apart (%.2g of the "
                      "shortest edge there) are drawn at one place",
                      path, seams->gap, seams->part);
    }
}

/* ---- Putting ----------------------------------------------------------------------- */

/* A point of a copy. */
typedef struct copy_point {
    int at[GRID_MOST_COPIES];
    int64_t point;
} copy_point;

/* Goes on to the point of another copy that lies at the same place. False if there is
 * none. */
static bool step_on(const copies_seams *s, copy_point *p)
{
    const copies_places *places = s->places;
    const int64_t points = point_count(s);
    for (int level = 0; level < places->nlevels; level++) {
        const int64_t own = join_copies(places, level, p->at) * points + p->point;
        const int64_t onto = s->onto[level][own];
        const bool is_last = p->at[level] == places->counts[level] - 1;
        if (onto == own && p->at[level] > 0) {
            p->at[level] = 0;
            return true;
        }
        if (onto >= 0 && onto != own && (!is_last || places->closes[level])) {
            p->at[level] = is_last ? 0 : p->at[level] + 1;
            split_copies(places, level, onto / points, p->at);
            p->point = onto % points;
            return true;
        }
    }
    return false;
}

static bool is_before(const copies_places *places, const copy_point *a,
                      const copy_point *b)
{
    const int64_t x = join_copies(places, places->nlevels, a->at);
    const int64_t y = join_copies(places, places->nlevels, b->at);
    return x != y ? x < y : a->point < b->point;
}

/* The point that gives a place its coordinates: the last one; in a circle, the first of
 * its points. */
static copy_point find_giver(const copies_seams *s, const copy_point *of)
{
    int most = 2;
    copy_point p = *of;
    for (int level = 0; level < s->places->nlevels; level++) {
        most += s->places->counts[level];
    }
    for (int n = 0; n < most; n++) {
        if (!step_on(s, &p)) {
            return p;
        }
    }
    copy_point least = p;
    for (int n = 0; n < most; n++) {
        step_on(s, &p);
        least = is_before(s->places, &p, &least) ? p : least;
    }
    return least;
}

/* Puts a row of vertices of a face. */
static void put_point(const copies_seams *s, const copies_place *place, int64_t point,
                      int axis, double *out)
{
    copy_point own = {.point = point};
    memcpy(own.at, place->at, sizeof own.at);
    const copy_point giver = find_giver(s, &own);
    const int block = block_of(s, giver.point);
    const int index = copies_index(s->places, block, giver.at);
    *out = grid_view_point(&s->places->all[index].view, s->points[giver.point].place)
               .v[axis];
}

void copies_seams_put(const copies_seams *seams, const copies_place *place,
                      const io_box *box, int axis, double *out)
{
    const int64_t *n = seams->n[place->block];
    for (int face = 0; face < 6; face++) {
        const int across = face / 2;
        const int64_t at = face % 2 ? n[across] - 1 : 0;
        const int64_t first = seams->first[6 * place->block + face];
        int axes[2];
        face_axes(across, axes);
        if (!seams->is_live[6 * place->block + face] || at < box->lo[across] ||
            at >= box->lo[across] + box->n[across]) {
            continue;
        }
        for (int64_t p = 0; p < box->n[axes[0]] * box->n[axes[1]]; p++) {
            int64_t v[3];
            v[across] = at - box->lo[across];
            v[axes[0]] = p % box->n[axes[0]];
            v[axes[1]] = p / box->n[axes[0]];
            const int64_t point = (v[axes[1]] + box->lo[axes[1]]) * n[axes[0]] +
                                  v[axes[0]] + box->lo[axes[0]];
            put_point(seams, place, first + point, axis,
                      &out[(v[2] * box->n[1] + v[1]) * box->n[0] + v[0]]);
        }
    }
}
