#include "check.h"

#include "base/status.h"

#include <math.h>

static bool is_size(double size)
{
    return size >= 0.0 && size <= 100.0;
}

static const char *find_color_fault(const annotate_bar *bar)
{
    if (bar->ncolors < 2) {
        return "needs two colours or more";
    }
    for (int n = 0; n < bar->ncolors; n++) {
        const double position = bar->colors[n][0];
        if (!isfinite(position) || (n > 0 && position < bar->colors[n - 1][0])) {
            return "has colours whose positions do not ascend";
        }
    }
    return NULL;
}

static const char *find_level_fault(const annotate_bar *bar)
{
    for (int n = 0; n < bar->nlevels; n++) {
        if (!isfinite(bar->levels[n]) || (n > 0 && bar->levels[n] < bar->levels[n - 1])) {
            return "has levels that do not ascend";
        }
    }
    return NULL;
}

static bool is_rectangle(const double r[4])
{
    return r[0] >= 0.0 && r[1] >= 0.0 && r[2] > 0.0 && r[3] > 0.0 && r[0] + r[2] <= 1.0 &&
           r[1] + r[3] <= 1.0;
}

static const char *find_bar_fault(const annotate_bar *bar)
{
    const base_scale *scale = &bar->scale;
    if (!(scale->range[0] <= scale->range[1]) ||
        !isfinite(scale->range[1] - scale->range[0])) {
        return "has a range that does not ascend";
    }
    if (scale->kind == BASE_SCALE_LOG && !(scale->range[0] > 0.0)) {
        return "has a logarithmic range that is not above 0";
    }
    if (scale->kind == BASE_SCALE_SYMLOG && !(scale->threshold > 0.0)) {
        return "has a symmetric logarithmic scale without a threshold";
    }
    if (bar->ticks < 0 || bar->ticks > ANNOTATE_MAX_TICKS) {
        return "has more ticks than can be read";
    }
    if (bar->side == ANNOTATE_RECTANGLE && !is_rectangle(bar->rectangle)) {
        return "has a rectangle that is not within the picture";
    }
    const char *fault = find_color_fault(bar);
    return fault ? fault : find_level_fault(bar);
}

status annotate_check(const annotation *what)
{
    if (!is_size(what->style.size) || !is_size(what->triad.size)) {
        return base_fail(STATUS_USAGE, "the size of annotations must be 0 to 100");
    }
    for (int n = 0; n < what->nbars; n++) {
        const char *fault = find_bar_fault(&what->bars[n]);
        if (fault) {
            const char *title = what->bars[n].title;
            return base_fail(STATUS_USAGE, "scalar bar '%.80s' %s", title ? title : "",
                             fault);
        }
    }
    for (int n = 0; n < what->nlabels; n++) {
        if (!what->labels[n].text || !is_size(what->labels[n].size)) {
            return base_fail(STATUS_USAGE,
                             "label %d needs a text and a size of at most 100", n + 1);
        }
    }
    return STATUS_OK;
}
