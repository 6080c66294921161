/*
 * One frame: a state machine with the states of state.h, and a step for each of them.
 *
 * Steps that can fail come first: parameters, the plan of this rank, and memory for its
 * messages. Then the ranks agree to begin, and draw. From then on no rank leaves the
 * schedule early. A rank that fails to draw, or gets a broken message, notes that, and
 * all learn of it at the end.
 */
#include "executor.h"

#include "base/hash.h"
#include "composite/late_positions.h"

#include <stdlib.h>
#include <string.h>

/* The position of a rank; -1 unless order names it exactly once. */
static int find_position(const composite_executor *executor, const int *order, int rank)
{
    int position = -1;
    int found = 0;
    for (int i = 0; i < executor->size; i++) {
        if (order[i] < 0 || order[i] >= executor->size) {
            return -1;
        }
        if (order[i] == rank) {
            position = i;
            found++;
        }
    }
    return found == 1 ? position : -1;
}

/* ---- Preparing --------------------------------------------------------------------- */

/* Bytes of a finished pixel on its way to rank 0 over a network. 0 within one node, where
 * rank 0 has no link that all the others share. */
static int gather_bytes(const composite_run *run)
{
    const composite_request *request = run->request;
    if (composite_is_one_node(run->executor) || request->target == COMPOSITE_PIECES) {
        return 0;
    }
    return request->target == COMPOSITE_BYTES ? request->format.bytes_per_pixel
                                              : COMPOSITE_PIXEL_BYTES;
}

/* Whether this rank's image stays as it was drawn, and others read it in place. */
static bool leaves_image(const composite_run *run)
{
    const composite_request *request = run->request;
    return run->reach != COMPOSITE_REACH_OWN &&
           composite_executor_leaves_image(run->executor, request);
}

/* Most pixels of a message. */
static int find_segment(const composite_run *run, const composite_plan_key *key)
{
    const int most = run->executor->segment;
    const int usual = composite_rules_segment(key->algorithm, &key->problem);
    return run->request->segment ? run->request->segment : usual < most ? usual : most;
}

/* The plan's key of a request that is right; nodes: NULL, or ranks of a node merge first;
 * late: NULL, or direct-send goes around these positions. */
static composite_plan_key make_key(const composite_run *run, int position,
                                   const composite_nodes *nodes, const bool *late)
{
    const composite_executor *executor = run->executor;
    const composite_request *request = run->request;
    const int64_t pixels = image_pixel_count(run->img);
    composite_plan_key key = {
        .algorithm = late ? &composite_around_late
                          : composite_teams_algorithm(
                                executor, request, nodes ? nodes->count : executor->size),
        .problem = {.size = executor->size,
                    .pixels = pixels,
                    .op = request->op,
                    .root = run->root,
                    .gather_bytes = gather_bytes(run),
                    .nodes = nodes,
                    .late = late},
        .params = request->params,
        .position = position};
    key.segment = find_segment(run, &key);
    if (executor->cutting.pixels == pixels) {
        key.problem.cuts =
            executor->cutting.cuts; /* most frames have the cuts of the last one */
    }
    return key;
}

/* Makes the plan's key of a request with a right order. Local. Errors: STATUS_USAGE for
 * parameters that are impossible; STATUS_MEMORY. */
static status find_key(composite_run *run, int position, composite_plan_key *key)
{
    const composite_nodes *nodes;
    const bool *late = composite_late_ranks_to_avoid(run, gather_bytes(run));
    const status s = composite_teams_find(run->executor, run->request, late, &nodes);
    if (s != STATUS_OK) {
        return s;
    }
    *key = make_key(run, position, nodes, late);
    return composite_schedule_check_params(key->algorithm, &key->problem, &key->params);
}

