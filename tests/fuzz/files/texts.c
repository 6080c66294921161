/* Classic netCDF, legacy VTK and Tecplot's text, with changed bytes, numbers and lengths.
 */
#include "formats.h"
#include "tests/mpi/test_classic_support.h"
#include "tests/mpi/test_io_support.h"
#include "tests/mpi/test_legacy_support.h"
#include "tests/mpi/test_tecplot_support.h"
#include "tests/support/random.h"

#include <stdio.h>

static const char name[] = "fuzz.file";

/* Damages the file, and reads it; one of eight is compressed before. */
static status run(bool is_text, uint64_t *state)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path(name));
    const bool is_packed = random_below(state, 8) == 0;
    if (is_packed) {
        file_gzip(path);
    }
    fuzz_damage_bytes(path, is_text && !is_packed, state);
    const io_data_config config = {.file = path, .all_steps = true};
    return fuzz_read(&config, state);
}

static status run_classic(uint64_t *state)
{
    static const int versions[] = {1, 2, 5};
    classic_write(test_path(name), versions[random_below(state, 3)],
                  random_below(state, 2) == 0);
    return run(false, state);
}

static status run_legacy(uint64_t *state)
{
    static legacy_writer *const writers[] = {legacy_curvilinear, legacy_rectilinear,
                                             legacy_uniform, legacy_bits};
    const bool is_text = random_below(state, 2) == 0;
    FILE *file = fopen(test_path(name), "wb");
    writers[random_below(state, 4)](file, is_text);
    fclose(file);
    return run(is_text || random_below(state, 2) == 0, state);
}

static status run_tecplot(uint64_t *state)
{
    static tecplot_writer *const writers[] = {
        tecplot_block, tecplot_point, tecplot_strand, tecplot_moving, tecplot_pair};
    FILE *file = fopen(test_path(name), "wb");
    writers[random_below(state, 5)](file);
    fclose(file);
    return run(true, state);
}

const fuzz_format fuzz_classic = {"classic", run_classic, false};
const fuzz_format fuzz_legacy = {"legacy", run_legacy, false};
const fuzz_format fuzz_tecplot = {"tecplot", run_tecplot, false};
