/* What the layers of pictures ask for, and the swarms that they get. */
#include "particles.h"
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Wishes ------------------------------------------------------------------------ */

bool frame_particles_belong(const io_particles_config *config)
{
    return config->mode != IO_PARTICLES_STREAM;
}

bool frame_particles_are_asked(const frame_particles *particles)
{
    return particles->nwishes > 0;
}

const io_data_config *frame_particles_data(const frame_particles *particles)
{
    return &particles->data;
}

static bool is_of(const particles_wish *wish, const char *picture)
{
    const size_t length = strlen(picture);
    return strncmp(wish->owner, picture, length) == 0 && wish->owner[length] == '/';
}

void particles_wishes_clear(frame_particles *p, const char *picture)
{
    int kept = 0;
    for (int n = 0; n < p->nwishes; n++) {
        if (!picture || is_of(&p->wishes[n], picture)) {
            frame_plan_clear(&p->wishes[n].plan);
        } else {
            p->wishes[kept++] = p->wishes[n];
        }
    }
    p->nwishes = kept;
}

/* Adds the layers' wishes to a list with room for them. */
static status list_wishes(const io_config *config, const char *picture, int *count,
                          particles_wish *list)
{
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < config->nlayers; n++) {
        const io_particles_config *asked = config->layers[n].particles;
        if (config->layers[n].kind != IO_LAYER_PARTICLES ||
            !frame_particles_belong(asked)) {
            continue;
        }
        particles_wish *wish = &list[*count];
        snprintf(wish->owner, sizeof wish->owner, "%s/%d", picture, n);
        s = frame_plan_copy(asked, config->data.terms, &wish->plan);
        *count += s == STATUS_OK;
    }
    return s;
}

static void free_priority(io_data_config *data)
{
    for (int n = 0; n < data->npriority; n++) {
        free(data->priority[n]);
    }
    free(data->priority);
    *data = (io_data_config){0};
}

/* Copies the priorities of blocks and the values that mean "missing". */
static status copy_data(const io_data_config *from, io_data_config *to)
{
    io_data_config made = {.nfills = from->nfills};
    memcpy(made.fills, from->fills, sizeof made.fills);
    made.priority = calloc((size_t)from->npriority + 1, sizeof *made.priority);
    bool works = made.priority != NULL;
    for (int n = 0; n < from->npriority && works; n++) {
        works = (made.priority[n] = strdup(from->priority[n])) != NULL;
        made.npriority += works;
    }
    if (!works) {
        free_priority(&made);
        return base_fail_memory((size_t)from->npriority, "the blocks of particles");
    }
    *to = made;
    return STATUS_OK;
}

status frame_particles_ask(frame_particles *particles, const char *picture,
                           const io_config *config)
{
    frame_particles *p = particles;
    const size_t most = (size_t)(p->nwishes + config->nlayers) + 1;
    particles_wish *list = calloc(most, sizeof *list);
    io_data_config data = {0};
    int count = 0;
    status s = list ? list_wishes(config, picture, &count, list)
                    : base_fail_memory(most * sizeof *list, "particles");
    if (s == STATUS_OK) {
        s = copy_data(&config->data, &data);
    }
    if (s != STATUS_OK) {
        for (int n = 0; n < count; n++) {
            frame_plan_clear(&list[n].plan);
        }
        free(list);
        p->has_no_wishes = true;
        return s;
    }
    particles_wishes_clear(p, picture);
    for (int n = 0; n < p->nwishes; n++) {
        list[count++] = p->wishes[n];
    }
    free(p->wishes);
    p->wishes = list;
    p->nwishes = count;
    free_priority(&p->data);
    p->data = data;
    p->is_changed = true;
    return STATUS_OK;
}

/* ---- Swarms ------------------------------------------------------------------------ */

frame_swarm_limits particles_limits(void)
{
    return (frame_swarm_limits){
        .trail = 1000000, .particles = 10 * 1000 * 1000, .points = 4 * 1000 * 1000};
}

void particles_live_clear(particles_live *live)
{
    frame_plan_clear(&live->plan);
    frame_swarm_destroy(&live->swarm);
    free(live->owners);
    free(live->message);
    *live = (particles_live){.flow = -1};
}

static bool is_owner(const particles_live *live, const char *owner)
{
    for (int n = 0; n < live->nowners; n++) {
        if (strcmp(live->owners[n], owner) == 0) {
            return true;
        }
    }
    return false;
}

/* The index of the swarm of a plan, or -1. */
static int find_same(const frame_particles *p, const frame_plan *plan)
{
    for (int n = 0; n < p->nlives; n++) {
        if (frame_plan_is_same(&p->lives[n].plan, &plan->config, plan->terms)) {
            return n;
        }
    }
    return -1;
}

