/* The layers of a picture whose config names none. The data tell its kind:
 *
 *   sheet   a grid of one cell along an axis: a contour from its flat side
 *   inner   a flow between walls, or a field that varies everywhere: slices, streamlines
 *   outer   a body, and something rare near it: a volume of that, the wall coloured by
 * the pressure, a slice along the flow wake    something rare far behind a body, or
 * without one: a volume
 */
#include "base/parallel/parallel.h"
#include "grids.h"
#include "io/view.h"
#include "open_keys.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Outlines of more blocks would hide the picture. */
enum { MOST_OUTLINES = 64 };

/* A volume shows a field that differs from its commonest value in at most this part of
 * the grid's volume, within a box of at most this part of the grid's diagonal. */
static const double rare_share = 0.35, rare_size = 0.85;

/* Of fewer cells nothing is rare. */
static const int64_t few_cells = 1000;

/* A box of less than this part of the grid's diagonal is shown by itself; on a sheet with
 * finer cells at a body, of this part. */
static const double part_size = 0.8, fine_size = 0.3;

static const char *const body_color = "color: [0.7, 0.7, 0.72]";

/* A picture to be described. */
typedef struct picture {
    looks *l;
    box3 all;         /* the grid, in the file's coordinates */
    box3 shown;       /* what fills the picture */
    bool is_part;     /* that is less than the grid */
    int across;       /* the axis across a sheet in a plane; -1: it is none */
    auto_cover cover; /* sides of the grid that walls cover */
    int nlayers;
    int bars[3], nbars; /* layers with scalar bars */
    auto_text text;
} picture;

/* ---- Text -------------------------------------------------------------------------- */

/* Begins the next layer; has_bar: with a scalar bar of its own. */
static void next_layer(picture *p, bool has_bar)
{
    auto_text_print(&p->text, p->nlayers > 0 ? ", " : "[");
    if (has_bar) {
        p->bars[p->nbars++] = p->nlayers;
    }
    p->nlayers++;
}

/* ---- Boxes ------------------------------------------------------------------------- */

static double diagonal(const box3 *box)
{
    return vec3_length(vec3_sub(box->hi, box->lo));
}

static box3 box_of_grid(const looks *l)
{
    const vec3 origin = l->data->layout->origin;
    const box3 bounds = auto_grids_bounds(l->data);
    return (box3){vec3_add(bounds.lo, origin), vec3_add(bounds.hi, origin)};
}

static int longest_axis(const box3 *box)
{
    const vec3 size = vec3_sub(box->hi, box->lo);
    return size.v[0] >= size.v[1] && size.v[0] >= size.v[2] ? 0
           : size.v[1] >= size.v[2]                         ? 1
                                                            : 2;
}

/* Takes a box for what is shown, unless it is nearly the whole grid. */
static void show(picture *p, const box3 *box, double most)
{
    p->is_part = diagonal(box) < most * diagonal(&p->all);
    p->shown = p->is_part ? *box : p->all;
    p->l->shown = p->shown;
    p->l->has_shown = true;
}

/* ---- Lines and walls --------------------------------------------------------------- */

/* The size of what is shown: a box with numbers; if that is all of the grid, the edges of
 * its blocks, too. */
static void print_frame(picture *p)
{
    const box3 *box = &p->shown;
    if (!p->is_part && p->l->data->layout->nblocks <= MOST_OUTLINES) {
        next_layer(p, false);
        auto_text_print(
            &p->text, "{outline: {color: [0.6, 0.6, 0.6], opacity: 0.5, line_width: %g}}",
            looks_line_width(p->l));
    }
    const grid_view *view = io_source_common_view(p->l->data->source);
    if (p->is_part && view && view->on) {
        return; /* the numbers are those of the data, the box is that of the picture */
    }
    next_layer(p, false);
    auto_text_print(&p->text, "{axes_box: {");
    if (p->is_part || p->across >= 0) {
        auto_text_print(&p->text,
                        "bounds: [[%.10g, %.10g, %.10g], [%.10g, %.10g, %.10g]], ",
                        box->lo.v[0], box->lo.v[1], box->lo.v[2], box->hi.v[0],
                        box->hi.v[1], box->hi.v[2]);
    }
    auto_text_print(&p->text, "grid: false, line_width: %g, color: [0.6, 0.6, 0.6]}}",
                    looks_line_width(p->l));
    p->l->has_axes = true;
}

