/*
 * Files that lie: PLOT3D files with changed bytes, sizes and lengths are opened and read.
 * Each must give values or one sentence. Run it under ASan and UBSan for more.
 *
 *     fuzz_files [--cases N] [--seed S]
 */
#include "base/log.h"
#include "io/source.h"
#include "tests/mpi/test_plot3d_support.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static void damage_file(const char *path, uint64_t *state, bool is_text)
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

/* ---- Reading ----------------------------------------------------------------------- */

/* Reads a box of an array of a block. A block of a damaged file may be large. */
static status read_box(io_source *source, int block, int array, uint64_t *state)
{
    enum { MOST = 8 };
    double values[MOST * MOST * MOST];
    io_box box;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t n = io_source_blocks(source)[block].n[axis];
        box.n[axis] = n < MOST ? n : MOST;
        box.lo[axis] = (int64_t)(random_bits(state) % (uint64_t)(n - box.n[axis] + 1));
    }
    return io_source_read(source, 0, block, array, &box, values);
}

static status read_all(io_source *source, uint64_t *state)
{
    status s = STATUS_OK;
    for (int b = 0; b < io_source_block_count(source) && b < 4 && s == STATUS_OK; b++) {
        const int last = io_source_step_count(source) > 0 ? io_source_field_count(source)
                                                          : IO_ARRAY_IBLANK;
        for (int array = IO_ARRAY_X; array < last && array < 8 && s == STATUS_OK;
             array++) {
            if (array != IO_ARRAY_IBLANK || io_source_blocks(source)[b].has_iblank) {
                s = read_box(source, b, array, state);
            }
        }
    }
    return s;
}

/* Whether the message of a failure is one sentence. */
static bool is_sentence(const char *message)
{
    bool is = strlen(message) > 10;
    for (const char *c = message; *c != '\0'; c++) {
        is = is && (unsigned char)*c >= ' ';
    }
    return is;
}

/* Returns whether the file was read. */
static bool run_case(uint64_t seed, uint64_t number)
{
    uint64_t state = random_start(seed, number);
    char grid[512], q[512];
    snprintf(grid, sizeof grid, "%s", test_path("fuzz.xyz"));
    snprintf(q, sizeof q, "%s", test_path("fuzz.q"));
    plot3d_form form = choose_form(&state);
    plot3d_write(grid, &form, form.is_multi ? 2 : 1, blocks, 0, 0.0);
    form.kind = FORM_Q;
    form.is_overflow = !form.is_text && random_word(&state) % 4 == 0;
    plot3d_write(q, &form, form.is_multi ? 2 : 1, blocks, 0, 0.0);
    damage_file(random_word(&state) % 2 ? grid : q, &state, form.is_text);

    io_plot3d_config plot3d = {.q = q};
    const io_data_config config = {.file = grid, .plot3d = &plot3d};
    io_source *source = NULL;
    status s = io_source_open(MPI_COMM_SELF, &config, &source);
    if (s == STATUS_OK) {
        s = read_all(source, &state);
    }
    io_source_close(&source);
    check(s == STATUS_OK || (s == STATUS_INPUT && is_sentence(base_fail_message())),
          "case %llu of seed %llu: status %d, '%s'", (unsigned long long)number,
          (unsigned long long)seed, (int)s, base_fail_message());
    base_fail_set_message("");
    return s == STATUS_OK;
}

static uint64_t option(int argc, char **argv, const char *name, uint64_t otherwise)
{
    for (int n = 1; n + 1 < argc; n++) {
        otherwise =
            strcmp(argv[n], name) == 0 ? strtoull(argv[n + 1], NULL, 10) : otherwise;
    }
    return otherwise;
}

int main(int argc, char **argv)
{
    int provided;
    const uint64_t cases = option(argc, argv, "--cases", 1000);
    const uint64_t seed = option(argc, argv, "--seed", 1);
    uint64_t nread = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("fuzz_files");
    for (uint64_t n = 0; n < cases; n++) {
        nread += run_case(seed, n);
    }
    printf("%llu files: %llu were read, %llu refused\n", (unsigned long long)cases,
           (unsigned long long)nread, (unsigned long long)(cases - nread));
    check(cases < 100 || (nread > cases / 20 && nread < cases - cases / 20),
          "cases are too tame or too wild");
    test_file_remove(test_path("fuzz.xyz"));
    test_file_remove(test_path("fuzz.q"));
    test_folder_remove();
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
