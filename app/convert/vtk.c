/* Source: Kitware, "VTK XML file formats" (docs.vtk.org). Values are raw, in the order of
 * this machine's bytes, behind the markup of each file; so all ranks write them. */
#define _GNU_SOURCE /* memfd_create */
#include "vtk.h"

#include "base/parallel/parallel.h"
#include "copy.h"
#include "io/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STEM = 3072, PATH = 4096 };

/* ---- Names ------------------------------------------------------------------------- */

static const char *ending(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot : path + strlen(path);
}

/* The names of the files of flow.vtm:
 *
 *     one step        flow.vtm                flow/BLOCK.vts
 *     several steps   flow.pvd   flow/0007.vtm   flow/0007/BLOCK.vts
 */
typedef struct names {
    char stem[STEM];    /* the path without its ending */
    const char *folder; /* the last part of the stem */
    bool has_steps;
} names;

static status make_names(const convert_plan *plan, const char *output, names *out)
{
    const int length = (int)(ending(output) - output);
    if (length >= STEM || length == 0) {
        return base_fail(STATUS_USAGE, "'%s' is no name of a file", output);
    }
    snprintf(out->stem, sizeof out->stem, "%.*s", length, output);
    const char *slash = strrchr(out->stem, '/');
    out->folder = slash ? slash + 1 : out->stem;
    out->has_steps = plan->nsteps > 1 || strcasecmp(ending(output), ".pvd") == 0;
    return STATUS_OK;
}

/* The part of a path behind the stem: of a step's .vtm without its ending. */
static void step_part(const convert_plan *plan, const names *n, int step, char out[256])
{
    snprintf(out, 256, "%s%s", n->has_steps ? "/" : "",
             n->has_steps && plan->nsteps > 0 ? plan->step_names[step]
             : n->has_steps                   ? "grid"
                                              : "");
}

static void block_path(const convert_plan *plan, const names *n, int step, int block,
                       char out[PATH])
{
    char part[256];
    step_part(plan, n, step, part);
    snprintf(out, PATH, "%s%s/%s.vts", n->stem, part, plan->blocks[block].name);
}

static void set_path(const convert_plan *plan, const names *n, int step, char out[PATH])
{
    char part[256];
    step_part(plan, n, step, part);
    snprintf(out, PATH, "%s%s.vtm", n->stem, part);
}

/* Steps, or one of a grid alone. */
static int step_count(const convert_plan *plan)
{
    return plan->nsteps > 0 ? plan->nsteps : 1;
}

/* ---- Markup ------------------------------------------------------------------------ */

static bool is_big(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 0;
}

static void print_head(FILE *out, const char *type)
{
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" "
            "byte_order=\"%s\" header_type=\"UInt64\">\n",
            type, is_big() ? "BigEndian" : "LittleEndian");
}

static void print_time(FILE *out, const convert_plan *plan, int step)
{
    if (plan->nsteps > 0) {
        fprintf(out,
                "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" "
                "NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray></FieldData>\n",
                io_source_steps(plan->source)[plan->steps[step]].time);
    }
}

/* Prints an array whose values are appended, and moves *offset behind them: each has its
 * number of bytes before it. */
