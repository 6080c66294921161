/* Particles: the config's `particles`, traced by frame/particles, drawn by
 * render/lines/trails.h. */
#include "arrows.h"

#include "base/parallel/parallel.h"
#include "frame/particles/particles.h"
#include "frame/particles/plan.h"
#include "frame/scene/appearance.h"
#include "frame/scene/bricks.h"
#include "frame/scene/missing.h"
#include "io/load/load.h"
#include "layer.h"
#include "render/lines/trails.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Particles. Those of a running program live longer than the layer (scene->particles):
 * then it has neither flow nor swarm. */
typedef struct particles {
    frame_flow *flow;   /* on the bricks in this rank's owned box */
    frame_swarm *swarm; /* the layer's own */
    int next;           /* the first step of the source not yet traced */
    render_colors *colors;
    render_shade shade;
    /* The lines of a step. */
    int64_t npoints, ntrails;
    float (*points)[3];
    float *values;
    render_trail *trails;
    render_fragments fragments;
} particles;

static void clear_lines(particles *p)
{
    free(p->points);
    free(p->values);
    free(p->trails);
    p->points = NULL;
    p->values = NULL;
    p->trails = NULL;
    p->npoints = p->ntrails = 0;
}

static void destroy(frame_layer *layer)
{
    particles *p = layer->state;
    if (!p) {
        return;
    }
    frame_swarm_destroy(&p->swarm);
    frame_flow_destroy(&p->flow);
    render_colors_destroy(&p->colors);
    clear_lines(p);
    render_fragments_clear(&p->fragments);
    free(p);
    layer->state = NULL;
}

/* ---- Setting up -------------------------------------------------------------------- */

/* Whether the particles are those of a running program. */
static bool is_live(const frame_scene *scene, const frame_layer *layer)
{
    return scene->particles && frame_particles_belong(layer->config->particles);
}

static status find_fields(frame_scene *scene, const frame_layer *layer,
                          frame_flow_recipes *recipes)
{
    const io_particles_config *config = layer->config->particles;
    status s = STATUS_OK;
    for (int c = 0; s == STATUS_OK && c < 3; c++) {
        s = layer_find_field(scene, layer, "velocity", config->velocity[c], true,
                             &recipes->of[TRACE_U + c]);
    }
    if (s == STATUS_OK && config->color_what == IO_PAINT_FIELD) {
        s = layer_find_field(scene, layer, "color_by", config->paint.field, true,
                             &recipes->of[TRACE_FIELD]);
    }
    return parallel_agree(scene->comm, s);
}

static status make_flow(frame_scene *scene, const frame_layer *layer, particles *p)
{
    int64_t count = 0, *numbers = NULL;
    frame_flow_recipes recipes = {0};
    status s = find_fields(scene, layer, &recipes);
    if (s == STATUS_OK) {
        s = parallel_agree(scene->comm, frame_bricks_owned(scene, &count, &numbers));
    }
    if (s == STATUS_OK) {
        const io_load_list list = {scene->layout, count, numbers, GRID_VERTEX};
        const frame_flow_kind kind = layer->config->particles->mode == IO_PARTICLES_STREAM
                                         ? APP_FLOW_STEADY
                                         : APP_FLOW_PAIRS;
        s = frame_flow_create(scene->comm, scene->source, &list, kind, &recipes,
                              &p->flow);
    }
    frame_flow_recipes_clear(&recipes);
    free(numbers);
    return s;
}

/* Makes the tracers. A trail has the config's length, at most all steps. Collective. */
static status make_swarm(frame_scene *scene, const frame_layer *layer, particles *p)
{
    const frame_swarm_limits limits = {.trail = io_source_step_count(scene->source)};
    int failed = -1;
    char key[32];
    status s = frame_swarm_create(layer->config->particles, limits, &p->swarm);
    s = parallel_agree(scene->comm, s);
    if (s == STATUS_OK) {
        s = frame_swarm_wake(p->swarm, scene->comm, p->flow, false, &failed);
    }
    if (failed >= 0) {
        snprintf(key, sizeof key, "seeds.%d", failed);
        layer_blame(scene, layer, key, s);
    }
    return s;
}

