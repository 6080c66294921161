/*
 * Ranks of a node need not send each other pixels: in memory that all of them can read,
 * whoever merges takes each pixel from where its owner drew it, once. Windows that share
 * memory: MPI 3.0, 2012, section 11.2.3.
 */
#define _DEFAULT_SOURCE
#include "composite/node.h"

#include "base/parallel.h"
#include "composite/convert.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>

enum { LINE = 128 /* bytes: no two boards share a cache line, or a pair of them */ };

/* At the beginning of each rank's memory. */
typedef struct composite_boards {
    _Alignas(LINE) composite_board even;
    _Alignas(LINE) composite_board odd;
} composite_boards;

static status find_ranks(MPI_Comm comm, composite_node *node)
{
    const int ranks = parallel_size(comm);
    MPI_Group all;
    MPI_Group here;
    int *numbers = malloc((size_t)node->size * sizeof *numbers);
    node->ranks = malloc((size_t)ranks * sizeof *node->ranks);
    node->images = calloc((size_t)node->size, sizeof *node->images);
    node->boards = calloc((size_t)node->size, sizeof(composite_boards *));
    if (!numbers || !node->ranks || !node->images || !node->boards) {
        free(numbers);
        return base_fail_memory((size_t)ranks * sizeof *node->ranks,
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

int composite_node_test_size = 0;

static void cut_for_test(MPI_Comm *node)
{
    MPI_Comm part;
    MPI_Comm_split(*node, parallel_rank(*node) / composite_node_test_size, 0, &part);
    MPI_Comm_free(node);
    *node = part;
}

status composite_node_create(MPI_Comm comm, composite_node *node)
{
    *node = (composite_node){.window = MPI_WIN_NULL};
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node->comm);
    if (composite_node_test_size > 0) {
        cut_for_test(&node->comm);
    }
    /* No memory to share is no reason to end the program. */
    MPI_Comm_set_errhandler(node->comm, MPI_ERRORS_RETURN);
    node->rank = parallel_rank(node->comm);
    node->size = parallel_size(node->comm);
    status s = parallel_agree(comm, find_ranks(comm, node));
    if (s != STATUS_OK) {
        composite_node_destroy(node);
    }
    return s;
}

void composite_node_destroy(composite_node *node)
{
    composite_node_unshare(node);
    MPI_Comm_free(&node->comm);
    free(node->ranks);
    free(node->images);
    free(node->boards);
}

void composite_node_unshare(composite_node *node)
{
    if (node->window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(node->window);
        MPI_Win_free(&node->window);
    }
    node->window = MPI_WIN_NULL;
    node->bytes = NULL;
}

/* ---- Images ------------------------------------------------------------------------ */

/* Where things lie in the memory of a rank, in bytes from its first line on: that of a
 * rank alone begins anywhere. */
typedef struct layout {
    size_t rgba, depth, bytes, size;
} layout;

static layout make_layout(int64_t pixels, bool with_depth, bool with_bytes)
{
    layout at = {.rgba = sizeof(composite_boards)};
    at.depth = at.rgba + (size_t)pixels * 4 * sizeof(float);
    at.bytes = at.depth + (with_depth ? (size_t)pixels * sizeof(float) : 0);
    at.size = at.bytes + (with_bytes ? (size_t)pixels * COMPOSITE_MOST_BYTES : 0) + LINE;
    return at;
}

/*
 * Whether the node has so much memory to share. A page that does not exist when it is
 * first written ends the program, and MPI does not ask before: containers often have 64
 * MiB only. Where nobody can tell, MPI decides.
 */
static bool has_memory(const composite_node *node, size_t size)
{
    struct statvfs shared;
    int64_t mine = (int64_t)size;
    int64_t all;
    parallel_allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, node->comm);
    int fits = 1;
    if (statvfs("/dev/shm", &shared) == 0) {
        fits = (double)shared.f_bavail * (double)shared.f_frsize > 1.05 * (double)all;
    }
    parallel_bcast(&fits, 1, MPI_INT, 0, node->comm);
    return fits;
}

/* All zero, without touching pages that are so already. */
static void zero(char *memory, size_t size)
{
#ifdef MADV_REMOVE
    const size_t page = 4096;
    char *begin = memory + (page - (uintptr_t)memory % page) % page;
    const size_t whole = size - (size_t)(begin - memory);
    if (whole < size && madvise(begin, whole / page * page, MADV_REMOVE) == 0) {
        memset(memory, 0, (size_t)(begin - memory));
        memset(begin + whole / page * page, 0, whole % page);
        return;
    }
#endif
    memset(memory, 0, size);
}

/* Finds the images and boards of all ranks of the node in the new window. */
static void look_around(composite_node *node, int width, int height, bool with_depth)
{
    const layout at = make_layout((int64_t)width * height, with_depth, false);
    const int writer = node->ranks[0]; /* rank 0 of the executor gets the picture */
    for (int r = 0; r < node->size; r++) {
        MPI_Aint size;
        int unit;
        char *memory;
        MPI_Win_shared_query(node->window, r, &size, &unit, &memory);
        /* Pages are shared, and with them the place within a line. */
        memory += (LINE - (uintptr_t)memory % LINE) % LINE;
        node->boards[r] = (composite_boards *)(void *)memory;
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

bool composite_node_share(composite_node *node, int rank, int width, int height,
                          bool with_depth)
{
    const int64_t pixels = (int64_t)width * height;
    const layout at = make_layout(pixels, with_depth, rank == 0);
    composite_node_unshare(node);
    if (!has_memory(node, at.size)) {
        return false;
    }
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    char *memory = NULL;
    int made = MPI_Win_allocate_shared((MPI_Aint)at.size, 1, info, node->comm, &memory,
                                       &node->window) == MPI_SUCCESS;
    MPI_Info_free(&info);
    int all_made;
    parallel_allreduce(&made, &all_made, 1, MPI_INT, MPI_MIN, node->comm);
    if (!all_made) {
        /* Freeing is collective: where only some have a window it stays, once. */
        node->window = MPI_WIN_NULL;
        return false;
    }
    MPI_Win_lock_all(MPI_MODE_NOCHECK, node->window);
    zero(memory, at.size);
    look_around(node, width, height, with_depth);
    for (int64_t i = 0; with_depth && i < pixels; i++) {
        node->images[node->rank].depth[i] = INFINITY;
    }
    return true;
}

composite_board *composite_node_board(const composite_node *node, int node_rank,
                                      int64_t frame)
{
    composite_boards *boards = node->boards[node_rank];
    return frame % 2 == 0 ? &boards->even : &boards->odd;
}
