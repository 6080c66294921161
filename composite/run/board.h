/* Boards: what a rank tells the others of its node about one frame, in memory that they
 * share. README.md draws their states. Private to the executor. */
#ifndef COMPOSITE_RUN_BOARD_H
#define COMPOSITE_RUN_BOARD_H

#include "base/image.h"
#include "composite/schedule.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What ranks compare before they begin with a frame. */
enum {
    COMPOSITE_WIDTH,
    COMPOSITE_HEIGHT,
    COMPOSITE_DEPTH,   /* whether images have it */
    COMPOSITE_REQUEST, /* a hash of all that must be the same */
    COMPOSITE_SHARED,  /* how far pixels are read where they are (composite_reach) */
    COMPOSITE_FAILS,
    COMPOSITE_COMPARED
};

/* What the others may do. Only the rank whose board it is goes on, one after the other;
 * a call that fails, or goes by messages alone, ends in COMPOSITE_BOARD_TOLD. */
typedef enum composite_board_state {
    COMPOSITE_BOARD_BLANK,    /* never used */
    COMPOSITE_BOARD_OPEN,     /* nothing: its rank writes what it brings */
    COMPOSITE_BOARD_TOLD,     /* read what it brings, and the pixels that it drew */
    COMPOSITE_BOARD_MERGING,  /* and those that it merged before a moment; overwrite what
                                 it  has read until then */
    COMPOSITE_BOARD_MERGED,   /* the same with all moments of the schedule */
    COMPOSITE_BOARD_SENT,     /* and write to its image: no message reads that any more */
    COMPOSITE_BOARD_FINISHED, /* and use its part of the picture */
    COMPOSITE_BOARD_STATES
} composite_board_state;

/* Moments of a frame, in the order in which every rank goes through them: rounds, then
 * segments. */
static inline int64_t composite_moment(int round, int64_t segment, int64_t nsegments)
{
    return round * nsegments + segment;
}

typedef struct composite_board {
    pixel_rect active;              /* of its image when the frame began */
    pixel_rect kept;                /* the pixels of it that lie in memory (image_at) */
    int32_t shown[COMPOSITE_BANDS]; /* what that showed (cuts.h) */
    int64_t compared[COMPOSITE_COMPARED];
    composite_board_state state; /* for its own rank; the others read the words below */
    _Atomic int64_t frame;    /* number of the frame that was told of last; 0: of none */
    _Atomic int64_t progress; /* the moment; above all of these: a later state */
    /* Its active rectangle now, which only ever grows. Who reads it while it does may
     * take a side of the old one and one of the new: that holds all pixels of the old
     * one, and others which are transparent for that reader. */
    _Atomic int x0, y0, x1, y1;
} composite_board;

/* Whether a state may follow another. */
bool composite_board_follows(composite_board_state before, composite_board_state after);

/*
 * The rank goes on with its board, to a state that follows. `n`: for COMPOSITE_BOARD_TOLD
 * the number of the frame, for COMPOSITE_BOARD_MERGING the moment, which does not
 * descend; else 0. Others who see the new state see all that was written before.
 * COMPOSITE_BOARD_OPEN empties rectangles. Local.
 */
void composite_board_enter(composite_board *board, composite_board_state to, int64_t n);

/* Sets the active rectangle, before going on; an empty one changes nothing. */
void composite_board_set_active(composite_board *board, pixel_rect active);

/* ---- For others ---------------------------------------------------------------------
 */

/* Whether its rank has told about a frame: COMPOSITE_BOARD_TOLD or later. */
static inline bool composite_board_is_told(const composite_board *board, int64_t frame)
{
    return atomic_load_explicit(&board->frame, memory_order_acquire) == frame;
}

/* Whether its rank, which has told about the frame, has merged all of a moment. */
static inline bool composite_board_is_behind(const composite_board *board, int64_t moment)
{
    return atomic_load_explicit(&board->progress, memory_order_acquire) > moment;
}

/* Whether a board that was told of has reached COMPOSITE_BOARD_MERGED or a later state.
 */
bool composite_board_has_reached(const composite_board *board,
                                 composite_board_state state);

/* Its active rectangle by now. */
pixel_rect composite_board_active(const composite_board *board);

#endif
