#include "executor.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "base/system.h"

#include <assert.h>
#include <stdlib.h>

/* Allocates the arrays with an entry for each rank. */
static status reserve_entries(composite_executor *executor)
{
    composite_gathering *gathering = &executor->gathering;
    const size_t ranks = (size_t)executor->size;
    gathering->order = malloc(ranks * sizeof *gathering->order);
    gathering->late = malloc(ranks * sizeof *gathering->late);
    gathering->counts = malloc(ranks * sizeof *gathering->counts);
    gathering->offsets = malloc(ranks * sizeof *gathering->offsets);
    executor->records = malloc(ranks * sizeof *executor->records);
    return gathering->order && gathering->late && gathering->counts &&
                   gathering->offsets && executor->records
               ? STATUS_OK
               : base_fail_memory(ranks * sizeof *executor->records, "an executor");
}

/* The largest tag but one. */
static int find_most_tag(MPI_Comm comm)
{
    const int *most;
    int has_most;
    MPI_Comm_get_attr(comm, MPI_TAG_UB, &most, &has_most);
    return has_most ? *most - 1 : 32766; /* every MPI has that many */
}

status composite_executor_create(MPI_Comm comm, composite_executor **out)
{
    composite_executor *executor = calloc(1, sizeof *executor);
    status s = executor ? STATUS_OK : base_fail_memory(sizeof *executor, "an executor");
    s = parallel_agree(comm, s);
    if (!executor || s != STATUS_OK) {
        free(executor);
        return s;
    }
    executor->comm = comm;
    executor->rank = parallel_rank(executor->comm);
    executor->size = parallel_size(executor->comm);
    executor->threads = 1;
    executor->segment = COMPOSITE_MOST_SEGMENT;
    executor->most_tag = find_most_tag(comm);
    executor->plan.memory = &executor->memory;
    s = composite_node_create(executor->comm, &executor->node);
    if (s != STATUS_OK) {
        free(executor);
        return s;
    }
    s = reserve_entries(executor);
    s = s == STATUS_OK ? composite_teams_create(executor->size, &executor->teams) : s;
    s = s == STATUS_OK ? composite_late_ranks_create(executor->size, &executor->late) : s;
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        composite_executor_destroy(&executor);
        return s;
    }
    *out = executor;
    return STATUS_OK;
}

void composite_executor_destroy(composite_executor **executor)
{
    composite_executor *old = *executor;
    if (!old) {
        return;
    }
    composite_node_destroy(&old->node);
    image_destroy(&old->ordinary);
    composite_plan_clear(&old->plan);
    composite_teams_clear(&old->teams);
    composite_late_ranks_clear(&old->late);
    free(old->gathering.order);
    free(old->gathering.late);
    free(old->gathering.ops);
    free(old->gathering.counts);
    free(old->gathering.offsets);
    free(old->gathering.pieces);
    free(old->records);
    free(old->pieces);
    free(old->picture);
    free(old->messages.staging);
    free(old->messages.ring);
    free(old->messages.scratch);
    free(old->messages.receiving);
    free(old->messages.sending);
    free(old->messages.reading);
    free(old);
    *executor = NULL;
}

void composite_executor_set_threads(composite_executor *executor, int threads)
{
    executor->threads = threads > 1 ? threads : 1;
}

/* Allocates images in shared memory; false unless all nodes have it. Collective. */
static bool share_images(composite_executor *executor, int width, int height,
                         bool with_depth)
{
    status s =
        composite_node_share(&executor->node, executor->rank, width, height, with_depth);
    s = parallel_agree(executor->comm, s);
    if (s != STATUS_OK) {
        composite_node_unshare(&executor->node);
        base_log_warning("the ranks of a node cannot share memory for their images (%s), "
                         "and compositing will be slower",
                         base_fail_message());
    }
    return s == STATUS_OK;
}

status composite_executor_image(composite_executor *executor, int width, int height,
                                bool with_depth, image **out)
{
    assert(executor->state == COMPOSITE_RESTING);
    executor->own = NULL;
    executor->reach = COMPOSITE_REACH_OWN;
    image_destroy(&executor->ordinary);
    status s = parallel_agree(executor->comm, image_check_size(width, height));
    if (s != STATUS_OK) {
        return s;
    }
    if (share_images(executor, width, height, with_depth)) {
        executor->own = &executor->node.images[executor->node.rank];
        executor->reach =
            composite_is_one_node(executor) ? COMPOSITE_REACH_ALL : COMPOSITE_REACH_NODE;
    } else {
        s = parallel_agree(executor->comm,
                           image_create(width, height, with_depth, &executor->ordinary));
        if (s != STATUS_OK) {
            image_destroy(&executor->ordinary);
            return s;
        }
        executor->own = executor->ordinary;
    }
    *out = executor->own;
    return STATUS_OK;
}

