/* How the file of the data is. */
/* for st_mtim */
#define _XOPEN_SOURCE 700

#include "frame/job.h"
#include "frame/job_state.h"
#include "state.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

view_stamp view_stamp_read(const char *path)
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

void view_stamp_begin(view_state *state)
{
    if (state->rank == 0 && state->job) {
        state->stamp = view_stamp_read(io_source_path(state->job->scene.source));
    }
}
