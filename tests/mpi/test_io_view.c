/* Grids that are not shown as they are stored: rings whose cells close them, and
 * longitudes that jump. */
#include "base/log.h"
#include "io/source.h"
#include "test_io_support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NI = 24, NJ = 5, NK = 3 };

static const test_block box = {.name = "box", .n = {NI, NJ, NK}};

/* Coordinates of an O-grid with a plane every 15 degrees, or of a box. */
static double point_at(const test_block *block, const void *context, int64_t i, int64_t j,
                       int64_t k)
{
    const int component = *(const int *)context % 3, is_box = *(const int *)context / 3;
    const double r = 1.0 + 0.3 * (double)j, a = (double)i * acos(-1.0) / 12.0;
    (void)block;
    return component == 2   ? 0.1 * (double)k
           : is_box         ? (component == 0 ? (double)i : (double)j)
           : component == 0 ? r * cos(a)
                            : r * sin(a);
}

/* A grid, and a field with as many values along i as there are planes. */
static void write_ring(const char *path, bool is_box)
{
    static const char *const names[] = {"/x", "/y", "/z"};
    const hsize_t dims[3] = {NK, NJ, NI}, cells[3] = {NK - 1, NJ - 1, NI};
    double values[NI * NJ * NK];
    hid_t file = file_create(path);
    for (int c = 0; c < 3; c++) {
        const int what = c + (is_box ? 3 : 0);
        double *point = block_fill(&box, false, point_at, &what);
        file_write(file, names[c], H5T_IEEE_F64LE, 3, dims, point);
        free(point);
    }
    for (int n = 0; n < NI * NJ * NK; n++) {
        values[n] = n % NI;
    }
    file_write(file, "/c", H5T_IEEE_F32LE, 3, cells, values);
    H5Fclose(file);
}

