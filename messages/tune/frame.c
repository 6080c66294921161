#include "frame.h"

#include "base/parallel/parallel.h"
#include "frame/config_load.h"
#include "frame/render.h"
#include "frame/tuning/tuning.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OVERRIDES = 6, MOST_OVERRIDE = TUNE_PATH + 64 };

/* Makes a folder on rank 0, and tells all its name. Collective. */
static status make_folder(MPI_Comm comm, tune_frame *frame, char folder[TUNE_PATH])
{
    status s = STATUS_OK;
    folder[0] = '\0';
    if (parallel_rank(comm) == 0) {
        const char *place = getenv("TMPDIR");
        snprintf(folder, TUNE_PATH, "%s/karman-tune-XXXXXX", place ? place : "/tmp");
        if (strchr(folder, '%') || strchr(folder, '\'') || !mkdtemp(folder)) {
            s = base_fail(STATUS_OUTPUT, "no folder %s can be made: %s; set TMPDIR",
                          folder, strerror(errno));
        } else {
            memcpy(frame->folder, folder, TUNE_PATH);
        }
    }
    s = parallel_agree(comm, s);
    parallel_bcast(folder, TUNE_PATH, MPI_CHAR, 0, comm);
    return s;
}

/* Reads what the config says on the frame. Collective. */
static status read_config(MPI_Comm comm, const char *path, bool shares_bytes,
                          tune_frame *frame)
{
    io_config *config = NULL;
    status s = frame_config_load(comm, path, 0, NULL, &config);
    if (s != STATUS_OK) {
        return s;
    }
    frame->width = config->width;
    frame->height = config->height;
    frame->target = frame_tuning_target(config, shares_bytes);
    if (config->partition.kind != IO_PARTITION_OBJECT) {
        s = base_fail(STATUS_USAGE,
                      "%s has 'partition: screen', which composites nothing: tune is for "
                      "'partition: object'",
                      path);
    }
    io_config_destroy(&config);
    return s;
}

status tune_frame_render(MPI_Comm comm, const char *config, bool shares_bytes,
                         tune_frame *out)
{
    char folder[TUNE_PATH];
    char texts[OVERRIDES][MOST_OVERRIDE];
    const char *overrides[OVERRIDES];
    int count = 0;
    status s = read_config(comm, config, shares_bytes, out);
    s = s == STATUS_OK ? make_folder(comm, out, folder) : s;
    if (s != STATUS_OK) {
        return s;
    }
    snprintf(out->timings, sizeof out->timings, "%s/timings.json", folder);
    snprintf(texts[count++], MOST_OVERRIDE, "data.steps=last");
    snprintf(texts[count++], MOST_OVERRIDE, "image.samples=1");
    snprintf(texts[count++], MOST_OVERRIDE, "output={}");
    snprintf(texts[count++], MOST_OVERRIDE, "output.frames='%s/%%06d.png'", folder);
    snprintf(texts[count++], MOST_OVERRIDE, "output.timings='%s'", out->timings);
    if (out->target == COMPOSITE_FLOATS) {
        snprintf(texts[count++], MOST_OVERRIDE, "output.float='%s/%%06d.h5'", folder);
    }
    for (int n = 0; n < count; n++) {
        overrides[n] = texts[n];
    }
    const frame_job_options options = {.noverrides = count, .overrides = overrides};
    return frame_render(comm, config, &options, true);
}

void tune_frame_clear(tune_frame *frame)
{
    DIR *folder = frame->folder[0] ? opendir(frame->folder) : NULL;
    const struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        char path[TUNE_PATH + 512];
        snprintf(path, sizeof path, "%s/%s", frame->folder, entry->d_name);
        if (entry->d_name[0] != '.') {
            unlink(path);
        }
    }
    if (folder) {
        closedir(folder);
        rmdir(frame->folder);
    }
    *frame = (tune_frame){0};
}
