#include "progress.h"

#include "base/array.h"
#include "base/launched.h"
#include "base/system.h"
#include "summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BAR_WIDTH = 30 };

frame_progress frame_progress_begin(int frames)
{
    return (frame_progress){.stream = stdout,
                            .is_terminal = base_launched_at_terminal(),
                            .frames = frames,
                            .begin = base_clock()};
}

void frame_progress_announce(frame_progress *progress, const frame_job *job,
                             const char *data)
{
    char text[APP_SUMMARY_TEXT];
    frame_summary_of_job(job, data, progress->frames == 0, text);
    fprintf(progress->stream, "%s\n", text);
    fflush(progress->stream);
}

void frame_progress_draw(FILE *stream, int done, int all)
{
    char bar[BAR_WIDTH + 1];
    int filled = BAR_WIDTH * done / (all > 0 ? all : 1);
    memset(bar, '.', sizeof bar - 1);
    memset(bar, '#', (size_t)filled);
    bar[BAR_WIDTH] = '\0';
    fprintf(stream, "\r[%s] %d/%d", bar, done, all);
}

/* ---- Time left --------------------------------------------------------------------- */

void frame_progress_duration(double seconds, char text[APP_PROGRESS_DURATION])
{
    enum { MINUTE = 60, HOUR = 3600, MOST = 100 };
    if (seconds < MOST) {
        snprintf(text, APP_PROGRESS_DURATION, "%.0f s", seconds);
    } else if (seconds < MOST * MINUTE) {
        snprintf(text, APP_PROGRESS_DURATION, "%.0f min", seconds / MINUTE);
    } else {
        snprintf(text, APP_PROGRESS_DURATION, "%.1f h", seconds / HOUR);
    }
}

/* Uses the median, as the first frame sets up the view and takes longer than those after
 * it. */
double frame_progress_left(const frame_progress *progress)
{
    double recent[APP_PROGRESS_RECENT];
    int count =
        progress->drawn < APP_PROGRESS_RECENT ? progress->drawn : APP_PROGRESS_RECENT;
    if (count == 0 || progress->frames == 0) {
        return -1.0;
    }
    memcpy(recent, progress->recent, (size_t)count * sizeof *recent);
    qsort(recent, (size_t)count, sizeof *recent, base_array_compare_doubles);
    double median = 0.5 * (recent[(count - 1) / 2] + recent[count / 2]);
    return median * (progress->frames - progress->done);
}

/* Prints ", 5 s left" if that is known and frames are left. */
static void print_left(const frame_progress *progress)
{
    char text[APP_PROGRESS_DURATION];
    double left = frame_progress_left(progress);
    if (left >= 0.0 && progress->done < progress->frames) {
        frame_progress_duration(left, text);
        fprintf(progress->stream, ", %s left", text);
    }
}

/* ---- Frames ------------------------------------------------------------------------ */

/* Prints "frame 3/20: step 20", without the 20 if it is unknown. */
static void print_number(const frame_progress *progress, const frame_result *frame)
{
    fprintf(progress->stream, "frame %d", progress->done);
    if (progress->frames > 0) {
        fprintf(progress->stream, "/%d", progress->frames);
    }
    fprintf(progress->stream, ": step %" PRId64, frame->step);
}

/* Prints "0.31 s", with more digits for short times. */
static void print_seconds(const frame_progress *progress, double seconds)
{
    fprintf(progress->stream, seconds >= 0.095 ? ", %.2f s" : ", %.2g s", seconds);
}

static void draw_bar(const frame_progress *progress, const frame_result *frame)
{
    if (progress->frames > 0) {
        frame_progress_draw(progress->stream, progress->done, progress->frames);
        fputs(" frames", progress->stream);
    } else {
        fputc('\r', progress->stream);
        print_number(progress, frame);
    }
    if (!frame->was_complete) {
        print_seconds(progress, frame->seconds);
        fputs(" each", progress->stream);
    }
    print_left(progress);
    fputs("            ", progress->stream); /* clears the end of the previous line */
}

static void print_frame(const frame_progress *progress, const frame_result *frame)
{
    print_number(progress, frame);
    if (frame->was_complete) {
        fprintf(progress->stream, ", %s is complete\n", frame->picture);
        return;
    }
    fprintf(progress->stream, ", time %g", frame->time);
    print_seconds(progress, frame->seconds);
    print_left(progress);
    fprintf(progress->stream, ", %s\n", frame->picture);
}

static void count_frame(frame_progress *progress, const frame_result *frame)
{
    progress->done++;
    progress->lost_rays += frame->lost_rays;
    progress->nan_cells += frame->nan_cells;
    snprintf(progress->last_picture, sizeof progress->last_picture, "%s", frame->picture);
    if (frame->was_complete) {
        progress->kept++;
    } else {
        progress->recent[progress->drawn++ % APP_PROGRESS_RECENT] = frame->seconds;
    }
}

void frame_progress_frame(frame_progress *progress, const frame_result *frame)
{
    count_frame(progress, frame);
    if (progress->is_terminal) {
        draw_bar(progress, frame);
    } else {
        print_frame(progress, frame);
    }
    fflush(progress->stream);
}

/* ---- The end ----------------------------------------------------------------------- */

static void print_totals(const frame_progress *progress)
{
    double elapsed = base_clock() - progress->begin;
    fprintf(progress->stream, "%d frame%s in %.1f s", progress->done,
            progress->done == 1 ? "" : "s", elapsed);
    if (progress->kept > 0) {
        fprintf(progress->stream, " (%d %s complete)", progress->kept,
                progress->kept == 1 ? "was" : "were");
    }
    if (progress->nan_cells > 0) {
        fprintf(progress->stream, ", rays met cells without a number %" PRId64 " times",
                progress->nan_cells);
    }
    fprintf(progress->stream, ", %" PRId64 " lost ray%s, last picture %s\n",
            progress->lost_rays, progress->lost_rays == 1 ? "" : "s",
            progress->last_picture);
}

void frame_progress_end(frame_progress *progress, bool complete)
{
    if (progress->is_terminal && progress->done > 0) {
        fputc('\n', progress->stream);
    }
    if (complete) {
        print_totals(progress);
    }
    fflush(progress->stream);
}