static void print_array(FILE *out, const convert_plan *plan, const convert_array *array,
                        const char *name, int64_t *offset)
{
    const char *type = array->is_ghost                   ? "UInt8"
                       : array->array == IO_ARRAY_IBLANK ? "Int32"
                       : array->is_double                ? "Float64"
                                                         : "Float32";
    const char *unit = array->array < 0 ? "" : convert_plan_unit(plan, array->field);
    fprintf(out, "<DataArray type=\"%s\" Name=\"", type);
    io_file_print_escaped(out, name);
    fprintf(out,
            "\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%" PRId64 "\">",
            array->components, *offset);
    if (unit[0] != '\0') {
        fputs("<InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">", out);
        io_file_print_escaped(out, unit);
        fputs("</InformationKey>", out);
    }
    fputs("</DataArray>\n", out);
    *offset += 8 + convert_array_bytes(array);
}

/* ---- The file of a block ----------------------------------------------------------- */

/* The arrays of a file, in its order: points, those at vertices, those in cells. */
typedef struct block_file {
    const convert_plan *plan;
    int step, block;
    int64_t count;
    convert_array *arrays; /* [count] */
} block_file;

static bool is_cells(const block_file *f, const convert_array *array)
{
    return array->array >= 0 && f->plan->outputs[array->field].location == GRID_CELL;
}

/* Whether an array of the plan belongs to the file. y and z are with x. */
static bool is_of(const block_file *f, const convert_array *array)
{
    const int step =
        array->array < 0 ? convert_plan_grid(f->plan, f->step, f->block) : f->step;
    return array->block == f->block && array->array != IO_ARRAY_Y &&
           array->array != IO_ARRAY_Z && array->step == step;
}

/* Coordinates are read at the step of the file, which may have other blocks than the one
 * that they come from. */
static status list_arrays(block_file *f)
{
    const size_t most = (size_t)f->plan->nfields + 4;
    f->arrays = calloc(most, sizeof *f->arrays);
    if (!f->arrays) {
        return base_fail_memory(most * sizeof *f->arrays, "a list of arrays");
    }
    for (int cells = 0; cells < 2; cells++) {
        for (int64_t n = 0; n < f->plan->narrays; n++) {
            const convert_array *array = &f->plan->arrays[n];
            if (is_of(f, array) && is_cells(f, array) == (cells == 1)) {
                f->arrays[f->count] = *array;
                f->arrays[f->count].step = f->step;
                f->arrays[f->count++].components = array->array == IO_ARRAY_X ? 3 : 1;
            }
        }
    }
    return STATUS_OK;
}

static const char *array_name(const block_file *f, const convert_array *array)
{
    return array->array == IO_ARRAY_X ? "Points"
           : array->is_ghost          ? "vtkGhostType"
           : array->array < 0         ? "iblank"
                                      : f->plan->outputs[array->field].name;
}

/* Prints the arrays of Points, PointData or CellData. */
static void print_arrays(FILE *out, const block_file *f, const char *element,
                         int64_t *offset)
{
    fprintf(out, "<%s>\n", element);
    for (int64_t n = 0; n < f->count; n++) {
        const convert_array *array = &f->arrays[n];
        const bool is_points = array->array == IO_ARRAY_X;
        if (is_points == (strcmp(element, "Points") == 0) &&
            is_cells(f, array) == (strcmp(element, "CellData") == 0)) {
            print_array(out, f->plan, array, array_name(f, array), offset);
        }
    }
    fprintf(out, "</%s>\n", element);
}

static void print_block(FILE *out, const block_file *f)
{
    const int64_t *n = f->plan->blocks[f->block].n;
    char extent[128];
    int64_t offset = 0;
    snprintf(extent, sizeof extent, "0 %" PRId64 " 0 %" PRId64 " 0 %" PRId64, n[0] - 1,
             n[1] - 1, n[2] - 1);
    print_head(out, "StructuredGrid");
    fprintf(out, "<StructuredGrid WholeExtent=\"%s\">\n", extent);
    print_time(out, f->plan, f->step);
    fprintf(out, "<Piece Extent=\"%s\">\n", extent);
    print_arrays(out, f, "Points", &offset);
    print_arrays(out, f, "PointData", &offset);
    print_arrays(out, f, "CellData", &offset);
    fputs("</Piece>\n</StructuredGrid>\n<AppendedData encoding=\"raw\">\n_", out);
}

static const char tail[] = "\n</AppendedData>\n</VTKFile>\n";

/* Writes all but the values into the descriptor, with holes in their place. */
static bool write_skeleton(const block_file *f, const char *head, size_t size,
                           convert_skeleton *out)
{
    int64_t at = (int64_t)size;
    bool is_good = pwrite(out->descriptor, head, size, 0) == (ssize_t)size;
    for (int64_t n = 0; n < f->count && is_good; n++) {
        const uint64_t bytes = (uint64_t)convert_array_bytes(&f->arrays[n]);
        is_good = pwrite(out->descriptor, &bytes, sizeof bytes, at) == sizeof bytes;
        f->arrays[n].offset = at + (int64_t)sizeof bytes;
        at += (int64_t)(sizeof bytes + bytes);
    }
    out->size = at + (int64_t)sizeof tail - 1;
    return is_good &&
           pwrite(out->descriptor, tail, sizeof tail - 1, at) == (ssize_t)sizeof tail - 1;
}

static double file_bytes(const block_file *f, size_t head)
{
    double bytes = (double)head + sizeof tail;
    for (int64_t n = 0; n < f->count; n++) {
        bytes += (double)convert_array_bytes(&f->arrays[n]) + 8.0;
    }
    return bytes;
}

/* Makes the file without values, and sets the offsets of the arrays. Local. */
static status make_skeleton(const block_file *f, const char *path, convert_skeleton *out)
{
    char *head = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&head, &size);
    if (text) {
        print_block(text, f);
    }
    status s = text && fclose(text) == 0 ? STATUS_OK : base_fail_memory(size, "a file");
    s = s == STATUS_OK ? convert_skeleton_check_limit(path, file_bytes(f, size)) : s;
    if (s == STATUS_OK) {
        out->descriptor = memfd_create("karman-convert", MFD_CLOEXEC);
        s = out->descriptor >= 0 && write_skeleton(f, head, size, out)
                ? STATUS_OK
                : base_fail(STATUS_OUTPUT, "'%s' cannot be prepared in memory: %s", path,
                            strerror(errno));
    }
    free(head);
    return s;
}

