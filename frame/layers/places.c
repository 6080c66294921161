#include "places.h"

#include "axes_box.h"

#include <string.h>

/* ---- Marks of the config ---- */

static bool project(const frame_scene *scene, vec3 point, double place[2])
{
    return render_camera_project(&scene->camera, vec3_sub(point, scene->layout->origin),
                                 place);
}

/* An arrow has its text behind its tail. */
static status add_arrow(const frame_scene *scene, const io_mark_config *mark, marks *out)
{
    annotate_stroke stroke = {.has_head = true, .has_color = mark->has_color};
    memcpy(stroke.color, mark->color, sizeof stroke.color);
    if (!project(scene, mark->from, stroke.from) ||
        !project(scene, mark->to, stroke.to)) {
        return STATUS_OK;
    }
    annotate_mark text = {
        .text = mark->text,
        .at = {stroke.from[0], stroke.from[1]},
        .way = {stroke.from[0] - stroke.to[0], stroke.from[1] - stroke.to[1]},
        .gap = 0.4,
        .size = mark->size,
        .has_color = mark->has_color};
    memcpy(text.color, mark->color, sizeof text.color);
    status s = marks_add_stroke(out, &stroke);
    return s == STATUS_OK && mark->text ? marks_add_text(out, &text) : s;
}

static status add_text(const frame_scene *scene, const io_mark_config *mark, marks *out)
{
    annotate_mark text = {
        .text = mark->text, .size = mark->size, .has_color = mark->has_color};
    memcpy(text.color, mark->color, sizeof text.color);
    return project(scene, mark->at, text.at) ? marks_add_text(out, &text) : STATUS_OK;
}

/* ---- The whole ---- */

bool places_are_wanted(const io_config *config)
{
    bool has_box = false;
    for (int n = 0; n < config->nlayers; n++) {
        const io_layer_config *layer = &config->layers[n];
        has_box = has_box || (layer->kind == IO_LAYER_AXES_BOX && layer->shown);
    }
    return has_box || config->annotations.nmarks > 0;
}

annotate_hull places_find_hull(const frame_scene *scene)
{
    const box3 *bounds = &scene->layout->bounds;
    annotate_hull hull = {0};
    for (int n = 0; n < ANNOTATE_MAX_HULL && !hull.is_all; n++) {
        const vec3 corner = vec3_make((n & 1 ? bounds->hi : bounds->lo).v[0],
                                      (n & 2 ? bounds->hi : bounds->lo).v[1],
                                      (n & 4 ? bounds->hi : bounds->lo).v[2]);
        hull.is_all =
            !render_camera_project(&scene->camera, corner, hull.points[hull.count++]);
    }
    return hull;
}

status places_mark(const frame_scene *scene, const frame_layers *layers, marks *out)
{
    const io_annotations_config *config = &scene->config->annotations;
    status s = STATUS_OK;
    for (int n = 0; n < layers->count && s == STATUS_OK; n++) {
        if (layers->items[n].config->kind == IO_LAYER_AXES_BOX) {
            s = axes_box_add_numbers(scene, &layers->items[n], out);
        }
    }
    for (int n = 0; n < config->nmarks && s == STATUS_OK; n++) {
        const io_mark_config *mark = &config->marks[n];
        s = mark->is_arrow ? add_arrow(scene, mark, out) : add_text(scene, mark, out);
    }
    return s;
}
