/* Data that grow, change or vanish while they are explored. */
/* for st_mtim */
#define _XOPEN_SOURCE 700

#include "frame/job.h"
#include "frame/job_state.h"
#include "state.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Of a file or folder; of the folder of a pattern. */
static view_stamp read_stamp(const char *path)
{
    struct stat info;
    char folder[PATH_MAX];
    bool is_there = stat(path, &info) == 0;
    if (!is_there && strpbrk(path, "%*?")) {
        snprintf(folder, sizeof folder, "%s", path);
        char *slash = strrchr(folder, '/');
        snprintf(slash ? slash : folder, 2, "%s", slash ? "" : ".");
        is_there = stat(folder[0] ? folder : "/", &info) == 0;
    }
    return is_there ? (view_stamp){true, info.st_size, info.st_mtim.tv_sec,
                                   info.st_mtim.tv_nsec}
                    : (view_stamp){0};
}

void view_news_begin(view_state *state)
{
    if (state->rank == 0 && state->job) {
        state->stamp = read_stamp(io_source_path(state->job->scene.source));
    }
}

status view_order_news(view_state *state, const json_t *order, view_result *result)
{
    (void)order;
    if (state->rank != 0) {
        return STATUS_OK;
    }
    const view_stamp was = state->stamp;
    const view_stamp now =
        state->job ? read_stamp(io_source_path(state->job->scene.source)) : was;
    const bool has_changed = now.size != was.size || now.seconds != was.seconds ||
                             now.nanoseconds != was.nanoseconds;
    return view_result_json(json_pack("{s:b, s:b}", "there", now.is_there, "changed",
                                      now.is_there && has_changed),
                            result);
}

status view_order_reopen(view_state *state, const json_t *order, view_result *result)
{
    const status s = view_config_reopen(state, order);
    view_news_begin(state);
    return s == STATUS_OK ? view_order_about(state, order, result) : s;
}
