/* What was read at one step is expected at the next: its bytes are named to the file
 * cache before they are read. And a file is opened once, whatever looks at it. The linker
 * puts __wrap_pread and so on in place of the functions. */
#include "base/log.h"
#include "io/source.h"
#include "io/sources/listing/listing.h"
#include "test_io_support.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NI = 65, NJ = 33, NK = 19, ALL = NI * NJ * NK, MOST = 4096, SMALL = 1 << 12 };

static const test_block box_block = {.name = "b", .n = {NI, NJ, NK}};

/* ---- The wrapped functions --------------------------------------------------------- */

static struct {
    ino_t file;
    int64_t from, end;
} advised[MOST];
static int nadvised, nread, nsurprising, nopened;
static bool counts;

static ino_t file_of(int descriptor)
{
    struct stat about;
    return fstat(descriptor, &about) == 0 ? about.st_ino : 0;
}

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker's names */
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
ssize_t __real_pread(int descriptor, void *out, size_t bytes, off_t at);
ssize_t __wrap_pread(int descriptor, void *out, size_t bytes, off_t at);
int __wrap_posix_fadvise(int descriptor, off_t at, off_t bytes, int advice);

/* Files are read alone, so there is no third argument. */
int __wrap_open(const char *path, int flags, ...)
{
    nopened += strncmp(path, test_path(""), strlen(test_path(""))) == 0;
    return __real_open(path, flags);
}

int __wrap_posix_fadvise(int descriptor, off_t at, off_t bytes, int advice)
{
#pragma omp critical(test_io_expect)
    if (advice == POSIX_FADV_WILLNEED && nadvised < MOST) {
        advised[nadvised].file = file_of(descriptor);
        advised[nadvised].from = at;
        advised[nadvised++].end = at + bytes;
    }
    return 0;
}

/* The end of what was advised of a file from a byte on without a gap. */
static int64_t find_end(ino_t file, int64_t at)
{
    bool has_grown = true;
    while (has_grown) {
        has_grown = false;
        for (int n = 0; n < nadvised; n++) {
            if (advised[n].file == file && advised[n].from <= at && advised[n].end > at) {
                at = advised[n].end;
                has_grown = true;
            }
        }
    }
    return at;
}

ssize_t __wrap_pread(int descriptor, void *out, size_t bytes, off_t at)
{
#pragma omp critical(test_io_expect)
    if (counts && bytes > SMALL) {
        nread++;
        nsurprising += find_end(file_of(descriptor), at) < at + (int64_t)bytes;
    }
    return __real_pread(descriptor, out, bytes, at);
}
/* NOLINTEND(bugprone-reserved-identifier) */

/* ---- Files ------------------------------------------------------------------------- */

/* Writes the steps `first` to `end` - 1 of a field in karman's layout. */
static void write_own(const char *path, int first, int end)
{
    const hid_t file = file_create(path);
    block_write_grid(file, &box_block, H5T_IEEE_F32LE);
    for (int step = first; step < end; step++) {
        const char name[2] = {(char)('0' + step), '\0'};
        block_write_field(file, &box_block, name, "p", 0, step, H5T_IEEE_F32LE, false);
    }
    H5Fclose(file);
}

/* Writes a legacy VTK file, whose values are zero. */
static void write_vtk(const char *path)
{
    static const float values[ALL];
    FILE *file = fopen(path, "wb");
    const bool is_open = file != NULL;
    check(is_open, "'%s' cannot be written", path);
    if (is_open) {
        fprintf(file,
                "# vtk DataFile Version 3.0\nzeros\nBINARY\nDATASET STRUCTURED_POINTS\n"
                "DIMENSIONS %d %d %d\nORIGIN 0 0 0\nSPACING 1 1 1\nPOINT_DATA %d\n"
                "SCALARS p float 1\nLOOKUP_TABLE default\n",
                NI, NJ, NK, ALL);
        check(fwrite(values, sizeof values, 1, file) == 1, "'%s' is cut off", path);
        fclose(file);
    }
}

