/* Texts with places for the step and the time. */
#ifndef IO_CONFIG_TIME_TEXT_H
#define IO_CONFIG_TIME_TEXT_H

#include <stdbool.h>

/* Whether a text is good for io_config_expand_time. */
bool io_config_is_time_text(const char *text);

/* How many %d and %0Nd a pattern has, or -1 where it has any other conversion; %% is a
 * percent sign. */
int io_config_count_conversions(const char *pattern);

#endif
