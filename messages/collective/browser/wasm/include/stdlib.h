/* For the page's build: wasm/library.c, and code that the linker leaves out. */
#pragma once

#include <stddef.h>

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void free(void *memory);
int abs(int a);
void qsort(void *items, size_t count, size_t size,
           int (*compare)(const void *, const void *));
double strtod(const char *text, char **end);
long strtol(const char *text, char **end, int base);
