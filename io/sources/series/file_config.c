#include "file_config.h"

#include "base/words.h"

#include <stdlib.h>
#include <string.h>

static bool copy_fields(const io_data_config *from, io_data_config *to)
{
    bool works = true;
    to->fields = calloc((size_t)from->nfields + 1, sizeof *to->fields);
    for (int n = 0; n < from->nfields && to->fields && works; n++) {
        works = base_words_copy(from->fields[n].name, &to->fields[n].name) &&
                base_words_copy(from->fields[n].path, &to->fields[n].path);
        to->nfields++;
    }
    return to->fields && works;
}

static bool copy_plot3d(const io_plot3d_config *from, io_data_config *to)
{
    io_plot3d_config *copy = from ? malloc(sizeof *copy) : NULL;
    to->plot3d = copy;
    if (!copy) {
        return !from;
    }
    *copy = *from;
    copy->q = copy->function = copy->names = NULL;
    return base_words_copy(from->q, &copy->q) &&
           base_words_copy(from->function, &copy->function) &&
           base_words_copy(from->names, &copy->names);
}

status series_config_copy(const io_data_config *from, io_data_config *to)
{
    to->is_fortran = from->is_fortran;
    to->all_steps = true;
    to->grid_motion = from->grid_motion;
    to->terms = from->terms;
    to->nfills = from->nfills;
    memcpy(to->fills, from->fills, sizeof to->fills);
    const bool works = base_words_copy(from->grid_file, &to->grid_file) &&
                       base_words_copy(from->time, &to->time) &&
                       base_words_copy(from->grid_x, &to->grid_x) &&
                       base_words_copy(from->grid_y, &to->grid_y) &&
                       base_words_copy(from->grid_z, &to->grid_z) &&
                       base_words_copy(from->grid_iblank, &to->grid_iblank) &&
                       copy_fields(from, to) && base_words_copy(from->base, &to->base) &&
                       copy_plot3d(from->plot3d, to);
    return works ? STATUS_OK : base_fail_memory(0, "the config of a file");
}

void series_config_free(io_data_config *config)
{
    for (int n = 0; n < config->nfields; n++) {
        free(config->fields[n].name);
        free(config->fields[n].path);
    }
    if (config->plot3d) {
        free(config->plot3d->q);
        free(config->plot3d->function);
        free(config->plot3d->names);
    }
    free(config->plot3d);
    free(config->fields);
    free(config->grid_file);
    free(config->time);
    free(config->base);
    free(config->grid_x);
    free(config->grid_y);
    free(config->grid_z);
    free(config->grid_iblank);
}
