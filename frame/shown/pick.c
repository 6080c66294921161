#include "pick.h"

#include "base/parallel/parallel.h"
#include "base/system.h"
#include "frame/job.h"
#include "frame/job_state.h"
#include "frame/layers/layers.h"
#include "frame/probe/probe.h"
#include "frame/scene/appearance.h"
#include "render/cells/cell.h"
#include "render/transfer/transfer.h"

#include <math.h>
#include <string.h>

enum { ALONG = 192 };

/* The first thing on a ray. */
typedef struct hit {
    double distance; /* INFINITY: there is none */
    int layer;       /* its number in the config; -1: the volume */
} hit;

/* ---- The point --------------------------------------------------------------------- */

/* Looks for the nearest fragment of this rank at a pixel of the last picture. */
static void look_at(const frame_job *job, int column, int row, double start, hit *best)
{
    const int width = job->scene.camera.width;
    const int64_t tile = render_fragments_tile_at(width, column, row);
    const int32_t pixel = row * width + column;
    for (int n = 0; n < job->layers.count; n++) {
        const frame_layer *layer = &job->layers.items[n];
        const render_fragments *drawn = layer->drawn;
        if (!drawn || drawn->are_spans || !drawn->first ||
            tile >= (int64_t)drawn->columns * drawn->rows) {
            continue;
        }
        for (int64_t i = drawn->first[tile]; i < drawn->first[tile + 1]; i++) {
            const render_fragment *f = &drawn->items[i];
            if (f->pixel == pixel && f->rgba[3] > 0.05f &&
                start + (double)f->t < best->distance) {
                best->distance = start + (double)f->t;
                best->layer = (int)(layer->config - job->scene.config->layers);
            }
        }
    }
}

/* Draws the layers at one pixel: the last picture may have drawn further samples of some
 * pixels alone. */
static status draw_pixel(frame_job *job, int column, int row)
{
    draw_request request = frame_scene_request(&job->scene);
    render_counters counters = {0};
    request.camera.window = (pixel_rect){column, row, column + 1, row + 1};
    request.seconds = NULL;
    base_stop_set(false);
    return frame_layers_draw(&job->scene, &request, &job->layers, &counters);
}

/* The nearest one of all ranks. Collective. Errors: those of frame_layers_draw. */
static status find_hit(frame_job *job, int column, int row, render_ray ray, hit *out)
{
    MPI_Comm comm = job->scene.comm;
    hit mine = {INFINITY, -1};
    status s = parallel_agree(comm, draw_pixel(job, column, row));
    if (s != STATUS_OK) {
        return s;
    }
    look_at(job, column, row, render_cell_ray(ray).start, &mine);
    double nearest = INFINITY;
    parallel_allreduce(&mine.distance, &nearest, 1, MPI_DOUBLE, MPI_MIN, comm);
    int layer = mine.distance == nearest ? mine.layer : -1, found = -1;
    parallel_allreduce(&layer, &found, 1, MPI_INT, MPI_MAX, comm);
    *out = (hit){nearest, found};
    return STATUS_OK;
}

/* The part of a ray in the bounds of the grid; false if it misses them. */
static bool find_span(const box3 *bounds, render_ray ray, double span[2])
{
    span[0] = 0.0;
    span[1] = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        const double d = ray.direction.v[axis];
        const double lo = (bounds->lo.v[axis] - ray.origin.v[axis]) / d;
        const double hi = (bounds->hi.v[axis] - ray.origin.v[axis]) / d;
        if (d != 0.0) {
            span[0] = fmax(span[0], fmin(lo, hi));
            span[1] = fmin(span[1], fmax(lo, hi));
        }
    }
    return span[0] < span[1] && span[1] < INFINITY;
}

static vec3 point_at(render_ray ray, double distance)
{
    return vec3_add(ray.origin, vec3_scale(ray.direction, distance));
}

static frame_probe_wish wish_at(const frame_scene *scene, render_ray ray, double distance)
{
    const vec3 at = vec3_add(point_at(ray, distance), scene->layout->origin);
    return (frame_probe_wish){.x = {at.v[0], at.v[1], at.v[2]}, .block = -1};
}

/* The place on the ray that adds most to the pixel, by the opacity of the volume. */
static double brightest(const frame_scene *scene, const double *values, double span[2],
                        double until)
{
    const double step = (span[1] - span[0]) / ALONG;
    double passes = 1.0, most = 0.0, found = INFINITY;
    for (int n = 0; n < ALONG; n++) {
        const double at = span[0] + (n + 0.5) * step;
        double rgb[3], extinction = 0.0;
        if (isfinite(values[n]) && at < until) {
            render_transfer_evaluate(scene->volume.transfer, values[n], rgb, &extinction);
        }
        const double part = passes * (1.0 - exp(-extinction * step));
        if (part > most) {
            most = part;
            found = at;
        }
        passes -= part;
    }
    return most > 0.002 ? found : INFINITY;
}

/* Finds the place that a volume shows at a pixel, in front of a surface. Collective. */
static status look_into_volume(const frame_scene *scene, render_ray ray, hit *best)
{
    const int step = scene->volume.step;
    frame_probe_wish wishes[ALONG];
    double values[ALONG], span[2];
    frame_probe *probe = NULL;
    if (!scene->volume.recipe || !find_span(&scene->layout->bounds, ray, span)) {
        return STATUS_OK;
    }
    for (int n = 0; n < ALONG; n++) {
        wishes[n] =
            wish_at(scene, ray, span[0] + (n + 0.5) * (span[1] - span[0]) / ALONG);
    }
    status s = frame_probe_create(scene->comm, scene->source, scene->layout, ALONG,
                                  wishes, &probe);
    s = s == STATUS_OK ? frame_probe_values(probe, scene->volume.recipe, step, values)
                       : s;
    frame_probe_destroy(&probe);
    if (s == STATUS_OK) {
        const double found = brightest(scene, values, span, best->distance);
        *best = found < best->distance ? (hit){found, -1} : *best;
    }
    return s;
}

status frame_job_aim(frame_job *job, int frame)
{
    const int step = job->scene.steps[frame];
    status s = frame_job_follow_grid(job, step);
    s = s == STATUS_OK ? frame_job_follow_ranges(job, step) : s;
    s = s == STATUS_OK ? frame_load(job, step) : s;
    if (s == STATUS_OK) {
        frame_scene_aim(&job->scene);
    }
    return s;
}

status frame_job_pick(frame_job *job, const double at[2], frame_pick *out)
{
    const frame_scene *scene = &job->scene;
    const int column = (int)floor(at[0] * scene->camera.width);
    const int row = (int)floor(at[1] * scene->camera.height);
    if (!(at[0] >= 0.0 && at[0] < 1.0 && at[1] >= 0.0 && at[1] < 1.0)) {
        return base_fail(STATUS_USAGE, "a place lies in the picture: at: [0..1, 0..1]");
    }
    const render_ray ray = render_camera_ray(&scene->camera, column, row);
    hit found = {INFINITY, -1};
    status s = find_hit(job, column, row, ray, &found);
    s = s == STATUS_OK ? look_into_volume(scene, ray, &found) : s;
    *out = (frame_pick){.is_there = s == STATUS_OK && found.distance < INFINITY,
                        .layer = found.layer};
    if (out->is_there) {
        const frame_probe_wish wish = wish_at(scene, ray, found.distance);
        memcpy(out->x, wish.x, sizeof out->x);
    }
    return s;
}
