#include "conditions.h"

#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Locations --------------------------------------------------------------------- */

/* The things that indices of a condition count, from 1 on. */
typedef struct index_kind {
    bool is_known, is_faces, is_cells; /* else vertices */
    int axis;                          /* across faces; -1: it is to be found */
} index_kind;

static index_kind find_kind(const cgns_node *node)
{
    char location[32];
    index_kind kind = {.axis = -1};
    cgns_node_child_text(node, "GridLocation", sizeof location, location);
    const char *letter = location[0] != '\0' ? strchr("IJK", location[0]) : NULL;
    const bool has_letter = letter && strcmp(location + 1, "FaceCenter") == 0;
    kind.is_faces = has_letter || strcmp(location, "FaceCenter") == 0;
    kind.is_cells = strcmp(location, "CellCenter") == 0;
    kind.is_known = kind.is_faces || kind.is_cells || location[0] == '\0' ||
                    strcmp(location, "Vertex") == 0;
    kind.axis = has_letter ? (int)(strchr("IJK", location[0]) - "IJK") : -1;
    return kind;
}

/* The only axis along which all points, [count][3], have one index; -1: there is none, or
 * there are several. */
static int find_axis(int64_t count, const int64_t *points)
{
    int axis = -1, found = 0;
    for (int a = 0; a < 3; a++) {
        bool is_plane = true;
        for (int64_t n = 1; n < count && is_plane; n++) {
            is_plane = points[3 * n + a] == points[a];
        }
        found += is_plane;
        axis = is_plane ? a : axis;
    }
    return found == 1 ? axis : -1;
}

/* ---- Marks ------------------------------------------------------------------------- */

/*
 * Turns a range of indices into one of vertices, from 0 on. Faces reach to the next
 * vertex along the axes of their plane. Of cells only vertices between them count: no
 * cell beside them has one of these. *is_empty: there are none.
 */
static bool find_vertices(const index_kind *kind, const grid_block *block,
                          const int64_t ends[6], cgns_mark *mark, bool *is_empty)
{
    bool is_good = true;
    *is_empty = false;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t a = ends[axis], b = ends[axis + 3], n = block->n[axis];
        const int64_t lo = a < b ? a : b, hi = a < b ? b : a;
        const bool counts_cells =
            n > 1 && (kind->is_cells || (kind->is_faces && axis != kind->axis));
        const int64_t most = counts_cells ? n - 1 : n;
        is_good = is_good && lo >= 1 && hi <= most;
        if (kind->is_cells) {
            mark->lo[axis] = lo == 1 ? 0 : lo;
            mark->hi[axis] = hi == n - 1 ? n - 1 : hi - 1;
        } else {
            mark->lo[axis] = lo - 1;
            mark->hi[axis] = hi - (counts_cells ? 0 : 1);
        }
        *is_empty = *is_empty || mark->lo[axis] > mark->hi[axis];
    }
    return is_good;
}

/* Whether a mark continues the last one along one axis; if so, the last one grows. */
static bool extend_last(const cgns_tables *tables, const cgns_mark *mark)
{
    cgns_mark *last = tables->nmarks > 0 ? &tables->marks[tables->nmarks - 1] : NULL;
    if (!last || last->block != mark->block || last->iblank != mark->iblank) {
        return false;
    }
    int along = -1, others = 0;
    for (int axis = 0; axis < 3; axis++) {
        const bool is_same =
            last->lo[axis] == mark->lo[axis] && last->hi[axis] == mark->hi[axis];
        others += !is_same;
        along = is_same ? along : axis;
    }
    if (others == 1 && mark->lo[along] >= last->lo[along] &&
        mark->lo[along] <= last->hi[along] + 1 && mark->hi[along] >= last->hi[along]) {
        last->hi[along] = mark->hi[along];
        return true;
    }
    return others == 0;
}

static status add_mark(cgns_tables *tables, const cgns_mark *mark)
{
    if (extend_last(tables, mark)) {
        return STATUS_OK;
    }
    return base_array_add(tables->marks, tables->nmarks, *mark,
                          "the walls of a CGNS file");
}

/* ---- Ranges and lists -------------------------------------------------------------- */

/* Finds the bounds of all vertices of a condition, and marks them if they are wanted. */
typedef struct visit {
    const cgns_conditions *to;
    index_kind kind;
    bool is_condition; /* else holes */
    bool marks;
    int32_t iblank;
    bool has_range; /* lo and hi are set */
    int64_t lo[3], hi[3];
} visit;

static status take_range(visit *v, const int64_t ends[6])
{
    cgns_mark mark = {.block = v->to->block, .iblank = v->iblank};
    bool is_empty;
    const grid_block *block = &v->to->catalog->blocks[v->to->block];
    if (!find_vertices(&v->kind, block, ends, &mark, &is_empty) || is_empty) {
        return STATUS_OK;
    }
    for (int axis = 0; axis < 3; axis++) {
        v->lo[axis] =
            v->has_range && v->lo[axis] < mark.lo[axis] ? v->lo[axis] : mark.lo[axis];
        v->hi[axis] =
            v->has_range && v->hi[axis] > mark.hi[axis] ? v->hi[axis] : mark.hi[axis];
    }
    v->has_range = true;
    io_condition_part part;
    memcpy(part.lo, mark.lo, sizeof part.lo);
    memcpy(part.hi, mark.hi, sizeof part.hi);
    status s = v->is_condition
                   ? io_catalog_add_part(v->to->catalog, &part, !v->kind.is_faces)
                   : STATUS_OK;
    return s == STATUS_OK && v->marks ? add_mark(v->to->tables, &mark) : s;
}

