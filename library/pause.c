/* Pauses: a picture that fails is tried again, later and later. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "state.h"

#include <stdio.h>

enum { TRIES = 3 }; /* in a row without a pause */
static const double first_pause = 1.0, longest_pause = 300.0;

double insitu_pause_seconds(int failed)
{
    double seconds = failed < TRIES ? 0.0 : first_pause;
    for (int n = TRIES; n < failed && seconds < longest_pause; n++) {
        seconds *= 2.0;
    }
    return seconds < longest_pause ? seconds : longest_pause;
}

bool insitu_pause_is_over(const insitu_pause *pause, double now)
{
    return now >= pause->until;
}

bool insitu_pause_rests(const insitu_pause *pause)
{
    return pause->failed >= TRIES;
}

void insitu_pause_fail(insitu_pause *pause, double now)
{
    const double seconds = insitu_pause_seconds(++pause->failed);
    pause->until = seconds > 0.0 ? now + seconds : 0.0;
}

/* ---- Messages ---------------------------------------------------------------------- */

double insitu_clock(const insitu_session *session)
{
    double now = base_clock();
    parallel_bcast(&now, 1, MPI_DOUBLE, 0, session->comm);
    return now;
}

/* Prints the first of several failures in a row on standard error, and writes each to
 * status.json. */
static void say_failure(insitu_session *session, const char *subject,
                        const insitu_pause *pause)
{
    char text[STEER_MAX_TEXT], next[64] = "it is tried again when it is next due";
    const double seconds = insitu_pause_seconds(pause->failed);
    if (seconds > 0.0) {
        snprintf(next, sizeof next, "it is not tried again for %.0f s", seconds);
    }
    if (pause->failed == 1) {
        base_log_warning("%s cannot be drawn at step %lld: %s (it is tried again, after "
                         "%d failures in a row with growing pauses; the orders redraw "
                         "and set try at once)",
                         subject, (long long)session->step.cycle, base_fail_message(),
                         TRIES);
    }
    snprintf(text, sizeof text, "%s cannot be drawn: %.512s (%s; %d failed in a row)",
             subject, base_fail_message(), next, pause->failed);
    steer_run_say(session->run, text);
}

/* ---- Pictures ---------------------------------------------------------------------- */

static const char *quote(const insitu_picture *picture, size_t size, char *text)
{
    snprintf(text, size, "picture '%s'", picture->name);
    return text;
}

void insitu_picture_fail(insitu_session *session, insitu_picture *picture)
{
    char subject[GRID_NAME_SIZE + 16];
    insitu_pause_fail(&picture->pause, insitu_clock(session));
    picture->pause.missing++;
    say_failure(session, quote(picture, sizeof subject, subject), &picture->pause);
}

void insitu_pictures_fail(insitu_session *session, const bool *due)
{
    const double now = insitu_clock(session);
    for (int n = 0; n < session->npictures; n++) {
        insitu_pause_fail(&session->pictures[n].pause, now);
        session->pictures[n].pause.missing += due[n];
    }
    say_failure(session, "the grid", &session->pictures[0].pause);
}

void insitu_picture_recover(insitu_session *session, insitu_picture *picture)
{
    insitu_pause *pause = &picture->pause;
    char text[STEER_MAX_TEXT], subject[GRID_NAME_SIZE + 16];
    if (pause->failed > 0) {
        snprintf(text, sizeof text,
                 "%s is drawn again from step %lld on; %lld of it are missing",
                 quote(picture, sizeof subject, subject), (long long)session->step.cycle,
                 (long long)pause->missing);
        base_log_warning("%s", text);
        steer_run_say(session->run, text);
    }
    *pause = (insitu_pause){0};
}

void insitu_pictures_rest(insitu_session *session)
{
    int resting = 0;
    for (int n = 0; n < session->npictures; n++) {
        if (insitu_pause_rests(&session->pictures[n].pause)) {
            frame_job_destroy(&session->pictures[n].job);
            resting++;
        }
    }
    if (resting == session->npictures) {
        insitu_grid_close(session);
    }
}
