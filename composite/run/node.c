/*
 * Ranks of a node need not send each other pixels. Images lie in memory that all of them
 * can read, and the merging rank reads each pixel in place, once.
 */
#include "node.h"

#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "composite/pixels/convert.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum { LINE = 128 /* bytes: no two pages share a cache line, or a pair of them */ };

/* At the beginning of each rank's memory. */
typedef struct composite_status_pages {
    _Alignas(LINE) composite_status_page even;
    _Alignas(LINE) composite_status_page odd;
} composite_status_pages;

static status find_ranks(MPI_Comm comm, composite_node *node)
{
    const int ranks = parallel_size(comm);
    MPI_Group all;
    MPI_Group here;
    int *numbers = malloc((size_t)node->size * sizeof *numbers);
    node->ranks = malloc((size_t)ranks * sizeof *node->ranks);
    node->numbers = malloc((size_t)ranks * sizeof *node->numbers);
    node->images = calloc((size_t)node->size, sizeof *node->images);
    node->pages = calloc((size_t)node->size, sizeof(composite_status_pages *));
    node->columns = calloc((size_t)node->size, sizeof *node->columns);
    if (!numbers || !node->ranks || !node->numbers || !node->images || !node->pages ||
        !node->columns) {
        free(numbers);
        return base_fail_memory(2 * (size_t)ranks * sizeof *node->ranks,
                                "the ranks of a node");
    }
    for (int i = 0; i < ranks; i++) {
        node->ranks[i] = -1;
    }
    int *theirs = malloc((size_t)node->size * sizeof *theirs);
    if (!theirs) {
        free(numbers);
        return base_fail_memory((size_t)node->size * sizeof *theirs,
                                "the ranks of a node");
    }
    for (int i = 0; i < node->size; i++) {
        numbers[i] = i;
    }
    MPI_Comm_group(comm, &all);
    MPI_Comm_group(node->comm, &here);
    MPI_Group_translate_ranks(here, node->size, numbers, all, theirs);
    for (int i = 0; i < node->size; i++) {
        node->ranks[theirs[i]] = i;
    }
    MPI_Group_free(&all);
    MPI_Group_free(&here);
    free(numbers);
    free(theirs);
    return STATUS_OK;
}

status composite_node_create(MPI_Comm comm, composite_node *node)
{
    *node = (composite_node){0};
    parallel_split_nodes(comm, &node->comm);
    node->rank = parallel_rank(node->comm);
    node->size = parallel_size(node->comm);
    status s = parallel_agree(comm, find_ranks(comm, node));
    if (s != STATUS_OK) {
        composite_node_destroy(node);
        return s;
    }
    const int mine = parallel_is_crowded();
    int some;
    parallel_allreduce(&mine, &some, 1, MPI_INT, MPI_MAX, comm);
    node->is_crowded = some;
    parallel_number_nodes(comm, node->comm, node->numbers);
    return STATUS_OK;
}

void composite_node_destroy(composite_node *node)
{
    composite_node_unshare(node);
    MPI_Comm_free(&node->comm);
    free(node->ranks);
    free(node->numbers);
    free(node->images);
    free(node->pages);
    free(node->columns);
}

/* ---- Images ------------------------------------------------------------------------ */

/* Offsets in the memory of a rank, in bytes. The data that others read in every frame
 * come first, in as few memory pages as possible. */
typedef struct layout {
    size_t columns, rgba, depth, bytes, size;
} layout;

static layout make_layout(int width, int height, bool with_depth, bool with_bytes)
{
    enum { MEMORY_PAGE = 4096 };
    const int64_t pixels = (int64_t)width * height;
    layout at = {.columns = sizeof(composite_status_pages)};
    at.rgba = at.columns + (size_t)height * sizeof(composite_columns);
    at.rgba = (at.rgba + MEMORY_PAGE - 1) / MEMORY_PAGE * MEMORY_PAGE;
    at.depth = at.rgba + (size_t)pixels * 4 * sizeof(float);
    at.bytes = at.depth + (with_depth ? (size_t)pixels * sizeof(float) : 0);
    at.size = at.bytes + (with_bytes ? (size_t)pixels * COMPOSITE_MOST_BYTES : 0);
    return at;
}

/* Finds the images and status pages of all ranks of the node in the new memory. */
static void look_around(composite_node *node, int width, int height, bool with_depth)
{
    const layout at = make_layout(width, height, with_depth, false);
    const int writer = node->ranks[0]; /* rank 0 of the executor gets the picture */
    for (int r = 0; r < node->size; r++) {
        char *memory = node->shared.memory[r];
        node->pages[r] = (composite_status_pages *)(void *)memory;
        node->columns[r] = (composite_columns *)(void *)(memory + at.columns);
        node->images[r] = (image){.width = width,
                                  .height = height,
                                  .rgba = (float *)(void *)(memory + at.rgba)};
        if (with_depth) {
            node->images[r].depth = (float *)(void *)(memory + at.depth);
        }
        if (r == writer) {
            node->bytes = (unsigned char *)memory + at.bytes;
        }
    }
}

status composite_node_share(composite_node *node, int rank, int width, int height,
                            bool with_depth)
{
    const int64_t pixels = (int64_t)width * height;
    const layout at = make_layout(width, height, with_depth, rank == 0);
    composite_node_unshare(node);
    status s = composite_shared_create(node->comm, at.size, &node->shared);
    if (s != STATUS_OK) {
        return s;
    }
    look_around(node, width, height, with_depth);
    for (int64_t i = 0; with_depth && i < pixels; i++) {
        node->images[node->rank].depth[i] = INFINITY;
    }
    return STATUS_OK;
}

void composite_node_unshare(composite_node *node)
{
    composite_shared_destroy(&node->shared);
    node->bytes = NULL;
}

composite_status_page *composite_node_page(const composite_node *node, int node_rank,
                                           int64_t frame)
{
    composite_status_pages *pages = node->pages[node_rank];
    return !pages ? NULL : frame % 2 == 0 ? &pages->even : &pages->odd;
}