/* Checks the request, as far as this rank can by itself, and makes the plan's key. */
static status check_request(composite_run *run, composite_plan_key *key)
{
    composite_executor *executor = run->executor;
    const composite_request *request = run->request;
    if (!run->img) {
        return base_fail(STATUS_INTERNAL, "there is no image to composite on rank %d",
                         executor->rank);
    }
    if (request->op == COMPOSITE_NEAREST && !run->img->depth) {
        return base_fail(STATUS_INTERNAL,
                         "compositing by the nearest depth needs images with depth");
    }
    if (request->target == COMPOSITE_BYTES &&
        (request->format.bytes_per_pixel < 1 ||
         request->format.bytes_per_pixel > COMPOSITE_MOST_BYTES)) {
        return base_fail(STATUS_INTERNAL, "a pixel cannot have %d bytes, only 1 to %d",
                         request->format.bytes_per_pixel, COMPOSITE_MOST_BYTES);
    }
    const int position = find_position(executor, request->order, executor->rank);
    run->root = find_position(executor, request->order, 0);
    if (position < 0 || run->root < 0) {
        return base_fail(STATUS_INTERNAL,
                         "the visibility order must name each of the %d ranks once, but "
                         "does not do so for rank %d",
                         executor->size, position < 0 ? executor->rank : 0);
    }
    const status s = find_key(run, position, key);
    return s == STATUS_USAGE && composite_choose_without(run)
               ? find_key(run, position, key)
               : s;
}

/* Reserves the picture of bytes on rank 0, unless that is in shared memory. */
static status reserve_picture(composite_run *run)
{
    composite_executor *executor = run->executor;
    const int64_t bytes =
        image_pixel_count(run->img) * run->request->format.bytes_per_pixel;
    if (run->request->target != COMPOSITE_BYTES || executor->rank != 0 ||
        run->reach != COMPOSITE_REACH_OWN || bytes <= executor->picture_capacity) {
        return STATUS_OK;
    }
    /* Allocated anew, as its contents are not needed. */
    free(executor->picture);
    executor->picture = NULL;
    executor->picture_capacity = 0;
    return composite_memory_grow(&executor->memory, &executor->picture,
                                 &executor->picture_capacity, bytes, 1, "a picture");
}

static status reserve_pieces(composite_executor *executor)
{
    return composite_memory_grow(&executor->memory, &executor->pieces,
                                 &executor->pieces_capacity, executor->plan.pieces->count,
                                 sizeof *executor->pieces, "compositing");
}

/* Reserves all memory, before the first pixel moves; the schedule is planned already. */
static status reserve(composite_run *run)
{
    status s = composite_gather_plan(run);
    s = s == STATUS_OK ? composite_messages_reserve(run) : s;
    s = s == STATUS_OK ? reserve_pieces(run->executor) : s;
    return s == STATUS_OK ? reserve_picture(run) : s;
}

/* Plans the schedule. Local. */
static status plan(composite_run *run)
{
    composite_plan_key key;
    status s = check_request(run, &key);
    return s == STATUS_OK ? composite_plan_make(&run->executor->plan, &key) : s;
}

/* Plans, and reserves memory. If rank 0 must first hear about the pieces to gather, the
 * memory is reserved later. Local. */
static status make_ready(composite_run *run)
{
    status s = plan(run);
    return s == STATUS_OK && !composite_gather_is_new(run) ? reserve(run) : s;
}

/* ---- Comparing --------------------------------------------------------------------- */

static int64_t hash_request(const composite_run *run)
{
    const composite_executor *executor = run->executor;
    const composite_request *request = run->request;
    const char *name = executor->plan.key.algorithm->name;
    uint64_t hash = BASE_HASH_START;
    hash = base_hash_words(hash, name, strlen(name));
    hash = base_hash_words(hash, &request->params, sizeof request->params);
    hash = base_hash_words(hash, &request->by_nodes, sizeof request->by_nodes);
    hash = base_hash_words(hash, &request->encoding, sizeof request->encoding);
    hash = base_hash_words(hash, &request->op, sizeof request->op);
    hash = base_hash_words(hash, &request->target, sizeof request->target);
    hash = base_hash_words(hash, &request->format.bytes_per_pixel,
                           sizeof request->format.bytes_per_pixel);
    hash = base_hash_words(hash, &executor->plan.key.segment,
                           sizeof executor->plan.key.segment);
    hash =
        base_hash_words(hash, &executor->plan.key.problem.cuts, sizeof(composite_cuts));
    hash = base_hash_words(hash, request->order,
                           (size_t)executor->size * sizeof *request->order);
    if (executor->plan.key.problem.late) {
        hash = base_hash_words(hash, executor->late.positions, (size_t)executor->size);
    }
    return (int64_t)(hash >> 1);
}

