#include "insitu.h"

#include "failure.h"
#include "store.h"

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

bool solver_insitu_open(const solver_flow *flow, const char *config, bool goes_on,
                        double *cfl, double *end, karman_session **out)
{
    const karman_options options = {.resume = goes_on};
    int code = karman_open(solver_flow_comm(flow), config, &options, out);
    code = code == KARMAN_DONE ? describe(flow, cfl, end, *out) : code;
    /* A rank alone may fail to describe its boxes. */
    return solver_agree(
        solver_flow_comm(flow),
        code == KARMAN_DONE ||
            solver_fail(code == KARMAN_USAGE ? SOLVER_USAGE : SOLVER_FAILED, "%s",
                        karman_message()));
}

bool solver_insitu_step(karman_session *session, const solver_flow *flow)
{
    const int64_t steps = solver_flow_steps(flow);
    const double time = solver_flow_time(flow);
    karman_render(session, steps, time); /* prints warnings of its failures */
    return karman_poll_steering(session, steps, time) != KARMAN_STOP;
}

void solver_insitu_save(karman_session *session, const solver_flow *flow)
{
    karman_save(session, solver_flow_steps(flow), solver_flow_time(flow));
}

void solver_insitu_restore(karman_session *session, const solver_flow *flow)
{
    karman_restore(session, solver_flow_steps(flow), solver_flow_time(flow));
}

void solver_insitu_publish(karman_session *session, const solver_sample *sample)
{
    static const char *const names[] = {"residual", "drag", "lift"};
    const double values[] = {sample->residual, sample->drag, sample->lift};
    karman_monitor(session, sample->steps, sample->time, 3, names, values);
}
