/* Points from options and files. */
#include "points.h"

#include "base/array.h"
#include "base/parallel/parallel.h"
#include "frame/integrals/indices.h"
#include "io/view.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 10000000 };

static status reserve(sample_points *p, int64_t count)
{
    if (count < 1 || count > MOST_POINTS) {
        return base_fail(STATUS_USAGE, "%lld points are too many or too few: 1 to %d",
                         (long long)count, MOST_POINTS);
    }
    p->wishes = calloc((size_t)count, sizeof *p->wishes);
    return p->wishes ? STATUS_OK
                     : base_fail_memory((size_t)count * sizeof *p->wishes, "points");
}

static void add_point(sample_points *p, const double x[3])
{
    frame_probe_wish *wish = &p->wishes[p->count++];
    memcpy(wish->x, x, sizeof wish->x);
    wish->block = -1;
}

static status read_options(const char *option, int count, const char *const *at,
                           sample_points *p)
{
    status s = reserve(p, count);
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        double x[3];
        s = frame_indices_read_point(option, at[n], x);
        if (s == STATUS_OK) {
            add_point(p, x);
        }
    }
    return s;
}

static status make_line(const app_sample_request *r, sample_points *p)
{
    double from[3], to[3], x[3];
    status s = frame_indices_read_point("--from", r->from, from);
    s = s == STATUS_OK ? frame_indices_read_point("--to", r->to, to) : s;
    s = s == STATUS_OK ? reserve(p, r->count) : s;
    for (int n = 0; n < r->count && s == STATUS_OK; n++) {
        for (int axis = 0; axis < 3; axis++) {
            const double part = r->count > 1 ? (double)n / (r->count - 1) : 0.0;
            x[axis] = from[axis] + part * (to[axis] - from[axis]);
        }
        add_point(p, x);
    }
    p->is_line = true;
    return s;
}

/* ---- A file ------------------------------------------------------------------------ */

/* Whether a line has nothing to say: it is empty, a comment or, at first, a heading. */
static bool is_passed(const char *line, int64_t count)
{
    const char *c = line + strspn(line, " \t\r\n");
    return *c == '\0' || *c == '#' || (count == 0 && strchr("xX\"", *c));
}

/* Reads the points of a file on this rank: out[*count][3], malloc'ed. */
static status read_file(const char *path, int64_t *count, double (**out)[3])
{
    FILE *file = fopen(path, "r");
    if (!file) {
        return base_fail(STATUS_INPUT, "cannot read '%s': %s", path, strerror(errno));
    }
    char line[1024];
    int64_t number = 0;
    status s = STATUS_OK;
    while (s == STATUS_OK && fgets(line, sizeof line, file)) {
        number++;
        if (is_passed(line, *count)) {
            continue;
        }
        s = base_array_room(*out, *count, 1, "points");
        if (s == STATUS_OK && !frame_indices_read_three(line, (*out)[*count])) {
            s = base_fail(STATUS_INPUT,
                          "%s:%lld: a line has three numbers, the place of a point", path,
                          (long long)number);
        }
        *count += s == STATUS_OK && *count < MOST_POINTS;
    }
    fclose(file);
    return s;
}

static status take_file(MPI_Comm comm, const char *path, sample_points *p)
{
    int64_t count = 0;
    double(*x)[3] = NULL;
    status s = parallel_rank(comm) == 0 ? read_file(path, &count, &x) : STATUS_OK;
    s = parallel_agree(comm, s);
    parallel_bcast(&count, 1, MPI_INT64_T, 0, comm);
    s = parallel_agree(comm, s == STATUS_OK ? reserve(p, count) : s);
    for (int64_t n = 0; n < count && s == STATUS_OK; n++) {
        const double none[3] = {0.0, 0.0, 0.0};
        add_point(p, x ? x[n] : none);
    }
    enum { AT_ONCE = 1 << 20 };
    for (int64_t n = 0; n < count && s == STATUS_OK; n += AT_ONCE) {
        const int64_t left = count - n, part = left < AT_ONCE ? left : AT_ONCE;
        parallel_bcast(&p->wishes[n], parallel_count(part * (int64_t)sizeof *p->wishes),
                       MPI_BYTE, 0, comm);
    }
    free(x);
    return s;
}

/* ---- Vertices ---------------------------------------------------------------------- */

static status take_vertices(const char *text, const io_source *source, sample_points *p)
{
    int64_t range[3][2];
    int block;
    status s = frame_indices_read("--vertices", text, io_source_block_count(source),
                                  io_source_blocks(source), &block, range);
    if (s != STATUS_OK) {
        return s;
    }
    int64_t count = 1, longer = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t side = range[axis][1] - range[axis][0] + 1;
        count = count > MOST_POINTS ? count : count * side;
        longer += side > 1;
    }
    s = reserve(p, count);
    for (int64_t v = 0; v < count && s == STATUS_OK; v++) {
        frame_probe_wish *wish = &p->wishes[p->count++];
        int64_t rest = v;
        wish->block = block;
        for (int axis = 0; axis < 3; axis++) {
            const int64_t side = range[axis][1] - range[axis][0] + 1;
            wish->at[axis] = range[axis][0] + rest % side;
            rest /= side;
        }
    }
    p->is_line = longer == 1;
    return s;
}

status sample_find_points(MPI_Comm comm, const app_sample_request *request,
                          const io_source *source, sample_points *out)
{
    const grid_view *view = io_source_common_view(source);
    status s = request->points     ? take_file(comm, request->points, out)
               : request->vertices ? take_vertices(request->vertices, source, out)
               : request->from     ? make_line(request, out)
               : request->stream   ? read_options("--stream", 1, &request->stream, out)
                                   : read_options("--at", request->nat, request->at, out);
    s = parallel_agree(comm, s);
    for (int64_t n = 0; s == STATUS_OK && n < out->count && view; n++) {
        vec3 x;
        memcpy(x.v, out->wishes[n].x, sizeof x.v);
        x = grid_view_point(view, x);
        memcpy(out->wishes[n].x, x.v, sizeof x.v);
    }
    return s;
}