/* Opens such a file and makes its layout. */
static status load_ring(const char *path, bool is_box, io_source **source,
                        grid_layout **layout)
{
    io_field_path field = {"c", "/c"};
    const io_data_config config = {.file = (char *)(uintptr_t)path,
                                   .grid_x = "/x",
                                   .grid_y = "/y",
                                   .grid_z = "/z",
                                   .nfields = 1,
                                   .fields = &field,
                                   .all_steps = true};
    if (is_root()) {
        write_ring(path, is_box);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    *layout = NULL;
    status s = io_source_open(MPI_COMM_WORLD, &config, source);
    return s == STATUS_OK ? io_load_layout(MPI_COMM_WORLD, *source, layout) : s;
}

static void the_last_cells_close_a_ring(void)
{
    io_source *source = NULL;
    grid_layout *layout = NULL;
    const char *path = test_path("ring.h5");
    if (check_ok(load_ring(path, false, &source, &layout), "a ring")) {
        const io_box all = {{0, 0, 0}, {NI, 1, 1}}, end = {{NI - 1, 2, 1}, {2, 1, 1}};
        double x[2];
        float values[NI];
        check(layout->blocks[0].n[0] == NI + 1 && layout->blocks[0].closed[0],
              "expected a closed ring, got %d planes", (int)layout->blocks[0].n[0]);
        check_ok(io_source_read(source, 0, 0, 0, &all, values), "its cells");
        check(values[NI - 1] == NI - 1, "the last cell has %g", (double)values[NI - 1]);
        check_ok(io_source_read(source, 0, 0, IO_ARRAY_X, &end, x), "its ends");
        check(x[1] == 1.6, "the repeated plane lies at %g", x[1]);
    }
    grid_layout_destroy(&layout);
    io_source_close(&source);
    check(load_ring(test_path("faces.h5"), true, &source, &layout) == STATUS_INPUT &&
              strstr(base_fail_message(),
                     "as many values along i as the grid has vertices"),
          "values at faces: %s", base_fail_message());
    base_fail_set_message("");
    grid_layout_destroy(&layout);
    io_source_close(&source);
    test_file_remove(test_path("ring.h5"));
    test_file_remove(test_path("faces.h5"));
}

/* Writes a map of these longitudes and latitudes, and opens it on all ranks. */
static status load_map(const char *path, double values[2][NJ * NI], io_source **source)
{
    const io_data_config config = {.file = (char *)(uintptr_t)path,
                                   .grid_x = "/nav_lon",
                                   .grid_y = "/nav_lat",
                                   .grid_z = "/depth",
                                   .all_steps = true};
    const hsize_t plane[2] = {NJ, NI}, list[1] = {NK};
    const double z[NK] = {0.0, 1.0, 2.0};
    if (is_root()) {
        hid_t file = file_create(path);
        file_write(file, "/nav_lon", H5T_IEEE_F32LE, 2, plane, values[0]);
        file_write(file, "/nav_lat", H5T_IEEE_F32LE, 2, plane, values[1]);
        file_write(file, "/depth", H5T_IEEE_F32LE, 1, list, z);
        H5Fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return io_source_open(MPI_COMM_WORLD, &config, source);
}

/* Longitudes from -180 to 180 that begin elsewhere in each row, as in a curvilinear map.
 */
static void longitudes_do_not_jump(void)
{
    const char *path = test_path("map.h5");
    double values[2][NJ * NI];
    io_source *source = NULL;
    for (int n = 0; n < NJ * NI; n++) {
        const double longitude = 100.0 + 8.0 * (n % NI) + 60.0 * (n / NI);
        values[0][n] = longitude - 360.0 * floor((longitude + 180.0) / 360.0);
        values[1][n] = n / NI;
    }
    if (check_ok(load_map(path, values, &source), "a map")) {
        const io_box part = {{3, 1, 1}, {NI - 3, NJ - 1, 2}};
        double x[(NI - 3) * (NJ - 1) * 2];
        check_ok(io_source_read(source, IO_GRID_STEP, 0, IO_ARRAY_X, &part, x), "x");
        for (int n = 0; n < (NI - 3) * (NJ - 1) * 2; n++) {
            const int i = n % (NI - 3) + 3, j = n / (NI - 3) % (NJ - 1) + 1;
            const double expected = 100.0 + 8.0 * i + 60.0 * j;
            check(x[n] == expected, "longitude %d %d: expected %g, got %g", i, j,
                  expected, x[n]);
        }
    }
    io_source_close(&source);
    test_file_remove(path);
}

/* Squares on a plane that touches the pole in the middle of a cell: no cell that keeps
 * its four vertices is wide, and few are lost. */
static void maps_go_over_a_pole(void)
{
    const char *path = test_path("pole.h5");
    const io_box all = {{0, 0, 0}, {NI, NJ, 1}};
    double values[2][NJ * NI], x[NJ * NI];
    io_source *source = NULL;
    int kept = 0;
    for (int n = 0; n < NJ * NI; n++) {
        const double east = n % NI - 11.5, north = n / NI - 1.5;
        values[0][n] = atan2(north, east) * 180.0 / acos(-1.0);
        values[1][n] = 90.0 - hypot(east, north);
    }
    const bool is_open = check_ok(load_map(path, values, &source), "a polar map");
    if (is_open) {
        check_ok(io_source_read(source, IO_GRID_STEP, 0, IO_ARRAY_X, &all, x), "x");
    }
    for (int c = 0; c < (NJ - 1) * (NI - 1) && is_open; c++) {
        const int i = c % (NI - 1), j = c / (NI - 1), n = j * NI + i;
        const double cell[4] = {x[n], x[n + 1], x[n + NI], x[n + NI + 1]};
        double low = INFINITY, high = -INFINITY;
        bool is_there = true;
        for (int corner = 0; corner < 4; corner++) {
            is_there = is_there && isfinite(cell[corner]);
            low = fmin(low, cell[corner]);
            high = fmax(high, cell[corner]);
        }
        kept += is_there;
        check(!is_there || high - low < 180.0, "cell %d %d from longitude %g to %g", i, j,
              low, high);
    }
    check(kept >= (NJ - 1) * (NI - 1) * 2 / 3, "only %d cells are left", kept);
    io_source_close(&source);
    test_file_remove(path);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_io_view");
    run_test("the last cells close a ring", the_last_cells_close_a_ring);
    run_test("longitudes do not jump", longitudes_do_not_jump);
    run_test("maps go over a pole", maps_go_over_a_pole);
    test_folder_remove();
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
