/*
 * Cuts a data set in karman's layout into files of one step each, as a solver writes
 * checkpoints: FOLDER/out_FIRST.h5, and so on, without leading zeros. The first file
 * contains the grid; the others have a link to it.
 *
 *   split_steps DATA_SET FOLDER FIRST
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct cut {
    hid_t data;
    const char *folder;
    int first, count;
} cut;

static void fail(const char *what, const char *path)
{
    fprintf(stderr, "split_steps: %s: %s\n", path, what);
    exit(1);
}

/* The grid itself, or a link to that of the first file, relative to this one. */
static void add_grid(const cut *c, hid_t file, const char *path)
{
    char first[64];
    snprintf(first, sizeof first, "out_%d.h5", c->first);
    herr_t done =
        c->count == 0
            ? H5Ocopy(c->data, "/grid", file, "/grid", H5P_DEFAULT, H5P_DEFAULT)
            : H5Lcreate_external(first, "/grid", file, "/grid", H5P_DEFAULT, H5P_DEFAULT);
    if (done < 0) {
        fail("the grid cannot be written", path);
    }
}

static herr_t write_step(hid_t flow, const char *name, const H5L_info_t *info, void *data)
{
    cut *c = data;
    char path[1024], step[256];
    (void)info;
    snprintf(path, sizeof path, "%s/out_%d.h5", c->folder, c->first + c->count);
    snprintf(step, sizeof step, "/flow/%s", name);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0) {
        fail("it cannot be made", path);
    }
    add_grid(c, file, path);
    H5Gclose(H5Gcreate2(file, "/flow", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    if (H5Ocopy(flow, name, file, step, H5P_DEFAULT, H5P_DEFAULT) < 0 ||
        H5Fclose(file) < 0) {
        fail("the step cannot be written", path);
    }
    c->count++;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fail("give DATA_SET FOLDER FIRST", "arguments");
    }
    cut c = {.data = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT),
             .folder = argv[2],
             .first = atoi(argv[3])};
    hid_t flow = c.data < 0 ? -1 : H5Gopen2(c.data, "/flow", H5P_DEFAULT);
    if (flow < 0 ||
        H5Literate(flow, H5_INDEX_NAME, H5_ITER_INC, NULL, write_step, &c) < 0) {
        fail("it holds no steps", argv[1]);
    }
    H5Gclose(flow);
    H5Fclose(c.data);
    printf("%d files\n", c.count);
    return 0;
}
