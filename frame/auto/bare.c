/* The layers of a grid without a solution. */
#include "base/parallel/parallel.h"
#include "faces.h"
#include "grid/quality.h"
#include "grids.h"
#include "open_keys.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sheet has a block of more vertices than BROAD along both of its axes. */
enum { MOST_SHOWN = 48, MOST_OUTLINES = 64, BROAD = 12 };

/* A face whose cells are so much lower than those half-way to the opposite one looks like
 * a wall, and so do faces with cells up to so many times as low as the lowest ones. */
static const double crowded = 0.4, as_crowded = 8.0;

/* A face that bends is a body's if it is so much smaller than the opposite one; or if it
 * and its cells are so much smaller than the grid. */
static const double inner_share = 0.3, small_share = 0.3, low_share = 0.003;

/* A face is a plane if its flatness is greater, and bends if it is less. */
static const double plane_flatness = 0.999, bent_flatness = 0.9;

/* A grid of one cell is a sheet if it is thinner than this part of its width. */
static const double thin = 0.2;

/* What is shown of a grid. */
typedef struct bare {
    looks *l;
    auto_faces faces;
    int sheet_axis; /* all blocks are one cell thick along it; -1: none is common to all
                     */
    bool is_plane;  /* a sheet in one plane */
    int nsolid, nbehind;
    int solid[MOST_SHOWN];           /* [nsolid]: faces that look like walls */
    int behind[MOST_SHOWN];          /* [nbehind]: planes beside them, seen from inside */
    box3 all;                        /* bounds of the grid, in the file's coordinates */
    bool is_part;                    /* a part of the grid fills the picture */
    char paint[GRID_NAME_SIZE + 32]; /* of what is solid: a colour, or a field */
    char behind_look[160];
    char solid_look[GRID_NAME_SIZE + 160];
    auto_text text;
} bare;

const char *looks_bare_field(const looks *l)
{
    const char *field = l->config->layers[0].tool->paint.field;
    return field ? field : "";
}

/* ---- Text -------------------------------------------------------------------------- */

static void print_face(bare *b, int number, const char *look)
{
    const auto_face *f = &b->faces.faces[number];
    auto_text_print(&b->text,
                    "{object: {block: \"%s\", from: [%" PRId64 ", %" PRId64 ", %" PRId64
                    "], to: [%" PRId64 ", %" PRId64 ", %" PRId64 "], %s}}, ",
                    b->l->data->layout->blocks[f->block].name, f->from[0], f->from[1],
                    f->from[2], f->to[0], f->to[1], f->to[2], look);
}

static double diagonal(const box3 *box)
{
    return vec3_length(vec3_sub(box->hi, box->lo));
}

/* ---- Sheets ------------------------------------------------------------------------ */

/* Whether all blocks are one cell thick along an axis. That is little beside their broad
 * sides together, or beside the many cells of one: solvers of two dimensions write planes
 * at any distance. */
static bool is_thin(const bare *b, int axis)
{
    const grid_layout *layout = b->l->data->layout;
    bool is = true, has_broad = false;
    for (int block = 0; block < layout->nblocks && is; block++) {
        const int64_t *n = layout->blocks[block].n;
        is = n[axis] == 2;
        has_broad = has_broad || (n[(axis + 1) % 3] > BROAD && n[(axis + 2) % 3] > BROAD);
    }
    double thickness = 0.0, area = 0.0;
    for (int n = 2 * axis; n < b->faces.count; n += 6) {
        thickness = fmax(thickness, b->faces.faces[n].height);
        area += b->faces.faces[n].area;
    }
    return is && (has_broad || thickness <= thin * sqrt(area));
}

static int find_sheet_axis(const bare *b)
{
    const int flat = io_source_flat_axis(b->l->data->source);
    for (int axis = 2; axis >= 0 && flat < 0; axis--) {
        if (is_thin(b, axis)) {
            return axis;
        }
    }
    return flat;
}

/* Whether the sheet lies in a plane. */
static bool is_plane(const bare *b)
{
    bool is = b->faces.count > 0;
    for (int n = 2 * b->sheet_axis; n < b->faces.count && is; n += 6) {
        const auto_face *f = &b->faces.faces[n],
                        *one = &b->faces.faces[2 * b->sheet_axis];
        const double off = vec3_dot(vec3_sub(f->middle, one->middle), one->normal);
        is = f->flatness > plane_flatness &&
             fabs(vec3_dot(f->normal, one->normal)) > plane_flatness &&
             fabs(off) <= 1e-3 * diagonal(&b->all) + f->height;
    }
    return is;
}

