#include "insitu.h"

#include "base/parallel/parallel.h"
#include "library/karman.h"
#include "store.h"

#include <stdlib.h>
#include <string.h>

struct solver_insitu {
    karman_session *session;
};

static karman_array array_of(const solver_flow_box *box, const double *values)
{
    return (karman_array){.data = values,
                          .type = KARMAN_FLOAT64,
                          .stride = {box->stride[0], box->stride[1], box->stride[2]}};
}

/* A box of cells includes all vertices around it, which neighbours have, too. */
static int describe_box(const solver_flow *flow, int part, karman_session *session)
{
    const solver_flow_box box = solver_flow_box_get(flow, part);
    karman_block block = {.x = array_of(&box, box.coordinates[0]),
                          .y = array_of(&box, box.coordinates[1]),
                          .z = array_of(&box, box.coordinates[2])};
    int64_t cells[3];
    block.name = solver_flow_block(flow, box.block, cells);
    for (int axis = 0; axis < 3; axis++) {
        block.size[axis] = cells[axis] + 1;
        block.first[axis] = box.lo[axis];
        block.count[axis] = box.n[axis] + 1;
    }
    int code = karman_set_block(session, part, &block);
    for (int v = 0; v < SOLVER_VARIABLES && code == KARMAN_DONE; v++) {
        const karman_array values = array_of(&box, box.variables[v]);
        code = karman_set_field(session, part, solver_store_variable(v), KARMAN_ELEMENT,
                                &values);
    }
    return code;
}

static int describe(const solver_flow *flow, double *cfl, double *end,
                    karman_session *session)
{
    int code = KARMAN_DONE;
    for (int part = 0; part < solver_flow_boxes(flow) && code == KARMAN_DONE; part++) {
        code = describe_box(flow, part, session);
    }
    if (code == KARMAN_DONE) {
        code = karman_parameter(session, "solver.cfl", cfl, 0.01, 1.5,
                                "CFL number of the time step");
    }
    if (code == KARMAN_DONE && end) {
        code = karman_parameter(session, "time.end", end, 0.0, 1e12, "when to stop");
    }
    return code;
}

/* The status for a code of libkarman, which has set the message. */
static status status_of(int code)
{
    return code == KARMAN_DONE    ? STATUS_OK
           : code == KARMAN_USAGE ? STATUS_USAGE
                                  : STATUS_OUTPUT;
}

status solver_insitu_open(solver_flow *flow, const char *config, bool goes_on,
                          double *cfl, double *end, solver_insitu **out)
{
    MPI_Comm comm = solver_flow_comm(flow);
    solver_insitu *insitu = calloc(1, sizeof *insitu);
    status s = insitu ? STATUS_OK : base_fail_memory(sizeof *insitu, "pictures");
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        const karman_options options = {.resume = goes_on};
        s = status_of(karman_open(comm, config, &options, &insitu->session));
    }
    if (s == STATUS_OK) {
        s = parallel_agree(comm, status_of(describe(flow, cfl, end, insitu->session)));
    }
    if (s != STATUS_OK) {
        solver_insitu_close(&insitu);
        return s;
    }
    *out = insitu;
    return STATUS_OK;
}

void solver_insitu_close(solver_insitu **insitu)
{
    if (*insitu) {
        char *held = strdup(base_fail_message()); /* message of a failure that the caller
                                                     still reports */
        karman_close(&(*insitu)->session);
        base_fail_set_message(held ? held : "");
        free(held);
        free(*insitu);
        *insitu = NULL;
    }
}

bool solver_insitu_step(solver_insitu *insitu, const solver_flow *flow)
{
    if (!insitu) {
        return true;
    }
    const int64_t steps = solver_flow_steps(flow);
    const double time = solver_flow_time(flow);
    karman_render(insitu->session, steps, time); /* prints warnings of its failures */
    return karman_poll_steering(insitu->session, steps, time) != KARMAN_STOP;
}

void solver_insitu_save(solver_insitu *insitu, const solver_flow *flow)
{
    if (insitu) {
        karman_save(insitu->session, solver_flow_steps(flow), solver_flow_time(flow));
    }
}

void solver_insitu_restore(solver_insitu *insitu, const solver_flow *flow)
{
    if (insitu) {
        karman_restore(insitu->session, solver_flow_steps(flow), solver_flow_time(flow));
    }
}

void solver_insitu_publish(solver_insitu *insitu, const solver_sample *sample)
{
    static const char *const names[] = {"residual", "drag", "lift"};
    const double values[] = {sample->residual, sample->drag, sample->lift};
    if (insitu) {
        karman_monitor(insitu->session, sample->steps, sample->time, 3, names, values);
    }
}