/* The paint, with a range if the config leaves it open. */
static io_paint_config find_range(const frame_scene *scene,
                                  const io_particles_config *config)
{
    io_paint_config paint = config->paint;
    const io_step *steps = io_source_steps(scene->source);
    if (!paint.auto_range || config->color_what == IO_PAINT_FIELD) {
        return paint;
    }
    paint.auto_range = false;
    paint.range[0] = 0.0;
    paint.range[1] =
        config->color_what == IO_PAINT_SEED
            ? (double)(frame_plan_seeds(config, config->nseeds) - 1)
            : steps[scene->steps[scene->nsteps - 1]].time - steps[scene->steps[0]].time;
    if (!(paint.range[1] > 0.0)) {
        paint.range[1] = 1.0;
    }
    return paint;
}

static status make_colors(frame_scene *scene, frame_layer *layer)
{
    const io_particles_config *config = layer->config->particles;
    particles *p = layer->state;
    p->shade = layer_shade(scene, &config->paint);
    if (config->color_what == IO_PAINT_CONSTANT) {
        return STATUS_OK;
    }
    const io_paint_config paint = find_range(scene, config);
    const char *what = config->color_what == IO_PAINT_AGE    ? "age"
                       : config->color_what == IO_PAINT_SEED ? "seed"
                                                             : config->paint.field;
    return layer_make_colors(scene, layer, &paint, what, &p->colors);
}

static status create(frame_scene *scene, frame_layer *layer)
{
    particles *p = calloc(1, sizeof *p);
    layer->state = p;
    status s = p ? STATUS_OK : base_fail_memory(sizeof *p, "particles");
    s = parallel_agree(scene->comm, s);
    if (s == STATUS_OK && !is_live(scene, layer)) {
        p->next = scene->steps[0];
        s = make_flow(scene, layer, p);
        s = s == STATUS_OK ? make_swarm(scene, layer, p) : s;
    }
    return s == STATUS_OK ? make_colors(scene, layer) : s;
}

/* ---- Tracing ----------------------------------------------------------------------- */

typedef struct missing_look {
    frame_scene *scene;
    const io_particles_config *config;
} missing_look;

/* frame_flow_look */
static void look_for_missing(void *context, int component, const grid_recipe *recipe,
                             int step, const grid_store *store)
{
    const missing_look *l = context;
    frame_missing_look(l->scene,
                       component == TRACE_FIELD
                           ? l->config->paint.field
                           : l->config->velocity[component - TRACE_U],
                       recipe, step, store);
}

/* Checks that the time of a step is behind that of the step before. */
static status check_time(const io_source *source, int step)
{
    const io_step *steps = io_source_steps(source);
    return steps[step].time > steps[step - 1].time
               ? STATUS_OK
               : base_fail(STATUS_INPUT,
                           "particles need times that ascend from step to step: %g "
                           "comes after %g",
                           steps[step].time, steps[step - 1].time);
}

/* Traces all particles to a step. Collective. */
static status trace_step(frame_scene *scene, const frame_layer *layer, int step)
{
    particles *p = layer->state;
    missing_look l = {scene, layer->config->particles};
    status s = frame_flow_load(p->flow, scene->source, step, look_for_missing, &l);
    return s == STATUS_OK
               ? frame_swarm_step(p->swarm, io_source_steps(scene->source)[step].time)
               : s;
}

/* Traces the layer's own particles through all steps, also those that are not drawn.
 * Collective. */
static status trace_own(frame_scene *scene, const frame_layer *layer, int step,
                        frame_swarm **swarm)
{
    particles *p = layer->state;
    const bool is_stream = layer->config->particles->mode == IO_PARTICLES_STREAM;
    status s = STATUS_OK;
    for (int n = is_stream ? step : p->next; s == STATUS_OK && n <= step; n++) {
        const bool moves = !is_stream && n > scene->steps[0]; /* from the step before */
        s = moves ? check_time(scene->source, n) : STATUS_OK;
        s = s == STATUS_OK ? trace_step(scene, layer, n) : s;
    }
    p->next = step + 1;
    *swarm = p->swarm;
    return s;
}

