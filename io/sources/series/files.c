#include "files.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

status series_files_add(series_files *files, const char *path, int64_t number)
{
    char *copy = strdup(path);
    if (!copy || base_array_room(files->files, files->count, 1, NULL) != STATUS_OK) {
        free(copy);
        return base_fail_memory(strlen(path), "the files of steps");
    }
    files->files[files->count++] = (series_file){.path = copy, .number = number};
    return STATUS_OK;
}

void series_files_clear(series_files *files)
{
    for (int n = 0; n < files->count; n++) {
        free(files->files[n].path);
        free(files->files[n].q);
        free(files->files[n].function);
    }
    free(files->files);
    free(files->pattern);
    *files = (series_files){0};
}

void series_files_keep(series_files *files, int count, const int64_t *numbers)
{
    int kept = 0, at = 0;
    for (int n = 0; n < files->count; n++) {
        while (at < count && numbers[at] < files->files[n].number) {
            at++;
        }
        if (at < count && numbers[at] == files->files[n].number) {
            files->files[kept++] = files->files[n];
        } else {
            free(files->files[n].path);
        }
    }
    files->count = kept;
}

size_t series_conversion(const char *text)
{
    if (text[0] != '%' || (text[1] != 'd' && text[1] != '0')) {
        return 0;
    }
    const size_t digits = strspn(text + 1, "0123456789");
    return digits < 4 && text[1 + digits] == 'd' ? digits + 2 : 0;
}

bool series_is_pattern(const char *path)
{
    const char *slash = strrchr(path, '/');
    bool has = false;
    for (const char *at = slash ? slash : path; *at != '\0'; at++) {
        has = has || series_conversion(at) > 0;
    }
    return has && access(path, F_OK) != 0;
}

bool series_is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}