/* ---- Reading ----------------------------------------------------------------------- */

/* Reads a field in two boxes, with coordinates between them, as loading does. */
static void read_step(io_source *source, int step)
{
    static float values[ALL];
    static double places[ALL];
    const io_box boxes[2] = {{{0, 0, 0}, {NI, NJ, NK / 2}},
                             {{0, 2, NK / 2}, {NI, NJ - 2, NK - NK / 2}}};
    for (int n = 0; n < 2; n++) {
        counts = step > 0;
        check_ok(io_source_read(source, step, 0, 0, &boxes[n], values), "a field");
        counts = false;
        check_ok(io_source_read(source, IO_GRID_STEP, 0, IO_ARRAY_X, &boxes[n], places),
                 "coordinates");
    }
}

/* Looks at data before they are opened, as a command does on rank 0. */
static void look_at(const char *path)
{
    io_listing *listing = NULL;
    check(io_source_is_data(path), "'%s' is no data", path);
    check_ok(io_source_list(path, &listing), path);
    io_listing_destroy(&listing);
}

/* Reads one step after the other, and counts large reads that were not expected. */
static void check_data(const char *path, int files)
{
    const io_data_config config = {.file = (char *)path, .all_steps = true};
    io_source *source = NULL;
    nopened = 0;
    if (is_root()) {
        look_at(path);
    }
    if (!check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), path)) {
        return;
    }
    const int nsteps = io_source_step_count(source);
    check(nsteps == 3, "'%s' has %d steps", path, nsteps);
    read_step(source, 0);
    for (int step = 1; step < nsteps; step++) {
        nadvised = nread = nsurprising = 0;
        io_source_expect(source, step);
        check(base_fail_message()[0] == '\0', "a hint failed: %s", base_fail_message());
        read_step(source, step);
        check(nread > 0 && nsurprising == 0,
              "'%s', step %d: %d of %d large reads were not expected, %d were", path,
              step, nsurprising, nread, nadvised);
    }
    check(nopened > 0 && nopened <= files, "%d files of '%s' are opened %d times", files,
          path, nopened);
    io_source_close(&source);
}

static void check_files(const char *pattern, int files, void (*write)(int file))
{
    for (int n = 0; n < files && is_root(); n++) {
        write(n);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    char path[512];
    snprintf(path, sizeof path, "%s", test_path(pattern));
    check_data(path, files);
    for (int n = 0; n < files; n++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s%d%s", (int)strcspn(pattern, "%"), pattern, n,
                 strchr(pattern, '%') ? strchr(pattern, '%') + 2 : "");
        test_file_remove(test_path(strchr(pattern, '%') ? name : pattern));
    }
}

static void write_all_steps(int file)
{
    (void)file;
    write_own(test_path("all.h5"), 0, 3);
}

static void write_own_step(int file)
{
    char name[64];
    snprintf(name, sizeof name, "own_%d.h5", file);
    write_own(test_path(name), file, file + 1);
}

static void write_vtk_step(int file)
{
    char name[64];
    snprintf(name, sizeof name, "zeros_%d.vtk", file);
    write_vtk(test_path(name));
}

static void steps_of_a_file_are_expected(void)
{
    check_files("all.h5", 1, write_all_steps);
}

static void steps_of_files_are_expected(void)
{
    check_files("own_%d.h5", 3, write_own_step);
}

static void steps_of_tables_are_expected(void)
{
    check_files("zeros_%d.vtk", 3, write_vtk_step);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_io_expect");
    run_test("steps of a file are expected", steps_of_a_file_are_expected);
    run_test("steps of a series of HDF5 files are expected", steps_of_files_are_expected);
    run_test("steps of a series of VTK files are expected", steps_of_tables_are_expected);
    test_folder_remove();
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