static void print_wall(picture *p, int index, const char *look)
{
    next_layer(p, false);
    if (index < 0) {
        auto_text_print(&p->text, "{object: {walls: true, %s}}", look);
        return;
    }
    const auto_wall *w = &p->l->walls.walls[index];
    auto_text_print(&p->text,
                    "{object: {block: \"%s\", from: [%" PRId64 ", %" PRId64 ", %" PRId64
                    "], to: [%" PRId64 ", %" PRId64 ", %" PRId64 "], %s}}",
                    p->l->data->layout->blocks[w->block].name, w->from[0], w->from[1],
                    w->from[2], w->to[0], w->to[1], w->to[2], look);
}

static void print_walls(picture *p, const char *look)
{
    const auto_walls *walls = &p->l->walls;
    if (walls->has_marks) {
        print_wall(p, -1, look);
    }
    if (p->l->data->seen && walls->count > 0) { /* other data have walls of their own */
        next_layer(p, false);
        auto_text_print(&p->text, "{object: {walls: auto, %s}}", look);
        return;
    }
    for (int n = 0; n < walls->count; n++) {
        print_wall(p, n, look);
    }
}

static bool has_walls(const looks *l)
{
    return l->walls.has_marks || l->walls.count > 0;
}

/* ---- Slices ------------------------------------------------------------------------ */

/* Prints the colours of a surface, and maybe a range. Missing values, such as those of
 * land on a map of the sea, are grey: the map's own colour for them draws attention. The
 * stream, which fills most of it, is light or grey, so that it draws no attention; of a
 * field with a stream between its ends, values below it are blue and above it red. */
static void print_colors(picture *p)
{
    if (auto_sample_missing(p->l->sample) > 0.0) {
        auto_text_print(&p->text, "nan_color: [0.5, 0.5, 0.5], ");
    }
    const double low = 0.3, high = 0.7, most = 0.6;
    const auto_flow *flow = &p->l->flow;
    const double span = flow->range[1] - flow->range[0];
    const double place = (flow->rest - flow->range[0]) / span;
    if (p->l->is_difference) {
        auto_text_print(&p->text, "colors: cool-to-warm"); /* 0 in the middle */
    } else if (!flow->has_stream || flow->rare > most) {
        auto_text_print(&p->text, "colors: viridis");
    } else if (place <= low || place >= high) {
        auto_text_print(&p->text, "colors: %s", place <= low ? "YlGnBu" : "YlGnBu_r");
    } else {
        double half = fmax(flow->range[1] - flow->rest, flow->rest - flow->range[0]);
        half = flow->range[0] >= 0.0 ? fmin(half, flow->rest) : half;
        auto_text_print(&p->text, "colors: cool-to-warm");
        looks_propose_range(p->l, p->nlayers - 1, auto_tidy(flow->rest - half, span),
                            auto_tidy(flow->rest + half, span));
    }
}

static void print_slice(picture *p, const char *field, int axis, vec3 point)
{
    auto_text_print(&p->text, "{contour: {field: \"%s\", bands: false, ", field);
    print_colors(p);
    auto_text_print(&p->text,
                    ", plane: {normal: [%d, %d, %d], point: [%.10g, %.10g, %.10g]}}}",
                    axis == 0, axis == 1, axis == 2, point.v[0], point.v[1], point.v[2]);
}

/* Whether a box is a slab across an axis, which is seen from its flat side. */
static bool is_slab(const box3 *box, int axis)
{
    const double thin = 0.35;
    const vec3 size = vec3_sub(box->hi, box->lo);
    return size.v[axis] < thin * fmin(size.v[(axis + 1) % 3], size.v[(axis + 2) % 3]);
}

