#include "flow.h"

#include "base/parallel/parallel.h"
#include "io/view.h"

#include <stdlib.h>

struct frame_flow {
    MPI_Comm comm; /* borrowed */
    frame_flow_kind kind;
    frame_flow_recipes recipes;
    grid_store *store; /* its scalar is the component loaded last */
    trace_velocity *velocity;
    bool is_loaded; /* there is a present flow */
};

void frame_flow_recipes_clear(frame_flow_recipes *recipes)
{
    for (int c = 0; c < TRACE_COMPONENTS; c++) {
        grid_recipe_destroy(&recipes->of[c]);
    }
}

void frame_flow_destroy(frame_flow **flow)
{
    frame_flow *f = *flow;
    if (f) {
        trace_velocity_destroy(&f->velocity);
        grid_store_destroy(&f->store);
        frame_flow_recipes_clear(&f->recipes);
        free(f);
        *flow = NULL;
    }
}

status frame_flow_create(MPI_Comm comm, io_source *source, const io_load_list *list,
                         frame_flow_kind kind, frame_flow_recipes *recipes,
                         frame_flow **out)
{
    frame_flow *made = calloc(1, sizeof *made);
    status s = made ? STATUS_OK : base_fail_memory(sizeof *made, "particles");
    if (made) {
        *made = (frame_flow){.comm = comm, .kind = kind, .recipes = *recipes};
        *recipes = (frame_flow_recipes){0};
    } else {
        frame_flow_recipes_clear(recipes);
    }
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = io_load_bricks(comm, source, list, &made->store);
    }
    if (s == STATUS_OK) {
        const bool has_field = made->recipes.of[TRACE_FIELD] != NULL;
        s = parallel_agree(comm,
                           trace_velocity_create(made->store, kind == APP_FLOW_PAIRS,
                                                 has_field, &made->velocity));
    }
    if (s != STATUS_OK) {
        frame_flow_destroy(&made);
        return s;
    }
    *out = made;
    return STATUS_OK;
}

/* Makes the present flow the previous one. */
static status turn(frame_flow *flow)
{
    status s = STATUS_OK;
    if (flow->kind == APP_FLOW_LIVE) {
        frame_flow_rest(flow); /* a failure may have left the one before */
        s = flow->is_loaded ? trace_velocity_begin(flow->velocity) : STATUS_OK;
        return parallel_agree(flow->comm, s);
    }
    trace_velocity_turn(flow->velocity);
    return STATUS_OK;
}

/* io_load_take: recipes are in the order of components. */
static void take_values(void *context, const io_load_part *part)
{
    const frame_flow *flow = context;
    trace_components values = {.first = part->first,
                               .count = part->count,
                               .row = part->row,
                               .plane = part->plane};
    for (int r = 0; r < part->count; r++) {
        values.of[r] = part->values[r];
    }
    trace_velocity_put(flow->velocity, part->brick, &values);
}

/* Loads all components in one sweep: those of the velocity, and the field if there is
 * one. Collective. */
static status load_together(frame_flow *flow, io_source *source, int step)
{
    const grid_recipe *recipes[TRACE_COMPONENTS];
    io_load_set set = {.recipes = recipes, .take = take_values, .context = flow};
    for (int c = 0; c < TRACE_COMPONENTS && flow->recipes.of[c]; c++) {
        recipes[set.count++] = flow->recipes.of[c];
    }
    return io_load_values(flow->comm, source, &set, step, flow->store);
}

/* Loads one component after the other, and shows them. Collective. */
static status load_each(frame_flow *flow, io_source *source, int step,
                        frame_flow_look *look, void *context)
{
    status s = STATUS_OK;
    for (int c = 0; s == STATUS_OK && c < TRACE_COMPONENTS; c++) {
        const grid_recipe *recipe = flow->recipes.of[c];
        if (!recipe) {
            continue;
        }
        s = io_load_field(flow->comm, source, recipe, step, flow->store);
        if (s == STATUS_OK) {
            trace_velocity_set(flow->velocity, c, flow->store);
            look(context, c, recipe, step, flow->store);
        }
    }
    return s;
}

status frame_flow_load(frame_flow *flow, io_source *source, int step,
                       frame_flow_look *look, void *context)
{
    status s = turn(flow);
    if (s == STATUS_OK) {
        s = look ? load_each(flow, source, step, look, context)
                 : load_together(flow, source, step);
    }
    if (s == STATUS_OK) {
        trace_velocity_view(flow->velocity, io_source_views(source));
    }
    flow->is_loaded = s == STATUS_OK;
    return s;
}

void frame_flow_rest(frame_flow *flow)
{
    if (flow->kind == APP_FLOW_LIVE) {
        trace_velocity_end(flow->velocity);
    }
}

const trace_velocity *frame_flow_velocity(const frame_flow *flow)
{
    return flow->velocity;
}

void frame_flow_bytes(const frame_flow *flow, int64_t *values, int64_t *grid)
{
    *values = trace_velocity_bytes(flow->velocity);
    *grid = grid_store_bytes(flow->store);
}
