/* The C library of the page: memory, sorting and sentences. Only the build for
 * WebAssembly has this file. */
#include "base/status.h"

#include <stdint.h>
#include <stdio.h>
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

int abs(int value)
{
    return value < 0 ? -value : value;
}

/* ---- Sentences ----------------------------------------------------------------------
 */

/* A text that is filled up to its size. */
typedef struct writing {
    char *text;
    size_t size, used;
} writing;

static void write_letter(writing *to, char letter)
{
    if (to->used + 1 < to->size) {
        to->text[to->used] = letter;
    }
    to->used++;
}

static void write_text(writing *to, const char *text)
{
    while (*text) {
        write_letter(to, *text++);
    }
}

static void write_number(writing *to, long long value)
{
    char digits[24];
    int count = 0;
    unsigned long long left =
        value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value;
    do {
        digits[count++] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (value < 0) {
        write_letter(to, '-');
    }
    while (count > 0) {
        write_letter(to, digits[--count]);
    }
}

/* The letters that make a number long. */
static size_t count_longs(const char *at)
{
    size_t count = 0;
    while (at[count] == 'l' || at[count] == 'z') {
        count++;
    }
    return count;
}

/* Knows %s, %c, %d, %ld, %lld and %zu; writes others as they are. */
int vsnprintf(char *text, size_t size, const char *format, va_list values)
{
    writing to = {text, size, 0};
    for (const char *at = format; *at; at++) {
        const size_t longs = *at == '%' ? count_longs(at + 1) : 0;
        const char kind = *at == '%' ? at[1 + longs] : '\0';
        if (kind == 's') {
            write_text(&to, va_arg(values, const char *));
        } else if (kind == 'c') {
            write_letter(&to, (char)va_arg(values, int));
        } else if (kind == 'd' || kind == 'u') {
            write_number(&to, longs == 2   ? va_arg(values, long long)
                              : longs == 1 ? va_arg(values, long)
                                           : va_arg(values, int));
        } else {
            write_letter(&to, *at);
            continue;
        }
        at += 1 + longs;
    }
    if (size > 0) {
        text[to.used < size ? to.used : size - 1] = '\0';
    }
    return (int)to.used;
}

int snprintf(char *text, size_t size, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(text, size, format, values);
    va_end(values);
    return length;
}

/* ---- Failures ------------------------------------------------------------------------
 */

static char message[512];

status base_fail(status s, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    return s;
}

status base_fail_memory(size_t bytes, const char *what)
{
    (void)bytes;
    return base_fail(STATUS_MEMORY, "there is too little memory for %s", what);
}

const char *base_fail_message(void)
{
    return message;
}

void base_fail_set_message(const char *text)
{
    snprintf(message, sizeof message, "%s", text);
}