/* The axis across which a slice along the flow lies: neither the longest one of the box
 * nor one whose both sides are walls, if there is another. */
static int axis_of_slice(const box3 *box, const auto_cover *cover, int longest)
{
    int best = -1, best_sides = 5;
    for (int axis = 2; axis >= 0; axis--) {
        const int sides =
            2 * (cover->sides[axis][0] + cover->sides[axis][1]) + !is_slab(box, axis);
        if (axis != longest && sides < best_sides && box->hi.v[axis] > box->lo.v[axis]) {
            best = axis;
            best_sides = sides;
        }
    }
    return best < 0 ? (longest + 1) % 3 : best;
}

/* Whether walls stand between the scene and the eye, wherever that is. */
static bool hide(const auto_cover *cover)
{
    bool do_hide = false;
    for (int axis = 0; axis < 3; axis++) {
        do_hide = do_hide || (cover->sides[axis][0] && cover->sides[axis][1]);
    }
    return do_hide;
}

/* Streamlines from points in a plane across the longest axis, both ways. */
static void print_streamlines(picture *p)
{
    enum { ACROSS = 6 };
    const box3 *box = &p->all;
    const double inset = 0.08;
    const int along = longest_axis(box), u = (along + 1) % 3, v = (along + 2) % 3;
    const vec3 size = vec3_sub(box->hi, box->lo);
    vec3 corner[3];
    for (int n = 0; n < 3; n++) {
        corner[n] = vec3_add(box->lo, vec3_scale(size, inset));
        corner[n].v[along] = box->lo.v[along] + 0.5 * size.v[along];
    }
    corner[1].v[u] = box->hi.v[u] - inset * size.v[u];
    corner[2].v[v] = box->hi.v[v] - inset * size.v[v];
    next_layer(p, false);
    auto_text_print(
        &p->text,
        "{particles: {seeds: [{plane: [[%.10g, %.10g, %.10g], [%.10g, %.10g, %.10g], "
        "[%.10g, %.10g, %.10g]], count: [%d, %d]}], direction: both, length: %.4g, "
        "radius: %.4g, color: [0.92, 0.92, 0.95]}}",
        corner[0].v[0], corner[0].v[1], corner[0].v[2], corner[1].v[0], corner[1].v[1],
        corner[1].v[2], corner[2].v[0], corner[2].v[1], corner[2].v[2], ACROSS, ACROSS,
        diagonal(box), 0.0012 * diagonal(box));
}

/* The layers of a flow between walls, or of a field that varies everywhere: slices across
 * it and one along it. A volume would show a fog. */
static void print_inner(picture *p, const char *field)
{
    static const double places[] = {0.2, 0.5, 0.8};
    const vec3 extent = vec3_sub(p->all.hi, p->all.lo);
    const vec3 middle = vec3_scale(vec3_add(p->all.lo, p->all.hi), 0.5);
    const int longest = longest_axis(&p->all);
    const int across = axis_of_slice(&p->all, &p->cover, longest);
    const bool is_thick = !is_slab(&p->all, across); /* else slices are seen edge-on */
    show(p, &p->all, 0.0);
    next_layer(p, true);
    print_slice(p, field, across, middle);
    for (int n = 0; n < 3 && is_thick; n++) {
        vec3 point = middle;
        point.v[longest] = p->all.lo.v[longest] + places[n] * extent.v[longest];
        next_layer(p, false);
        print_slice(p, field, longest, point);
    }
    const bool is_inside = hide(&p->cover) || !p->l->flow.has_stream;
    if (is_inside && auto_can_make(p->l->data, "velocity_x")) {
        print_streamlines(p);
    }
    print_walls(p,
                hide(&p->cover) ? "color: [0.7, 0.7, 0.72], opacity: 0.12" : body_color);
    print_frame(p);
}

/* The first field that has different values; the chosen one, if none has. */
static status pick(const picture *p, const char *chosen, const char **field)
{
    const char *names[AUTO_MOST_CANDIDATES] = {chosen};
    const int count =
        p->l->values->is_field_given ? 1 : auto_candidates(p->l->data, chosen, names);
    const status s = looks_pick(p->l, names, count, field);
    *field = *field ? *field : chosen;
    return s;
}

