#include "status_page.h"

#include <assert.h>

/* The states that may follow each, as bits. */
#define TO(state) (1u << COMPOSITE_PAGE_##state)
static const unsigned followers[COMPOSITE_PAGE_STATES] = {
    [COMPOSITE_PAGE_BLANK] = TO(OPEN),
    [COMPOSITE_PAGE_OPEN] = TO(PUBLISHED),
    [COMPOSITE_PAGE_PUBLISHED] = TO(MERGING) | TO(OPEN),
    [COMPOSITE_PAGE_MERGING] = TO(MERGING) | TO(MERGED),
    [COMPOSITE_PAGE_MERGED] = TO(SENT),
    [COMPOSITE_PAGE_SENT] = TO(FINISHED),
    [COMPOSITE_PAGE_FINISHED] = TO(OPEN),
};
#undef TO

bool composite_status_page_follows(composite_status_page_state before,
                                   composite_status_page_state after)
{
    return (followers[before] >> after & 1u) != 0;
}

/* The value of `progress` for a state after COMPOSITE_PAGE_MERGING. */
static int64_t progress_of(composite_status_page_state state)
{
    return INT64_MAX - (COMPOSITE_PAGE_FINISHED - state);
}

static void open_page(composite_status_page *page)
{
    page->bounds = page->active = page->kept = (pixel_rect){0, 0, 0, 0};
    page->failed = false;
    atomic_store_explicit(&page->x0, 0, memory_order_relaxed);
    atomic_store_explicit(&page->y0, 0, memory_order_relaxed);
    atomic_store_explicit(&page->x1, 0, memory_order_relaxed);
    atomic_store_explicit(&page->y1, 0, memory_order_relaxed);
    atomic_store_explicit(&page->progress, 0, memory_order_relaxed);
}

void composite_status_page_enter(composite_status_page *page,
                                 composite_status_page_state to, int64_t n)
{
    assert(composite_status_page_follows(page->state, to));
    assert(to != COMPOSITE_PAGE_MERGING || (n > 0 && n >= atomic_load(&page->progress) &&
                                            n < progress_of(COMPOSITE_PAGE_MERGED)));
    page->state = to;
    if (to == COMPOSITE_PAGE_OPEN) {
        open_page(page);
    } else if (to == COMPOSITE_PAGE_PUBLISHED) {
        atomic_store_explicit(&page->frame, n, memory_order_release);
    } else {
        atomic_store_explicit(&page->progress,
                              to == COMPOSITE_PAGE_MERGING ? n : progress_of(to),
                              memory_order_release);
    }
}

void composite_status_page_set_active(composite_status_page *page, pixel_rect active)
{
    if (!pixel_rect_is_empty(active)) {
        atomic_store_explicit(&page->x0, active.x0, memory_order_relaxed);
        atomic_store_explicit(&page->y0, active.y0, memory_order_relaxed);
        atomic_store_explicit(&page->x1, active.x1, memory_order_relaxed);
        atomic_store_explicit(&page->y1, active.y1, memory_order_relaxed);
    }
}

bool composite_status_page_has_reached(const composite_status_page *page,
                                       composite_status_page_state state)
{
    return atomic_load_explicit(&page->progress, memory_order_acquire) >=
           progress_of(state);
}

pixel_rect composite_status_page_active(const composite_status_page *page)
{
    return (pixel_rect){atomic_load_explicit(&page->x0, memory_order_relaxed),
                        atomic_load_explicit(&page->y0, memory_order_relaxed),
                        atomic_load_explicit(&page->x1, memory_order_relaxed),
                        atomic_load_explicit(&page->y1, memory_order_relaxed)};
}