static composite_inputs exchange_inputs(composite_run *run)
{
    const bool fails = run->outcome != STATUS_OK;
    composite_record mine = {.values = {[COMPOSITE_INPUT_FAILS] = fails},
                             .bounds = run->bounds};
    if (!fails) {
        mine.values[COMPOSITE_INPUT_WIDTH] = run->img->width;
        mine.values[COMPOSITE_INPUT_HEIGHT] = run->img->height;
        mine.values[COMPOSITE_INPUT_DEPTH] = run->img->depth != NULL;
        mine.values[COMPOSITE_INPUT_REQUEST] = hash_request(run);
        mine.values[COMPOSITE_INPUT_SHARED] = run->reach;
        mine.values[COMPOSITE_INPUT_DRAWING] = run->executor->late.drawing;
        mine.values[COMPOSITE_INPUT_MERGING] = run->executor->late.merging;
    }
    return composite_inputs_exchange(run, &mine);
}

/* Checks that all ranks make the same request; else their schedules would wait for each
 * other forever. The same result on all ranks. */
static status check_inputs(const composite_inputs *all)
{
    static const char *const names[] = {"width", "height", "having depth"};
    for (int i = COMPOSITE_INPUT_WIDTH; i <= COMPOSITE_INPUT_DEPTH; i++) {
        if (all->least[i] != all->greatest[i]) {
            return base_fail(
                STATUS_INTERNAL,
                "the images of the ranks cannot be composited: they differ in %s (%lld "
                "and %lld)",
                names[i], (long long)all->least[i], (long long)all->greatest[i]);
        }
    }
    if (all->least[COMPOSITE_INPUT_REQUEST] != all->greatest[COMPOSITE_INPUT_REQUEST]) {
        return base_fail(
            STATUS_INTERNAL,
            "the ranks do not ask for the same compositing: algorithm, parameters, "
            "merging by nodes, encoding, operator, target, visibility order and cuts "
            "must be the same on all");
    }
    return STATUS_OK;
}

/* Cuts the picture by the bounds of all images, and finds the rule for it. Returns
 * whether the plan has other cuts or another rule. The same on all ranks. */
static bool cut(composite_run *run)
{
    composite_executor *executor = run->executor;
    composite_cutting *cutting = &executor->cutting;
    const int64_t pixels = image_pixel_count(run->img);
    const composite_cuts *planned = &executor->plan.key.problem.cuts;
    int64_t shown[COMPOSITE_BANDS] = {0};
    for (int rank = 0; rank < executor->size; rank++) {
        composite_cuts_add(shown, run->img->width, run->img->height,
                           executor->records[rank].bounds);
    }
    if (cutting->pixels != pixels || memcmp(cutting->shown, shown, sizeof shown) != 0) {
        cutting->cuts = composite_cuts_find(shown, pixels, executor->size);
        cutting->pixels = pixels;
        memcpy(cutting->shown, shown, sizeof shown);
    }
    const bool has_other_rule = composite_choose(run);
    return has_other_rule || memcmp(&cutting->cuts, planned, sizeof *planned) != 0;
}

/* ---- Steps: each does the work of a state and returns the next state ----------------
 */

/* Gives the frame up on all ranks. */
static composite_state give_up(composite_run *run)
{
    run->executor->cutting.pixels = 0; /* all ranks begin anew next time */
    return COMPOSITE_RESTING;
}

/* All is planned and reserved: the caller may draw. */
static composite_state let_draw(composite_run *run)
{
    composite_messages_find_empty(run);
    composite_ahead_plan(run);
    composite_messages_post(run);
    composite_late_ranks_begin_drawing(run->executor);
    return COMPOSITE_DRAWING;
}

/* The state after planning, which succeeded or failed on all ranks. */
static composite_state go_on(composite_run *run)
{
    if (run->outcome != STATUS_OK) {
        return give_up(run);
    }
    return composite_gather_is_new(run) ? COMPOSITE_LISTING : let_draw(run);
}

static composite_state step_prepare(composite_run *run)
{
    const composite_executor *executor = run->executor;
    if (composite_node_sync_has_page(executor)) {
        composite_node_sync_open(executor);
    }
    if (run->outcome != STATUS_OK) {
        return COMPOSITE_COMPARING;
    }
    /* Assumes that the other ranks have the same reach and cuts; else it plans again. */
    const bool is_own = run->img && run->img == executor->own;
    run->reach = is_own ? executor->reach : COMPOSITE_REACH_OWN;
    composite_choose(run);
    run->outcome = make_ready(run);
    return COMPOSITE_COMPARING;
}