/* ---- Sheets ------------------------------------------------------------------------ */

/* The finer cells with as much around them, if they are a small part of a sheet: they are
 * at a body, which the far field would make a dot. */
static box3 box_of_body(const picture *p)
{
    const looks *l = p->l;
    const vec3 origin = l->data->layout->origin;
    const box3 bounds = auto_grids_bounds(l->data);
    box3 box = auto_flow_fine_box(l->sample, &bounds);
    const double margin = 0.35 * diagonal(&box);
    if (diagonal(&box) > fine_size * diagonal(&p->all)) {
        return p->all;
    }
    for (int axis = 0; axis < 3; axis++) {
        box.lo.v[axis] = fmax(box.lo.v[axis] - margin, bounds.lo.v[axis]);
        box.hi.v[axis] = fmin(box.hi.v[axis] + margin, bounds.hi.v[axis]);
    }
    return (box3){vec3_add(box.lo, origin), vec3_add(box.hi, origin)};
}

static status describe_sheet(picture *p, const char *chosen)
{
    looks *l = p->l;
    const char *field = NULL;
    status s = pick(p, chosen, &field);
    if (s != STATUS_OK) {
        return s;
    }
    const box3 box = box_of_body(p);
    p->across = looks_flat_axis(l);
    show(p, &box, p->across >= 0 ? part_size : 0.0);
    if (p->across >= 0) {
        s = looks_clip(l, chosen, p->is_part ? &p->shown : NULL, p->across);
    }
    if (s == STATUS_OK && p->across >= 0 &&
        !io_config_given(l->config, "camera.projection")) {
        s = auto_values_add(l->values, chosen, "camera.projection", "orthographic");
    }
    looks_limit(l, p->is_part ? &p->shown : NULL);
    s = s == STATUS_OK ? looks_survey(l, field, true) : s;
    next_layer(p, true);
    auto_text_print(&p->text, "{contour: {field: \"%s\", %c: 0, ", field,
                    "ijk"[auto_sheet_axis(l->data)]);
    print_colors(p);
    auto_text_print(&p->text, "}}");
    print_frame(p);
    looks_flatten(l, &l->shown);
    return s;
}

/* ---- Volumes ----------------------------------------------------------------------- */

/* A map from dark to light shows values above the stream. A map with two light ends shows
 * values on both sides of it. */
static const char *map_of_volume(const auto_flow *flow)
{
    const double middle = 0.5 * (flow->stream[0] + flow->stream[1]);
    const double place = (middle - flow->range[0]) / (flow->range[1] - flow->range[0]);
    return place > 0.35 ? "cool-to-warm" : "viridis";
}

static void print_volume(picture *p, const char *field)
{
    next_layer(p, true);
    auto_text_print(&p->text, "{volume: {field: \"%s\", colors: %s}}", field,
                    p->l->is_difference ? "cool-to-warm" : map_of_volume(&p->l->flow));
}

/* Whether what is rare goes on behind a body, about as strong as at the body: it is a
 * wake rather than the layer at a wall. */
static bool is_wake(const looks *l)
{
    const double strong = 0.35;
    const vec3 origin = l->data->layout->origin;
    const auto_flow *flow = &l->flow;
    const int along = longest_axis(&flow->box);
    box3 behind = flow->box;
    const double lo = l->walls.bounds.lo.v[along] - origin.v[along];
    const double hi = l->walls.bounds.hi.v[along] - origin.v[along];
    if (behind.hi.v[along] - hi > lo - behind.lo.v[along]) {
        behind.lo.v[along] = 2.0 * hi - lo;
    } else {
        behind.hi.v[along] = 2.0 * lo - hi;
    }
    const auto_query query = {.axis = -1, .within = &behind, .beyond = -1.0};
    double ends[2];
    auto_sample_quantiles(l->sample, &query, (const double[]){0.02, 0.98}, ends);
    const double off = fmax(flow->stream[0] - ends[0], ends[1] - flow->stream[1]);
    return off > strong * (flow->range[1] - flow->range[0]);
}

