/*
 * Lets one allocation of one rank fail. The linker (--wrap) redirects all allocations of
 * karman's own code to this file; libraries allocate as usual. The environment selects
 * the allocation: KARMAN_FAIL_RANK and KARMAN_FAIL_ALLOCATION, counted from 1.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);

/* The number of the allocation that fails in this process; 0: none. */
static long choose(void)
{
    const char *rank = getenv("PMI_RANK"), *victim = getenv("KARMAN_FAIL_RANK");
    rank = rank ? rank : getenv("OMPI_COMM_WORLD_RANK");
    const char *number = getenv("KARMAN_FAIL_ALLOCATION");
    return rank && victim && number && strcmp(rank, victim) == 0
               ? strtol(number, NULL, 10)
               : 0;
}

/* Whether this allocation fails; those of the thread that writes pictures count, too. */
static int fails(void)
{
    static long done;
    return __atomic_add_fetch(&done, 1, __ATOMIC_RELAXED) == choose();
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}
