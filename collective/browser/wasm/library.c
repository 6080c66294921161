/* The C library of the page: memory, and messages that nobody reads. Only the build for
 * WebAssembly has this file. */
#include "base/status.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Bytes ------------------------------------------------------------------------- */

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        ((char *)to)[i] = ((const char *)from)[i];
    }
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    char *a = to;
    const char *b = from;
    if (a <= b) {
        return memcpy(to, from, size);
    }
    while (size-- > 0) {
        a[size] = b[size];
    }
    return to;
}

void *memset(void *to, int byte, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        ((char *)to)[i] = (char)byte;
    }
    return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < size; i++) {
        if (x[i] != y[i]) {
            return x[i] - y[i];
        }
    }
    return 0;
}

int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length]) {
        length++;
    }
    return length;
}

/* ---- Memory: a free list for each power of two, and new pages at the end ------------
 */

enum { PAGE = 65536, SMALLEST = 4, CLASSES = 31, HEAD = 16 };

/* Stands HEAD bytes before the memory that it describes, so that this is aligned. */
typedef struct piece {
    struct piece *next; /* of a free one */
    int class;          /* 2^class bytes with the head */
} piece;

extern char __heap_base; /* of the linker */
static char *end_of_used;
static piece *free_pieces[CLASSES];

static piece *take_new(int class)
{
    const uintptr_t size = (uintptr_t)1 << class;
    if (!end_of_used) {
        end_of_used = (char *)(((uintptr_t)&__heap_base + HEAD - 1) / HEAD * HEAD);
    }
    const uintptr_t used = (uintptr_t)end_of_used;
    const uintptr_t there = __builtin_wasm_memory_size(0) * (uintptr_t)PAGE;
    const uintptr_t missing = used + size > there ? used + size - there : 0;
    const uintptr_t pages = (missing + PAGE - 1) / PAGE;
    if (used + size < used ||
        (pages > 0 && __builtin_wasm_memory_grow(0, pages) == SIZE_MAX)) {
        return NULL;
    }
    end_of_used += size;
    return (piece *)used;
}

void *malloc(size_t size)
{
    int class = SMALLEST + 1;
    while (class < CLASSES && ((size_t)1 << class) - HEAD < size) {
        class ++;
    }
    if (class == CLASSES) {
        return NULL;
    }
    piece *found = free_pieces[class];
    if (found) {
        free_pieces[class] = found->next;
    } else {
        found = take_new(class);
    }
    if (!found) {
        return NULL;
    }
    found->class = class;
    return (char *)found + HEAD;
}

void free(void *memory)
{
    if (memory) {
        piece *p = (piece *)((char *)memory - HEAD);
        p->next = free_pieces[p->class];
        free_pieces[p->class] = p;
    }
}

void *calloc(size_t count, size_t size)
{
    void *memory = size > 0 && count > SIZE_MAX / size ? NULL : malloc(count * size);
    return memory ? memset(memory, 0, count * size) : NULL;
}

void *realloc(void *memory, size_t size)
{
    void *other = malloc(size);
    if (memory && other) {
        const piece *p = (piece *)((char *)memory - HEAD);
        const size_t old = ((size_t)1 << p->class) - HEAD;
        memcpy(other, memory, old < size ? old : size);
        free(memory);
    }
    return other;
}

/* ---- Sorting: equal items stay in order ---------------------------------------------
 */

/* Merges the sorted items [0, half) and [half, count) by way of `space`. */
static void merge(char *items, size_t half, size_t count, size_t size, char *space,
                  int (*compare)(const void *, const void *))
{
    size_t a = 0, b = half;
    for (size_t n = 0; n < count; n++) {
        const int takes_a =
            a < half && (b == count || compare(items + a * size, items + b * size) <= 0);
        memcpy(space + n * size, items + (takes_a ? a++ : b++) * size, size);
    }
    memcpy(items, space, count * size);
}

static void sort(char *items, size_t count, size_t size, char *space,
                 int (*compare)(const void *, const void *))
{
    if (count < 2) {
        return;
    }
    const size_t half = count / 2;
    sort(items, half, size, space, compare);
    sort(items + half * size, count - half, size, space, compare);
    merge(items, half, count, size, space, compare);
}

void qsort(void *items, size_t count, size_t size,
           int (*compare)(const void *, const void *))
{
    char *space = malloc(count * size + 1);
    if (!space) {
        __builtin_trap(); /* the page says that the machine has too little memory */
    }
    sort(items, count, size, space, compare);
    free(space);
}

/* ---- Messages: the page has its own words -------------------------------------------
 */

status base_fail(status s, const char *format, ...)
{
    (void)format;
    return s;
}

status base_fail_memory(size_t bytes, const char *what)
{
    (void)bytes;
    (void)what;
    return STATUS_MEMORY;
}
