/* Data that grow, change or vanish while they are explored. */
#include "frame/job.h"
#include "frame/job_state.h"
#include "state.h"

status view_order_news(view_state *state, const json_t *order, view_result *result)
{
    (void)order;
    if (state->rank != 0) {
        return STATUS_OK;
    }
    const view_stamp was = state->stamp;
    const view_stamp now =
        state->job ? view_stamp_read(io_source_path(state->job->scene.source)) : was;
    const bool has_changed = now.size != was.size || now.seconds != was.seconds ||
                             now.nanoseconds != was.nanoseconds;
    return view_result_json(json_pack("{s:b, s:b}", "there", now.is_there, "changed",
                                      now.is_there && has_changed),
                            result);
}

status view_order_reopen(view_state *state, const json_t *order, view_result *result)
{
    const status s = view_config_reopen(state, order);
    view_stamp_begin(state);
    return s == STATUS_OK ? view_order_about(state, order, result) : s;
}
