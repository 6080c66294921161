/* for fallocate */
#define _GNU_SOURCE

#include "checkpoint.h"

#include "failure.h"
#include "output.h"
#include "series.h"
#include "store.h"
#include "xdmf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
static bool claim(const char *part, const char *path, int64_t bytes)
{
    if (!solver_output_folders(path)) {
        return false;
    }
    int file = solver_output_create(part);
    bool works = file >= 0 && (fallocate(file, 0, 0, (off_t)bytes) == 0 ||
                               errno == EOPNOTSUPP || errno == ENOSYS);
    works = works || solver_output_fail(path);
    if (file >= 0) {
        close(file);
    }
    if (!works && file >= 0) {
        unlink(part);
    }
    return works;
}

static bool write_grid(const solver_store *s)
{
    return solver_store_write(s, "/grid", 1);
}

/* Writes the state, and a link to the grid, so that the file is readable without the
 * index. */
static bool write_step(const solver_store *s)
{
    char name[SOLVER_PATH_SIZE], grid[SOLVER_FILE_SIZE];
    snprintf(name, sizeof name, "/flow/%06lld", (long long)solver_flow_steps(s->flow));
    if (!solver_store_write(s, name, 0)) {
        return false;
    }
    solver_series_path(s->path, solver_series_grid, grid);
    const char *slash = strrchr(grid, '/');
    bool works =
        solver_store_attribute(s->file, name, "time", solver_flow_time(s->flow)) &&
        H5Lcreate_external(slash ? slash + 1 : grid, "/grid", s->file, "/grid",
                           H5P_DEFAULT, H5P_DEFAULT) >= 0;
    return works || solver_store_fail(s->path);
}

/* Writes the part, down to the disk. Collective. */
static bool write_part(solver_flow *flow, const char *path, const char *part,
                       bool (*write)(const solver_store *s))
{
    solver_store s;
    bool works = solver_store_open(flow, part, H5F_ACC_TRUNC, &s);
    s.path = path;
    works = works && solver_agree(solver_flow_comm(flow), write(&s));
    if (works) {
        works = (solver_store_attribute(s.file, "/", "karman_format", 1.0) &&
                 H5Fflush(s.file, H5F_SCOPE_GLOBAL) >= 0) ||
                solver_store_fail(path);
    }
    works = solver_agree(solver_flow_comm(flow), works);
    if (!works && solver_rank(solver_flow_comm(flow)) == 0) {
        /* frees disk space that HDF5 needs to close the file */
        truncate(part, 0);
    }
    return solver_store_close(&s) && works;
}

/* On rank 0: these put a complete part into the series. */
static bool end_grid(const solver_flow *flow, const char *path, const char *part,
                     const char *kept)
{
    (void)flow;
    return solver_series_begin(path, part, kept);
}

static bool end_step(const solver_flow *flow, const char *path, const char *part,
                     const char *kept)
{
    const double step[2] = {(double)solver_flow_steps(flow), solver_flow_time(flow)};
    solver_series_steps steps;
    (void)kept;
    if (!solver_series_add(path, part, step, &steps)) {
        return false;
    }
    bool works = solver_xdmf_write(flow, path, part, &steps);
    free(steps.steps);
    return works;
}

/* A kind of file: its arrays, its writer, and its place in the series. */
typedef struct file_kind {
    int vertex, arrays;
    bool (*write)(const solver_store *s);
    bool (*end)(const solver_flow *flow, const char *path, const char *part,
                const char *kept);
} file_kind;

static bool make_file(const file_kind *kind, solver_flow *flow, const char *path,
                      const char *kept)
{
    MPI_Comm comm = solver_flow_comm(flow);
    bool is_root = solver_rank(comm) == 0;
    char part[SOLVER_FILE_SIZE];
    snprintf(part, sizeof part, "%s.part", path);
    bool works = !is_root || claim(part, path, size_of(flow, kind->vertex, kind->arrays));
    if (!solver_agree(comm, works)) {
        return false;
    }
    H5E_BEGIN_TRY
    {
        works = write_part(flow, path, part, kind->write);
        works = works && (!is_root || kind->end(flow, path, part, kept));
    }
    H5E_END_TRY
    works = solver_agree(comm, works);
    if (!works && is_root) {
        unlink(part);
    }
    return works;
}

bool solver_checkpoint_create(solver_flow *flow, const char *path, const char *kept)
{
    return make_file(&(file_kind){1, 3, write_grid, end_grid}, flow, path, kept);
}

bool solver_checkpoint_resume(solver_flow *flow, const char *path)
{
    MPI_Comm comm = solver_flow_comm(flow);
    bool works = true;
    H5E_BEGIN_TRY
    {
        works = solver_rank(comm) != 0 || solver_series_resume(path);
    }
    H5E_END_TRY
    return solver_agree(comm, works);
}

bool solver_checkpoint_add(solver_flow *flow, const char *path)
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

static bool read_time(const solver_store *s, const char *group, double *time)
{
    hid_t attribute = H5Aopen_by_name(s->file, group, "time", H5P_DEFAULT, H5P_DEFAULT);
    bool works = attribute >= 0 && H5Aread(attribute, H5T_NATIVE_DOUBLE, time) >= 0;
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    return works ||
           solver_fail(SOLVER_FAILED, "'%s': step %s has no time", s->path, group);
}

/* Finds the last step. Local. */
static bool find_last(const solver_store *s, char group[SOLVER_NAME_SIZE],
                      int64_t *number, double *time)
{
    int64_t last = -1;
    H5Literate_by_name(s->file, "/flow", H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit_step,
                       &last, H5P_DEFAULT);
    if (last < 0) {
        return solver_fail(SOLVER_FAILED, "'%s' has no steps to restart from", s->path);
    }
    snprintf(group, SOLVER_NAME_SIZE, "/flow/%06lld", (long long)last);
    *number = last;
    if (H5Oexists_by_name(s->file, group, H5P_DEFAULT) <= 0) {
        return solver_fail(SOLVER_FAILED,
                           "'%s' names step %06lld, whose file is missing or cannot be "
                           "read: put it into the same folder",
                           s->path, (long long)last);
    }
    return read_time(s, group, time);
}

static bool read_last(const solver_store *s)
{
    int64_t last = -1;
    char group[SOLVER_NAME_SIZE];
    double time = 0.0;
    MPI_Comm comm = solver_flow_comm(s->flow);
    bool works = solver_agree(comm, find_last(s, group, &last, &time));
    for (int n = 0; works && n < SOLVER_VARIABLES * solver_flow_blocks(s->flow); n++) {
        works = solver_agree(comm, solver_store_read(s, group, n / SOLVER_VARIABLES,
                                                     n % SOLVER_VARIABLES));
    }
    if (works) {
        solver_flow_resume(s->flow, time, last);
    }
    return works;
}

bool solver_checkpoint_read(solver_flow *flow, const char *path)
{
    solver_store s;
    bool works;
    H5E_BEGIN_TRY
    {
        works = solver_store_open(flow, path, H5F_ACC_RDONLY, &s) && read_last(&s);
        works = solver_store_close(&s) && works;
    }
    H5E_END_TRY
    return works;
}
