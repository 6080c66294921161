#include "kind.h"

#include "base/system.h"

#include <stdlib.h>

grid_parts distribution_parts(const distribution_state *state, int count)
{
    return (grid_parts){count, count == state->scene->ranks ? state->nodes : NULL};
}

/* ---- Blending ---------------------------------------------------------------------- */

/* A base_pause_work of drawing: messages of other ranks arrive meanwhile. */
static void let_messages_arrive(void *executor)
{
    composite_poll(executor);
}

status distribution_begin_blending(composite_executor *executor,
                                   const composite_request *request, image *img,
                                   pixel_rect bounds, status failed)
{
    const status s = composite_begin(executor, request, img, bounds, failed);
    if (s == STATUS_OK) {
        base_pause_set(let_messages_arrive, executor);
    }
    return s;
}

status distribution_blend(composite_executor *executor, status rendered,
                          composite_result *out, composite_counters *sum)
{
    base_pause_set(NULL, NULL);
    const status s = composite_finish(executor, rendered, out);
    sum->messages_sent += out->counters.messages_sent;
    sum->bytes_sent += out->counters.bytes_sent;
    sum->bytes_shared += out->counters.bytes_shared;
    sum->pixels_blended += out->counters.pixels_blended;
    return s;
}

status distribution_list_ranges(const composite_result *blended, io_png_range **ranges)
{
    const size_t bytes = ((size_t)blended->npieces + 1) * sizeof **ranges;
    free(*ranges);
    *ranges = malloc(bytes);
    if (!*ranges) {
        return base_fail_memory(bytes, "pieces of a picture");
    }
    for (int n = 0; n < blended->npieces; n++) {
        const composite_piece *piece = &blended->pieces[n];
        (*ranges)[n] = (io_png_range){piece->pix0, piece->npix};
    }
    return STATUS_OK;
}
