/* Smooth normals: means over the quadrilaterals around each point, across bricks, blocks
 * and ranks. */
#include "mesh.h"

#include <stdlib.h>
#include <string.h>

/* ---- Records ----------------------------------------------------------------------- */

/* A record, and its corner on this rank: 4 * quadrilateral + corner; -1 for a record of
 * another rank. */
typedef struct corner_entry {
    surface_record record;
    int64_t corner;
} corner_entry;

static surface_record make_record(const surface_mesh *mesh, const surface_quad *quad,
                                  vec3 area, int corner)
{
    const float *at = mesh->vertices[quad->corner[corner]].at;
    return (surface_record){/* Zeros of either sign are the same place. */
                            .at = {at[0] + 0.0f, at[1] + 0.0f, at[2] + 0.0f},
                            .block = quad->block,
                            .part = quad->part,
                            .index = quad->index,
                            .area = {area.v[0], area.v[1], area.v[2]}};
}

/* Whether other ranks may need the record of a quadrilateral's corner. */
static bool is_of_rim(const surface_mesh *mesh, const surface_quad *quad, int corner)
{
    return mesh->vertices[quad->corner[corner]].is_on_rim &&
           !(quad->kind & SURFACE_OF_CUT);
}

status render_surface_rim(const render_surface *surface, int64_t *count,
                          surface_record **records)
{
    const surface_mesh *mesh = &surface->mesh;
    int64_t most = 0, made = 0;
    for (int64_t n = 0; n < 4 * mesh->nquads; n++) {
        most += is_of_rim(mesh, &mesh->quads[n / 4], (int)(n % 4));
    }
    size_t bytes = ((size_t)most + 1) * sizeof **records;
    surface_record *list = malloc(bytes);
    if (!list) {
        return base_fail_memory(bytes, "the rim of a surface");
    }
    for (int64_t n = 0; n < 4 * mesh->nquads; n++) {
        const surface_quad *quad = &mesh->quads[n / 4];
        const int corner = (int)(n % 4);
        if (is_of_rim(mesh, quad, corner)) {
            vec3 area = surface_quad_area(mesh, quad);
            list[made++] = make_record(mesh, quad, area, corner);
        }
    }
    *count = made;
    *records = list;
    return STATUS_OK;
}

/* ---- Points ------------------------------------------------------------------------ */

static int compare_places(const surface_record *a, const surface_record *b)
{
    for (int axis = 0; axis < 3; axis++) {
        if (a->at[axis] != b->at[axis]) {
            return a->at[axis] < b->at[axis] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_quads(const surface_record *a, const surface_record *b)
{
    if (a->block != b->block) {
        return a->block < b->block ? -1 : 1;
    }
    if (a->part != b->part) {
        return a->part < b->part ? -1 : 1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

/* By place, then by quadrilateral: the same order on every rank. */
static int compare_entries(const void *a, const void *b)
{
    const corner_entry *x = a, *y = b;
    int order = compare_places(&x->record, &y->record);
    if (order == 0) {
        order = compare_quads(&x->record, &y->record);
    }
    return order ? order : (x->corner > y->corner) - (x->corner < y->corner);
}

static vec3 area_of(const corner_entry *entry)
{
    const double *area = entry->record.area;
    return vec3_make(area[0], area[1], area[2]);
}

/* Whether an entry belongs to the same quadrilateral as the one before. This happens if
 * other ranks sent it, too, or if two of its corners coincide. */
static bool is_repeated(const corner_entry *entries, int64_t n, int64_t first)
{
    return n > first && compare_quads(&entries[n].record, &entries[n - 1].record) == 0;
}

/* The normal of entry `own` of the entries [first, end), which lie at one point. */
static void find_normal(const corner_entry *entries, int64_t first, int64_t end,
                        int64_t own, float normal[3])
{
    const double least = 0.25; /* cos^2 of 60 degrees */
    const vec3 area = area_of(&entries[own]);
    vec3 sum = vec3_make(0.0, 0.0, 0.0);
    for (int64_t n = first; n < end; n++) {
        vec3 other = area_of(&entries[n]);
        double both = vec3_dot(area, other);
        if (!is_repeated(entries, n, first) &&
            both * both >= least * vec3_dot(area, area) * vec3_dot(other, other)) {
            sum = vec3_add(sum, vec3_scale(other, both < 0.0 ? -1.0 : 1.0));
        }
    }
    sum = vec3_normalize(sum);
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] = (float)sum.v[axis];
    }
}

static void find_normals(int64_t count, const corner_entry *entries,
                         float (*normals)[4][3])
{
    for (int64_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && compare_places(&entries[first].record,
                                                            &entries[end].record) == 0;
             end++) {
        }
        for (int64_t n = first; n < end; n++) {
            int64_t corner = entries[n].corner;
            if (corner >= 0) {
                find_normal(entries, first, end, n, normals[corner / 4][corner % 4]);
            }
        }
    }
}

/* ---- All points -------------------------------------------------------------------- */

/* Lists the corners of this rank, except those of cuts, which get the normal of their
 * plane. Returns their number. */
static int64_t list_corners(const render_surface *surface, corner_entry *entries,
                            float (*normals)[4][3])
{
    const surface_mesh *mesh = &surface->mesh;
    int64_t count = 0;
    for (int64_t n = 0; n < mesh->nquads; n++) {
        const surface_quad *quad = &mesh->quads[n];
        vec3 area = surface_quad_area(mesh, quad);
        for (int c = 0; c < 4; c++) {
            if (!(quad->kind & SURFACE_OF_CUT)) {
                entries[count++] =
                    (corner_entry){make_record(mesh, quad, area, c), 4 * n + c};
                continue;
            }
            const vec3 normal = surface->cut_normals[quad->part - surface->first_cut];
            for (int axis = 0; axis < 3; axis++) {
                normals[n][c][axis] = (float)normal.v[axis];
            }
        }
    }
    return count;
}

status render_surface_set_normals(render_surface *surface, int64_t count,
                                  const surface_record *records)
{
    const size_t quads = (size_t)surface->mesh.nquads;
    const size_t bytes = (4 * quads + (size_t)count + 1) * sizeof(corner_entry);
    corner_entry *entries = malloc(bytes);
    float(*normals)[4][3] = malloc((quads + 1) * sizeof *normals);
    if (!entries || !normals) {
        free(entries);
        free(normals);
        return base_fail_memory(bytes, "the normals of a surface");
    }
    int64_t all = list_corners(surface, entries, normals);
    for (int64_t n = 0; n < count; n++) {
        entries[all++] = (corner_entry){records[n], -1};
    }
    qsort(entries, (size_t)all, sizeof *entries, compare_entries);
    find_normals(all, entries, normals);
    free(entries);
    free(surface->normals);
    surface->normals = normals;
    free(surface->view.light);
    surface->view.light = NULL;
    return STATUS_OK;
}