/* Of a plane of faces, both ends are the same along the axis across them. */
static status take_ends(visit *v, const int64_t ends[6])
{
    const int given = v->kind.axis;
    if (v->kind.is_faces && given < 0) {
        v->kind.axis = find_axis(2, ends);
    }
    status s = v->kind.is_faces && v->kind.axis < 0 ? STATUS_OK : take_range(v, ends);
    v->kind.axis = given;
    return s;
}

static status take_list(visit *v, int64_t count, const int64_t *points)
{
    status s = STATUS_OK;
    if (v->kind.is_faces && v->kind.axis < 0) {
        v->kind.axis = find_axis(count, points);
    }
    const bool is_known = !v->kind.is_faces || v->kind.axis >= 0;
    for (int64_t n = 0; n < count && is_known && s == STATUS_OK; n++) {
        int64_t ends[6];
        memcpy(ends, points + 3 * n, 3 * sizeof *ends);
        memcpy(ends + 3, points + 3 * n, 3 * sizeof *ends);
        s = take_range(v, ends);
    }
    return s;
}

/* Reads a child PointRange or PointList; holes have several ranges of other names. */
static status take_child(visit *v, const cgns_node *child)
{
    const bool is_range = cgns_node_is(child, "IndexRange_t");
    const bool is_list =
        cgns_node_is(child, "IndexArray_t") && strcmp(child->name, "PointList") == 0;
    int64_t *values = NULL;
    int count = 0;
    status s = is_range || is_list ? cgns_node_list(child, &count, &values) : STATUS_OK;
    if (s == STATUS_OK && is_range && count == 6) {
        s = take_ends(v, values);
    } else if (s == STATUS_OK && is_range && count == 4) { /* of two dimensions */
        s = take_ends(
            v, (const int64_t[6]){values[0], values[1], 1, values[2], values[3], 1});
    } else if (s == STATUS_OK && is_list && count % 3 == 0) {
        s = take_list(v, count / 3, values);
    }
    free(values);
    return s;
}

static status take_children(visit *v, const cgns_node *node)
{
    int count = 0;
    char(*names)[CGNS_NAME_SIZE] = NULL;
    status s = v->kind.is_known ? cgns_node_names(node, &count, &names) : STATUS_OK;
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        cgns_node child;
        if (cgns_node_child(node, names[n], &child)) {
            s = take_child(v, &child);
            cgns_node_close(&child);
        }
    }
    free(names);
    if (v->has_range && v->marks) {
        v->to->catalog->blocks[v->to->block].has_iblank = true;
    }
    return s;
}

/* ---- Conditions -------------------------------------------------------------------- */

/* The type of a condition: its own, or that of its family. */
static void find_type(const cgns_node *base, const cgns_node *condition,
                      io_condition *out)
{
    cgns_node family, of_family;
    cgns_node_text(condition, sizeof out->type, out->type);
    cgns_node_child_text(condition, "FamilyName", sizeof out->family, out->family);
    if (strcmp(out->type, "FamilySpecified") != 0 || out->family[0] == '\0' ||
        !cgns_node_child(base, out->family, &family)) {
        return;
    }
    if (cgns_node_first(&family, "FamilyBC_t", &of_family)) {
        cgns_node_text(&of_family, sizeof out->type, out->type);
        cgns_node_close(&of_family);
    }
    cgns_node_close(&family);
}

status cgns_conditions_add(const cgns_conditions *to, const cgns_node *condition)
{
    static const char wall[] = "BCWall";
    io_condition found = {.block = to->block};
    snprintf(found.name, sizeof found.name, "%s", condition->name);
    find_type(to->base, condition, &found);
    found.is_wall = strncmp(found.type, wall, sizeof wall - 1) == 0;
    visit v = {.to = to,
               .kind = find_kind(condition),
               .is_condition = true,
               .marks = found.is_wall,
               .iblank = 2};
    v.kind.is_known = v.kind.is_known && !v.kind.is_cells;
    status s = io_catalog_add_condition(to->catalog, &found);
    s = s == STATUS_OK ? take_children(&v, condition) : s;
    if (s == STATUS_OK && v.has_range) {
        io_condition *added = &to->catalog->conditions[to->catalog->nconditions - 1];
        io_contact contact = {.block = to->block, .donor = -1, .is_wall = found.is_wall};
        added->has_range = true;
        memcpy(added->lo, v.lo, sizeof v.lo);
        memcpy(added->hi, v.hi, sizeof v.hi);
        memcpy(contact.lo, v.lo, sizeof v.lo);
        memcpy(contact.hi, v.hi, sizeof v.hi);
        s = io_catalog_add_contacts(to->catalog, 1, &contact);
    }
    return s;
}

status cgns_conditions_add_holes(const cgns_conditions *to, const cgns_node *holes)
{
    visit v = {.to = to, .kind = find_kind(holes), .marks = true, .iblank = 0};
    v.kind.is_known = v.kind.is_known && !v.kind.is_faces;
    return take_children(&v, holes);
}
