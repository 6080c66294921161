#include "solver/checkpoint.h"

#include "base/parallel.h"
#include "io/file.h"
#include "solver/store.h"
#include "solver/xdmf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where a step lies until it is complete: readers pass over names that are no numbers. */
static const char unfinished[] = "/flow/unfinished";

static status first(status a, status b)
{
    return a != STATUS_OK ? a : b;
}

/* ---- Files ---- */
/* The system's own reason for a failure is lost behind MPI-IO: rank 0 finds it. */
static status claim(const char *temporary, const char *path)
{
    status s = io_file_make_folders(path);
    int file = s == STATUS_OK ? open(temporary, O_CREAT | O_WRONLY | O_TRUNC, 0666) : -1;
    if (s == STATUS_OK && file < 0) {
        return base_fail(STATUS_OUTPUT, "cannot write '%s': %s", path, strerror(errno));
    }
    if (file >= 0) {
        close(file);
    }
    return s;
}

static status write_new(solver_flow *flow, const char *temporary)
{
    solver_store s;
    status result = solver_store_open(flow, temporary, H5F_ACC_TRUNC, &s);
    if (result == STATUS_OK) {
        result = solver_store_write(&s, "/grid", 1);
    }
    if (result == STATUS_OK) {
        hid_t group = H5Gcreate(s.file, "/flow", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        bool works = group >= 0 && H5Gclose(group) >= 0 &&
                     solver_store_attribute(&s, "/", "karman_format", 1.0);
        result = works ? STATUS_OK : solver_store_fail(temporary);
    }
    return first(result, solver_store_close(&s));
}

status solver_checkpoint_create(solver_flow *flow, const char *path)
{
    MPI_Comm comm = solver_flow_comm(flow);
    bool root = parallel_rank(comm) == 0;
    size_t size = strlen(path) + 6;
    char *temporary = malloc(size);
    status s = temporary ? STATUS_OK : base_fail_memory(size, "a path");
    if (s == STATUS_OK) {
        snprintf(temporary, size, "%s.part", path);
        s = root ? claim(temporary, path) : STATUS_OK;
    }
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        H5E_BEGIN_TRY
        {
            s = write_new(flow, temporary);
        }
        H5E_END_TRY
        if (root && s == STATUS_OK) {
            s = io_file_commit(temporary, path);
        } else if (root) {
            unlink(temporary);
        }
        s = parallel_agree(comm, s);
    }
    free(temporary);
    return s;
}

/* ---- Steps ---- */

static void remove_link(const solver_store *s, const char *name)
{
    if (H5Lexists(s->file, name, H5P_DEFAULT) > 0) {
        H5Ldelete(s->file, name, H5P_DEFAULT);
    }
}

static status add_step(const solver_store *s)
{
    char name[SOLVER_PATH_SIZE];
    snprintf(name, sizeof name, "/flow/%06lld", (long long)solver_flow_steps(s->flow));
    remove_link(s, unfinished);
    status result = solver_store_write(s, unfinished, 0);
    if (result != STATUS_OK) {
        return result;
    }
    bool works =
        solver_store_attribute(s, unfinished, "time", solver_flow_time(s->flow)) &&
        H5Fflush(s->file, H5F_SCOPE_GLOBAL) >= 0;
    if (works) {
        remove_link(s, name);
        works =
            H5Lmove(s->file, unfinished, s->file, name, H5P_DEFAULT, H5P_DEFAULT) >= 0;
    }
    return works ? STATUS_OK : solver_store_fail(s->path);
}

status solver_checkpoint_add(solver_flow *flow, const char *path)
{
    solver_store s;
    status result = STATUS_OK;
    H5E_BEGIN_TRY
    {
        result = solver_store_open(flow, path, H5F_ACC_RDWR, &s);
        if (result == STATUS_OK) {
            result = add_step(&s);
        }
        result = first(result, solver_store_close(&s));
    }
    H5E_END_TRY
    result = parallel_agree(solver_flow_comm(flow), result);
    if (result == STATUS_OK) {
        bool root = parallel_rank(solver_flow_comm(flow)) == 0;
        result = parallel_agree(solver_flow_comm(flow),
                                root ? solver_xdmf_write(path) : STATUS_OK);
    }
    return result;
}

/* ---- Reading ---- */

/* Keeps the largest number among the names of steps. */
static herr_t visit_step(hid_t group, const char *name, const H5L_info_t *info,
                         void *data)
{
    int64_t *last = data;
    char *end;
    long long number = strtoll(name, &end, 10);
    (void)group;
    (void)info;
    if (*end == '\0' && end != name && number > *last) {
        *last = number;
    }
    return 0;
}

static status read_time(const solver_store *s, const char *group, double *time)
{
    hid_t attribute = H5Aopen_by_name(s->file, group, "time", H5P_DEFAULT, H5P_DEFAULT);
    bool works = attribute >= 0 && H5Aread(attribute, H5T_NATIVE_DOUBLE, time) >= 0;
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    return works ? STATUS_OK
                 : base_fail(STATUS_INPUT, "'%s': step %s has no time", s->path, group);
}

static status read_last(const solver_store *s)
{
    int64_t last = -1;
    char group[SOLVER_NAME_SIZE];
    double time = 0.0;
    H5Literate_by_name(s->file, "/flow", H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit_step,
                       &last, H5P_DEFAULT);
    if (last < 0) {
        return base_fail(STATUS_INPUT, "'%s' has no steps to restart from", s->path);
    }
    snprintf(group, sizeof group, "/flow/%06lld", (long long)last);
    status result = read_time(s, group, &time);
    for (int b = 0; result == STATUS_OK && b < solver_flow_blocks(s->flow); b++) {
        for (int v = 0; result == STATUS_OK && v < SOLVER_VARIABLES; v++) {
            result = solver_store_read(s, group, b, v);
            result = parallel_agree(solver_flow_comm(s->flow), result);
        }
    }
    if (result == STATUS_OK) {
        solver_flow_resume(s->flow, time, last);
    }
    return result;
}

status solver_checkpoint_read(solver_flow *flow, const char *path)
{
    solver_store s;
    status result = STATUS_OK;
    H5E_BEGIN_TRY
    {
        result = solver_store_open(flow, path, H5F_ACC_RDONLY, &s);
        result = result == STATUS_OUTPUT ? STATUS_INPUT : result;
        if (result == STATUS_OK) {
            result = read_last(&s);
        }
        result = first(result, solver_store_close(&s));
    }
    H5E_END_TRY
    return parallel_agree(solver_flow_comm(flow), result);
}
