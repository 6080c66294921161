/* PLOT3D files with changed bytes, sizes and lengths. */
#include "formats.h"
#include "tests/mpi/test_plot3d_support.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const test_block blocks[] = {
    {.name = "block_1", .n = {4, 3, 2}, .has_iblank = true},
    {.name = "block_2", .n = {2, 3, 4}, .has_iblank = true},
};

static plot3d_form choose_form(uint64_t *state)
{
    static const int marks[] = {0, 4, 8};
    const uint32_t word = random_word(state);
    return (plot3d_form){.mark = marks[word % 3],
                         .is_big = word >> 4 & 1,
                         .real = word >> 5 & 1 ? 8 : 4,
                         .is_multi = word >> 6 & 1,
                         .is_text = (word >> 7 & 7) == 0,
                         .part = (word >> 10 & 3) == 0 ? 100 : 0};
}

/* ---- Damage ------------------------------------------------------------------------ */

/* Numbers that sizes and marks may lie with. */
static uint32_t choose_lie(uint64_t *state)
{
    static const uint32_t lies[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 65536};
    const uint32_t word = random_word(state);
    return word % 3 == 0 ? word : lies[word % (sizeof lies / sizeof lies[0])];
}

static void damage(uint64_t *state, bool is_text, unsigned char *bytes, size_t *size)
{
    const uint32_t kind = random_word(state) % 4;
    const size_t head = *size < 64 ? *size : 64; /* most sizes and marks */
    const size_t at = random_word(state) % (random_word(state) % 2 ? head : *size);
    if (kind == 0) {
        *size = at > 0 ? at : 1;
    } else if (kind == 1 || at + 4 > *size) {
        bytes[at] = (unsigned char)random_word(state);
    } else if (is_text) {
        bytes[at] = (unsigned char)"0123456789*-+.eD \n"[random_word(state) % 18];
    } else {
        const uint32_t lie = choose_lie(state);
        const size_t aligned = at / 4 * 4;
        for (int n = 0; n < 4; n++) {
            const int shift = random_word(state) % 2 ? 8 * n : 8 * (3 - n);
            bytes[aligned + (size_t)n] = (unsigned char)(lie >> shift);
        }
    }
}

void fuzz_damage_bytes(const char *path, bool is_text, uint64_t *state)
{
    static unsigned char bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    check(size > 0, "'%s' cannot be read", path);
    if (file) {
        fclose(file);
    }
    for (uint32_t n = 0; n <= random_word(state) % 3 && size > 0; n++) {
        damage(state, is_text, bytes, &size);
    }
    file = fopen(path, "wb");
    check(file && fwrite(bytes, 1, size, file) == size, "'%s' cannot be written", path);
    if (file) {
        fclose(file);
    }
}

/* ---- The case ---------------------------------------------------------------------- */

static status run_plot3d(uint64_t *state)
{
    char grid[512], q[512];
    snprintf(grid, sizeof grid, "%s", test_path("fuzz.xyz"));
    snprintf(q, sizeof q, "%s", test_path("fuzz.q"));
    plot3d_form form = choose_form(state);
    plot3d_write(grid, &form, form.is_multi ? 2 : 1, blocks, 0, 0.0);
    form.kind = FORM_Q;
    form.is_overflow = !form.is_text && random_word(state) % 4 == 0;
    plot3d_write(q, &form, form.is_multi ? 2 : 1, blocks, 0, 0.0);
    fuzz_damage_bytes(random_word(state) % 2 ? grid : q, form.is_text, state);
    io_plot3d_config plot3d = {.q = q};
    const io_data_config config = {.file = grid, .plot3d = &plot3d, .all_steps = true};
    return fuzz_read(&config, state);
}

const fuzz_format fuzz_plot3d = {"plot3d", run_plot3d, false};
