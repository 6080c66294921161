#include "live_particles.h"

#include "base/parallel/parallel.h"
#include "frame/job.h"
#include "frame/particles/plan.h"
#include "io/load/load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

particles_test t;

void expect(bool works, const char *what)
{
    if (!works) {
        t.failures++;
        printf("rank %d of %d: %s (%s)\n", t.rank, t.ranks, what, base_fail_message());
    }
}

/* ---- The particles of the file ----------------------------------------------------- */

void open_filed(const io_particles_config *config, grid_terms terms, filed *f)
{
    const io_data_config file = {
        .file = (char *)(uintptr_t)t.data, .all_steps = true, .terms = terms};
    frame_flow_recipes recipes = {0};
    int failed;
    expect(io_source_open(MPI_COMM_WORLD, &file, &f->source) == STATUS_OK, "the file");
    expect(io_load_layout(MPI_COMM_WORLD, f->source, &f->layout) == STATUS_OK, "layout");
    int64_t *bricks = calloc((size_t)f->layout->nbricks + 1, sizeof *bricks), count = 0;
    for (int64_t n = 0; n < f->layout->nbricks; n++) {
        if (n % t.ranks == t.rank && f->layout->bricks[n].cells > 0) {
            bricks[count++] = n;
        }
    }
    for (int c = 0; c < TRACE_COMPONENTS; c++) {
        const char *name =
            c == TRACE_FIELD ? frame_plan_field(config) : config->velocity[c];
        if (name) {
            expect(grid_recipe_create(name, io_source_field_count(f->source),
                                      io_source_fields(f->source), terms,
                                      &recipes.of[c]) == STATUS_OK,
                   name);
            grid_recipe_move_to_vertices(recipes.of[c]);
        }
    }
    const io_load_list list = {f->layout, count, bricks, GRID_VERTEX};
    expect(frame_flow_create(MPI_COMM_WORLD, f->source, &list, APP_FLOW_PAIRS, &recipes,
                             &f->flow) == STATUS_OK,
           "a flow");
    expect(frame_swarm_create(config, (frame_swarm_limits){0}, &f->swarm) == STATUS_OK &&
               frame_swarm_wake(f->swarm, MPI_COMM_WORLD, f->flow, false, &failed) ==
                   STATUS_OK,
           "a swarm");
    free(bricks);
}

void step_filed(filed *f, int step)
{
    expect(frame_flow_load(f->flow, f->source, step, NULL, NULL) == STATUS_OK &&
               frame_swarm_step(f->swarm, io_source_steps(f->source)[step].time) ==
                   STATUS_OK,
           "a step of the file");
}

void close_filed(filed *f)
{
    frame_swarm_destroy(&f->swarm);
    frame_flow_destroy(&f->flow);
    grid_layout_destroy(&f->layout);
    io_source_close(&f->source);
}

/* ---- The particles of a session ---------------------------------------------------- */

karman_session *open_session(const char *name, const char *layers, int every)
{
    char config[4096];
    karman_session *session = NULL;
    const karman_options options = {.resume = true, .threads = 1};
    snprintf(config, sizeof config,
             "image: {width: 48, height: 36}\n"
             "camera: {position: [9, -9, 7], look_at: [3, 0, 2], fov: 60}\n"
             "layers: [%s]\nin_situ: {run: '%s/%s-%d', every: %d}\n",
             layers, t.folder, name, t.ranks, every);
    expect(karman_open_text(MPI_COMM_WORLD, config, &options, &session) == KARMAN_DONE,
           "opening");
    return session;
}

const io_config *config_of(const karman_session *session)
{
    const insitu_picture *picture = &session->pictures[0];
    return picture->config ? picture->config : frame_job_config(picture->job);
}

const io_particles_config *layer_of(const karman_session *session, int layer)
{
    return config_of(session)->layers[layer].particles;
}

frame_swarm *swarm_of(const karman_session *session, int layer)
{
    frame_swarm *swarm = NULL;
    expect(frame_particles_find(session->particles, layer_of(session, layer),
                                config_of(session)->data.terms, &swarm) == STATUS_OK,
           "the particles of a layer");
    return swarm;
}

void play(player *p, karman_session *session, int step)
{
    player_play(p, session, step);
    expect(karman_render(session, player_cycle(p, step), player_time(p, step)) ==
               KARMAN_DONE,
           "rendering");
}

bool same_lines(frame_swarm *a, frame_swarm *b, bool bits)
{
    int64_t first;
    bool same = frame_swarm_lists(a) == frame_swarm_lists(b) &&
                frame_swarm_collect(a) == STATUS_OK &&
                frame_swarm_collect(b) == STATUS_OK;
    for (int n = 0; same && n < frame_swarm_lists(a); n++) {
        const trace_lines *one = frame_swarm_lines(a, n, &first);
        const trace_lines *two = frame_swarm_lines(b, n, &first);
        same = one->nlines == two->nlines && one->npoints == two->npoints &&
               one->npoints > 0;
        for (int64_t i = 0; same && i < one->npoints; i++) {
            const float *x = &one->points[i].x[0], *y = &two->points[i].x[0];
            for (int c = 0; c < 5; c++) { /* x, y, z, age, value */
                same = same && (bits ? x[c] == y[c] : fabsf(x[c] - y[c]) <= 1e-5f);
            }
        }
        for (int64_t l = 0; same && l < one->nlines; l++) {
            same = one->lines[l].seed == two->lines[l].seed &&
                   one->lines[l].count == two->lines[l].count &&
                   one->lines[l].ended == two->lines[l].ended;
        }
    }
    return same;
}

status change_picture(karman_session *session, const char *key, const char *value)
{
    char change[4096];
    snprintf(change, sizeof change, "%s=%s", key, value);
    return insitu_change_picture(session, 0, change);
}
