/* Particles: the config's `particles`, traced by trace/tracer.h, drawn by
 * render/lines/trails.h. */
#include "app/frame/scene/bricks.h"
#include "app/frame/scene/look.h"
#include "app/frame/scene/missing.h"
#include "base/parallel/parallel.h"
#include "io/load/load.h"
#include "layer.h"
#include "render/lines/trails.h"
#include "trace/tracer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Particles. Each list of seeds has its own tracer; all tracers use the same flow. */
typedef struct particles {
    grid_recipe
        *recipes[TRACE_COMPONENTS]; /* the last one only if a field colours them */
    grid_store *store; /* bricks in this rank's owned box; its scalar is the component
                          read last */
    trace_velocity *velocity;
    int ntracers;
    trace_tracer **tracers;
    int next; /* the first step of the source not yet traced */
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

static void destroy(app_layer *layer)
{
    particles *p = layer->state;
    if (!p) {
        return;
    }
    for (int n = 0; n < p->ntracers; n++) {
        trace_tracer_destroy(&p->tracers[n]);
    }
    free(p->tracers);
    trace_velocity_destroy(&p->velocity);
    grid_store_destroy(&p->store);
    for (int n = 0; n < TRACE_COMPONENTS; n++) {
        grid_recipe_destroy(&p->recipes[n]);
    }
    render_colors_destroy(&p->colors);
    clear_lines(p);
    render_fragments_clear(&p->fragments);
    free(p);
    layer->state = NULL;
}

/* ---- Setting up -------------------------------------------------------------------- */

static status find_fields(app_scene *scene, const app_layer *layer, particles *p)
{
    const io_particles_config *config = layer->config->particles;
    status s = STATUS_OK;
    for (int c = 0; s == STATUS_OK && c < 3; c++) {
        s = layer_find_field(scene, layer, "velocity", config->velocity[c], true,
                             &p->recipes[TRACE_U + c]);
    }
    if (s == STATUS_OK && config->color_what == IO_PAINT_FIELD) {
        s = layer_find_field(scene, layer, "color_by", config->paint.field, true,
                             &p->recipes[TRACE_FIELD]);
    }
    return parallel_agree(scene->comm, s);
}

static status make_flow(app_scene *scene, const io_particles_config *config, particles *p)
{
    int64_t count = 0, *numbers = NULL;
    status s = parallel_agree(scene->comm, app_bricks_owned(scene, &count, &numbers));
    if (s == STATUS_OK) {
        const io_load_list list = {scene->layout, count, numbers, GRID_VERTEX};
        s = io_load_bricks(scene->comm, scene->source, &list, &p->store);
    }
    free(numbers);
    if (s != STATUS_OK) {
        return s;
    }
    return parallel_agree(
        scene->comm,
        trace_velocity_create(p->store, config->mode != IO_PARTICLES_STREAM,
                              p->recipes[TRACE_FIELD] != NULL, &p->velocity));
}

/* The trail has the config's length, at most all steps. */
static trace_options options_of(const app_scene *scene, const io_particles_config *config)
{
    const int steps = io_source_step_count(scene->source);
    static const trace_mode modes[] = {[IO_PARTICLES_PATH] = TRACE_PATH,
                                       [IO_PARTICLES_STREAK] = TRACE_STREAK,
                                       [IO_PARTICLES_STREAM] = TRACE_STREAM};
    return (trace_options){.mode = modes[config->mode],
                           .every = config->every,
                           .trail = config->trail < steps ? config->trail : steps,
                           .direction = config->direction > 0   ? TRACE_FORWARD
                                        : config->direction < 0 ? TRACE_BACKWARD
                                                                : TRACE_BOTH,
                           .length = config->length,
                           .steps = config->max_steps,
                           .tolerance = config->tolerance};
}

/* Makes the tracer of the list of seeds number `list`. Collective. */
static status make_tracer(app_scene *scene, app_layer *layer, int list)
{
    const io_seed_config *config = &layer->config->particles->seeds[list];
    char key[32];
    snprintf(key, sizeof key, "seeds.%d", list);
    static const trace_shape shapes[] = {[IO_SEED_POINTS] = TRACE_POINTS,
                                         [IO_SEED_LINE] = TRACE_LINE,
                                         [IO_SEED_PLANE] = TRACE_PLANE,
                                         [IO_SEED_BOX] = TRACE_BOX};
    particles *p = layer->state;
    const size_t bytes = (size_t)config->npoints * 3 * sizeof(double);
    double(*points)[3] = malloc(bytes + 1);
    trace_seeds seeds = {.shape = shapes[config->kind],
                         .in_grid = config->block != NULL,
                         .npoints = config->npoints,
                         .points = (const double(*)[3])points};
    status s = points ? STATUS_OK : base_fail_memory(bytes, "seeds");
    if (s == STATUS_OK && config->block) {
        seeds.block = layer_find_block(scene, layer, key, config->block);
        s = seeds.block < 0 ? STATUS_USAGE : STATUS_OK;
    }
    for (int n = 0; s == STATUS_OK && n < config->npoints; n++) {
        for (int c = 0; c < 3; c++) {
            points[n][c] =
                config->points[n][c] - (config->block ? 0.0 : scene->layout->origin.v[c]);
        }
    }
    for (int c = 0; c < 3; c++) {
        seeds.counts[c] = config->counts[c];
    }
    const trace_options options = options_of(scene, layer->config->particles);
    s = parallel_agree(scene->comm, s);
    if (s == STATUS_OK) {
        s = trace_tracer_create(scene->comm, p->velocity, &options, &seeds,
                                &p->tracers[p->ntracers]);
        layer_blame(scene, layer, key, s);
        p->ntracers += s == STATUS_OK;
    }
    free(points);
    return s;
}

/* The number of seeds in the first `upto` lists. Seeds are numbered through all lists. */
static int64_t count_seeds(const particles *p, int upto)
{
    int64_t sum = 0;
    for (int n = 0; n < upto; n++) {
        int64_t count, outside;
        trace_tracer_seeds(p->tracers[n], &count, &outside);
        sum += count;
    }
    return sum;
}

/* The paint, with a range if the config leaves it open. */
static io_paint_config find_range(const app_scene *scene,
                                  const io_particles_config *config, const particles *p)
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
            ? (double)(count_seeds(p, p->ntracers) - 1)
            : steps[scene->steps[scene->nsteps - 1]].time - steps[scene->steps[0]].time;
    if (!(paint.range[1] > 0.0)) {
        paint.range[1] = 1.0;
    }
    return paint;
}