/* Writes the values of a file that was made. Collective. */
static status copy_values(MPI_Comm comm, const block_file *f,
                          const convert_output *output)
{
    convert_plan of_file = *f->plan;
    of_file.narrays = f->count;
    of_file.arrays = f->arrays;
    return convert_copy(comm, &of_file, output);
}

/* Each rank knows the offsets, as each makes the skeleton. Collective. */
static status write_file(MPI_Comm comm, const block_file *f, const char *path,
                         int64_t *size)
{
    convert_output output = {.file = MPI_FILE_NULL};
    convert_skeleton skeleton = {.descriptor = -1};
    status s = parallel_agree(comm, make_skeleton(f, path, &skeleton));
    s = s == STATUS_OK ? convert_output_make(comm, path, &skeleton, &output) : s;
    *size += skeleton.size;
    convert_skeleton_close(&skeleton);
    s = s == STATUS_OK ? copy_values(comm, f, &output) : s;
    s = s == STATUS_OK ? convert_output_close(comm, &output) : s;
    if (s == STATUS_OK) {
        if (parallel_rank(comm) == 0) {
            s = io_file_commit(output.temporary, path);
            output.is_made = false;
        }
        s = parallel_agree(comm, s);
    }
    convert_output_abandon(comm, &output);
    return s;
}

static status write_block(MPI_Comm comm, block_file *f, const names *n, int64_t *size)
{
    char path[PATH];
    block_path(f->plan, n, f->step, f->block, path);
    status s = parallel_agree(comm, list_arrays(f));
    s = s == STATUS_OK ? write_file(comm, f, path, size) : s;
    free(f->arrays);
    return s;
}

/* ---- Sets of files ----------------------------------------------------------------- */

/* What the contents of a set are made of. */
typedef struct set_file {
    const convert_plan *plan;
    const names *names;
    int step;
} set_file;

static bool print_blocks(FILE *out, const void *context)
{
    const set_file *set = context;
    char part[256];
    step_part(set->plan, set->names, set->step, part);
    /* relative to the folder of the .vtm */
    const char *folder = set->names->has_steps ? part + 1 : set->names->folder;
    print_head(out, "vtkMultiBlockDataSet");
    fputs("<vtkMultiBlockDataSet>\n", out);
    for (int b = 0, index = 0; b < set->plan->nblocks; b++) {
        const char *name = set->plan->blocks[b].name;
        if (convert_plan_grid(set->plan, set->step, b) < 0) {
            continue;
        }
        fprintf(out, "<DataSet index=\"%d\" name=\"", index++);
        io_file_print_escaped(out, name);
        fputs("\" file=\"", out);
        io_file_print_escaped(out, folder);
        fputc('/', out);
        io_file_print_escaped(out, name);
        fputs(".vts\"/>\n", out);
    }
    fputs("</vtkMultiBlockDataSet>\n", out);
    print_time(out, set->plan, set->step);
    fputs("</VTKFile>\n", out);
    return ferror(out) == 0;
}