/* Moves the particles of a running program through the steps of the source that come
 * after their last one, up to this one; where the grid moves, each in its own. A failure
 * of a layer is told by frame_particles_find. Collective. Errors: those of grids. */
static status move_live(frame_scene *scene, int step)
{
    const io_step *steps = io_source_steps(scene->source);
    double now;
    const bool has_begun = frame_particles_now(scene->particles, &now);
    status s = STATUS_OK;
    for (int n = has_begun ? 0 : scene->steps[0]; n < step && s == STATUS_OK; n++) {
        if (!has_begun || (steps[n].time > now && steps[n].time < steps[step].time)) {
            s = io_source_choose_grid(scene->source, n);
            if (s == STATUS_OK) {
                frame_particles_step(scene->particles, scene->source, n);
            }
        }
    }
    s = s == STATUS_OK ? io_load_return(scene->comm, scene->source, step, scene->layout)
                       : s;
    if (s == STATUS_OK) {
        frame_particles_step(scene->particles, scene->source, step);
        base_fail_set_message("");
    }
    return s;
}

/* Finds the particles of the running program at the step; they may be there already.
 * Collective. */
static status trace_live(frame_scene *scene, const frame_layer *layer, int step,
                         frame_swarm **swarm)
{
    const grid_terms terms = scene->config->data.terms;
    const status s = move_live(scene, step);
    return s != STATUS_OK ? s
                          : parallel_agree(scene->comm,
                                           frame_particles_find(scene->particles,
                                                                layer->config->particles,
                                                                terms, swarm));
}

static float value_of(io_particle_paint what, const trace_line *line,
                      const trace_point *point, int64_t first_seed)
{
    return what == IO_PAINT_AGE    ? point->age
           : what == IO_PAINT_SEED ? (float)(first_seed + line->seed)
                                   : point->value;
}

/* Makes room for the lines of all lists of seeds. */
static status make_room(const frame_swarm *swarm, particles *p)
{
    int64_t points = 0, lines = 0, first;
    for (int n = 0; n < frame_swarm_lists(swarm); n++) {
        const trace_lines *from = frame_swarm_lines(swarm, n, &first);
        points += from ? from->npoints : 0;
        lines += from ? from->nlines : 0;
    }
    clear_lines(p);
    p->points = malloc(((size_t)points + 1) * sizeof *p->points);
    p->values = malloc(((size_t)points + 1) * sizeof *p->values);
    p->trails = malloc(((size_t)lines + 1) * sizeof *p->trails);
    return p->points && p->values && p->trails
               ? STATUS_OK
               : base_fail_memory((size_t)points * 16, "the lines of particles");
}

/* The point of this age on the way from one point to the next. */
static trace_point point_between(const trace_point *a, const trace_point *b, float age)
{
    const float span = b->age - a->age;
    const float share = span > 0.0f ? (age - a->age) / span : 0.0f;
    trace_point out = *a;
    for (int c = 0; c < 3; c++) {
        out.x[c] += share * (b->x[c] - a->x[c]);
    }
    out.age = age;
    out.value += share * (b->value - a->value);
    return out;
}

/* Adds the part of a line with ages from -most to most, which ascend along streamlines.
 */
static void add_part(const trace_line *line, const trace_point *points, float most,
                     const io_particles_config *config, int64_t first_seed, particles *p)
{
    int64_t begin = 0, end = line->count - 1;
    while (begin < end && points[begin + 1].age < -most) {
        begin++;
    }
    while (end > begin && points[end - 1].age > most) {
        end--;
    }
    p->trails[p->ntrails++] = (render_trail){p->npoints, end + 1 - begin};
    for (int64_t i = begin; i <= end; i++) {
        const trace_point point =
            points[i].age < -most  ? point_between(&points[i], &points[i + 1], -most)
            : points[i].age > most ? point_between(&points[i - 1], &points[i], most)
                                   : points[i];
        memcpy(p->points[p->npoints], point.x, sizeof point.x);
        p->values[p->npoints++] = value_of(config->color_what, line, &point, first_seed);
    }
}