bool composite_executor_leaves_image(const composite_executor *executor,
                                     const composite_request *request)
{
    /* With shared bytes all ranks lie on one node: then by_nodes means direct-send, which
     * is also the choice of the executor. */
    const bool is_direct =
        request->algorithm
            ? request->by_nodes || request->algorithm->is_direct
            : !request->rules || !executor->own ||
                  composite_rules_are_direct(request->rules, request->target,
                                             image_pixel_count(executor->own));
    return request->target == COMPOSITE_BYTES && is_direct &&
           executor->size <= COMPOSITE_MOST_LAYERS &&
           composite_executor_shared_bytes(executor);
}

static bool is_shared(const composite_executor *executor)
{
    return executor->reach != COMPOSITE_REACH_OWN && executor->node.size > 1;
}

void composite_executor_rest_image(composite_executor *executor)
{
    const image *img = executor->own;
    assert(executor->state == COMPOSITE_RESTING);
    if (img) {
        base_zero_memory(img->rgba, (size_t)image_pixel_count(img) * 4 * sizeof(float),
                         is_shared(executor));
    }
}

void composite_executor_rest(composite_executor *executor)
{
    composite_executor_rest_image(executor);
    if (executor->rank == 0 && composite_executor_shared_bytes(executor)) {
        base_zero_memory(executor->node.bytes,
                         (size_t)image_pixel_count(executor->own) * COMPOSITE_MOST_BYTES,
                         is_shared(executor));
    }
}

/* Reads a byte of each page. */
static void touch(const void *memory, size_t bytes)
{
    enum { PAGE = 4096 };
    const volatile unsigned char *at = memory;
    for (size_t i = 0; i < bytes; i += PAGE) {
        (void)at[i];
    }
    if (bytes > 0) {
        (void)at[bytes - 1];
    }
}

static void touch_rows(const image *img, pixel_rect within)
{
    const pixel_rect all = {0, 0, img->width, img->height};
    const pixel_rect r = pixel_rect_intersect(all, within);
    const size_t width = pixel_rect_is_empty(r) ? 0 : (size_t)(r.x1 - r.x0);
    for (int y = r.y0; y < r.y1 && width > 0; y++) {
        const int64_t pixel = (int64_t)y * img->width + r.x0;
        touch(img->rgba + 4 * pixel, width * 4 * sizeof(float));
        if (img->depth) {
            touch(img->depth + pixel, width * sizeof(float));
        }
    }
}

void composite_executor_touch(const composite_executor *executor)
{
    const composite_node *node = &executor->node;
    assert(executor->state == COMPOSITE_RESTING);
    for (int rank = 0; rank < executor->size && is_shared(executor); rank++) {
        if (node->ranks[rank] >= 0) {
            touch_rows(&node->images[node->ranks[rank]], executor->records[rank].bounds);
        }
    }
    if (is_shared(executor) && node->bytes &&
        executor->request.target == COMPOSITE_BYTES) {
        touch(node->bytes, (size_t)image_pixel_count(executor->own) *
                               (size_t)executor->request.format.bytes_per_pixel);
    }
}

unsigned char *composite_executor_shared_bytes(const composite_executor *executor)
{
    return executor->reach == COMPOSITE_REACH_ALL ? executor->node.bytes : NULL;
}

const image *composite_executor_root_image(const composite_executor *executor,
                                           int *number, int *count)
{
    const composite_node *node = &executor->node;
    if (!is_shared(executor)) {
        *number = 0;
        *count = 1;
        return executor->rank == 0 ? executor->own : NULL;
    }
    *number = node->rank;
    *count = node->size;
    return node->ranks[0] >= 0 ? &node->images[node->ranks[0]] : NULL;
}

void composite_executor_fail_allocation(composite_executor *executor, int64_t nth)
{
    executor->memory.until_failure = nth;
}

void composite_executor_break_payload(composite_executor *executor, int64_t nth)
{
    executor->messages.until_broken = nth;
}

void composite_executor_limit_messages(composite_executor *executor, int segment)
{
    executor->segment = segment;
}
