/* Status pages: a rank's page tells the other ranks of its node how far it is with one
 * frame. Pages lie in memory that the node shares. README.md draws their states. Private
 * to the executor. */
#ifndef COMPOSITE_RUN_STATUS_PAGE_H
#define COMPOSITE_RUN_STATUS_PAGE_H

#include "base/image.h"
#include "composite/schedule.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The inputs of a frame that ranks compare before they draw it. */
enum {
    COMPOSITE_INPUT_WIDTH,
    COMPOSITE_INPUT_HEIGHT,
    COMPOSITE_INPUT_DEPTH,   /* 1: the image has depth */
    COMPOSITE_INPUT_REQUEST, /* hash of the request, which must be the same on all ranks
                              */
    COMPOSITE_INPUT_SHARED,  /* composite_reach of the image */
    COMPOSITE_INPUT_DRAWING, /* microseconds that the rank drew in the last frame; may
                                differ */
    COMPOSITE_INPUT_MERGING, /* and that composite_finish took after that; may differ */
    COMPOSITE_INPUT_FAILS,   /* 1: this rank cannot begin; then the other inputs are 0 */
    COMPOSITE_INPUTS
};

/* Each state says what the other ranks may do. Only the page's own rank changes the
 * state, in this order. After a call that fails, or uses messages alone, the page stays
 * in COMPOSITE_PAGE_PUBLISHED. */
typedef enum composite_status_page_state {
    COMPOSITE_PAGE_BLANK,     /* the page was never used */
    COMPOSITE_PAGE_OPEN,      /* do nothing: the rank is writing its inputs */
    COMPOSITE_PAGE_PUBLISHED, /* read its inputs; it draws */
    COMPOSITE_PAGE_MERGING,   /* read pixels that it drew or merged before `progress`,
                                 overwrite pixels that it read before `progress` */
    COMPOSITE_PAGE_MERGED,    /* the same for the whole schedule */
    COMPOSITE_PAGE_SENT,      /* write to its image: no message reads that any more */
    COMPOSITE_PAGE_FINISHED,  /* use its part of the picture */
    COMPOSITE_PAGE_STATES
} composite_status_page_state;

/* The progress counter of a frame: 0 while the rank draws. Then it says up to which place
 * the rank has merged all pixels: by rounds, and in each round by segments. */
static inline int64_t composite_status_page_progress(int round, int64_t segment,
                                                     int64_t nsegments)
{
    return 1 + round * nsegments + segment;
}

typedef struct composite_status_page {
    int64_t inputs[COMPOSITE_INPUTS];
    pixel_rect bounds; /* encloses all pixels that the rank will draw */
    /* From COMPOSITE_PAGE_MERGING on: */
    pixel_rect active; /* active rectangle of its image as drawn */
    pixel_rect kept;   /* image.kept */
    bool failed;       /* the rank failed while it drew; its image is transparent */
    composite_status_page_state state; /* for its own rank; others read the atomics */
    _Atomic int64_t frame;             /* the last frame that was published; 0: none */
    _Atomic int64_t progress; /* the progress counter; larger values stand for the states
                                 after merging */
    /* The active rectangle by now, which only grows. A reader may see some sides of an
     * older and some of a newer rectangle: these enclose all pixels of the older one, and
     * others that are transparent for that reader. */
    _Atomic int x0, y0, x1, y1;
} composite_status_page;

/* Whether a state may follow another. */
bool composite_status_page_follows(composite_status_page_state before,
                                   composite_status_page_state after);

/*
 * Moves the rank's own page to a state that may follow. `n`: for
 * COMPOSITE_PAGE_PUBLISHED the number of the frame, for COMPOSITE_PAGE_MERGING the
 * progress counter, which is above 0 and does not descend; else 0. Ranks that see the new
 * state also see everything that was written before. COMPOSITE_PAGE_OPEN empties the
 * rectangles. Local.
 */
void composite_status_page_enter(composite_status_page *page,
                                 composite_status_page_state to, int64_t n);

/* Sets the active rectangle; an empty one changes nothing. To be called before the state
 * that lets other ranks use it. */
void composite_status_page_set_active(composite_status_page *page, pixel_rect active);

/* ---- For the other ranks ----------------------------------------------------------- */

/* Whether the page's rank has published a frame: COMPOSITE_PAGE_PUBLISHED or later. */
static inline bool composite_status_page_is_published(const composite_status_page *page,
                                                      int64_t frame)
{
    return atomic_load_explicit(&page->frame, memory_order_acquire) == frame;
}

/* Whether the page's rank has merged all up to and including `progress` in the frame that
 * it published. */
static inline bool composite_status_page_has_passed(const composite_status_page *page,
                                                    int64_t progress)
{
    return atomic_load_explicit(&page->progress, memory_order_acquire) > progress;
}

/* Whether the rank of a published page has drawn its image. */
static inline bool composite_status_page_has_drawn(const composite_status_page *page)
{
    return composite_status_page_has_passed(page, 0);
}

/* Whether a published page has reached COMPOSITE_PAGE_MERGED or a later state. */
bool composite_status_page_has_reached(const composite_status_page *page,
                                       composite_status_page_state state);

/* The active rectangle by now. */
pixel_rect composite_status_page_active(const composite_status_page *page);

#endif
