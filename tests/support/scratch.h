/* A folder of its own for each test that writes files. */
#ifndef TESTS_SUPPORT_SCRATCH_H
#define TESTS_SUPPORT_SCRATCH_H

#include <stddef.h>

/* cmocka's setup and teardown: makes an empty folder; removes it with all files in it.
 * Clears the message that base_fail holds. */
int scratch_setup(void **state);
int scratch_teardown(void **state);

/* The folder itself; borrowed, valid during this test. */
const char *scratch_folder(void);

/* The path of `name` in the folder; borrowed, valid for eight further calls. */
const char *scratch_path(const char *name);

/* Number of files in the folder. */
int scratch_count(void);

/* Writes these bytes as a file. */
void scratch_write(const char *path, const void *data, size_t size);

/* From now on no file can grow beyond this many bytes, as on a full disk; 0 lifts the
 * limit. */
void scratch_limit_files(size_t bytes);

#endif
