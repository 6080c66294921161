#include "share.h"

#include "base/parallel/parallel.h"
#include "grid/partition.h"
#include "kind.h"
#include "loads.h"
#include "memory.h"
#include "needs.h"

#include <stdlib.h>

/* By the config's partition.kind. */
static const share_kind *const kinds[] = {
    [IO_PARTITION_OBJECT] = &share_box_kind, [IO_PARTITION_SCREEN] = &share_screen_kind};

static status make(share_state *state)
{
    app_scene *scene = state->scene;
    status s = grid_partition_create(scene->layout, scene->ranks, &state->homes);
    if (s != STATUS_OK) {
        return s;
    }
    scene->part.home = grid_partition_box(state->homes, scene->rank);
    scene->part.draws = state->kind->draws;
    state->own = calloc(1, state->kind->size);
    return state->own ? state->kind->create(state)
                      : base_fail_memory(state->kind->size, "a share of the work");
}

status app_share_create(app_scene *scene, const app_layers *layers, app_picture *picture,
                        app_share **out)
{
    share_state *state = calloc(1, sizeof *state);
    status s = state ? STATUS_OK : base_fail_memory(sizeof *state, "a share of the work");
    if (s == STATUS_OK) {
        *state = (share_state){.kind = kinds[scene->config->partition.kind],
                               .scene = scene,
                               .layers = layers,
                               .picture = picture};
        s = make(state);
    }
    s = parallel_agree(scene->comm, s);
    if (s != STATUS_OK) {
        app_share_destroy(&state);
        return s;
    }
    *out = state;
    return STATUS_OK;
}

void app_share_destroy(app_share **share)
{
    share_state *state = *share;
    if (!state) {
        return;
    }
    if (state->own) {
        state->kind->destroy(state);
    }
    free(state->own);
    grid_partition_destroy(&state->homes);
    free(state);
    *share = NULL;
}

status app_share_divide(app_share *share)
{
    const app_scene *scene = share->scene;
    const bool weighs = share->kind->weighs(share);
    if (!weighs && scene->config->memory == 0) {
        return STATUS_OK;
    }
    share_needs needs = {0};
    status s = share_needs_create(share, &needs);
    if (s == STATUS_OK && weighs) {
        s = share->kind->divide(share, &needs);
    }
    s = parallel_agree(scene->comm, s);
    if (s == STATUS_OK && scene->config->memory > 0) {
        s = share_memory_check(share, &needs);
    }
    share_needs_clear(&needs);
    return s;
}

status app_share_correct(app_share *share, const app_share_took *took, int frames_left,
                         bool *moved)
{
    *moved = false;
    share->took = *took;
    status s = share->kind->correct(share, frames_left, moved);
    if (s == STATUS_OK && *moved) {
        share->scene->part.is_exchanging = share_loads_exchanges(share);
    }
    return s;
}

bool app_share_may_narrow(const app_share *share)
{
    return share->kind->may_narrow(share);
}

status app_share_put_together(app_share *share, status rendered,
                              const app_share_drawn *drawn, app_share_result *out)
{
    return share->kind->put_together(share, rendered, drawn, out);
}

status app_share_pieces(app_share *share, const app_share_drawn *drawn, io_png_share *out)
{
    return share->kind->pieces(share, drawn, out);
}

void app_share_rest(app_share *share)
{
    if (share->kind->rest) {
        share->kind->rest(share);
    }
}