/* ---- Walls ------------------------------------------------------------------------- */

/* Faces of a thin block's broad sides are no walls. */
static bool is_broad(const bare *b, const auto_face *f)
{
    return b->l->data->layout->blocks[f->block].n[f->axis] == 2;
}

static double find_least_crowding(const bare *b)
{
    double least = 1.0;
    for (int n = 0; n < b->faces.count; n++) {
        const auto_face *f = &b->faces.faces[n];
        least = f->area > 0.0 && !is_broad(b, f) ? fmin(least, f->crowding) : least;
    }
    return least;
}

static bool looks_like_wall(const bare *b, const auto_face *f, double least)
{
    const bool is_crowded = f->crowding < crowded && f->crowding <= as_crowded * least;
    const double size = diagonal(&b->all);
    const bool is_small =
        f->area < inner_share * f->opposite ||
        (diagonal(&f->bounds) < small_share * size && f->height < low_share * size);
    const bool is_body = f->flatness < bent_flatness && is_small;
    return f->area > 0.0 && !is_broad(b, f) && (is_crowded || is_body);
}

static void add(int face, int *count, int faces[MOST_SHOWN])
{
    if (*count < MOST_SHOWN) {
        faces[(*count)++] = face;
    }
}

static void unite(box3 *all, const box3 *other)
{
    for (int c = 0; c < 3; c++) {
        all->lo.v[c] = fmin(all->lo.v[c], other->lo.v[c]);
        all->hi.v[c] = fmax(all->hi.v[c], other->hi.v[c]);
    }
}

/* If most of the walls face one way, the picture shows them from there. */
static void find_up(bare *b)
{
    const double most = 0.8;
    vec3 sum = vec3_make(0, 0, 0);
    double area = 0.0;
    for (int n = 0; n < b->nsolid; n++) {
        const auto_face *f = &b->faces.faces[b->solid[n]];
        sum = vec3_add(sum, vec3_scale(vec3_normalize(f->inward), f->area * f->flatness));
        area += f->area;
    }
    b->l->has_up = vec3_length(sum) > most * area && area > 0.0;
    b->l->up = sum;
}

/* Finds the faces that look like walls, and their box. */
static void find_walls(bare *b)
{
    const double least = find_least_crowding(b);
    for (int n = 0; n < b->faces.count; n++) {
        const auto_face *f = &b->faces.faces[n];
        if (looks_like_wall(b, f, least)) {
            if (b->l->data->layout->blocks[f->block].copy == 0) {
                add(n, &b->nsolid, b->solid); /* copies have the name of their block */
            }
            unite(&b->l->walls.bounds, &f->bounds);
        }
    }
}

/* ---- Planes behind ----------------------------------------------------------------- */

static bool touches(const box3 *a, const box3 *other)
{
    const double near = 1e-3 * vec3_length(vec3_sub(other->hi, other->lo));
    bool is = true;
    for (int c = 0; c < 3; c++) {
        is = is && a->lo.v[c] <= other->hi.v[c] + near &&
             a->hi.v[c] >= other->lo.v[c] - near;
    }
    return is;
}

static bool is_solid(const bare *b, int face)
{
    bool is = false;
    for (int n = 0; n < b->nsolid; n++) {
        is = is || b->solid[n] == face;
    }
    return is;
}

/* Whether a block is shown once: layers that name a block show all of its copies. */
static bool is_single(const bare *b, int block)
{
    const grid_layout *layout = b->l->data->layout;
    return layout->blocks[block].copy == 0 &&
           grid_layout_last_copy(layout, block) == block;
}

/* Finds the planes that touch the walls' box, and whose inner side the eye sees. */
static void find_behind(bare *b, const box3 *shown)
{
    looks *l = b->l;
    io_camera_config camera = l->config->camera;
    looks_view(l, shown, &l->walls.bounds, &camera);
    for (int n = 0; n < b->faces.count; n++) {
        const auto_face *f = &b->faces.faces[n];
        const vec3 to_eye = vec3_sub(camera.position, f->middle);
        if (is_single(b, f->block) && f->area > 0.0 && f->flatness > plane_flatness &&
            !is_solid(b, n) && vec3_dot(f->inward, to_eye) > 0.0 &&
            touches(&f->bounds, &l->walls.bounds)) {
            add(n, &b->nbehind, b->behind);
        }
    }
}

/* ---- The box to show --------------------------------------------------------------- */

