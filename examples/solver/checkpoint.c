/* for fallocate */
#define _GNU_SOURCE

#include "checkpoint.h"

#include "base/parallel/parallel.h"
#include "io/file.h"
#include "io/sources/hdf5/driver.h"
#include "series.h"
#include "store.h"
#include "xdmf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static status first(status a, status b)
{
    return a != STATUS_OK ? a : b;
}

/* ---- Writing ---- */

/* Bytes of a file: its arrays, and generous limits for HDF5 and the index. */
static int64_t size_of(const solver_flow *flow, int vertex, int arrays)
{
    enum { OF_A_FILE = 64 << 10, OF_A_BLOCK = 8 << 10 };
    int64_t bytes = OF_A_FILE;
    for (int b = 0; b < solver_flow_blocks(flow); b++) {
        int64_t n[3];
        solver_flow_block(flow, b, n);
        bytes += OF_A_BLOCK + arrays * (int64_t)sizeof(double) * (n[0] + vertex) *
                                  (n[1] + vertex) * (n[2] + vertex);
    }
    return bytes;
}

/*
 * On rank 0: checks whether the part can be made, because MPI-IO hides the system's
 * reason. Then reserves its disk space: after a failed write on a full disk, HDF5 can
 * neither close the file nor end the program without a crash.
 */
static status claim(const char *part, const char *path, int64_t bytes)
{
    status s = io_file_make_folders(path);
    if (s != STATUS_OK) {
        return s;
    }
    int file = io_file_create(part);
    bool works = file >= 0;
    if (works) {
        works = fallocate(file, 0, 0, (off_t)bytes) == 0 || errno == EOPNOTSUPP ||
                errno == ENOSYS;
    }
    if (!works) {
        s = base_fail(STATUS_OUTPUT, "cannot write '%s': %s", path, strerror(errno));
    }
    if (file >= 0) {
        close(file);
    }
    if (s != STATUS_OK && file >= 0) {
        unlink(part);
    }
    return s;
}

static status write_grid(const solver_store *s)
{
    return solver_store_write(s, "/grid", 1);
}

/* Writes the state, and a link to the grid, so that the file is readable without the
 * index. */
static status write_step(const solver_store *s)
{
    char name[SOLVER_PATH_SIZE], *grid = NULL;
    snprintf(name, sizeof name, "/flow/%06lld", (long long)solver_flow_steps(s->flow));
    status result = solver_store_write(s, name, 0);
    if (result == STATUS_OK) {
        result = solver_series_path(s->path, solver_series_grid, &grid);
        result = parallel_agree(solver_flow_comm(s->flow), result);
    }
    if (result == STATUS_OK) {
        const char *slash = strrchr(grid, '/');
        bool works = solver_store_attribute(s, name, "time", solver_flow_time(s->flow)) &&
                     H5Lcreate_external(slash ? slash + 1 : grid, "/grid", s->file,
                                        "/grid", H5P_DEFAULT, H5P_DEFAULT) >= 0;
        result = works ? STATUS_OK : solver_store_fail(s->path);
    }
    free(grid);
    return result;
}

/* Writes the part, down to the disk. Collective; the ranks have not agreed on the result
 * yet. */
static status write_part(solver_flow *flow, const char *path, const char *part,
                         status (*write)(const solver_store *s))
{
    solver_store s;
    status result = solver_store_open(flow, part, H5F_ACC_TRUNC, &s);
    s.path = path;
    if (result == STATUS_OK) {
        result = parallel_agree(solver_flow_comm(flow), write(&s));
    }
    if (result == STATUS_OK) {
        bool works = solver_store_attribute(&s, "/", "karman_format", 1.0) &&
                     H5Fflush(s.file, H5F_SCOPE_GLOBAL) >= 0;
        result = works ? STATUS_OK : solver_store_fail(path);
    }
    result = parallel_agree(solver_flow_comm(flow), result);
    if (result != STATUS_OK && parallel_rank(solver_flow_comm(flow)) == 0) {
        /* frees disk space that HDF5 needs to close the file */
        truncate(part, 0);
    }
    return first(result, solver_store_close(&s));
}

/* On rank 0: these put a complete part into the series. */
static status end_grid(const solver_flow *flow, const char *path, const char *part,
                       const char *kept)
{
    (void)flow;
    return solver_series_begin(path, part, kept);
}