static void add_lines(const trace_lines *from, const io_particles_config *config,
                      int64_t first_seed, particles *p)
{
    const bool is_cut = config->duration > 0.0 && config->mode == IO_PARTICLES_STREAM;
    const float most = is_cut ? (float)config->duration : INFINITY;
    for (int64_t l = 0; l < from->nlines; l++) {
        const trace_line *line = &from->lines[l];
        add_part(line, &from->points[line->first], most, config, first_seed, p);
    }
}

/* Joins the lines of all lists of seeds. */
static status join_lines(const frame_swarm *swarm, const io_particles_config *config,
                         particles *p)
{
    status s = make_room(swarm, p);
    for (int n = 0; s == STATUS_OK && n < frame_swarm_lists(swarm); n++) {
        int64_t first_seed;
        const trace_lines *from = frame_swarm_lines(swarm, n, &first_seed);
        if (from) {
            add_lines(from, config, first_seed, p);
        }
    }
    return s;
}

static status load(frame_scene *scene, frame_layer *layer, int step)
{
    particles *p = layer->state;
    frame_swarm *swarm = NULL;
    status s = is_live(scene, layer) ? trace_live(scene, layer, step, &swarm)
                                     : trace_own(scene, layer, step, &swarm);
    if (s == STATUS_OK) {
        s = frame_swarm_collect(swarm);
    }
    if (s == STATUS_OK) {
        s = parallel_agree(scene->comm, join_lines(swarm, layer->config->particles, p));
        frame_swarm_drop_lines(swarm);
    }
    return s;
}

/* ---- Drawing ----------------------------------------------------------------------- */

static render_trails look_of(const frame_scene *scene, const frame_layer *layer)
{
    static const render_trails_kind kinds[] = {
        [IO_PARTICLES_SPHERES] = RENDER_TRAILS_SPHERES,
        [IO_PARTICLES_LINES] = RENDER_TRAILS_LINES,
        [IO_PARTICLES_TUBES] = RENDER_TRAILS_TUBES,
        [IO_PARTICLES_ARROWS] = RENDER_TRAILS_TUBES};
    const io_particles_config *config = layer->config->particles;
    const particles *p = layer->state;
    const double diagonal = scene->diagonal;
    render_trails look = {.kind = kinds[config->style],
                          .ntrails = p->ntrails,
                          .trails = p->trails,
                          .points = (const float(*)[3])p->points,
                          .radius =
                              config->radius > 0.0 ? config->radius : diagonal / 400.0,
                          .width = config->line_width,
                          .colors = p->colors,
                          .values = p->values,
                          .opacity = (float)config->paint.opacity,
                          .shade = config->paint.lit ? &p->shade : NULL};
    for (int c = 0; c < 3; c++) {
        look.color[c] = (float)config->paint.color[c];
    }
    return look;
}

static frame_margin margin(const frame_scene *scene, const frame_layer *layer)
{
    const render_trails look = look_of(scene, layer);
    const bool is_thin = look.kind == RENDER_TRAILS_LINES;
    const bool has_heads = layer->config->particles->style == IO_PARTICLES_ARROWS;
    return (frame_margin){.length = is_thin     ? 0.0
                                    : has_heads ? arrows_reach * look.radius
                                                : look.radius,
                          .pixels = is_thin ? (int)ceil(0.5 * look.width) + 1 : 0};
}

/* Draws paths with spheres: a sphere at each particle, and its trail as a thin tube. */
static status draw_heads(const draw_request *request, particles *p,
                         const render_trails *look, int threads)
{
    render_trails heads = *look, tails = *look;
    render_trail *last = malloc(((size_t)p->ntrails + 1) * sizeof *last);
    if (!last) {
        return base_fail_memory((size_t)p->ntrails * sizeof *last, "particles");
    }
    for (int64_t n = 0; n < p->ntrails; n++) {
        last[n] = (render_trail){p->trails[n].first + p->trails[n].count - 1, 1};
    }
    heads.trails = last;
    tails.kind = RENDER_TRAILS_TUBES;
    tails.radius = look->radius / 3.0;
    render_fragments more = {0};
    status s = render_trails_draw(&heads, &request->camera, threads, &p->fragments);
    if (s == STATUS_OK) {
        s = render_trails_draw(&tails, &request->camera, threads, &more);
    }
    if (s == STATUS_OK) {
        s = render_fragments_add(&p->fragments, &more);
    }
    render_fragments_clear(&more);
    free(last);
    return s;
}

