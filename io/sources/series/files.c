#include "files.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

status series_files_add(series_files *files, const char *path, int64_t number)
{
    char *copy = strdup(path);
    series_file *all =
        base_array_reserve(files->files, &files->capacity, files->count + 1, sizeof *all);
    files->files = all ? all : files->files;
    if (!all || !copy) {
        free(copy);
        return base_fail_memory(strlen(path), "the files of steps");
    }
    all[files->count++] = (series_file){copy, number};
    return STATUS_OK;
}

void series_files_clear(series_files *files)
{
    for (int n = 0; n < files->count; n++) {
        free(files->files[n].path);
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

static status list_files(const io_data_config *config, series_files *out)
{
    status s = STATUS_OK;
    for (int n = 0; n < config->nfiles && s == STATUS_OK; n++) {
        s = access(config->files[n], R_OK) == 0
                ? series_files_add(out, config->files[n], -1)
                : base_fail(STATUS_INPUT,
                            "file '%s' of the list is missing or cannot be read",
                            config->files[n]);
    }
    return s;
}

status series_files_find(const io_data_config *config, series_files *out)
{
    series_files files = {0};
    status s = config->nfiles > 1 ? list_files(config, &files)
               : series_is_folder(config->file)
                   ? series_files_scan(config->file, config->grid_file, &files)
                   : series_files_match(config->file, &files);
    if (s != STATUS_OK) {
        series_files_clear(&files);
        return s;
    }
    *out = files;
    return STATUS_OK;
}