/* Prints the walls with their pressure; grey, if there is none. */
static status print_painted_walls(picture *p)
{
    static const char *const names[] = {"pressure"};
    looks *l = p->l;
    const box3 near = looks_near_walls(l, &p->all, 0.1);
    const char *field = NULL;
    char look[160];
    const int first = p->nlayers;
    double range[2] = {0.0, 0.0};
    looks_limit(l, &near);
    const status s = looks_pick(l, names, l->is_difference ? 0 : 1, &field);
    snprintf(look, sizeof look, "%s", body_color);
    if (s == STATUS_OK && field) {
        const double span = l->flow.range[1] - l->flow.range[0];
        range[0] = auto_tidy(l->flow.range[0], span);
        range[1] = auto_tidy(l->flow.range[1], span);
        p->bars[p->nbars++] = p->nlayers;
        snprintf(look, sizeof look, "color_by: \"%s\", colors: cool-to-warm", field);
    }
    looks_limit(l, &p->shown);
    print_walls(p, look);
    for (int n = first; n < p->nlayers && range[0] < range[1]; n++) {
        looks_propose_range(l, n, range[0], range[1]);
    }
    return s;
}

/* Prints what stands beside the volume of an outer flow: a slice along it, and the walls.
 */
static status print_body(picture *p, const char *volume_field)
{
    looks *l = p->l;
    const char *names[AUTO_MOST_CANDIDATES] = {volume_field}, *field = NULL;
    const int count =
        l->is_difference ? 1 : auto_candidates(l->data, volume_field, names);
    const vec3 middle = vec3_scale(vec3_add(l->walls.bounds.lo, l->walls.bounds.hi), 0.5);
    const int along = longest_axis(&p->shown);
    looks_limit(l, &p->shown);
    const status s = looks_pick(l, names, count, &field);
    if (s == STATUS_OK && field) {
        next_layer(p, !l->is_difference); /* else its bar is there already */
        print_slice(p, field, axis_of_slice(&p->shown, &p->cover, along), middle);
    }
    return s == STATUS_OK ? print_painted_walls(p) : s;
}

static status describe_volume(picture *p, const char *field)
{
    looks *l = p->l;
    const vec3 origin = l->data->layout->origin;
    box3 box = {vec3_add(l->flow.box.lo, origin), vec3_add(l->flow.box.hi, origin)};
    l->is_outer = has_walls(l) && !is_wake(l);
    l->focus = box;
    l->has_focus = true;
    status s = STATUS_OK;
    box = has_walls(l) ? box3_union(box, l->walls.bounds) : box;
    box = l->is_outer ? looks_near_walls(l, &box, 1.2) : box;
    show(p, &box, part_size);
    print_volume(p, field);
    if (l->is_outer) {
        s = looks_clip(l, field, p->is_part ? &p->shown : NULL, p->across);
        s = s == STATUS_OK ? print_body(p, field) : s;
    } else {
        print_walls(p, body_color);
    }
    print_frame(p);
    return s;
}

/* ---- Kinds ------------------------------------------------------------------------- */

/* Whether a volume shows the field: what is rare lies in a part of the grid, and walls do
 * not bound the flow. */
static bool is_rare(const picture *p)
{
    const auto_flow *flow = &p->l->flow;
    const auto_query cells = {.axis = -1, .by_cells = true, .beyond = -1.0};
    const int64_t around = p->l->sample->in_cells ? 1 : 8; /* cells around a point */
    return p->cover.count == 0 && flow->has_values && !flow->is_constant &&
           flow->rare <= rare_share && flow->spread <= rare_size * diagonal(&p->all) &&
           auto_sample_weight(p->l->sample, &cells) >= few_cells * around;
}

/* Describes slices of the first field that has different values. */
static status describe_inner(picture *p, const char *chosen)
{
    looks *l = p->l;
    const char *field = NULL;
    status s = pick(p, chosen, &field);
    if (s == STATUS_OK) {
        print_inner(p, field);
        s = auto_values_find(l->values, NULL, "look")
                ? auto_values_add(l->values, NULL, "look", "screen")
                : s;
    }
    return s;
}

