#include "board.h"

#include <assert.h>

/* The states that may follow each, as bits. */
#define TO(state) (1u << COMPOSITE_BOARD_##state)
static const unsigned followers[COMPOSITE_BOARD_STATES] = {
    [COMPOSITE_BOARD_BLANK] = TO(OPEN),
    [COMPOSITE_BOARD_OPEN] = TO(TOLD),
    [COMPOSITE_BOARD_TOLD] = TO(MERGING) | TO(MERGED) | TO(OPEN),
    [COMPOSITE_BOARD_MERGING] = TO(MERGING) | TO(MERGED),
    [COMPOSITE_BOARD_MERGED] = TO(SENT),
    [COMPOSITE_BOARD_SENT] = TO(FINISHED),
    [COMPOSITE_BOARD_FINISHED] = TO(OPEN),
};
#undef TO

bool composite_board_follows(composite_board_state before, composite_board_state after)
{
    return (followers[before] >> after & 1u) != 0;
}

/* The word of a state behind all moments. */
static int64_t word_of(composite_board_state state)
{
    return INT64_MAX - (COMPOSITE_BOARD_FINISHED - state);
}

static void open_board(composite_board *board)
{
    board->active = board->kept = (pixel_rect){0, 0, 0, 0};
    atomic_store_explicit(&board->x0, 0, memory_order_relaxed);
    atomic_store_explicit(&board->y0, 0, memory_order_relaxed);
    atomic_store_explicit(&board->x1, 0, memory_order_relaxed);
    atomic_store_explicit(&board->y1, 0, memory_order_relaxed);
    atomic_store_explicit(&board->progress, 0, memory_order_relaxed);
}

void composite_board_enter(composite_board *board, composite_board_state to, int64_t n)
{
    assert(composite_board_follows(board->state, to));
    assert(to != COMPOSITE_BOARD_MERGING ||
           (n >= atomic_load(&board->progress) && n < word_of(COMPOSITE_BOARD_MERGED)));
    board->state = to;
    if (to == COMPOSITE_BOARD_OPEN) {
        open_board(board);
    } else if (to == COMPOSITE_BOARD_TOLD) {
        atomic_store_explicit(&board->frame, n, memory_order_release);
    } else {
        atomic_store_explicit(&board->progress,
                              to == COMPOSITE_BOARD_MERGING ? n : word_of(to),
                              memory_order_release);
    }
}

void composite_board_set_active(composite_board *board, pixel_rect active)
{
    if (!pixel_rect_is_empty(active)) {
        atomic_store_explicit(&board->x0, active.x0, memory_order_relaxed);
        atomic_store_explicit(&board->y0, active.y0, memory_order_relaxed);
        atomic_store_explicit(&board->x1, active.x1, memory_order_relaxed);
        atomic_store_explicit(&board->y1, active.y1, memory_order_relaxed);
    }
}

bool composite_board_has_reached(const composite_board *board,
                                 composite_board_state state)
{
    return atomic_load_explicit(&board->progress, memory_order_acquire) >= word_of(state);
}

pixel_rect composite_board_active(const composite_board *board)
{
    return (pixel_rect){atomic_load_explicit(&board->x0, memory_order_relaxed),
                        atomic_load_explicit(&board->y0, memory_order_relaxed),
                        atomic_load_explicit(&board->x1, memory_order_relaxed),
                        atomic_load_explicit(&board->y1, memory_order_relaxed)};
}
