/* The step in the program's arrays: rank 0's number and time, and the grid of all ranks.
 */
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "state.h"

#include <string.h>

void insitu_share_step(insitu_session *session, int64_t cycle, double time)
{
    struct {
        int64_t cycle;
        double time, now;
        bool may_redraw;
    } step;
    memset(&step, 0, sizeof step); /* all bytes are broadcast */
    step.cycle = cycle;
    step.time = time;
    step.now = base_clock();
    step.may_redraw = step.now >= session->step.redraw_at;
    parallel_bcast(&step, (int)sizeof step, MPI_BYTE, 0, session->comm);
    session->step.cycle = step.cycle;
    session->step.time = step.time;
    session->step.now = step.now;
    session->step.may_redraw = step.may_redraw;
    session->step.has_begun = true;
}

status insitu_share_descriptions(insitu_session *session)
{
    int mine[2] = {session->grid.described != STATUS_OK, session->grid.is_stale}, any[2];
    parallel_allreduce(mine, any, 2, MPI_INT, MPI_MAX, session->comm);
    session->grid.is_stale = any[1] != 0;
    if (!any[0]) {
        return STATUS_OK;
    }
    if (session->grid.complaint) {
        base_fail_set_message(session->grid.complaint);
    }
    return parallel_agree(session->comm, session->grid.described);
}

status insitu_take_descriptions(insitu_session *session)
{
    status s = STATUS_OK;
    if (session->grid.is_stale) {
        insitu_pictures_drop(session);
        s = insitu_grid_open(session);
        if (s == STATUS_OK) {
            s = parallel_agree(session->comm, insitu_pictures_check(session));
        }
        if (s == STATUS_OK) {
            insitu_parameters_relist(session); /* menus name the fields */
            s = insitu_grid_compare(session, false);
        }
    }
    if (s == STATUS_OK) {
        io_memory_set_step(session->grid.source, session->step.cycle, session->step.time);
    }
    return s;
}

status insitu_take_grid(insitu_session *session, int64_t cycle, double time)
{
    insitu_share_step(session, cycle, time);
    const status s = insitu_share_descriptions(session);
    return s == STATUS_OK ? insitu_take_descriptions(session) : s;
}