/* Whether walls bound a flow whose fields can all be surveyed: what is rare does not
 * matter. */
static bool is_certainly_inner(const picture *p, const char *field)
{
    return p->cover.count > 0 && !auto_wants_volume(p->l->config) &&
           auto_can_make(p->l->data, field);
}

static status describe(picture *p, const char *field, bool is_sheet)
{
    looks *l = p->l;
    p->all = box_of_grid(l);
    status s = auto_walls_find(l->data, &l->walls);
    p->cover = auto_walls_cover(&l->walls, &p->all);
    if (s == STATUS_OK && !is_sheet && is_certainly_inner(p, field)) {
        return describe_inner(p, field);
    }
    s = s == STATUS_OK ? looks_survey(l, field, is_sheet) : s;
    if (s != STATUS_OK) {
        return s;
    }
    if (is_sheet) {
        l->walls.bounds = auto_no_box(); /* it is seen from its broad side */
        l->walls.npatches = 0;
        return describe_sheet(p, field);
    }
    return is_rare(p) || auto_wants_volume(l->config) ? describe_volume(p, field)
                                                      : describe_inner(p, field);
}

/* The bars of all layers that have one. */
static status add_bars(picture *p, const char *field)
{
    auto_text text = {.used = 0};
    if (p->nbars == 1) { /* that of the first layer with colours */
        return auto_values_add(p->l->values, field, "annotations", "{scalar_bar: true}");
    }
    auto_text_print(&text, "{scalar_bar: {layer: %d}", p->bars[0]);
    for (int n = 1; n < p->nbars; n++) {
        auto_text_print(&text, "%s{layer: %d}", n == 1 ? ", scalar_bars: [" : ", ",
                        p->bars[n]);
    }
    auto_text_print(&text, "]}");
    return auto_values_add(p->l->values, field, "annotations", "%s", text.text);
}

/* Takes the layers known for the same volume, or for the grid; false: none are known. */
static bool reuse_layers(const looks *l, const char *field, status *s)
{
    if (!looks_reuse(l, field, "layers", s)) {
        return false;
    }
    looks_reuse(l, field, "clip", s);
    looks_reuse(l, field, "camera.projection", s);
    if (*s == STATUS_OK && !l->config->has_annotations) {
        looks_reuse(l, field, "annotations", s);
    }
    return true;
}

static status find_picture(looks *l, const char *field)
{
    picture *p = calloc(1, sizeof *p);
    status s = p ? STATUS_OK : base_fail_memory(sizeof *p, "the layers of a picture");
    s = parallel_agree(l->data->comm, s);
    if (s == STATUS_OK) {
        p->l = l;
        p->across = -1;
        s = describe(p, field, l->config->volume == NULL);
    }
    if (s == STATUS_OK) {
        s = auto_values_add(l->values, field, "layers", "%s]", p->text.text);
    }
    if (s == STATUS_OK && !l->config->has_annotations) {
        s = add_bars(p, field);
    }
    free(p);
    return s;
}

status looks_find_layers(looks *l)
{
    status s = STATUS_OK;
    if (!auto_values_find(l->values, NULL, "layers")) {
        return s; /* layers were given */
    }
    const io_layer_config *first = &l->config->layers[0];
    const bool is_bare = first->kind == IO_LAYER_GRID;
    char field[GRID_NAME_SIZE];
    snprintf(field, sizeof field, "%s",
             is_bare             ? looks_bare_field(l)
             : l->config->volume ? l->config->volume->field
                                 : first->tool->field);
    l->is_difference = grid_recipe_is_difference(field, l->config->data.terms);
    if (!reuse_layers(l, field, &s)) {
        s = is_bare ? looks_find_bare_layers(l) : find_picture(l, field);
    }
    return s == STATUS_OK ? auto_values_add_later(l->values, l->config, "layers.") : s;
}