/* The index of the swarm that an owner has shown so far, or -1. */
static int find_owned(const frame_particles *p, const particles_wish *wish)
{
    for (int n = 0; n < p->nlives; n++) {
        const particles_live *live = &p->lives[n];
        if (is_owner(live, wish->owner) &&
            live->plan.config.mode == wish->plan.config.mode) {
            return n;
        }
    }
    return -1;
}

static status add_live(frame_particles *p, int *index)
{
    const size_t bytes = ((size_t)p->nlives + 1) * sizeof *p->lives;
    particles_live *lives = realloc(p->lives, bytes);
    if (!lives) {
        return base_fail_memory(bytes, "particles");
    }
    p->lives = lives;
    lives[p->nlives] = (particles_live){.flow = -1};
    *index = p->nlives++;
    return STATUS_OK;
}

static void put_to_sleep(frame_particles *p, particles_live *live)
{
    if (live->flow >= 0) {
        p->is_broken |= frame_swarm_sleep(live->swarm) != STATUS_OK;
        live->flow = -1;
    }
}

/* Gives a swarm another plan; it sleeps afterwards. */
static status change_live(frame_particles *p, particles_live *live,
                          const frame_plan *plan)
{
    frame_plan copy;
    status s = frame_plan_copy(&plan->config, plan->terms, &copy);
    if (s != STATUS_OK) {
        return s;
    }
    put_to_sleep(p, live);
    frame_plan_clear(&live->plan);
    live->plan = copy;
    live->wait = 0; /* the new plan may have removed the cause of a failure */
    return live->swarm
               ? frame_swarm_change(live->swarm, &live->plan.config, particles_limits())
               : STATUS_OK;
}

/* Copies a swarm, so that two layers which have shared it can part. */
static status split_live(frame_particles *p, int from, int *index)
{
    status s = add_live(p, index);
    if (s != STATUS_OK) {
        return s;
    }
    particles_live *old = &p->lives[from], *copy = &p->lives[*index];
    put_to_sleep(p, old);
    copy->seeks = old->seeks;
    s = frame_plan_copy(&old->plan.config, old->plan.terms, &copy->plan);
    return s == STATUS_OK && old->swarm ? frame_swarm_copy(old->swarm, &copy->swarm) : s;
}

/* Finds or makes the swarm of a wish. */
static status settle(frame_particles *p, const particles_wish *wish)
{
    status s = STATUS_OK;
    int index = find_same(p, &wish->plan);
    if (index < 0) {
        index = find_owned(p, wish);
        if (index >= 0 && p->lives[index].is_wanted) {
            s = split_live(p, index, &index);
        } else if (index < 0) {
            s = add_live(p, &index);
        }
        s = s == STATUS_OK ? change_live(p, &p->lives[index], &wish->plan) : s;
    }
    if (s == STATUS_OK) {
        p->lives[index].is_wanted = true;
    }
    return s;
}

/* Frees the swarms that nobody wants, and writes down the owners of the others. */
static status name_owners(frame_particles *p)
{
    int kept = 0;
    status s = STATUS_OK;
    for (int n = 0; n < p->nlives; n++) {
        if (p->lives[n].is_wanted) {
            p->lives[kept++] = p->lives[n];
        } else {
            particles_live_clear(&p->lives[n]);
        }
    }
    p->nlives = kept;
    for (int n = 0; n < kept && s == STATUS_OK; n++) {
        particles_live *live = &p->lives[n];
        const size_t bytes = ((size_t)p->nwishes + 1) * sizeof *live->owners;
        free(live->owners);
        live->nowners = 0;
        live->owners = malloc(bytes);
        s = live->owners ? STATUS_OK : base_fail_memory(bytes, "particles");
        for (int w = 0; w < p->nwishes && s == STATUS_OK; w++) {
            if (find_same(p, &p->wishes[w].plan) == n) {
                memcpy(live->owners[live->nowners++], p->wishes[w].owner, OWNER_SIZE);
            }
        }
    }
    return s;
}

status particles_reconcile(frame_particles *p)
{
    status s = STATUS_OK;
    for (int n = 0; n < p->nlives; n++) {
        p->lives[n].is_wanted = false;
    }
    /* Swarms that stay as they are come first: others may part from them. */
    for (int n = 0; n < p->nwishes; n++) {
        const int index = find_same(p, &p->wishes[n].plan);
        if (index >= 0) {
            p->lives[index].is_wanted = true;
        }
    }
    for (int n = 0; n < p->nwishes && s == STATUS_OK; n++) {
        s = settle(p, &p->wishes[n]);
    }
    if (s == STATUS_OK) {
        s = name_owners(p);
    }
    p->is_changed = s != STATUS_OK;
    return s;
}
