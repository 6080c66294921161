/* `karman info` on several ranks: its output and its failures. */
#include "app/cmd.h"
#include "test_io_support.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const test_block ring = {.name = "ring", .n = {21, 9, 5}, .is_ring = true};
static const test_block box = {.name = "box", .n = {18, 4, 3}, .has_iblank = true};

static void write_file(const char *path)
{
    if (is_root()) {
        hid_t file = file_create(path);
        block_write_grid(file, &box, H5T_IEEE_F64LE);
        block_write_grid(file, &ring, H5T_IEEE_F64LE);
        for (int step = 1; step <= 3; step++) {
            char name[16];
            snprintf(name, sizeof name, "%02d", step);
            block_write_field(file, &box, name, "density", 0, step, H5T_IEEE_F32LE,
                              false);
            block_write_field(file, &ring, name, "density", 0, step, H5T_IEEE_F32LE,
                              false);
        }
        file_write_attribute(file, "/flow/02", "time", 0.75);
        H5Fclose(file);
    }
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
}

/* Runs the command with its output going to a file; this rank's output is malloc'ed. */
static status run_info(int argc, char **argv, char **output)
{
    char path[600];
    snprintf(path, sizeof path, "%s-%d", test_path("output"),
             parallel_rank(MPI_COMM_WORLD));
    fflush(stdout);
    int before = dup(STDOUT_FILENO);
    FILE *file = fopen(path, "w+");
    dup2(fileno(file), STDOUT_FILENO);
    status s = cmd_info(MPI_COMM_WORLD, argc, argv);
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    long size = lseek(fileno(file), 0, SEEK_END);
    char *text = calloc((size_t)size + 1, 1);
    rewind(file);
    size_t got = fread(text, 1, (size_t)size, file);
    check(got == (size_t)size, "expected %ld bytes of output, read %zu", size, got);
    fclose(file);
    unlink(path);
    *output = text;
    return s;
}

static json_int_t whole_number(const json_t *all, const char *object, const char *key)
{
    return json_integer_value(json_object_get(json_object_get(all, object), key));
}

static void check_block(const json_t *all, size_t index, const test_block *block)
{
    const json_t *b = json_array_get(json_object_get(all, "blocks"), index);
    const char *name = json_string_value(json_object_get(b, "name"));
    check(name && strcmp(name, block->name) == 0, "expected block %s, got %s",
          block->name, name ? name : "none");
    for (size_t axis = 0; axis < 3; axis++) {
        json_int_t n =
            json_integer_value(json_array_get(json_object_get(b, "vertices"), axis));
        check(n == block->n[axis],
              "block %s: expected %lld vertices along axis %zu, got %lld", block->name,
              (long long)block->n[axis], axis, (long long)n);
    }
    check(json_array_size(json_object_get(b, "closed")) == (block->is_ring ? 1 : 0),
          "block %s: the wrong axes are closed", block->name);
    check(json_is_true(json_object_get(b, "iblank")) == block->has_iblank,
          "block %s: the wrong iblank", block->name);
}

/* block_value of field 0 grows with the step, i and j, and falls with k. */
static void check_density(const json_t *all, int first, int last)
{
    const json_t *field = json_array_get(json_object_get(all, "fields"), 0);
    const json_t *range = json_object_get(field, "range");
    double lo = json_real_value(json_array_get(range, 0));
    double hi = json_real_value(json_array_get(range, 1));
    double lowest = block_value(0, first, 0, 0, ring.n[2] - 1);
    double highest = block_value(0, last, ring.n[0] - 1, ring.n[1] - 1, 0);
    check(lo == lowest && hi == highest, "expected a range of %g to %g, got %g to %g",
          lowest, highest, lo, hi);
}

