#include "plan.h"

#include "base/words.h"

#include <stdlib.h>
#include <string.h>

/* ---- Texts ------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* ---- Seeds ------------------------------------------------------------------------- */

int64_t frame_seeds_count(const io_seed_config *seeds)
{
    int64_t count = seeds->kind == IO_SEED_POINTS ? seeds->npoints : 1;
    for (int n = 0; n < seeds->ncounts && seeds->kind != IO_SEED_POINTS; n++) {
        count *= seeds->counts[n];
    }
    return count;
}

void frame_seeds_clear(io_seed_config *seeds)
{
    free(seeds->block);
    free(seeds->points);
    *seeds = (io_seed_config){0};
}

status frame_seeds_copy(const io_seed_config *seeds, io_seed_config *out)
{
    const size_t bytes = (size_t)seeds->npoints * sizeof *seeds->points;
    io_seed_config made = *seeds;
    made.points = malloc(bytes + 1);
    const bool works = base_words_copy(seeds->block, &made.block) && made.points;
    if (!works) {
        frame_seeds_clear(&made);
        *out = made;
        return base_fail_memory(bytes, "the seeds of particles");
    }
    memcpy(made.points, seeds->points, bytes);
    *out = made;
    return STATUS_OK;
}

bool frame_seeds_are_same(const io_seed_config *a, const io_seed_config *b)
{
    return a->kind == b->kind && same_text(a->block, b->block) &&
           a->npoints == b->npoints &&
           memcmp(a->points, b->points, (size_t)a->npoints * sizeof *a->points) == 0 &&
           memcmp(a->counts, b->counts, sizeof a->counts) == 0;
}

int64_t frame_plan_seeds(const io_particles_config *config, int upto)
{
    int64_t sum = 0;
    for (int n = 0; n < upto; n++) {
        sum += frame_seeds_count(&config->seeds[n]);
    }
    return sum;
}

/* ---- Plans ------------------------------------------------------------------------- */

const char *frame_plan_field(const io_particles_config *config)
{
    return config->color_what == IO_PAINT_FIELD ? config->paint.field : NULL;
}

void frame_plan_clear(frame_plan *plan)
{
    for (int n = 0; n < plan->config.nseeds; n++) {
        frame_seeds_clear(&plan->config.seeds[n]);
    }
    free(plan->config.seeds);
    for (int c = 0; c < 3; c++) {
        free(plan->config.velocity[c]);
    }
    free(plan->config.paint.field);
    grid_terms_clear(&plan->terms);
    *plan = (frame_plan){0};
}

/* Copies everything that is allocated. */
static bool copy_parts(const io_particles_config *from, io_particles_config *to)
{
    bool works = base_words_copy(frame_plan_field(from), &to->paint.field);
    for (int c = 0; c < 3; c++) {
        works = base_words_copy(from->velocity[c], &to->velocity[c]) && works;
    }
    to->seeds = calloc((size_t)from->nseeds + 1, sizeof *to->seeds);
    works = works && to->seeds;
    for (int n = 0; n < from->nseeds && works; n++) {
        works = frame_seeds_copy(&from->seeds[n], &to->seeds[n]) == STATUS_OK;
        to->nseeds += works;
    }
    return works;
}

status frame_plan_copy(const io_particles_config *config, grid_terms terms,
                       frame_plan *out)
{
    frame_plan made = {.terms = terms,
                       .config = {.mode = config->mode,
                                  .every = config->every,
                                  .trail = config->trail,
                                  .direction = config->direction,
                                  .length = config->length,
                                  .max_steps = config->max_steps,
                                  .tolerance = config->tolerance}};
    if (frame_plan_field(config)) {
        made.config.color_what = IO_PAINT_FIELD;
    }
    const bool works =
        grid_terms_copy(&terms, &made.terms) && copy_parts(config, &made.config);
    if (!works) {
        frame_plan_clear(&made);
    }
    *out = made;
    return works ? STATUS_OK : base_fail_memory(sizeof made, "the seeds of particles");
}

static bool same_flow(const io_particles_config *a, const io_particles_config *b)
{
    bool same = same_text(frame_plan_field(a), frame_plan_field(b));
    for (int c = 0; c < 3; c++) {
        same = same && same_text(a->velocity[c], b->velocity[c]);
    }
    return same;
}

bool frame_plan_is_same(const frame_plan *plan, const io_particles_config *config,
                        grid_terms terms)
{
    const io_particles_config *mine = &plan->config;
    bool same = same_flow(mine, config) && grid_terms_are_same(&plan->terms, &terms) &&
                mine->mode == config->mode && mine->every == config->every &&
                mine->trail == config->trail && mine->tolerance == config->tolerance &&
                mine->nseeds == config->nseeds;
    for (int n = 0; n < mine->nseeds && same; n++) {
        same = frame_seeds_are_same(&mine->seeds[n], &config->seeds[n]);
    }
    return same;
}

bool frame_plan_has_flow(const frame_plan *plan, const frame_plan *other)
{
    return same_flow(&plan->config, &other->config) &&
           grid_terms_are_same(&plan->terms, &other->terms);
}
