/* For the page's build: wasm/library.c, and code that the linker leaves out. */
#pragma once

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
void *memchr(const void *memory, int byte, size_t size);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t size);
size_t strlen(const char *text);
char *strchr(const char *text, int c);
size_t strcspn(const char *text, const char *others);