static void check_json(const char *text)
{
    json_error_t error;
    json_t *all = json_loads(text, 0, &error);
    check(all != NULL, "the output is no JSON: %s: %s", error.text, text);
    json_int_t vertices = 21 * 9 * 5 + 18 * 4 * 3;
    check(json_integer_value(json_object_get(all, "vertices")) == vertices,
          "expected %lld vertices", (long long)vertices);
    check(json_integer_value(json_object_get(all, "bytes")) == 17 * vertices,
          "expected %lld bytes", (long long)(17 * vertices));
    check(whole_number(all, "cells", "all") == 20 * 8 * 4 + 17 * 3 * 2 &&
              whole_number(all, "cells", "blanked") > 0 &&
              whole_number(all, "cells", "inverted") == 0,
          "the wrong cells: %lld, %lld, %lld",
          (long long)whole_number(all, "cells", "all"),
          (long long)whole_number(all, "cells", "blanked"),
          (long long)whole_number(all, "cells", "inverted"));
    check_block(all, 0, &box);
    check_block(all, 1, &ring);
    check_density(all, 1, 3);
    const json_t *second = json_array_get(json_object_get(all, "steps"), 1);
    check(json_integer_value(json_object_get(second, "number")) == 2 &&
              json_real_value(json_object_get(second, "time")) == 0.75,
          "the second step is not 2 at time 0.75");
    json_decref(all);
}

static void info_prints_json_from_rank_0_alone(void)
{
    char path[512], command[] = "karman info", json[] = "--json", *output = NULL;
    snprintf(path, sizeof path, "%s", test_path("info.h5"));
    write_file(path);
    char *arguments[] = {command, json, path, NULL};
    if (check_ok(run_info(3, arguments, &output), "info --json")) {
        if (is_root()) {
            check_json(output);
        } else {
            check(output[0] == '\0', "expected silence, got %s", output);
        }
    }
    free(output);
    test_file_remove(path);
}

static void info_prints_text_from_rank_0_alone(void)
{
    static const char *const expected[] = {
        "info.h5", "ring",           "closed along i",
        "iblank",  "1161 (float64)", "time 0.75",
        "density", "(steps 1 to 3)", "density_gradient_magnitude"};
    char path[512], command[] = "karman info", ranges[] = "--ranges=all", *output = NULL;
    snprintf(path, sizeof path, "%s", test_path("info.h5"));
    write_file(path);
    char *arguments[] = {command, path, ranges, NULL};
    if (check_ok(run_info(3, arguments, &output), "info")) {
        for (size_t n = 0; n < sizeof expected / sizeof expected[0]; n++) {
            check((strstr(output, expected[n]) != NULL) == is_root(),
                  "expected '%s' from rank 0 alone, got: %s", expected[n], output);
        }
    }
    free(output);
    test_file_remove(path);
}

static void expect_failure(char *option, char *file, status expected,
                           const char *fragment)
{
    char command[] = "karman info", *output = NULL;
    char *arguments[] = {command, option, file, NULL};
    status s = run_info(file ? 3 : 2, arguments, &output);
    check(s == expected && strstr(base_fail_message(), fragment),
          "expected status %d and '%s', got %d: '%s'", (int)expected, fragment, (int)s,
          base_fail_message());
    check(output[0] == '\0', "expected no output of a failure, got %s", output);
    base_fail_set_message("");
    free(output);
}

static void wrong_arguments_are_refused(void)
{
    char unknown[] = "--jsn", json[] = "--json", ranges[] = "--ranges=some",
         file[] = "a.h5", other[] = "b.h5";
    expect_failure(unknown, file, STATUS_USAGE, "did you mean --json");
    expect_failure(json, NULL, STATUS_USAGE, "needs a file");
    expect_failure(ranges, file, STATUS_USAGE, "'ends', 'all' or 'none'");
    expect_failure(file, other, STATUS_USAGE, "'b.h5' follows 'a.h5'");
    expect_failure(json, file, STATUS_INPUT, "'a.h5'");
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    test_folder_create("test_io_info");
    run_test("info prints JSON from rank 0 alone", info_prints_json_from_rank_0_alone);
    run_test("info prints text from rank 0 alone", info_prints_text_from_rank_0_alone);
    run_test("wrong arguments are refused", wrong_arguments_are_refused);
    test_folder_remove();
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