static bool print_steps(FILE *out, const void *context)
{
    const set_file *set = context;
    print_head(out, "Collection");
    fputs("<Collection>\n", out);
    for (int step = 0; step < step_count(set->plan); step++) {
        char part[256];
        step_part(set->plan, set->names, step, part);
        const double time =
            set->plan->nsteps > 0
                ? io_source_steps(set->plan->source)[set->plan->steps[step]].time
                : 0.0;
        fprintf(out, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"", time);
        io_file_print_escaped(out, set->names->folder);
        io_file_print_escaped(out, part);
        fputs(".vtm\"/>\n", out);
    }
    fputs("</Collection>\n</VTKFile>\n", out);
    return ferror(out) == 0;
}

/* Writes the .vtm of each step, and the .pvd. Local, on rank 0. */
static status write_sets(const convert_plan *plan, const names *n)
{
    char path[PATH];
    status s = STATUS_OK;
    set_file set = {plan, n, 0};
    for (; set.step < step_count(plan) && s == STATUS_OK; set.step++) {
        set_path(plan, n, set.step, path);
        s = io_file_make(path, print_blocks, &set);
    }
    if (s == STATUS_OK && n->has_steps) {
        snprintf(path, sizeof path, "%s.pvd", n->stem);
        s = io_file_make(path, print_steps, &set);
    }
    return s;
}

/* ---- The whole --------------------------------------------------------------------- */

/* Checks all names before a file is written. Local, on rank 0. */
static status check_names(const convert_plan *plan, const names *n, bool replaces)
{
    char path[PATH];
    status s = STATUS_OK;
    if (n->has_steps) {
        snprintf(path, sizeof path, "%s.pvd", n->stem);
        s = convert_output_check_file(plan->source, path, replaces);
    }
    for (int step = 0; step < step_count(plan) && s == STATUS_OK; step++) {
        set_path(plan, n, step, path);
        s = convert_output_check_file(plan->source, path, replaces);
        for (int b = 0; b < plan->nblocks && s == STATUS_OK; b++) {
            block_path(plan, n, step, b, path);
            s = convert_plan_grid(plan, step, b) < 0
                    ? STATUS_OK
                    : convert_output_check_file(plan->source, path, replaces);
        }
    }
    return s;
}

/* Removes the files of the first `count` blocks of steps, after a failure. Local, on rank
 * 0. */
static void remove_blocks(const convert_plan *plan, const names *n, int64_t count)
{
    for (int64_t file = 0; file < count; file++) {
        char path[PATH];
        const int step = (int)(file / plan->nblocks), b = (int)(file % plan->nblocks);
        block_path(plan, n, step, b, path);
        if (convert_plan_grid(plan, step, b) >= 0) {
            unlink(path);
        }
    }
}

/* *written: the files of blocks that are there now. */
static status write_blocks(MPI_Comm comm, const convert_plan *plan, const names *n,
                           int64_t *size, int64_t *written)
{
    status s = STATUS_OK;
    for (int step = 0; step < step_count(plan) && s == STATUS_OK; step++) {
        for (int b = 0; b < plan->nblocks && s == STATUS_OK; b++) {
            block_file f = {.plan = plan, .step = step, .block = b};
            s = convert_plan_grid(plan, step, b) < 0 ? STATUS_OK
                                                     : write_block(comm, &f, n, size);
            *written += s == STATUS_OK;
        }
    }
    return s;
}

status convert_vtk_write(MPI_Comm comm, const convert_plan *plan,
                         const app_convert_request *request, char **path, int64_t *size)
{
    names n;
    const bool is_root = parallel_rank(comm) == 0;
    *size = 0;
    status s = make_names(plan, request->output, &n);
    if (s == STATUS_OK && is_root) {
        s = check_names(plan, &n, request->replaces);
    }
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    int64_t written = 0;
    s = write_blocks(comm, plan, &n, size, &written);
    s = s == STATUS_OK && is_root ? write_sets(plan, &n) : s;
    s = parallel_agree(comm, s);
    if (s != STATUS_OK && is_root) {
        remove_blocks(plan, &n, written);
    }
    if (s == STATUS_OK) {
        const size_t room = strlen(n.stem) + 8;
        *path = malloc(room);
        s = *path ? STATUS_OK : base_fail_memory(room, "a path");
        if (*path) {
            snprintf(*path, room, "%s.%s", n.stem, n.has_steps ? "pvd" : "vtm");
        }
        s = parallel_agree(comm, s);
    }
    return s;
}
