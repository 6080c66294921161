/* Files that are compressed by gzip read as others do; damaged ones do not open. */
#include "io/gzip/unpacked.h"
#include "support/scratch.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { SIZE = 200000 };

static char numbers[SIZE];

static const char *write_packed(void)
{
    const char *path = scratch_path("numbers.gz");
    for (int n = 0; n < SIZE; n++) {
        numbers[n] = (char)(n * 31 % 97 + n / 7919);
    }
    gzFile out = gzopen(path, "wb");
    assert_int_equal(gzwrite(out, numbers, SIZE), SIZE);
    assert_int_equal(gzclose(out), Z_OK);
    return path;
}

static void check_contents(const char *path)
{
    static char read[SIZE + 1];
    FILE *stream = io_unpacked_stream(path);
    assert_non_null(stream);
    assert_int_equal(fread(read, 1, sizeof read, stream), SIZE);
    assert_memory_equal(read, numbers, SIZE);
    assert_int_equal(fseek(stream, 1000, SEEK_SET), 0);
    assert_int_equal(fgetc(stream), numbers[1000]);
    fclose(stream);
}

static void contents_are_those_that_were_compressed(void **state)
{
    (void)state;
    check_contents(write_packed());
    scratch_write(scratch_path("numbers"), numbers, SIZE);
    check_contents(scratch_path("numbers"));
    const int descriptor = io_unpacked_descriptor(scratch_path("numbers.gz"));
    char byte = 0;
    assert_int_equal(pread(descriptor, &byte, 1, 1), 1); /* its place is shared */
    assert_int_equal(byte, numbers[1]);
    close(descriptor);
    assert_int_equal(scratch_count(), 2);
}

static void damaged_files_do_not_open(void **state)
{
    (void)state;
    const char *path = write_packed();
    FILE *stream = fopen(path, "r+b");
    fseek(stream, -6, SEEK_END); /* of the checksum */
    fputc(fgetc(stream) ^ 1, stream);
    fseek(stream, -6, SEEK_END);
    fputc('x', stream);
    fclose(stream);
    assert_null(io_unpacked_stream(path));
    assert_int_equal(errno, EBADMSG);
    assert_int_equal(truncate(write_packed(), 900), 0);
    assert_null(io_unpacked_stream(path));
    assert_int_equal(errno, EBADMSG);
    assert_int_equal(truncate(path, 1), 0);
    stream = io_unpacked_stream(path); /* no gzip: one byte */
    assert_non_null(stream);
    fclose(stream);
    assert_null(io_unpacked_stream(scratch_path("lost.gz")));
    assert_int_equal(errno, ENOENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(contents_are_those_that_were_compressed,
                                        scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(damaged_files_do_not_open, scratch_setup,
                                        scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