static status draw(const frame_scene *scene, const draw_request *request,
                   frame_layer *layer, render_counters *counters)
{
    (void)counters;
    particles *p = layer->state;
    const io_particles_config *config = layer->config->particles;
    render_trails look = look_of(scene, layer);
    look.shade = request->purpose == DRAW_SHADOW ? NULL : look.shade;
    render_fragments_clear(&p->fragments);
    layer->drawn = NULL;
    const bool has_heads =
        config->mode == IO_PARTICLES_PATH && config->style == IO_PARTICLES_SPHERES;
    status s = config->style == IO_PARTICLES_ARROWS
                   ? arrows_draw(&look, &request->camera, scene->threads, &p->fragments)
               : has_heads ? draw_heads(request, p, &look, scene->threads)
                           : render_trails_draw(&look, &request->camera, scene->threads,
                                                &p->fragments);
    if (s == STATUS_OK) {
        layer->drawn = &p->fragments;
    }
    return s;
}

/* Every rank has all lines: the first one gives them. */
static status find_geometry(const frame_scene *scene, frame_layer *layer,
                            render_geometry *out)
{
    const particles *p = layer->state;
    const bool is_first = scene->rank == 0;
    render_geometry made = {.are_lines = true,
                            .npoints = is_first ? p->npoints : 0,
                            .nindices = is_first ? p->npoints : 0,
                            .nparts = is_first ? p->ntrails : 0};
    const status s = render_geometry_reserve(&made, p->colors != NULL);
    if (s != STATUS_OK) {
        return s;
    }
    for (int64_t n = 0; n < made.npoints; n++) {
        memcpy(made.points[n], p->points[n], sizeof made.points[n]);
        made.indices[n] = n;
        if (made.values) {
            made.values[n] = p->values[n];
        }
    }
    for (int64_t n = 0; n < made.nparts; n++) {
        made.ends[n] = p->trails[n].first + p->trails[n].count;
    }
    *out = made;
    return STATUS_OK;
}

static bool casts(const frame_layer *layer)
{
    const io_particles_config *config = layer->config->particles;
    return config->paint.lit && config->style != IO_PARTICLES_LINES;
}

static void find_bounds(const frame_scene *scene, const frame_layer *layer, box3 *bounds)
{
    const particles *p = layer->state;
    const double reach = margin(scene, layer).length;
    for (int64_t n = 0; n < p->ntrails; n++) {
        const render_trail *trail = &p->trails[n];
        for (int64_t at = trail->first; at < trail->first + trail->count; at++) {
            for (int axis = 0; axis < 3; axis++) {
                const double x = (double)p->points[at][axis];
                bounds->lo.v[axis] = fmin(bounds->lo.v[axis], x - reach);
                bounds->hi.v[axis] = fmax(bounds->hi.v[axis], x + reach);
            }
        }
    }
}

/* The memory of tracing for a brick. Each brick counts at the ranks whose owned boxes it
 * meets. */
static frame_brick_cost brick_cost(const frame_layer *layer, const grid_layout *layout,
                                   int64_t number)
{
    const bool is_steady = layer->config->particles->mode == IO_PARTICLES_STREAM;
    const bool has_field = layer->config->particles->color_what == IO_PAINT_FIELD;
    const int values = (is_steady ? 1 : 2) * (has_field ? 4 : 3);
    const frame_brick_cost whole =
        frame_brick_cost_march(layout, number, APP_VERTEX_BYTES + 4 * values, false);
    return (frame_brick_cost){.owned_bytes = whole.bytes};
}

static const char *why_nothing(const frame_layer *layer)
{
    (void)layer;
    return "its lines are too short or too thin to be seen, or lie out of view";
}

const layer_kind layer_particles = {.create = create,
                                    .destroy = destroy,
                                    .rescale = make_colors,
                                    .restyle = make_colors,
                                    .load = load,
                                    .brick_cost = brick_cost,
                                    .draw = draw,
                                    .geometry = find_geometry,
                                    .casts = casts,
                                    .bounds = find_bounds,
                                    .margin = margin,
                                    .why_nothing = why_nothing};
