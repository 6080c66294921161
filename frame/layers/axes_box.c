/* Axes boxes: the config's `axes_box`. Lines on the sides of a box that face the viewer
 * from behind the scene are fragments, which the scene hides. Numbers stand beside the
 * picture of the box, as annotations. */
#include "axes_box.h"

#include "base/array.h"
#include "base/parallel/parallel.h"
#include "io/view.h"
#include "render/annotate/ticks.h"
#include "render/lines/trails.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The box is a little larger than the bounds, so that its sides lie apart from surfaces
 * there. */
static const double aside = 1e-3;

/* Distances in letter sizes: of ticks at most this dense along an axis; of a tick's
 * length, of numbers and of titles from the box. */
static const double dense = 3.6, tick_length = 0.45, number_gap = 0.7, title_gap = 2.9;

/* The width of a digit in letter sizes. */
static const double digit_width = 0.57;

typedef struct axes_box {
    int64_t npoints; /* points, two for each line */
    float (*points)[3];
    render_trail *trails; /* [npoints / 2] */
    render_fragments fragments;
} axes_box;

static void destroy(frame_layer *layer)
{
    axes_box *box = layer->state;
    if (!box) {
        return;
    }
    render_fragments_clear(&box->fragments);
    free(box->points);
    free(box->trails);
    free(box);
    layer->state = NULL;
}

/* ---- Geometry ---- */

/*
 * A box has the data's coordinates, less `zero`. Under a view of all data its picture may
 * be turned and skewed. Without a view `zero` is the layout's origin, and the box lies as
 * it is. If blocks have views of their own, the box is that of the picture.
 */
typedef struct frame {
    const grid_view *view;
    vec3 zero;
} frame;

static frame frame_of(const frame_scene *scene)
{
    static const grid_view none = {.on = false};
    const grid_view *common = scene->source ? io_source_common_view(scene->source) : NULL;
    return common && common->on ? (frame){common, vec3_make(0.0, 0.0, 0.0)}
                                : (frame){&none, scene->layout->origin};
}

/* A point of the box, relative to the layout's origin. */
static vec3 place_of(const frame_scene *scene, vec3 point)
{
    const frame f = frame_of(scene);
    return f.view->on ? vec3_sub(grid_view_point(f.view, point), scene->layout->origin)
                      : point;
}

/* An edge of the box, along an axis, as a vector of the picture's space. */
static vec3 way_of(const frame_scene *scene, int axis)
{
    vec3 unit = vec3_make(0.0, 0.0, 0.0);
    unit.v[axis] = 1.0;
    return grid_view_vector(frame_of(scene).view, unit);
}

static bool project(const frame_scene *scene, vec3 point, double out[2])
{
    return render_camera_project(&scene->camera, place_of(scene, point), out);
}

/* The bounds of the box; `outer` is the box that is drawn. */
static box3 find_bounds(const frame_scene *scene, const frame_layer *layer, box3 *outer)
{
    const io_tool_config *config = layer->config->tool;
    const frame f = frame_of(scene);
    box3 bounds =
        f.view->on ? *io_source_data_bounds(scene->source) : scene->layout->bounds;
    if (config->has_bounds) {
        bounds = (box3){vec3_sub(config->bounds[0], f.zero),
                        vec3_sub(config->bounds[1], f.zero)};
    }
    const vec3 diagonal = grid_view_vector(f.view, vec3_sub(bounds.hi, bounds.lo));
    *outer = bounds;
    for (int axis = 0; axis < 3; axis++) {
        const double by =
            aside * vec3_length(diagonal) / vec3_length(way_of(scene, axis));
        outer->lo.v[axis] -= by;
        outer->hi.v[axis] += by;
    }
    return bounds;
}

/* The corner with the upper end along the axes whose bits are set. */
static vec3 corner_of(const box3 *box, int bits)
{
    return vec3_make((bits & 1 ? box->hi : box->lo).v[0],
                     (bits & 2 ? box->hi : box->lo).v[1],
                     (bits & 4 ? box->hi : box->lo).v[2]);
}