/* The walls with this part of their size around them, within the grid. */
static box3 box_around(const bare *b, double margin)
{
    const box3 *walls = &b->l->walls.bounds;
    const double size = margin * diagonal(walls);
    const vec3 around = vec3_make(size, size, size);
    box3 box = {vec3_sub(walls->lo, around), vec3_add(walls->hi, around)};
    for (int c = 0; c < 3; c++) {
        box.lo.v[c] = fmax(box.lo.v[c], b->all.lo.v[c]);
        box.hi.v[c] = fmin(box.hi.v[c], b->all.hi.v[c]);
    }
    return box;
}

/* The axis to which a vector is closest. */
static int closest_axis(vec3 v)
{
    const double x = fabs(v.v[0]), y = fabs(v.v[1]), z = fabs(v.v[2]);
    return x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2);
}

/* The axis across a sheet in a plane. */
static int axis_of_sheet(const bare *b)
{
    return closest_axis(b->faces.faces[2 * b->sheet_axis].normal);
}

/* Makes the box of a plane so flat that it is seen straight from its broad side. */
static void flatten(const bare *b, box3 *box)
{
    const int axis = axis_of_sheet(b);
    const double size = box->hi.v[axis] - box->lo.v[axis];
    const double half = fmin(0.5 * size, 5e-4 * diagonal(box));
    const double middle = box->lo.v[axis] + 0.5 * size;
    box->lo.v[axis] = middle - half;
    box->hi.v[axis] = middle + half;
}

/* The box to show: all of the grid, unless its walls are much smaller. */
static box3 find_shown(bare *b)
{
    const bool has_walls = b->l->walls.bounds.lo.v[0] <= b->l->walls.bounds.hi.v[0];
    const double share =
        has_walls ? diagonal(&b->l->walls.bounds) / diagonal(&b->all) : 1.0;
    box3 box = b->all;
    if (b->sheet_axis < 0 ? share < 0.4 : b->is_plane && share < 0.1) {
        box = box_around(b, b->sheet_axis < 0 ? 0.1 : 1.0);
        b->is_part = true;
    }
    if (b->is_plane) {
        flatten(b, &box);
    }
    if (b->sheet_axis >= 0) {
        b->l->walls.bounds = auto_no_box(); /* it is seen from its broad side */
    }
    return box;
}

/* ---- Layers ------------------------------------------------------------------------ */

/* A plane that is lit from the eye would have a spot. Lines of blocks that overlap in a
 * plane all lie over it. */
static void print_sheet(bare *b)
{
    const char axis = "ijk"[b->sheet_axis];
    if (!b->is_plane) {
        auto_text_print(&b->text, "{object: {%c: 0, %s}}, ", axis, b->solid_look);
    } else {
        auto_text_print(&b->text,
                        "{object: {%c: 0, %s, lit: false}}, {grid: {%c: 0, every: auto, "
                        "line_width: %g, color: [0.1, 0.1, 0.13]}}, ",
                        axis, b->paint, axis, looks_line_width(b->l));
    }
}

static void print_solids(bare *b)
{
    if (b->sheet_axis >= 0) {
        print_sheet(b);
    } else if (b->l->walls.has_marks) {
        auto_text_print(&b->text, "{object: {walls: true, %s}}, ", b->solid_look);
    } else if (b->nsolid == 0) {
        auto_text_print(&b->text, "{object: {from: [0, 0, 0], to: [-1, -1, -1], %s}}, ",
                        b->solid_look);
    }
    for (int n = 0; n < b->nsolid && b->sheet_axis < 0; n++) {
        print_face(b, b->solid[n], b->solid_look);
    }
    for (int n = 0; n < b->nbehind; n++) {
        print_face(b, b->behind[n], b->behind_look);
    }
}

/* The colour of what is solid: that of a field, if one is wanted. Ratios of cells differ
 * by powers of ten. */
static void choose_paint(bare *b)
{
    const char *field = looks_bare_field(b->l);
    if (field[0] == '\0') {
        snprintf(b->paint, sizeof b->paint, "color: [0.7, 0.75, 0.8]");
    } else {
        const char *ratio = grid_quality_fields[GRID_CELL_ASPECT_RATIO].name;
        snprintf(b->paint, sizeof b->paint, "color_by: \"%s\", range: min-max%s", field,
                 strcmp(field, ratio) == 0 ? ", scale: log" : "");
    }
    const double width = looks_line_width(b->l);
    snprintf(b->solid_look, sizeof b->solid_look,
             "style: both, every: auto, line_width: %g, line_color: [0.1, 0.1, 0.13], %s",
             width, b->paint);
    snprintf(b->behind_look, sizeof b->behind_look,
             "style: wireframe, every: auto, line_width: %g, color: [0.7, 0.74, 0.8], "
             "opacity: 0.6, lit: false",
             width);
}

