/*
 * The twelve zones of sqnz_s give the picture of the same cells in one block.
 *
 *   test_cell_zones SQNZ_S OUT_FOLDER
 */
#include "base/parallel/parallel.h"
#include "library/karman.h"
#include "mpi/test_io_support.h"
#include "support/file.h"

#include "io/source.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 160, HEIGHT = 120, NI = 44, NJ = 16, NK = 16, FIELDS = 5 };

static const char *folder, *data;

/* ---- One block --------------------------------------------------------------------- */

/* Zone dom1_I_J_K begins at this cell of the whole: 14, 14 and 16 cells along i, 8 and 8
 * along j and k. */
static bool find_begin(const char *name, int64_t begin[3])
{
    int i, j, k;
    const bool is_known = sscanf(name, "dom1_%d_%d_%d", &i, &j, &k) == 3;
    begin[0] = is_known ? 14 * (i - 1) : 0;
    begin[1] = is_known ? 8 * (j - 1) : 0;
    begin[2] = is_known ? 8 * (k - 1) : 0;
    return is_known;
}

/* Copies an array of a zone into that of the whole. */
static void copy_zone(io_source *source, int block, int array, double *whole)
{
    const grid_block *zone = &io_source_blocks(source)[block];
    const int less = array >= 0 ? 1 : 0;
    const io_box box = {{0, 0, 0},
                        {zone->n[0] - less, zone->n[1] - less, zone->n[2] - less}};
    double *part = malloc((size_t)(box.n[0] * box.n[1] * box.n[2]) * sizeof *part);
    int64_t begin[3], v = 0;
    check(find_begin(zone->name, begin), "zone '%s'", zone->name);
    check_ok(array >= 0 ? io_source_read_doubles(source, 0, block, array, &box, part)
                        : io_source_read(source, 0, block, array, &box, part),
             zone->name);
    for (int64_t k = begin[2]; k < begin[2] + box.n[2]; k++) {
        for (int64_t j = begin[1]; j < begin[1] + box.n[1]; j++) {
            for (int64_t i = begin[0]; i < begin[0] + box.n[0]; i++, v++) {
                whole[(k * (NJ + 1 - less) + j) * (NI + 1 - less) + i] = part[v];
            }
        }
    }
    free(part);
}

static void write_array(io_source *source, hid_t file, const char *path, int array)
{
    static double whole[(NI + 1) * (NJ + 1) * (NK + 1)];
    const hsize_t more = array >= 0 ? 0 : 1;
    const hsize_t dims[3] = {NK + more, NJ + more, NI + more};
    for (int block = 0; block < io_source_block_count(source); block++) {
        copy_zone(source, block, array, whole);
    }
    file_write(file, path, H5T_NATIVE_DOUBLE, 3, dims, whole);
}

/* Writes the cells of all zones as one block. Local. */
static void write_whole(void)
{
    char path[1024];
    io_data_config config = {.file = (char *)data};
    io_source *source = NULL;
    if (!check_ok(io_source_open(MPI_COMM_SELF, &config, &source), data)) {
        return;
    }
    snprintf(path, sizeof path, "%s/whole.h5", folder);
    hid_t file = file_create(path);
    for (int axis = 0; axis < 3; axis++) {
        snprintf(path, sizeof path, "/grid/whole/%c", "xyz"[axis]);
        write_array(source, file, path, IO_ARRAY_X + axis);
    }
    check(io_source_field_count(source) == FIELDS, "there are %d fields",
          io_source_field_count(source));
    for (int f = 0; f < FIELDS; f++) {
        snprintf(path, sizeof path, "/flow/0/whole/%s", io_source_fields(source)[f].name);
        write_array(source, file, path, f);
    }
    H5Fclose(file);
    io_source_close(&source);
}

/* ---- Pictures ---------------------------------------------------------------------- */

/* Draws a layer of a file; the pixels on rank 0, malloc'ed, NULL on others. Collective.
 */
static uint8_t *draw(const char *file, const char *layer)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/zones.yaml", folder);
    if (is_root()) {
        FILE *config = test_file_create(path);
        fprintf(config,
                "data: {file: %s}\nimage: {width: %d, height: %d, samples: 1}\n"
                "camera: {position: [-2.5, 2.6, 3.2], look_at: [-0.1, 0.5, 0.5], "
                "up: [0, 0, 1], fov: 30}\n"
                "layers:\n  - %s\noutput: {frames: zones.png}\n",
                file, WIDTH, HEIGHT, layer);
        fclose(config);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    karman_options options = {.threads = 1, .quiet = true};
    const int code = karman_render_config(MPI_COMM_WORLD, path, &options);
    check(code == KARMAN_DONE, "%s: %s", layer,
          code == KARMAN_DONE ? "" : karman_message());
    MPI_Barrier(MPI_COMM_WORLD);
    if (!is_root()) {
        return NULL;
    }
    png_image png = {.version = PNG_IMAGE_VERSION};
    uint8_t *pixels = calloc(3, WIDTH * HEIGHT);
    snprintf(path, sizeof path, "%s/zones.png", folder);
    check(png_image_begin_read_from_file(&png, path) && png.width == WIDTH, "%s", path);
    png.format = PNG_FORMAT_RGB;
    png_image_finish_read(&png, NULL, pixels, 0, NULL);
    return pixels;
}

static void zones_give_the_picture_of_one_block(void)
{
    static const char *const layers[] = {
        "isosurface: {field: mach, value: 1, color_by: pressure}",
        "contour: {field: pressure, plane: {point: [0, 0.5, 0.51], normal: [0.1, 0, 1]}, "
        "levels: 14, style: both}",
        "contour: {field: vorticity_magnitude, plane: {point: [0, 0.53, 0.5], normal: "
        "[0, 1, 0.2]}, levels: 9, style: both}",
        "volume: {field: mach, opacity: [[0, 0], [1, 0.6]]}",
        "volume: {field: mach, opacity: [[0, 0], [1, 0.6]], shade: {}}"};

    for (size_t n = 0; n < sizeof layers / sizeof layers[0]; n++) {
        uint8_t *zones = draw(data, layers[n]), *one = draw("whole.h5", layers[n]);
        int worst = 0, lit = 0;
        for (int p = 0; p < 3 * WIDTH * HEIGHT && one; p++) {
            const int difference = abs(zones[p] - one[p]);
            worst = difference > worst ? difference : worst;
            lit += one[p] > 0;
        }
        check(worst <= 1, "%s: twelve zones differ from one block by %d counts",
              layers[n], worst);
        check(!one || lit > WIDTH * HEIGHT / 10, "%s shows nothing", layers[n]);
        free(zones);
        free(one);
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (argc != 3) {
        fprintf(stderr, "usage: test_cell_zones SQNZ_S OUT_FOLDER\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    data = argv[1];
    folder = argv[2];
    if (is_root()) {
        write_whole();
    }
    run_test("zones give the picture of one block", zones_give_the_picture_of_one_block);
    const int code = finish_tests();
    MPI_Finalize();
    return code;
}