static composite_state step_compare(composite_run *run)
{
    const composite_inputs all = exchange_inputs(run);
    if (all.greatest[COMPOSITE_INPUT_FAILS]) {
        run->outcome = composite_agree(run->executor, run->outcome);
        return give_up(run);
    }
    run->outcome = check_inputs(&all);
    if (run->outcome != STATUS_OK) {
        return give_up(run);
    }
    const bool is_cut_anew = cut(run);
    composite_late_ranks_find(run->executor);
    if (all.least[COMPOSITE_INPUT_SHARED] != all.greatest[COMPOSITE_INPUT_SHARED]) {
        run->reach = COMPOSITE_REACH_OWN;
        return COMPOSITE_REPLANNING;
    }
    return is_cut_anew ? COMPOSITE_REPLANNING : go_on(run);
}

static composite_state step_replan(composite_run *run)
{
    run->outcome = composite_agree(run->executor, make_ready(run));
    return go_on(run);
}

static composite_state step_list(composite_run *run)
{
    run->outcome = composite_gather_exchange(run);
    if (run->outcome == STATUS_OK) {
        run->outcome = composite_agree(run->executor, reserve(run));
    }
    return run->outcome == STATUS_OK ? let_draw(run) : give_up(run);
}

/* The caller has drawn. */
static composite_state step_draw(composite_run *run)
{
    composite_node_sync_drawn(run);
    return COMPOSITE_MERGING;
}

static composite_state step_merge(composite_run *run)
{
    composite_rounds_merge(run);
    return COMPOSITE_DRAINING;
}

static composite_state step_drain(composite_run *run)
{
    composite_node_sync_wait_sends(run);
    composite_node_sync_sent(run);
    return COMPOSITE_DELIVERING;
}

static composite_state step_deliver(composite_run *run)
{
    composite_rounds_deliver(run);
    composite_node_sync_finished(run);
    return COMPOSITE_LINGERING;
}

/* Whether a rank may have failed since they agreed to begin; the same on all ranks. */
static bool may_have_failed(composite_run *run)
{
    const bool has_messages = run->reach != COMPOSITE_REACH_ALL;
    return has_messages || composite_node_sync_wait_drawn(run);
}

static composite_state step_linger(composite_run *run)
{
    composite_executor *executor = run->executor;
    if (run->reach != COMPOSITE_REACH_OWN) {
        composite_node_sync_wait_readers(run);
        if (executor->rank == 0 && run->request->target != COMPOSITE_PIECES) {
            composite_node_sync_wait_picture(run);
        }
    }
    if (run->is_broken && run->outcome == STATUS_OK) {
        run->outcome = base_fail(
            STATUS_INTERNAL,
            "rank %d got a message with pixels that it cannot read: the picture "
            "is incomplete",
            executor->rank);
    }
    if (may_have_failed(run)) {
        run->outcome = composite_agree(executor, run->outcome);
    }
    return COMPOSITE_RESTING;
}

static composite_state (*const steps[COMPOSITE_STATES])(composite_run *) = {
    [COMPOSITE_PREPARING] = step_prepare, [COMPOSITE_COMPARING] = step_compare,
    [COMPOSITE_REPLANNING] = step_replan, [COMPOSITE_LISTING] = step_list,
    [COMPOSITE_DRAWING] = step_draw,      [COMPOSITE_MERGING] = step_merge,
    [COMPOSITE_DRAINING] = step_drain,    [COMPOSITE_DELIVERING] = step_deliver,
    [COMPOSITE_LINGERING] = step_linger,
};

/* ---- The calls --------------------------------------------------------------------- */

static void list_pieces(composite_executor *executor, composite_result *result)
{
    const composite_holdings *held = executor->plan.pieces;
    for (int64_t i = 0; i < held->count; i++) {
        const composite_holding *holding = &held->items[i];
        executor->pieces[i] =
            (composite_piece){holding->pix0, holding->pix1 - holding->pix0};
    }
    result->pieces = executor->pieces;
    result->npieces = (int)held->count;
}

static void report_choice(const composite_run *run, composite_result *result)
{
    const composite_request *request = run->request;
    result->choice = (composite_choice){.algorithm = run->executor->plan.key.algorithm,
                                        .params = request->params,
                                        .by_nodes = request->by_nodes,
                                        .segment = run->executor->plan.key.segment,
                                        .encoding = request->encoding};
    result->reason = run->asked.algorithm ? COMPOSITE_GIVEN
                     : run->rule          ? run->rule->reason
                                          : COMPOSITE_USUAL;
}