static status make_colors(app_scene *scene, app_layer *layer)
{
    const io_particles_config *config = layer->config->particles;
    particles *p = layer->state;
    p->shade = layer_shade(scene, &config->paint);
    if (config->color_what == IO_PAINT_CONSTANT) {
        return STATUS_OK;
    }
    const io_paint_config paint = find_range(scene, config, p);
    const char *what = config->color_what == IO_PAINT_AGE    ? "age"
                       : config->color_what == IO_PAINT_SEED ? "seed"
                                                             : config->paint.field;
    return layer_make_colors(scene, layer, &paint, what, &p->colors);
}

static status create(app_scene *scene, app_layer *layer)
{
    const io_particles_config *config = layer->config->particles;
    particles *p = calloc(1, sizeof *p);
    layer->state = p;
    status s = p ? STATUS_OK : base_fail_memory(sizeof *p, "particles");
    if (s == STATUS_OK) {
        p->next = scene->steps[0];
        p->tracers = calloc((size_t)config->nseeds, sizeof(trace_tracer *));
        s = p->tracers ? STATUS_OK : base_fail_memory(0, "particles");
    }
    s = parallel_agree(scene->comm, s);
    if (s == STATUS_OK) {
        s = find_fields(scene, layer, p);
    }
    if (s == STATUS_OK) {
        s = make_flow(scene, config, p);
    }
    for (int n = 0; s == STATUS_OK && n < config->nseeds; n++) {
        s = make_tracer(scene, layer, n);
    }
    return s == STATUS_OK ? make_colors(scene, layer) : s;
}

/* ---- Tracing ----------------------------------------------------------------------- */

/* Traces all particles to a step. Collective. */
static status trace_step(app_scene *scene, const app_layer *layer, int step)
{
    const io_particles_config *config = layer->config->particles;
    particles *p = layer->state;
    status s = STATUS_OK;
    trace_velocity_turn(p->velocity);
    for (int c = 0; s == STATUS_OK && c < TRACE_COMPONENTS; c++) {
        if (p->recipes[c]) {
            s = io_load_field(scene->comm, scene->source, p->recipes[c], step, p->store);
            if (s == STATUS_OK) {
                trace_velocity_set(p->velocity, c, p->store);
                app_missing_look(scene,
                                 c == TRACE_FIELD ? config->paint.field
                                                  : config->velocity[c - TRACE_U],
                                 p->recipes[c], step, p->store);
            }
        }
    }
    for (int n = 0; s == STATUS_OK && n < p->ntracers; n++) {
        s = trace_tracer_step(p->tracers[n], io_source_steps(scene->source)[step].time);
    }
    return s;
}

static float value_of(io_particle_paint what, const trace_line *line,
                      const trace_point *point, int64_t first_seed)
{
    return what == IO_PAINT_AGE    ? point->age
           : what == IO_PAINT_SEED ? (float)(first_seed + line->seed)
                                   : point->value;
}