static status end_step(const solver_flow *flow, const char *path, const char *part,
                       const char *kept)
{
    const double step[2] = {(double)solver_flow_steps(flow), solver_flow_time(flow)};
    solver_series_steps steps;
    (void)kept;
    status s = solver_series_add(path, part, step, &steps);
    if (s == STATUS_OK) {
        s = solver_xdmf_write(flow, path, part, &steps);
        solver_series_clear(&steps);
    }
    return s;
}

/* A kind of file: its arrays, its writer, and its place in the series. */
typedef struct file_kind {
    int vertex, arrays;
    status (*write)(const solver_store *s);
    status (*end)(const solver_flow *flow, const char *path, const char *part,
                  const char *kept);
} file_kind;

static status make_file(const file_kind *kind, solver_flow *flow, const char *path,
                        const char *kept)
{
    MPI_Comm comm = solver_flow_comm(flow);
    bool root = parallel_rank(comm) == 0;
    char *part = NULL;
    status s = solver_series_part(path, &part);
    s = s == STATUS_OK && root
            ? claim(part, path, size_of(flow, kind->vertex, kind->arrays))
            : s;
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        H5E_BEGIN_TRY
        {
            s = parallel_agree(comm, write_part(flow, path, part, kind->write));
            s = s == STATUS_OK && root ? kind->end(flow, path, part, kept) : s;
        }
        H5E_END_TRY
        s = parallel_agree(comm, s);
        if (s != STATUS_OK && root) {
            unlink(part);
        }
    }
    free(part);
    return s;
}

status solver_checkpoint_create(solver_flow *flow, const char *path, const char *kept)
{
    return make_file(&(file_kind){1, 3, write_grid, end_grid}, flow, path, kept);
}

status solver_checkpoint_resume(solver_flow *flow, const char *path)
{
    MPI_Comm comm = solver_flow_comm(flow);
    status s = STATUS_OK;
    if (parallel_rank(comm) == 0) {
        H5E_BEGIN_TRY
        {
            s = solver_series_resume(path);
        }
        H5E_END_TRY
    }
    return parallel_agree(comm, s);
}

status solver_checkpoint_add(solver_flow *flow, const char *path)
{
    return make_file(&(file_kind){0, SOLVER_VARIABLES, write_step, end_step}, flow, path,
                     NULL);
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

/* Finds the last step. Local. */
static status find_last(const solver_store *s, char group[SOLVER_NAME_SIZE],
                        int64_t *number, double *time)
{
    int64_t last = -1;
    H5Literate_by_name(s->file, "/flow", H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit_step,
                       &last, H5P_DEFAULT);
    if (last < 0) {
        return base_fail(STATUS_INPUT, "'%s' has no steps to restart from", s->path);
    }
    snprintf(group, SOLVER_NAME_SIZE, "/flow/%06lld", (long long)last);
    *number = last;
    if (H5Oexists_by_name(s->file, group, H5P_DEFAULT) <= 0) {
        return base_fail(STATUS_INPUT,
                         "'%s' names step %06lld, whose file is missing: put it into the "
                         "same folder",
                         s->path, (long long)last);
    }
    return read_time(s, group, time);
}

static status read_last(const solver_store *s)
{
    int64_t last = -1;
    char group[SOLVER_NAME_SIZE];
    double time = 0.0;
    status result = io_hdf5_watch_check(find_last(s, group, &last, &time));
    result = parallel_agree(solver_flow_comm(s->flow), result);
    for (int b = 0; result == STATUS_OK && b < solver_flow_blocks(s->flow); b++) {
        for (int v = 0; result == STATUS_OK && v < SOLVER_VARIABLES; v++) {
            result = io_hdf5_watch_check(solver_store_read(s, group, b, v));
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
    const io_hdf5_watch before = io_hdf5_watch_begin();
    status result = solver_store_open(flow, path, H5F_ACC_RDONLY, &s);
    result = result == STATUS_OUTPUT ? STATUS_INPUT : result;
    if (result == STATUS_OK) {
        result = read_last(&s);
    }
    result = first(result, solver_store_close(&s));
    result = io_hdf5_watch_check(result);
    io_hdf5_watch_end(&before);
    return parallel_agree(solver_flow_comm(flow), result);
}
