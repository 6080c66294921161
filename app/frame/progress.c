#include "progress.h"

#include "base/system.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };

app_progress app_progress_begin(int frames)
{
    return (app_progress){.stream = stdout,
                          .is_terminal = isatty(STDOUT_FILENO) == 1,
                          .frames = frames,
                          .begin = base_clock()};
}

void app_progress_draw(FILE *stream, int done, int all)
{
    char bar[BAR_WIDTH + 1];
    int filled = BAR_WIDTH * done / (all > 0 ? all : 1);
    memset(bar, '.', sizeof bar - 1);
    memset(bar, '#', (size_t)filled);
    bar[BAR_WIDTH] = '\0';
    fprintf(stream, "\r[%s] %d/%d", bar, done, all);
}

static void draw_bar(const app_progress *progress)
{
    double elapsed = base_clock() - progress->begin;
    double rate = elapsed > 0.0 ? progress->done / elapsed : 0.0;
    double left = rate > 0.0 ? (progress->frames - progress->done) / rate : 0.0;
    app_progress_draw(progress->stream, progress->done, progress->frames);
    fprintf(progress->stream, " frames, %.2f frames/s, %.0f s left ", rate, left);
}

void app_progress_frame(app_progress *progress, const app_frame *frame)
{
    progress->done++;
    progress->lost_rays += frame->lost_rays;
    progress->nan_cells += frame->nan_cells;
    progress->skipped += frame->was_complete;
    snprintf(progress->last_picture, sizeof progress->last_picture, "%s", frame->picture);
    if (progress->is_terminal) {
        draw_bar(progress);
    } else if (frame->was_complete) {
        fprintf(progress->stream, "frame %d/%d: step %" PRId64 ", %s is complete\n",
                progress->done, progress->frames, frame->step, frame->picture);
    } else {
        fprintf(progress->stream,
                "frame %d/%d: step %" PRId64
                ", time %g, %.2f s, %.1f million crossings, %s\n",
                progress->done, progress->frames, frame->step, frame->time,
                frame->seconds, 1e-6 * (double)frame->crossings, frame->picture);
    }
    fflush(progress->stream);
}

static void print_totals(const app_progress *progress)
{
    double elapsed = base_clock() - progress->begin;
    fprintf(progress->stream, "%d frames in %.1f s", progress->done, elapsed);
    if (progress->skipped > 0) {
        fprintf(progress->stream, " (%d were complete)", progress->skipped);
    }
    if (progress->nan_cells > 0) {
        fprintf(progress->stream, ", %" PRId64 " crossings of cells without a number",
                progress->nan_cells);
    }
    fprintf(progress->stream, ", %" PRId64 " lost rays, last picture %s\n",
            progress->lost_rays, progress->last_picture);
}

void app_progress_end(app_progress *progress, bool complete)
{
    if (progress->is_terminal && progress->done > 0) {
        fputc('\n', progress->stream);
    }
    if (complete) {
        print_totals(progress);
    }
    fflush(progress->stream);
}
