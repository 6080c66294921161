#include "figure.h"

#include "io/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

annotate_style app_figure_style(const io_config *config)
{
    const io_annotations_config *annotations = &config->annotations;
    annotate_style style = {.background = {1.0, 1.0, 1.0}};
    if (config->look == IO_LOOK_NONE) {
        return style;
    }
    float background[3];
    io_config_background(config, background);
    style.has_text_color = annotations->has_color;
    for (int c = 0; c < 3; c++) {
        style.background[c] = (double)background[c];
        style.text_color[c] = annotations->color[c];
    }
    return style;
}

char *app_figure_title(const io_config *config, const io_source *source,
                       const char *words, int step)
{
    char *title = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&title, &size);
    if (!text) {
        return NULL;
    }
    const char *slash = strrchr(config->data.file, '/');
    fputs(slash ? slash + 1 : config->data.file, text);
    if (words) {
        fprintf(text, ", %s", words);
    }
    if (step >= 0) {
        const io_step *its = &io_source_steps(source)[step];
        fprintf(text, ", step %lld", (long long)its->number);
        if (isfinite(its->time)) {
            fprintf(text, ", t = %.6g", its->time);
        }
    }
    return fclose(text) == 0 ? title : NULL;
}

const char *app_figure_times(const io_source *source, int nsteps, const int *steps,
                             double *x)
{
    bool ascend = true;
    for (int n = 0; n < nsteps; n++) {
        x[n] = io_source_steps(source)[steps[n]].time;
        ascend = ascend && isfinite(x[n]) && (n == 0 || x[n] > x[n - 1]);
    }
    for (int n = 0; n < nsteps && !ascend; n++) {
        x[n] = (double)io_source_steps(source)[steps[n]].number;
    }
    return ascend ? "time" : "step";
}

status app_figure_check(app_form form, int nsteps)
{
    return form < APP_PLOTS || nsteps > 1
               ? STATUS_OK
               : base_fail(STATUS_USAGE, "a plot over steps needs two or more: --steps "
                                         "all");
}

status app_figure_write(const plot *what, app_form form, const char *path)
{
    static const plot_format formats[] = {
        [APP_PNG] = PLOT_PNG, [APP_SVG] = PLOT_SVG, [APP_PDF] = PLOT_PDF};
    char *bytes = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&bytes, &size);
    status s =
        memory ? plot_write(what, formats[form], memory) : base_fail_memory(0, "a plot");
    if (memory && (fclose(memory) != 0 || s == STATUS_OUTPUT)) {
        s = base_fail_memory(size, "a plot");
    }
    s = s == STATUS_OK ? io_file_write(path, bytes, size) : s;
    free(bytes);
    return s;
}
