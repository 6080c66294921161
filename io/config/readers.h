/* Readers for keys whose values have shapes of their own, and checks of texts. */
#ifndef IO_CONFIG_READERS_H
#define IO_CONFIG_READERS_H

#include "io/config/keys/key.h"

/* data.steps and data.fields, into an io_data_config. Errors of all: STATUS_USAGE,
 * STATUS_MEMORY. */
status io_config_read_steps(const io_section *section, const io_key *key, void *data);
status io_config_read_fields(const io_section *section, const io_key *key, void *data);
void io_config_release_fields(void *data);
void io_config_release_steps(void *data);

/* Fields that are defined by expressions, into an io_config. */
status io_config_read_definitions(const io_section *section, const io_key *key,
                                  void *config);
void io_config_release_definitions(void *config);

/* Keys over frames, into an io_config. */
status io_config_read_film_keys(const io_section *section, const io_key *key,
                                void *config);
void io_config_release_film_keys(void *config);

/* Several pictures of a frame, into an io_config. */
status io_config_read_pictures(const io_section *section, const io_key *key,
                               void *config);
void io_config_release_pictures(void *config);

/* The levels of a contour, a number or values, into an io_tool_config. */
status io_config_read_levels(const io_section *section, const io_key *key, void *tool);

/* A text of annotations.time, or `true` for the default text, into an
 * io_annotations_config. */
status io_config_read_time(const io_section *section, const io_key *key,
                           void *annotations);
void io_config_release_time(void *annotations);

/* The format of a bar's numbers, such as "%.2f", into an io_bar_config. */
status io_config_read_format(const io_section *section, const io_key *key, void *bar);
void io_config_release_format(void *bar);

/* An amount of memory such as "4 GiB", into an io_config. */
status io_config_read_memory(const io_section *section, const io_key *key, void *config);

/* ---- Texts with placeholders for the step and the time ---- */

/* Whether a text is valid for io_config_expand_time. */
bool io_config_is_time_text(const char *text);

/* The number of %d and %0Nd in a pattern, or -1 if it has any other conversion; %% is a
 * percent sign. */
int io_config_count_conversions(const char *pattern);

#endif
