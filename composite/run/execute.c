/*
 * Executing a schedule.
 *
 * All that can fail comes first: parameters, the plan of this rank, and memory for its
 * messages. Then the ranks agree whether to begin. From there on nobody leaves the
 * schedule early: a message that cannot be read is noted, and reported when all is done.
 */
#include "executor.h"

#include "base/hash.h"
#include "base/parallel/parallel.h"

#include <stdlib.h>
#include <string.h>

/* The position of a rank; -1 where order does not name it exactly once. */
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

/* Bytes of a finished pixel on its way to rank 0 over a network. Within a node no link is
 * narrower than another. */
static int gather_bytes(const composite_run *run)
{
    const composite_request *request = run->request;
    if (run->executor->is_one_node || request->target == COMPOSITE_PIECES) {
        return 0;
    }
    return request->target == COMPOSITE_BYTES ? request->format.bytes_per_pixel
                                              : COMPOSITE_PIXEL_BYTES;
}

/* Whether this rank's image stays as it was drawn, and others read it where it is. */
static bool leaves_image(const composite_run *run)
{
    const composite_request *request = run->request;
    return run->shares && composite_executor_leaves_image(
                              run->executor, request->algorithm, request->target);
}

/* Whether what the caller wants can be done, as far as this rank can tell by itself. */
static status check_request(composite_run *run, composite_plan_key *key)
{
    const composite_executor *executor = run->executor;
    const composite_request *request = run->request;
    if (!run->img) {
        return base_fail(STATUS_INTERNAL, "there is no image to composite on rank %d",
                         executor->rank);
    }
    if (!pixel_rect_is_empty(run->img->kept) && !leaves_image(run)) {
        return base_fail(STATUS_INTERNAL,
                         "an image cannot be narrow if others are merged into it, or if "
                         "it is sent");
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
    const int64_t pixels = image_pixel_count(run->img);
    *key = (composite_plan_key){.algorithm = request->algorithm,
                                .problem = {.size = executor->size,
                                            .pixels = pixels,
                                            .op = request->op,
                                            .root = run->root,
                                            .gather_bytes = gather_bytes(run)},
                                .params = request->params,
                                .position = position,
                                .segment = executor->segment};
    if (executor->cut_pixels == pixels) {
        key->problem.cuts = executor->cuts; /* most frames show what the last one did */
    }
    return request->algorithm->check_params(&key->problem, &request->params);
}

/* Room for the picture of bytes at rank 0, unless that is in shared memory. */
static status reserve_picture(composite_run *run)
{
    composite_executor *executor = run->executor;
    const int64_t bytes =
        image_pixel_count(run->img) * run->request->format.bytes_per_pixel;
    if (run->request->target != COMPOSITE_BYTES || executor->rank != 0 || run->shares ||
        bytes <= executor->picture_capacity) {
        return STATUS_OK;
    }
    /* Anew: what is in it is no longer wanted. */
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

/* What must be there before the first pixel moves; the plan of the schedule is made. */
static status reserve(composite_run *run)
{
    status s = composite_gather_plan(run);
    s = s == STATUS_OK ? composite_messages_reserve(run) : s;
    s = s == STATUS_OK ? reserve_pieces(run->executor) : s;
    return s == STATUS_OK ? reserve_picture(run) : s;
}

static void set_sharing(composite_run *run, bool shares)
{
    run->shares = shares;
    run->is_in_reach = shares && run->executor->is_one_node;
}

/* Plans the schedule. Local. */
static status plan(composite_run *run)
{
    composite_plan_key key;
    status s = check_request(run, &key);
    return s == STATUS_OK ? composite_plan_make(&run->executor->plan, &key) : s;
}

/* Plans, and reserves what that takes; but where rank 0 has to hear first what there is
 * to gather, that is done later. Local. */
static status make_ready(composite_run *run)
{
    status s = plan(run);
    return s == STATUS_OK && !composite_gather_is_new(run) ? reserve(run) : s;
}

static status prepare(composite_run *run)
{
    const composite_executor *executor = run->executor;
    /* As if all ranks had what this one has; if not, it is done again. */
    set_sharing(run, run->img && run->img == executor->own && !executor->ordinary);
    status s = make_ready(run);
    if (s == STATUS_OK && run->shares) {
        composite_watch_begin(run);
    }
    return s;
}

/* ---- Agreeing ---------------------------------------------------------------------- */

static int64_t hash_request(const composite_run *run)
{
    const composite_executor *executor = run->executor;
    const composite_request *request = run->request;
    const char *name = request->algorithm->name;
    uint64_t hash = BASE_HASH_START;
    hash = base_hash_words(hash, name, strlen(name));
    hash = base_hash_words(hash, &request->params, sizeof request->params);
    hash = base_hash_words(hash, &request->op, sizeof request->op);
    hash = base_hash_words(hash, &request->target, sizeof request->target);
    hash = base_hash_words(hash, &request->format.bytes_per_pixel,
                           sizeof request->format.bytes_per_pixel);
    hash = base_hash_words(hash, &executor->segment, sizeof executor->segment);
    hash =
        base_hash_words(hash, &executor->plan.key.problem.cuts, sizeof(composite_cuts));
    hash = base_hash_words(hash, request->order,
                           (size_t)executor->size * sizeof *request->order);
    return (int64_t)(hash >> 1);
}

static composite_comparison compare(composite_run *run, status s)
{
    int64_t mine[COMPOSITE_COMPARED] = {[COMPOSITE_FAILS] = s != STATUS_OK};
    if (s == STATUS_OK) {
        mine[COMPOSITE_WIDTH] = run->img->width;
        mine[COMPOSITE_HEIGHT] = run->img->height;
        mine[COMPOSITE_DEPTH] = run->img->depth != NULL;
        mine[COMPOSITE_REQUEST] = hash_request(run);
        mine[COMPOSITE_SHARES] = run->shares;
    }
    return composite_compare(run, mine);
}

/* Whether all ranks want the same; where not, their schedules would wait for each other
 * forever. The same result on all ranks. */
static status check_comparison(const composite_comparison *all)
{
    static const char *const names[] = {"width", "height", "having depth"};
    for (int i = COMPOSITE_WIDTH; i <= COMPOSITE_DEPTH; i++) {
        if (all->least[i] != all->greatest[i]) {
            return base_fail(
                STATUS_INTERNAL,
                "the images of the ranks cannot be composited: they differ in %s (%lld "
                "and %lld)",
                names[i], (long long)all->least[i], (long long)all->greatest[i]);
        }
    }
    if (all->least[COMPOSITE_REQUEST] != all->greatest[COMPOSITE_REQUEST]) {
        return base_fail(
            STATUS_INTERNAL,
            "the ranks do not ask for the same compositing: algorithm, parameters, "
            "operator, target, visibility order and cuts must be the same on all");
    }
    return STATUS_OK;
}

/* Cuts the picture by what images show. Whether that is another way than it is planned.
 * The same on all ranks. */
static bool cut(composite_run *run, const composite_comparison *all)
{
    composite_executor *executor = run->executor;
    const int64_t pixels = image_pixel_count(run->img);
    const composite_cuts *planned = &executor->plan.key.problem.cuts;
    if (executor->cut_pixels != pixels ||
        memcmp(executor->shown, all->shown, sizeof all->shown) != 0) {
        executor->cuts = composite_cuts_find(all->shown, pixels, executor->size);
        executor->cut_pixels = pixels;
        memcpy(executor->shown, all->shown, sizeof all->shown);
    }
    return memcmp(&executor->cuts, planned, sizeof *planned) != 0;
}

/* Brings all ranks to the point where nothing can fail any more, or none. Collective. */
static status agree(composite_run *run, status s)
{
    MPI_Comm comm = run->executor->comm;
    const composite_comparison all = compare(run, s);
    if (all.greatest[COMPOSITE_FAILS]) {
        return parallel_agree(comm, s);
    }
    s = check_comparison(&all);
    if (s != STATUS_OK) {
        return s;
    }
    const bool is_mixed = all.least[COMPOSITE_SHARES] != all.greatest[COMPOSITE_SHARES];
    const bool is_other = cut(run, &all) || is_mixed;
    if (is_mixed) {
        set_sharing(run, false);
    }
    if (is_other) {
        s = parallel_agree(comm, make_ready(run));
    }
    if (s == STATUS_OK && composite_gather_is_new(run)) {
        s = composite_gather_exchange(run);
        s = s == STATUS_OK ? parallel_agree(comm, reserve(run)) : s;
    }
    return s;
}

/* ---- The call ---------------------------------------------------------------------- */

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

/* What this rank reports of its messages; the ranks agree on it where any were sent. */
static status end_run(const composite_run *run)
{
    status s = STATUS_OK;
    if (run->is_broken) {
        s = base_fail(
            STATUS_INTERNAL,
            "rank %d got a message with pixels that it cannot read: the picture "
            "is incomplete",
            run->executor->rank);
    }
    return run->is_in_reach ? s : parallel_agree(run->executor->comm, s);
}

status composite_execute(composite_executor *executor, const composite_request *request,
                         image *img, status failed, composite_result *result)
{
    composite_run run = {.executor = executor, .request = request, .img = img};
    *result = (composite_result){0};
    executor->frame++;
    status s = agree(&run, failed != STATUS_OK ? failed : prepare(&run));
    if (s != STATUS_OK) {
        executor->cut_pixels = 0; /* whatever it was, all begin anew */
        return s;
    }
    composite_rounds_run(&run);
    s = end_run(&run);
    if (s != STATUS_OK) {
        return s;
    }
    list_pieces(executor, result);
    result->counters = run.counters;
    result->merged = run.merged;
    if (request->target == COMPOSITE_BYTES && executor->rank == 0) {
        result->bytes = run.shares ? executor->node.bytes : executor->picture;
    }
    return STATUS_OK;
}
