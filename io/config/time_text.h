/* Texts with placeholders for the step and the time. */
#ifndef IO_CONFIG_TIME_TEXT_H
#define IO_CONFIG_TIME_TEXT_H

#include <stdbool.h>

/* Whether a text is valid for io_config_expand_time. */
bool io_config_is_time_text(const char *text);

/* The number of %d and %0Nd in a pattern, or -1 if it has any other conversion; %% is a
 * percent sign. */
int io_config_count_conversions(const char *pattern);

#endif