/* Whether a side of the box shows its inner face: the viewer looks at it through the box.
 */
static bool is_behind(const frame_scene *scene, const box3 *box, int axis, bool upper)
{
    const render_camera *camera = &scene->camera;
    const vec3 normal =
        vec3_cross(way_of(scene, (axis + 1) % 3), way_of(scene, (axis + 2) % 3));
    const vec3 corner = place_of(scene, corner_of(box, upper ? 1 << axis : 0));
    const vec3 way =
        camera->orthographic ? camera->forward : vec3_sub(corner, camera->eye);
    const double handed = vec3_dot(normal, way_of(scene, axis)) > 0.0 ? 1.0 : -1.0;
    return (upper ? handed : -handed) * vec3_dot(normal, way) > 0.0;
}

/* The size of letters in pixels (render/annotate/pen.c). */
static double letter_size(const frame_scene *scene)
{
    const double least = 10.0, part = 20.0 / 1024.0;
    const double size = scene->config->annotations.font_size;
    const int side = scene->config->width < scene->config->height ? scene->config->width
                                                                  : scene->config->height;
    return (size > 0.0 ? size : 1.0) * fmax(part * side, least);
}

/* The longest edge along an axis in the picture, in pixels. */
static double edge_length(const frame_scene *scene, const box3 *box, int axis)
{
    double longest = 0.0;
    for (int bits = 0; bits < 8; bits++) {
        double a[2], b[2];
        if (!(bits >> axis & 1) && project(scene, corner_of(box, bits), a) &&
            project(scene, corner_of(box, bits | 1 << axis), b)) {
            longest = fmax(longest, hypot(b[0] - a[0], b[1] - a[1]));
        }
    }
    return longest;
}

/* The numbers along an axis, in the file's coordinates. */
static annotate_ticks find_ticks(const frame_scene *scene, const frame_layer *layer,
                                 const box3 *bounds, int axis)
{
    const double origin = frame_of(scene).zero.v[axis];
    const double fitting =
        edge_length(scene, bounds, axis) / (dense * letter_size(scene));
    int most = layer->config->tool->ticks;
    most = most > 0 ? most : (int)fmin(fmax(fitting, 2.0), 9.0);
    return annotate_ticks_round(bounds->lo.v[axis] + origin, bounds->hi.v[axis] + origin,
                                most);
}

/* ---- Lines ---- */

static status add_line(const frame_scene *scene, axes_box *box, vec3 from, vec3 to)
{
    const vec3 ends[2] = {place_of(scene, from), place_of(scene, to)};
    if (base_array_room(box->points, box->npoints, 2, "an axes box") != STATUS_OK ||
        base_array_room(box->trails, box->npoints / 2, 1, "an axes box") != STATUS_OK) {
        return STATUS_MEMORY;
    }
    box->trails[box->npoints / 2] = (render_trail){box->npoints, 2};
    for (int end = 0; end < 2; end++) {
        for (int c = 0; c < 3; c++) {
            box->points[box->npoints][c] = (float)ends[end].v[c];
        }
        box->npoints++;
    }
    return STATUS_OK;
}

/* Adds the lines of a side at the numbers of one of its axes. */
static status add_grid(const frame_scene *scene, const annotate_ticks *ticks,
                       const box3 *outer, int corner, const int axes[2], axes_box *box)
{
    status s = STATUS_OK;
    const double lo = outer->lo.v[axes[0]], hi = outer->hi.v[axes[0]];
    const double origin = frame_of(scene).zero.v[axes[0]];
    for (int n = 0; n < ticks->count && s == STATUS_OK; n++) {
        const double at = ticks->values[n] - origin;
        if (fmin(at - lo, hi - at) < 0.01 * (hi - lo)) {
            continue; /* an edge is there */
        }
        vec3 from = corner_of(outer, corner);
        vec3 to = corner_of(outer, corner | 1 << axes[1]);
        from.v[axes[0]] = to.v[axes[0]] = at;
        s = add_line(scene, box, from, to);
    }
    return s;
}