static status add_layers(bare *b, const box3 *shown)
{
    choose_paint(b);
    auto_text_print(&b->text, "[");
    print_solids(b);
    if (b->l->data->layout->nblocks <= MOST_OUTLINES) {
        auto_text_print(
            &b->text,
            "{outline: {color: [0.6, 0.6, 0.6], opacity: 0.5, line_width: %g}}, ",
            looks_line_width(b->l));
    }
    auto_text_print(
        &b->text,
        "{axes_box: {bounds: [[%.10g, %.10g, %.10g], [%.10g, %.10g, %.10g]], grid: "
        "false, line_width: %g, color: [0.6, 0.6, 0.6]}}, ",
        shown->lo.v[0], shown->lo.v[1], shown->lo.v[2], shown->hi.v[0], shown->hi.v[1],
        shown->hi.v[2], looks_line_width(b->l));
    b->text.used -= 2; /* the last comma */
    auto_text_print(&b->text, "]");
    return auto_values_add(b->l->values, looks_bare_field(b->l), "layers", "%s",
                           b->text.text);
}

static int64_t count_cells(const grid_layout *layout)
{
    int64_t cells = 0;
    for (int n = 0; n < layout->nblocks; n++) {
        const int64_t *size = layout->blocks[n].n;
        cells += (size[0] - 1) * (size[1] - 1) * (size[2] - 1);
    }
    return cells;
}

/* The title tells the sizes: blocks, cells, and lengths of the grid. */
static status add_title(const bare *b)
{
    const grid_layout *layout = b->l->data->layout;
    const vec3 size = vec3_sub(b->all.hi, b->all.lo);
    return b->l->config->has_annotations
               ? STATUS_OK
               : auto_values_add(b->l->values, looks_bare_field(b->l), "annotations",
                                 "{%stitle: \"%d block%s, %" PRId64
                                 " cells, size %.4g × %.4g × %.4g\"}",
                                 looks_bare_field(b->l)[0] ? "scalar_bar: true, " : "",
                                 layout->nblocks, layout->nblocks == 1 ? "" : "s",
                                 count_cells(layout), size.v[0], size.v[1], size.v[2]);
}

static status find(bare *b)
{
    looks *l = b->l;
    status s = auto_walls_find(l->data, &l->walls);
    if (s == STATUS_OK) {
        s = auto_faces_find(l->data, &b->faces);
    }
    if (s != STATUS_OK) {
        return s;
    }
    const box3 bounds = auto_grids_bounds(l->data);
    b->all = (box3){vec3_add(bounds.lo, l->data->layout->origin),
                    vec3_add(bounds.hi, l->data->layout->origin)};
    b->sheet_axis = find_sheet_axis(b);
    b->is_plane = b->sheet_axis >= 0 && is_plane(b);
    if (!l->walls.has_marks) {
        find_walls(b);
    }
    l->shown = find_shown(b);
    l->has_shown = true;
    if (b->sheet_axis < 0) {
        find_up(b);
    }
    if (b->sheet_axis < 0 && (l->walls.has_marks || b->nsolid > 0)) {
        find_behind(b, &l->shown);
    }
    return STATUS_OK;
}

status looks_find_bare_layers(looks *l)
{
    bare *b = calloc(1, sizeof *b);
    status s = b ? STATUS_OK : base_fail_memory(sizeof *b, "the layers of a grid");
    s = parallel_agree(l->data->comm, s);
    if (s == STATUS_OK) {
        b->l = l;
        s = find(b);
        if (s == STATUS_OK && b->is_plane &&
            !io_config_given(l->config, "camera.projection")) {
            s = auto_values_add(l->values, looks_bare_field(l), "camera.projection",
                                "orthographic");
        }
        if (s == STATUS_OK) {
            s = looks_clip(l, looks_bare_field(l), b->is_part ? &l->shown : NULL,
                           b->is_plane ? axis_of_sheet(b) : -1);
        }
        if (s == STATUS_OK) {
            s = add_layers(b, &l->shown);
        }
        if (s == STATUS_OK) {
            s = add_title(b);
        }
        l->has_axes = true;
        auto_faces_destroy(&b->faces);
    }
    free(b);
    return s;
}
