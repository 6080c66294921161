/* Cases of EnSight with changed bytes, numbers, marks and lengths. */
#include "formats.h"
#include "tests/mpi/test_ensight_support.h"
#include "tests/mpi/test_io_support.h"
#include "tests/support/random.h"

#include <stdio.h>

static status run_ensight(uint64_t *state)
{
    const uint32_t word = random_word(state);
    const ensight_style style = {.is_binary = word % 4 > 0,
                                 .is_fortran = word % 4 == 3,
                                 .is_big = word >> 4 & 1,
                                 .is_six = word >> 9 & 1,
                                 .moves = word >> 5 & 1,
                                 .in_one_file = word >> 6 & 1,
                                 .steps = (int)(word >> 7 & 3)};
    char path[512];
    snprintf(path, sizeof path, "%s", ensight_write(&style));
    const int file = random_below(state, ENSIGHT_FILES);
    const int step =
        style.steps > 0 && style.moves ? random_below(state, style.steps) : 0;
    fuzz_damage_bytes(ensight_path(&style, file, step), file == 0 || !style.is_binary,
                      state);
    const io_data_config config = {.file = path, .all_steps = true};
    return fuzz_read(&config, state);
}

const fuzz_format fuzz_ensight = {"ensight", run_ensight, false};