/* Adds the four edges of a side, and the lines across it. */
static status add_side(const frame_scene *scene, const frame_layer *layer,
                       const annotate_ticks ticks[3], const box3 *outer, int side,
                       axes_box *box)
{
    const int axis = side / 2, corner = (side % 2) << axis;
    const int axes[3] = {(axis + 1) % 3, (axis + 2) % 3, (axis + 1) % 3};
    status s = STATUS_OK;
    for (int n = 0; n < 2 && s == STATUS_OK; n++) {
        const int along = 1 << axes[n], across = 1 << axes[n + 1];
        s = add_line(scene, box, corner_of(outer, corner),
                     corner_of(outer, corner | along));
        s = s != STATUS_OK ? s
                           : add_line(scene, box, corner_of(outer, corner | across),
                                      corner_of(outer, corner | along | across));
        if (s == STATUS_OK && layer->config->tool->has_grid) {
            s = add_grid(scene, &ticks[axes[n]], outer, corner, &axes[n], box);
        }
    }
    return s;
}

static status make_lines(const frame_scene *scene, const frame_layer *layer,
                         axes_box *box)
{
    box3 outer;
    const box3 bounds = find_bounds(scene, layer, &outer);
    annotate_ticks ticks[3];
    for (int axis = 0; axis < 3; axis++) {
        ticks[axis] = find_ticks(scene, layer, &bounds, axis);
    }
    box->npoints = 0;
    status s = STATUS_OK;
    for (int side = 0; side < 6 && s == STATUS_OK; side++) {
        if (is_behind(scene, &outer, side / 2, side % 2 == 1)) {
            s = add_side(scene, layer, ticks, &outer, side, box);
        }
    }
    return s;
}

/* ---- Numbers ---- */

/* An edge of the box along an axis, in the picture. */
typedef struct seen_edge {
    bool is_seen;
    vec3 lo; /* its lower end */
    double a[2], b[2];
    double way[2]; /* to the outside, of length 1 */
} seen_edge;

/* The edge of an axis at a corner: whether it is on the outline of the box's picture,
 * which has a side to the front and one to the back there. */
static seen_edge see_edge(const frame_scene *scene, const box3 *box, int axis, int corner)
{
    const int first = (axis + 1) % 3, second = (axis + 2) % 3;
    const bool one = is_behind(scene, box, first, corner >> first & 1);
    const bool other = is_behind(scene, box, second, corner >> second & 1);
    seen_edge edge = {.lo = corner_of(box, corner)};
    double middle[2];
    edge.is_seen = one != other && project(scene, edge.lo, edge.a) &&
                   project(scene, corner_of(box, corner | 1 << axis), edge.b) &&
                   project(scene, vec3_scale(vec3_add(box->lo, box->hi), 0.5), middle);
    const double dx = edge.b[0] - edge.a[0], dy = edge.b[1] - edge.a[1];
    const double length = hypot(dx, dy);
    if (!edge.is_seen || !(length > 0.0)) {
        edge.is_seen = false;
        return edge;
    }
    const double out = dy * (edge.a[0] - middle[0]) - dx * (edge.a[1] - middle[1]);
    const double sign = out >= 0.0 ? 1.0 : -1.0;
    edge.way[0] = sign * dy / length;
    edge.way[1] = -sign * dx / length;
    return edge;
}

/* The edge for the numbers of an axis: of those on the outline the lowest, or the one at
 * the left. */
