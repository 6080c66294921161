/* Sizes, steps and precision of a file with a data set. */
#ifndef DATASETS_OPTIONS_H
#define DATASETS_OPTIONS_H

#include "base/status.h"
#include "dataset.h"

/* Options of a file; dataset_default_options gives the defaults of the data set. */
typedef struct dataset_options {
    int64_t size[3]; /* vertices of the first block along i, j, k */
    int steps;
    bool double_precision; /* coordinates and fields as float64, else float32 */
} dataset_options;

dataset_options dataset_default_options(const dataset *set);

/* Whether the options make sense for the data set. Local. Errors: STATUS_USAGE. */
status dataset_options_check(const dataset *set, const dataset_options *options);

#endif
