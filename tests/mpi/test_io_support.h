/* Shared by the tests of io: checks on several ranks, and small files to read. */
#ifndef TESTS_MPI_TEST_IO_SUPPORT_H
#define TESTS_MPI_TEST_IO_SUPPORT_H

#include "base/parallel/parallel.h"
#include "io/load/load.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- checks ----------------------------------------------------------------------- */

/* If `holds` is false, counts a failure and prints the sentence. The test continues, so
 * that no rank misses a collective call while others wait in it. */
void check(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Checks that s is STATUS_OK; else prints the message that is held, and clears it. */
bool check_ok(status s, const char *what);

/* Runs a test under a name that reads as a sentence; rank 0 prints the result.
 * Collective. */
void run_test(const char *name, void (*test)(void));

/* Exit code of the program: failures on any rank. Collective. */
int finish_tests(void);

/* A folder for this run below the working directory: the path of a file in it. Rank 0
 * makes and removes the folder. Collective except for test_path. */
void test_folder_create(const char *name);
void test_folder_remove(void);
const char *test_path(const char *file);

/* Whether this is rank 0, which writes the files. */
bool is_root(void);

/* Removes a file or an empty folder after all ranks are done with it. Collective. */
void test_file_remove(const char *path);

/* Compresses a file in place by gzip, in two members. Local. */
void file_gzip(const char *path);

bool same_bits(float a, float b);

/* ---- random choices --------------------------------------------------------------- */

extern const uint64_t test_seed;

/* Chooses ascending bricks at random, others on every rank and in every trial; sometimes
 * none, sometimes all. Returns their number. numbers: [layout->nbricks]. */
int64_t choose_bricks(const grid_layout *layout, int trial, int64_t *numbers);

/* A gas for recipes. */
extern const grid_terms test_gas;

/* ---- loading ---------------------------------------------------------------------- */

/* Every brick on this rank with a field at the first step and its gradients, as a single
 * process loads it; the caller's. */
grid_store *load_alone(io_source *source, const grid_layout *layout,
                       const grid_recipe *recipe);

/* Checks that every scalar and gradient of `some` is the same in `all`, bit by bit. */
void check_same_scalars(const grid_store *some, const grid_store *all, const char *name);

/* ---- files ------------------------------------------------------------------------ */

/* Opens a new or an existing HDF5 file in this process alone; close with H5Fclose. */
hid_t file_create(const char *path);
hid_t file_open(const char *path);

/* Writes a data set of this type from doubles; creates its groups. dims: [rank], slowest
 * first. */
void file_write(hid_t file, const char *path, hid_t type, int rank, const hsize_t *dims,
                const double *values);

/* The same, cut into chunks of 5 x 5 x 5 that are compressed. */
void file_write_compressed(hid_t file, const char *path, const hsize_t dims[3],
                           const double *values);

void file_write_attribute(hid_t file, const char *path, const char *name, double value);

/* ---- the flow that the files hold ------------------------------------------------- */

/* A block whose coordinates and fields are known at every vertex. */
typedef struct test_block {
    const char *name;
    int64_t n[3];
    bool is_ring;  /* an O-grid around the z axis, closed along i; else a bent box */
    bool mirrored; /* z runs downwards: left-handed */
    bool has_iblank;
} test_block;

/* Coordinates of vertex (i, j, k). */
void block_point(const test_block *block, int64_t i, int64_t j, int64_t k,
                 double point[3]);

/* 0 if the vertex is blanked, 2 if it is a wall, else values that readers must take for
 * neither. */
int block_iblank(const test_block *block, int64_t i, int64_t j, int64_t k);

/* Values of fields: distinct at every place and step, exact in float32. */
double block_value(int field, int64_t step, int64_t i, int64_t j, int64_t k);

/* Velocity of the rotation about the z axis at the vertex: (-y, x, 0). */
double block_velocity(const test_block *block, int component, int64_t i, int64_t j,
                      int64_t k);

/* All values of a vertex or cell array of the block: malloc'ed, [n[2]][n[1]][n[0]]. */
typedef double (*block_function)(const test_block *block, const void *context, int64_t i,
                                 int64_t j, int64_t k);
double *block_fill(const test_block *block, bool cells, block_function function,
                   const void *context);

/* Writes x, y, z and iblank of the block in karman's own layout. */
void block_write_grid(hid_t file, const test_block *block, hid_t type);

/* Writes a field by block_value at /flow/<step>/<block>/<name>. */
void block_write_field(hid_t file, const test_block *block, const char *step_name,
                       const char *name, int field, int64_t step, hid_t type, bool cells);

/* Writes velocity_x, velocity_y and velocity_z of the rotation at a step. */
void block_write_velocity(hid_t file, const test_block *block, const char *step_name);

#endif