static seen_edge choose_edge(const frame_scene *scene, const box3 *box, int axis)
{
    seen_edge best = {0};
    double least = INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        if (corner >> axis & 1) {
            continue;
        }
        const seen_edge edge = see_edge(scene, box, axis, corner);
        const double rank = (edge.a[0] + edge.b[0]) - 2.0 * (edge.a[1] + edge.b[1]);
        if (edge.is_seen && rank < least) {
            least = rank;
            best = edge;
        }
    }
    return best;
}

/* The part of the picture that a text takes, in pixels. */
typedef struct text_place {
    double middle[2], half[2];
} text_place;

/* Letters of a text, which is UTF-8. */
static size_t count_letters(const char *text)
{
    size_t count = 0;
    for (const char *c = text; *c; c++) {
        count += (*c & 0xC0) != 0x80;
    }
    return count;
}

static void find_text(const frame_scene *scene, const annotate_mark *mark,
                      text_place *place)
{
    const double letter = letter_size(scene) * (mark->size > 0.0 ? mark->size : 1.0);
    place->half[0] = 0.5 * letter * digit_width * (double)count_letters(mark->text);
    place->half[1] = 0.5 * letter;
    /* As in render/annotate/mark.c. */
    const double way = mark->gap * letter_size(scene) +
                       fabs(mark->way[0]) * place->half[0] +
                       fabs(mark->way[1]) * place->half[1];
    for (int n = 0; n < 2; n++) {
        place->middle[n] = mark->at[n] + way * mark->way[n];
    }
}

/* Whether a number would touch a text that is there already, mostly of another axis at a
 * corner. */
static bool is_crowded(const frame_scene *scene, const annotate_mark *mark,
                       const marks *texts)
{
    const double apart = 0.6 * letter_size(scene);
    text_place own, other;
    find_text(scene, mark, &own);
    for (int n = 0; n < texts->ntexts; n++) {
        find_text(scene, &texts->texts[n], &other);
        const double least = own.half[0] + other.half[0] + apart;
        if (fabs(own.middle[0] - other.middle[0]) < least &&
            fabs(own.middle[1] - other.middle[1]) < own.half[1] + other.half[1]) {
            return true;
        }
    }
    return false;
}

/* Adds a tick, and its number where it has room. */
static status add_number(const frame_scene *scene, const seen_edge *edge, vec3 point,
                         const char *text, marks *out)
{
    annotate_mark mark = {.text = text,
                          .way = {edge->way[0], edge->way[1]},
                          .gap = number_gap,
                          .size = 0.9,
                          .is_number = true};
    if (!project(scene, point, mark.at)) {
        return STATUS_OK;
    }
    const double length = tick_length * letter_size(scene);
    const annotate_stroke tick = {
        .from = {mark.at[0], mark.at[1]},
        .to = {mark.at[0] + length * edge->way[0], mark.at[1] + length * edge->way[1]}};
    const status s = marks_add_stroke(out, &tick);
    return s == STATUS_OK && !is_crowded(scene, &mark, out) ? marks_add_text(out, &mark)
                                                            : s;
}

/* Writes "x [10³]" for a common power of ten. */
static void write_title(const frame_layer *layer, int axis, int exponent, size_t size,
                        char *text)
{
    static const char *const letters[] = {"x", "y", "z"};
    char factor[ANNOTATE_TICK_SIZE];
    const char *given = layer->config->tool->titles[axis];
    annotate_ticks_factor(exponent, factor);
    snprintf(text, size, "%.180s%s%s%s", given ? given : letters[axis],
             factor[0] ? " (" : "", factor, factor[0] ? ")" : "");
}

static double widest(const annotate_ticks *ticks)
{
    size_t most = 0;
    for (int n = 0; n < ticks->count; n++) {
        const size_t length = count_letters(ticks->texts[n]);
        most = length > most ? length : most;
    }
    return digit_width * (double)most;
}