static void report(const composite_run *run, composite_result *result)
{
    composite_executor *executor = run->executor;
    list_pieces(executor, result);
    result->counters = run->counters;
    result->merged = run->merged;
    result->problem = &executor->plan.key.problem;
    report_choice(run, result);
    if (run->request->target == COMPOSITE_BYTES && executor->rank == 0) {
        result->bytes =
            run->reach != COMPOSITE_REACH_OWN ? executor->node.bytes : executor->picture;
    }
}

/* Goes on from state to state until the caller has its turn. */
static void go_on_to_turn(composite_run *run)
{
    composite_state *state = &run->executor->state;
    do {
        composite_state_enter(state, steps[*state](run));
    } while (*state != COMPOSITE_RESTING && *state != COMPOSITE_DRAWING);
}

status composite_begin(composite_executor *executor, const composite_request *request,
                       image *img, pixel_rect bounds, status failed)
{
    composite_run *run = &executor->run;
    executor->request = *request;
    *run = (composite_run){.executor = executor,
                           .asked = *request,
                           .request = &executor->request,
                           .img = img,
                           .outcome = failed};
    if (img) {
        run->bounds =
            pixel_rect_intersect(bounds, (pixel_rect){0, 0, img->width, img->height});
    }
    executor->frame++;
    composite_state_enter(&executor->state, COMPOSITE_PREPARING);
    go_on_to_turn(run);
    return run->outcome;
}

void composite_poll(composite_executor *executor)
{
    const composite_run *run = &executor->run;
    if (executor->state == COMPOSITE_DRAWING && run->reach != COMPOSITE_REACH_ALL) {
        composite_messages_move(run);
    }
}

/* Whether images may be cropped, in which they have no room for pixels of others. */
static status check_cropping(const composite_run *run)
{
    return pixel_rect_is_empty(run->img->kept) || leaves_image(run)
               ? STATUS_OK
               : base_fail(STATUS_INTERNAL,
                           "an image cannot be cropped if others are merged into it, or "
                           "if it is sent");
}

static bool shows(const image *img, int x, int y)
{
    return img->rgba[4 * image_at(img, x, y) + 3] > 0.0f;
}

/* Checks that this rank drew within its bounds; nobody would get other pixels. */
static status check_bounds(const composite_run *run)
{
    const image *img = run->img;
    const pixel_rect all = img->active;
    const pixel_rect in = run->bounds;
    for (int y = all.y0; y < all.y1; y++) {
        const bool has_inside = y >= in.y0 && y < in.y1;
        for (int x = all.x0; x < all.x1; x++) {
            if (has_inside && x >= in.x0 && x < in.x1) {
                x = in.x1 - 1;
            } else if (shows(img, x, y)) {
                return base_fail(STATUS_INTERNAL,
                                 "rank %d drew pixel (%d, %d) outside the bounds of its "
                                 "image",
                                 run->executor->rank, x, y);
            }
        }
    }
    return STATUS_OK;
}

/* Takes the image that was drawn. That of a rank that failed becomes transparent. */
static void take_image(composite_run *run, status failed)
{
    image *img = run->img;
    failed = failed == STATUS_OK ? check_cropping(run) : failed;
    run->outcome = failed == STATUS_OK ? check_bounds(run) : failed;
    if (run->outcome != STATUS_OK) {
        img->kept = (pixel_rect){0, 0, 0, 0};
        img->active = (pixel_rect){0, 0, img->width, img->height};
        image_clear(img);
    }
    img->active = pixel_rect_intersect(img->active, run->bounds);
}

status composite_finish(composite_executor *executor, status failed,
                        composite_result *result)
{
    composite_run *run = &executor->run;
    *result = (composite_result){0};
    composite_late_ranks_end_drawing(executor);
    take_image(run, failed);
    go_on_to_turn(run);
    composite_late_ranks_end_merging(executor);
    if (run->outcome == STATUS_OK) {
        report(run, result);
    }
    return run->outcome;
}

status composite_execute(composite_executor *executor, const composite_request *request,
                         image *img, status failed, composite_result *result)
{
    *result = (composite_result){0};
    const status s = composite_begin(
        executor, request, img, img ? img->active : (pixel_rect){0, 0, 0, 0}, failed);
    return s == STATUS_OK ? composite_finish(executor, STATUS_OK, result) : s;
}
