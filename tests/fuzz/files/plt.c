/* Binary files of Tecplot with changed bytes, numbers and lengths. */
#include "formats.h"
#include "tests/mpi/test_io_support.h"
#include "tests/mpi/test_plt_support.h"
#include "tests/support/random.h"

#include <stdio.h>

static status run_plt(uint64_t *state)
{
    const uint32_t word = random_word(state);
    const int version = 101 + (int)(word % 12);
    const plt_style style = {.version = version,
                             .is_big = word >> 4 & 1,
                             .is_point = version < 112 && (word >> 5 & 1),
                             .shares = word >> 6 & 1,
                             .moves = word >> 7 & 1,
                             .steps = 1 + (int)(word >> 8 & 3)};
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("fuzz.plt"));
    plt_write(path, &style);
    if ((word >> 12 & 7) == 0) {
        file_gzip(path);
    }
    fuzz_damage_bytes(path, false, state);
    const io_data_config config = {.file = path, .all_steps = true};
    return fuzz_read(&config, state);
}

const fuzz_format fuzz_plt = {"plt", run_plt, false};