static status add_title(const frame_layer *layer, const seen_edge *edge, int axis,
                        const annotate_ticks *ticks, marks *out)
{
    char title[256];
    write_title(layer, axis, ticks->exponent, sizeof title, title);
    const annotate_mark mark = {
        .text = title,
        .at = {0.5 * (edge->a[0] + edge->b[0]), 0.5 * (edge->a[1] + edge->b[1])},
        .way = {edge->way[0], edge->way[1]},
        .gap = title_gap + fabs(edge->way[0]) * fmax(widest(ticks) - 1.2, 0.0)};
    return marks_add_text(out, &mark);
}

static status add_axis(const frame_scene *scene, const frame_layer *layer,
                       const box3 *bounds, const box3 *outer, int axis, marks *out)
{
    const seen_edge edge = choose_edge(scene, outer, axis);
    const annotate_ticks ticks = find_ticks(scene, layer, bounds, axis);
    status s = STATUS_OK;
    for (int n = 0; n < ticks.count && s == STATUS_OK && edge.is_seen; n++) {
        vec3 point = edge.lo;
        point.v[axis] = ticks.values[n] - frame_of(scene).zero.v[axis];
        s = add_number(scene, &edge, point, ticks.texts[n], out);
    }
    return s == STATUS_OK && edge.is_seen ? add_title(layer, &edge, axis, &ticks, out)
                                          : s;
}

status axes_box_add_numbers(const frame_scene *scene, const frame_layer *layer,
                            marks *out)
{
    box3 outer;
    const box3 bounds = find_bounds(scene, layer, &outer);
    status s = STATUS_OK;
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        s = add_axis(scene, layer, &bounds, &outer, axis, out);
    }
    return s;
}

/* ---- The layer ---- */

static status create(frame_scene *scene, frame_layer *layer)
{
    layer->state = calloc(1, sizeof(axes_box));
    return parallel_agree(
        scene->comm,
        layer->state ? STATUS_OK : base_fail_memory(sizeof(axes_box), "an axes box"));
}

static status load(frame_scene *scene, frame_layer *layer, int step)
{
    (void)scene;
    (void)layer;
    (void)step;
    return STATUS_OK;
}

/* How far the box reaches beyond the grid. */
static frame_margin margin(const frame_scene *scene, const frame_layer *layer)
{
    box3 outer;
    find_bounds(scene, layer, &outer);
    double length = 0.0;
    for (int bits = 0; bits < 8; bits++) {
        const vec3 corner = place_of(scene, corner_of(&outer, bits));
        for (int axis = 0; axis < 3; axis++) {
            length = fmax(length, scene->layout->bounds.lo.v[axis] - corner.v[axis]);
            length = fmax(length, corner.v[axis] - scene->layout->bounds.hi.v[axis]);
        }
    }
    return (frame_margin){.length = 1.01 * length,
                          .pixels = (int)ceil(0.5 * layer->config->tool->line_width) + 1};
}

static status draw(const frame_scene *scene, const draw_request *request,
                   frame_layer *layer, render_counters *counters)
{
    (void)counters;
    axes_box *box = layer->state;
    const io_tool_config *config = layer->config->tool;
    render_fragments_clear(&box->fragments);
    layer->drawn = NULL;
    status s = make_lines(scene, layer, box);
    if (s != STATUS_OK) {
        return s;
    }
    render_trails trails = {.kind = RENDER_TRAILS_LINES,
                            .ntrails = box->npoints / 2,
                            .trails = box->trails,
                            .points = (const float(*)[3])box->points,
                            .width = config->line_width,
                            .opacity = (float)config->paint.opacity};
    for (int c = 0; c < 3; c++) {
        trails.color[c] = (float)config->paint.color[c];
    }
    s = render_trails_draw(&trails, &request->camera, scene->threads, &box->fragments);
    layer->drawn = s == STATUS_OK ? &box->fragments : NULL;
    return s;
}

const layer_kind layer_axes_box = {.stays_whole = true,
                                   .create = create,
                                   .destroy = destroy,
                                   .load = load,
                                   .draw = draw,
                                   .margin = margin};
