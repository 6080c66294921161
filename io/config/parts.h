/* The steps between the text of a config and an io_config; see io/config/config.c for
 * their order. */
#ifndef IO_CONFIG_PARTS_H
#define IO_CONFIG_PARTS_H

#include "config.h"
#include "io/config/document/document.h"

#include <cyaml/cyaml.h>

/* ---- Mappings of the document, for messages ---- */

/* A mapping of the document and the dotted path that it is at, such as
 * "layers.2.contour". */
typedef struct io_config_section {
    io_document *document;
    int node;
    char path[IO_DOCUMENT_PATH_SIZE];
} io_config_section;

/* The section at `path`; its node is 0 where there is none. */
io_config_section io_config_section_at(io_document *document, const char *path);

/* The section of layer `index`, which is of that kind. */
io_config_section io_config_section_of_layer(io_document *document, int index,
                                             io_layer_kind kind);

/* The section that a key of another one, or an entry of a list in it, holds. */
io_config_section io_config_section_below(const io_config_section *section,
                                          const char *key);
io_config_section io_config_section_item(const io_config_section *section,
                                         const char *key, int index);

/* The value of a key, or 0; whether the key is there. */
int io_config_section_value(const io_config_section *section, const char *key);
bool io_config_section_has(const io_config_section *section, const char *key);

/* How many of the keys ([count]) are there. */
int io_config_section_count(const io_config_section *section, int count,
                            const char *const *keys);

/* Fails with "PLACE: PATH.key message"; the place is that of the value of the key, or of
 * the section where that is not there or `key` is NULL ("PLACE: PATH message"). */
status io_config_section_fail(const io_config_section *section, const char *key,
                              const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails as io_document_fail_type does, for the value of a key. */
status io_config_section_fail_type(const io_config_section *section, const char *key,
                                   const char *expected);

/* ---- Steps, in their order ---- */

/*
 * All of them, from a document with its overrides to a config; a key in_situ is left out.
 * `folder` is the config file's. Errors: those of io_config_parse.
 */
status io_config_build(io_document *document, const char *folder, io_config **out);

/* Loads what has passed io_document_check with the same schema: malloc'ed. Errors:
 * STATUS_MEMORY; STATUS_INTERNAL (libcyaml refuses it after all). */
status io_config_load(io_document *document, const cyaml_schema_value_t *schema,
                      void **out);

/* Adds what the config does not say: defaults that go into the canonical form. Values
 * that follow from which keys are there are left to io_config_derive. Errors:
 * STATUS_MEMORY. */
status io_config_complete(io_document *document);

/*
 * Brings what may be written in several ways into the one shape of the schema: steps into
 * {all} or {first, last, stride}, names and files of colour maps into their points,
 * `range: auto` into no range, data.fields into a list, the levels of a contour into
 * {count} or {values}. Also refuses what the schema cannot say: two volumes, opacity
 * together with extinction. `folder` is the config file's. Errors: STATUS_USAGE,
 * STATUS_INPUT (a colour map that cannot be read), STATUS_MEMORY.
 */
status io_config_normalise(io_document *document, const char *folder);

/* The part of it that is about layers. */
status io_config_normalise_layers(io_document *document, const char *folder);

/* Makes the points of a colour map from `colors` of a layer where that is a name or a
 * file. With `positions: data` in the same section they are spread over its range. What
 * else the map says counts where the section does not: the opacity of a volume, the
 * nan_color of other layers. */
status io_config_normalise_colors(const io_config_section *section, bool is_volume,
                                  const char *folder);

/* Whether memory was there for what was to be added to the document, as a status. */
status io_config_agree_added(bool is_added);

/* Sets what follows from which keys are there. */
void io_config_derive(io_document *document, io_config *config);

/* Checks the values of a config that was loaded from `document`, with their lines.
 * Errors: STATUS_USAGE. */
status io_config_check(io_document *document, const io_config *config);

/* ---- Checks of parts ---- */

status io_config_check_volume(const io_config_section *section,
                              const io_volume_config *volume);
status io_config_check_tool(const io_config_section *section, io_layer_kind kind,
                            const io_tool_config *tool);
status io_config_check_particles(const io_config_section *section,
                                 const io_particles_config *particles);
status io_config_check_paint(const io_config_section *section,
                             const io_paint_config *paint);
status io_config_check_annotations(io_document *document, const io_config *config);

/* The factors and the shininess of the section's key shade. */
status io_config_check_shade(const io_config_section *section,
                             const io_shade_config *shade);

/* That a colour lies in 0..1. */
status io_config_check_color(const io_config_section *section, const char *key,
                             const double color[3]);

/* The points of a colour map: colours in 0..1, positions that ascend, within 0..1 unless
 * they are data. */
status io_config_check_colors(const io_config_section *section, int count,
                              const double (*colors)[4], bool are_data);

/* That the positions of points ([count][stride] numbers) at `key` ascend, within 0..1
 * unless they are data. */
status io_config_check_positions(const io_config_section *section, const char *key,
                                 int count, int stride, const double *points,
                                 bool are_data);

/* That a direction at `key` is not 0, and its length finite. */
status io_config_check_direction(const io_config_section *section, const char *key,
                                 vec3 direction);

/* That low <= value <= high; io_config_check_above: 0 < value <= high. */
status io_config_check_between(const io_config_section *section, const char *key,
                               double value, double low, double high);
status io_config_check_above(const io_config_section *section, const char *key,
                             double value, double high);

/* ---- The rest ---- */

/* The bytes that a text such as "4 GiB" stands for; -1 where it is none. */
int64_t io_config_bytes(const char *text);

/* Whether a text is good for io_config_expand_time. */
bool io_config_is_time_text(const char *text);

/* The folder that a file lies in: "" for the working directory; and a path as a part of a
 * pattern, where its percent signs stand for themselves. malloc'ed, or NULL where memory
 * is short. */
char *io_config_folder(const char *path);
char *io_config_pattern(const char *path);

/* How many %d and %0Nd a pattern has, or -1 where it has any other conversion; %% is a
 * percent sign. */
int io_config_count_conversions(const char *pattern);

#endif
