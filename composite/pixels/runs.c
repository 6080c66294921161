#include "runs.h"

#include "blend_kernels.h"

bool composite_spans_next(composite_spans *at, int64_t *begin, int64_t *end)
{
    const pixel_rect active = at->active;
    const int64_t width = at->width;
    if (pixel_rect_is_empty(active)) {
        return false;
    }
    int64_t y = at->next / width;
    int64_t x = at->next % width;
    if (y < active.y0) {
        y = active.y0;
        x = active.x0;
    } else if (x >= active.x1) {
        y++;
        x = active.x0;
    } else if (x < active.x0) {
        x = active.x0;
    }
    /* Rows that fill the picture's width follow each other without a gap. */
    const bool full = active.x0 == 0 && active.x1 == width;
    int64_t stop = full ? active.y1 * width : y * width + active.x1;
    *begin = y * width + x;
    *end = stop < at->end ? stop : at->end;
    at->next = *end;
    return y < active.y1 && *begin < *end;
}

uint64_t composite_runs_active(const image *img, int64_t first, int64_t count)
{
    return composite_blend_kernel()->active((int)count, img->rgba + 4 * first,
                                            img->depth ? img->depth + first : NULL);
}

composite_runs composite_runs_start(const image *img, int64_t pix0, int64_t npix)
{
    return (composite_runs){.img = img,
                            .spans = {img->width, img->active, pix0, pix0 + npix}};
}

/* Goes on over pixels that are all active, or all not; false at the end of the span. */
static bool pass(composite_runs *at, bool active)
{
    while (at->next < at->end) {
        if (at->known == 0) {
            const int64_t left = at->end - at->next;
            at->known = left < BLEND_ACTIVE_MOST ? left : BLEND_ACTIVE_MOST;
            at->bits = composite_runs_active(at->img, at->next, at->known);
        }
        const uint64_t others = active ? ~at->bits : at->bits;
        const int64_t same = others ? __builtin_ctzll(others) : BLEND_ACTIVE_MOST;
        if (same < at->known) {
            at->next += same;
            at->known -= same;
            at->bits >>= same;
            return true;
        }
        at->next += at->known;
        at->known = 0;
    }
    return false;
}

bool composite_runs_next(composite_runs *at, int64_t *first, int64_t *count)
{
    while (!pass(at, false)) {
        if (!composite_spans_next(&at->spans, &at->next, &at->end)) {
            at->next = at->end = 0;
            return false;
        }
    }
    *first = at->next;
    pass(at, true);
    *count = at->next - *first;
    return true;
}
