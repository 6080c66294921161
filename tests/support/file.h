/* Files and folders that tests write: configs, orders, pictures to compare. Errors end
 * the program, and with it all ranks, with a message. */
#ifndef TESTS_SUPPORT_FILE_H
#define TESTS_SUPPORT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Opens a new text file; closes it. */
FILE *test_file_create(const char *path);
void test_file_close(FILE *file, const char *path);

/* Writes a text file as printf would print it. */
void test_file_write(const char *path, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same, but the file gets its name only when it is complete, because a program is
 * waiting for it. */
void test_file_put(const char *path, const char *text);

/* The bytes of a file and a '\0' behind them, malloc'ed. */
unsigned char *test_file_read(const char *path, size_t *size);

/* Whether two files have the same bytes. */
bool test_file_same(const char *one, const char *other);

/* Makes an empty folder, in $TMPDIR or /tmp; path: its name, at least 64 characters. */
void test_temporary_create(char *path, size_t size);

/* Removes a file or a folder with all that is in it. */
void test_tree_remove(const char *path);

#endif
