/* The particles of a session: they move with each step of the program, and are saved with
 * its checkpoints. */
#include "base/parallel/nodes.h"
#include "base/system.h"
#include "frame/entry.h"
#include "insitu.h"
#include "io/sources/memory/memory.h"
#include "state.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- Numbers ----------------------------------------------------------------------- */

void insitu_particles_publish(insitu_session *session)
{
    static const char *const names[] = {"particles", "particles_ended"};
    insitu_counts *counts = &session->counts;
    if (counts->is_pending && session->run) {
        const double values[] = {(double)counts->last.moving, (double)counts->last.ended};
        steer_run_add_monitors(session->run, counts->cycle, counts->time, 2, names,
                               values);
        counts->is_pending = false;
        counts->at = base_clock();
    }
}

/* Notes the numbers of particles on the way, and of those that have left the flow. They
 * are published if they have changed, a few times a second. */
static void count(insitu_session *session)
{
    const double period = 0.2;
    insitu_counts *counts = &session->counts;
    const trace_counts now = frame_particles_count(session->particles);
    counts->is_pending |=
        now.moving != counts->last.moving || now.ended != counts->last.ended;
    counts->last = now;
    counts->cycle = session->step.cycle;
    counts->time = session->step.time;
    if (base_clock() - counts->at >= period) {
        insitu_particles_publish(session);
    }
}

/* ---- Steps ------------------------------------------------------------------------- */

/* Threads of this rank, as for pictures. Collective at the first call. */
static int find_threads(insitu_session *session)
{
    if (session->neighbours == 0) {
        session->neighbours = parallel_node_size(session->comm);
    }
    return frame_threads_choose(session->neighbours, session->threads);
}

static status move(insitu_session *session)
{
    return frame_particles_step(session->particles, session->grid.source, 0);
}

/* Does something to the particles, with the threads of pictures, and tells about it.
 * Collective. */
static status act_on(insitu_session *session, status (*act)(insitu_session *session))
{
    frame_particles *particles = session->particles;
    if (!frame_particles_are_asked(particles)) {
        return STATUS_OK;
    }
    const double begin = base_clock();
    const frame_threads threads = frame_threads_begin(find_threads(session));
    io_memory_set_fills(session->grid.source, frame_particles_data(particles));
    const status s = act(session);
    frame_threads_end(&threads);
    count(session);
    const char *note = frame_particles_note(particles);
    if (note) {
        steer_run_say(session->run, note);
    }
    session->cost.particles += base_clock() - begin;
    return s;
}

status insitu_particles_step(insitu_session *session)
{
    return act_on(session, move);
}

status insitu_take_step(insitu_session *session, int64_t cycle, double time)
{
    status s = insitu_take_grid(session, cycle, time);
    if (s == STATUS_OK) {
        insitu_particles_step(session); /* pictures that show them report a failure */
        base_fail_set_message("");
    }
    return s;
}

/* ---- Checkpoints ------------------------------------------------------------------- */

/* The file of a cycle in the run directory. */
static status find_path(const insitu_session *session, size_t size, char *path)
{
    const int length = snprintf(path, size, "%s/particles/%06" PRId64 ".h5",
                                session->config->run, session->step.cycle);
    return length < (int)size ? STATUS_OK
                              : base_fail(STATUS_OUTPUT,
                                          "the path of '%.256s' is too "
                                          "long",
                                          session->config->run);
}

static status save(insitu_session *session)
{
    char path[4096];
    status s = find_path(session, sizeof path, path);
    if (s == STATUS_OK) {
        s = move(session);
    }
    return s == STATUS_OK ? frame_particles_save(session->particles, path) : s;
}

static status restore(insitu_session *session)
{
    char path[4096];
    status s = find_path(session, sizeof path, path);
    if (s == STATUS_OK) {
        s = frame_particles_restore(session->particles, session->grid.source, 0, path);
    }
    return s;
}

/* Does one of both, if there are particles. Collective. */
static status with_grid(insitu_session *session, int64_t cycle, double time,
                        status (*act)(insitu_session *session))
{
    if (session->is_off || !frame_particles_are_asked(session->particles)) {
        return STATUS_OK;
    }
    status s = insitu_take_grid(session, cycle, time);
    return s == STATUS_OK ? act_on(session, act) : s;
}

status insitu_save(insitu_session *session, int64_t cycle, double time)
{
    return with_grid(session, cycle, time, save);
}

status insitu_restore(insitu_session *session, int64_t cycle, double time)
{
    return with_grid(session, cycle, time, restore);
}