/* Joins the lines of all tracers. */
static status join_lines(const io_particles_config *config, particles *p)
{
    int64_t points = 0, lines = 0;
    for (int n = 0; n < p->ntracers; n++) {
        points += trace_tracer_lines(p->tracers[n])->npoints;
        lines += trace_tracer_lines(p->tracers[n])->nlines;
    }
    clear_lines(p);
    p->points = malloc(((size_t)points + 1) * sizeof *p->points);
    p->values = malloc(((size_t)points + 1) * sizeof *p->values);
    p->trails = malloc(((size_t)lines + 1) * sizeof *p->trails);
    if (!p->points || !p->values || !p->trails) {
        return base_fail_memory((size_t)points * 16, "the lines of particles");
    }
    for (int n = 0; n < p->ntracers; n++) {
        const trace_lines *from = trace_tracer_lines(p->tracers[n]);
        const int64_t first_seed = count_seeds(p, n);
        for (int64_t l = 0; l < from->nlines; l++) {
            const trace_line *line = &from->lines[l];
            p->trails[p->ntrails++] = (render_trail){p->npoints, line->count};
            for (int64_t i = 0; i < line->count; i++) {
                const trace_point *point = &from->points[line->first + i];
                memcpy(p->points[p->npoints], point->x, sizeof point->x);
                p->values[p->npoints++] =
                    value_of(config->color_what, line, point, first_seed);
            }
        }
    }
    return STATUS_OK;
}

static status load(app_scene *scene, app_layer *layer, int step)
{
    const io_particles_config *config = layer->config->particles;
    particles *p = layer->state;
    status s = STATUS_OK;
    /* Particles pass through all steps, also those that are not drawn. */
    int first = config->mode == IO_PARTICLES_STREAM ? step : p->next;
    for (int n = first; s == STATUS_OK && n <= step; n++) {
        s = trace_step(scene, layer, n);
    }
    p->next = step + 1;
    return s == STATUS_OK ? parallel_agree(scene->comm, join_lines(config, p)) : s;
}

/* ---- Drawing ----------------------------------------------------------------------- */

static render_trails look_of(const app_scene *scene, const app_layer *layer)
{
    static const render_trails_kind kinds[] = {
        [IO_PARTICLES_SPHERES] = RENDER_TRAILS_SPHERES,
        [IO_PARTICLES_LINES] = RENDER_TRAILS_LINES,
        [IO_PARTICLES_TUBES] = RENDER_TRAILS_TUBES};
    const io_particles_config *config = layer->config->particles;
    const particles *p = layer->state;
    const double diagonal =
        vec3_length(vec3_sub(scene->layout->bounds.hi, scene->layout->bounds.lo));
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

static app_margin margin(const app_scene *scene, const app_layer *layer)
{
    const render_trails look = look_of(scene, layer);
    const bool is_thin = look.kind == RENDER_TRAILS_LINES;
    return (app_margin){.length = is_thin ? 0.0 : look.radius,
                        .pixels = is_thin ? (int)ceil(0.5 * look.width) + 1 : 0};
}

/* Draws paths with spheres: a sphere at each particle, and its trail as a thin tube. */
static status draw_heads(app_scene *scene, particles *p, const render_trails *look)
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
    status s = render_trails_draw(&heads, &scene->camera, scene->threads, &p->fragments);
    if (s == STATUS_OK) {
        s = render_trails_draw(&tails, &scene->camera, scene->threads, &more);
    }
    if (s == STATUS_OK) {
        s = render_fragments_add(&p->fragments, &more);
    }
    render_fragments_clear(&more);
    free(last);
    return s;
}

static status draw(app_scene *scene, app_layer *layer, render_counters *counters)
{
    (void)counters;
    particles *p = layer->state;
    const io_particles_config *config = layer->config->particles;
    const render_trails look = look_of(scene, layer);
    render_fragments_clear(&p->fragments);
    layer->drawn = NULL;
    const bool has_heads =
        config->mode == IO_PARTICLES_PATH && config->style == IO_PARTICLES_SPHERES;
    status s = has_heads ? draw_heads(scene, p, &look)
                         : render_trails_draw(&look, &scene->camera, scene->threads,
                                              &p->fragments);
    if (s == STATUS_OK) {
        layer->drawn = &p->fragments;
    }
    return s;
}

/* The memory of tracing for a brick. Each brick counts at the ranks whose owned boxes it
 * meets. */
static app_brick_cost brick_cost(const app_layer *layer, const grid_layout *layout,
                                 int64_t number)
{
    const bool is_steady = layer->config->particles->mode == IO_PARTICLES_STREAM;
    const bool has_field = layer->config->particles->color_what == IO_PAINT_FIELD;
    const int values = (is_steady ? 1 : 2) * (has_field ? 4 : 3);
    const app_brick_cost whole =
        app_brick_cost_march(layout, number, APP_VERTEX_BYTES + 4 * values, false);
    return (app_brick_cost){.owned_bytes = whole.bytes};
}

static const char *why_nothing(const app_layer *layer)
{
    (void)layer;
    return "its lines are too short or too thin to be seen, or lie out of view";
}

const layer_kind layer_particles = {.create = create,
                                    .destroy = destroy,
                                    .load = load,
                                    .brick_cost = brick_cost,
                                    .draw = draw,
                                    .margin = margin,
                                    .why_nothing = why_nothing};
