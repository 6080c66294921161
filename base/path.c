/* For dladdr and realpath: */
#define _GNU_SOURCE

#include "path.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Removes trailing slashes, and names that mean the folder itself: "a/./". */
static void trim_folder(char *folder)
{
    size_t length = strlen(folder);
    while (length > 0) {
        const bool is_dot =
            folder[length - 1] == '.' && (length == 1 || folder[length - 2] == '/');
        if (!is_dot && (folder[length - 1] != '/' || length == 1)) {
            break;
        }
        folder[--length] = '\0';
    }
}

/* Whether "folder/.." is the folder `above` (the working directory if `above` is ""). It
 * is not if the folder was reached through a symbolic link. */
static bool leads_to(const char *folder, const char *above)
{
    struct stat up, there;
    size_t size = strlen(folder) + sizeof "/..";
    char *path = malloc(size);
    if (path == NULL) {
        return false;
    }
    snprintf(path, size, "%s/..", folder);
    const bool is_same = stat(path, &up) == 0 &&
                         stat(above[0] != '\0' ? above : ".", &there) == 0 &&
                         up.st_dev == there.st_dev && up.st_ino == there.st_ino;
    free(path);
    return is_same;
}

/* Removes the last name of the folder if the rest is the same as "folder/..". */
static bool climb(char *folder)
{
    char *above = strdup(folder);
    if (above == NULL) {
        return false;
    }
    char *slash = strrchr(above, '/');
    const char *name = slash != NULL ? slash + 1 : above;
    bool climbs = name[0] != '\0' && strcmp(name, "..") != 0;
    if (climbs) {
        above[slash == above ? 1 : name - above] = '\0';
        if (slash != above) {
            trim_folder(above);
        }
        climbs = leads_to(folder, above);
    }
    if (climbs) {
        strcpy(folder, above);
    }
    free(above);
    return climbs;
}

char *base_path_climb(const char *folder, const char **path)
{
    char *left = strdup(folder);
    while (left != NULL && strncmp(*path, "../", 3) == 0) {
        trim_folder(left);
        if (!climb(left)) {
            break;
        }
        *path += 3;
        *path += strspn(*path, "/");
    }
    return left;
}

char *base_path_join(const char *folder, const char *path)
{
    char *left = base_path_climb(folder, &path);
    size_t size = left != NULL ? strlen(left) + strlen(path) + 2 : 0;
    char *joined = left != NULL ? malloc(size) : NULL;
    if (joined != NULL) {
        bool is_alone = path[0] == '/' || left[0] == '\0';
        snprintf(joined, size, "%s%s%s", is_alone ? "" : left,
                 is_alone || strcmp(left, "/") == 0 ? "" : "/", path);
    }
    free(left);
    return joined;
}

/* `path` as seen from the folder of a file; that name is cut off. */
static char *join_beside(char *file, const char *path)
{
    char *slash = strrchr(file, '/');
    if (!slash) {
        return NULL;
    }
    slash[slash == file ? 1 : 0] = '\0';
    return base_path_join(file, path);
}

char *base_path_beside_program(const char *path)
{
    char file[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", file, sizeof file - 1);
    file[length > 0 ? length : 0] = '\0';
    return join_beside(file, path);
}

char *base_path_beside_library(const char *path)
{
    static const char here = 0; /* lies in the library, or in the program */
    char file[PATH_MAX];
    Dl_info about;
    return dladdr(&here, &about) != 0 && realpath(about.dli_fname, file)
               ? join_beside(file, path)
               : NULL;
}

/* ---- Order ------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Compares the numbers of any length that begin at *a and *b, and moves both pointers
 * past them. */
static int compare_numbers(const char **a, const char **b)
{
    *a += strspn(*a, "0");
    *b += strspn(*b, "0");
    size_t na = strspn(*a, "0123456789"), nb = strspn(*b, "0123456789");
    int order = na != nb ? (na < nb ? -1 : 1) : strncmp(*a, *b, na);
    *a += na;
    *b += nb;
    return order;
}

int base_path_compare(const char *a, const char *b)
{
    const char *x = a, *y = b;
    while (*x != '\0' && *y != '\0') {
        int order;
        if (is_digit(*x) && is_digit(*y)) {
            order = compare_numbers(&x, &y);
        } else {
            order = (unsigned char)*x++ - (unsigned char)*y++;
        }
        if (order != 0) {
            return order < 0 ? -1 : 1;
        }
    }
    int order = (*x != '\0') - (*y != '\0');
    order = order != 0 ? order : strcmp(a, b); /* 1.h5 and 01.h5 */
    return (order > 0) - (order < 0);
}

/* A name has at most 255 bytes: it gets a part of the host's. */
void base_path_suffix(char suffix[BASE_PATH_SUFFIX])
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    host[strcspn(host, "/")] = '\0';
    snprintf(suffix, BASE_PATH_SUFFIX, ".%.24s.%ld.tmp", host, (long)getpid());
}
