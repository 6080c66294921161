/* Ranks together read each coordinate of an O-grid about once for a layout, and once for
 * bricks with gaps between them. The linker puts __wrap_pread in place of pread. */
#include "base/log.h"
#include "io/load/load.h"
#include "io/source.h"
#include "test_io_support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum { NI = 65, NJ = 49, NK = 97, ROW = 4 /* bricks along i */ };

static const test_block ring = {.name = "r", .n = {NI, NJ, NK}, .is_ring = true};

static int64_t bytes_read; /* by this rank */

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker's names */
ssize_t __real_pread(int descriptor, void *out, size_t bytes, off_t at);
ssize_t __wrap_pread(int descriptor, void *out, size_t bytes, off_t at);

ssize_t __wrap_pread(int descriptor, void *out, size_t bytes, off_t at)
{
#pragma omp atomic
    bytes_read += (int64_t)bytes;
    return __real_pread(descriptor, out, bytes, at);
}
/* NOLINTEND(bugprone-reserved-identifier) */

/* Checks how often all ranks together have read the coordinates since the last time. */
static void check_times(const char *what)
{
    const double most = 1.3, all = 3.0 * NI * NJ * NK * sizeof(float);
    int64_t sum = 0;
    MPI_Allreduce(&bytes_read, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    check((double)sum <= most * all, "%s: coordinates are read %.2f times", what,
          (double)sum / all);
    bytes_read = 0;
}

/* The first and the last brick of each row: a gap of two is between them. */
static int64_t list_ends(const grid_layout *layout, int64_t *numbers)
{
    int64_t count = 0;
    for (int64_t n = 0; n < layout->nbricks; n++) {
        if (n % ROW == 0 || n % ROW == ROW - 1) {
            numbers[count++] = n;
        }
    }
    return count;
}

static void coordinates_are_read_once(void)
{
    const char *path = test_path("ring.h5");
    if (is_root()) {
        const hid_t file = file_create(path);
        block_write_grid(file, &ring, H5T_IEEE_F32LE);
        block_write_field(file, &ring, "0", "p", 0, 0, H5T_IEEE_F32LE, false);
        H5Fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const io_data_config config = {.file = (char *)path, .all_steps = true};
    io_source *source = NULL;
    grid_layout *layout = NULL;
    grid_store *store = NULL;
    if (!check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), path)) {
        return;
    }
    bytes_read = 0;
    if (check_ok(io_load_layout(MPI_COMM_WORLD, source, &layout), "the layout")) {
        check(layout->blocks[0].closed[0], "the ring is open");
        check_times("a layout");
        int64_t *numbers = malloc((size_t)layout->nbricks * sizeof *numbers);
        const io_load_list list = {
            .layout = layout, .count = list_ends(layout, numbers), .numbers = numbers};
        check_ok(io_load_bricks(MPI_COMM_WORLD, source, &list, &store), "bricks");
        check_times("bricks");
        free(numbers);
    }
    grid_store_destroy(&store);
    grid_layout_destroy(&layout);
    io_source_close(&source);
    test_file_remove(path);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_io_once");
    run_test("ranks read coordinates of an O-grid once", coordinates_are_read_once);
    test_folder_remove();
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
