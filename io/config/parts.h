/* The steps between the text of a config and an io_config; see io/config/parse.c for
 * their order. */
#ifndef IO_CONFIG_PARTS_H
#define IO_CONFIG_PARTS_H

#include "config.h"
#include "io/config/document/section.h"

/* The section of layer `index`, which is of that kind. */
io_section io_config_layer_section(io_document *document, int index, io_layer_kind kind);

/* ---- Steps, in their order ---- */

/*
 * All of them, from a document with its overrides to a config; a key in_situ is left out.
 * `folder` is the config file's. Errors: those of io_config_parse.
 */
status io_config_build(io_document *document, const char *folder, io_config **out);

/* Leaves out what the word `auto` leaves open: the camera, the list of layers. Local.
 * Errors: STATUS_MEMORY. */
status io_config_open(io_document *document);

/*
 * Brings what may be written in several ways into the one shape of the table: names and
 * files of colour maps into their points. Also refuses what the table cannot say: two
 * volumes, opacity together with extinction. `folder` is the config file's. Errors:
 * STATUS_USAGE, STATUS_INPUT (a colour map that cannot be read), STATUS_MEMORY.
 */
status io_config_normalise(io_document *document, const char *folder);

/* Makes the points of a colour map from `colors` of a layer where that is a name or a
 * file. With `positions: data` in the same section they are spread over its range. What
 * else the map says counts where the section does not: the opacity of a volume, the
 * nan_color of other layers. */
status io_config_normalise_colors(const io_section *section, bool is_volume,
                                  const char *folder);

/* Whether memory was there for what was to be added to the document, as a status. */
status io_config_agree_added(bool is_added);

/* Sets what follows from which keys are there. */
void io_config_derive(io_document *document, io_config *config);

/* Checks the values of a config that was loaded from `root`, with their lines.
 * Errors: STATUS_USAGE. */
status io_config_check(const io_section *root, const io_config *config);

/* ---- Checks of parts ---- */

status io_config_check_volume(const io_section *section, const io_volume_config *volume);
status io_config_check_tool(const io_section *section, io_layer_kind kind,
                            const io_tool_config *tool);
status io_config_check_particles(const io_section *section,
                                 const io_particles_config *particles);
status io_config_check_paint(const io_section *section, const io_paint_config *paint);
status io_config_check_annotations(const io_section *root, const io_config *config);

/* The points of a colour map: colours in 0..1, positions that ascend, within 0..1 unless
 * they are data. */
status io_config_check_colors(const io_section *section, int count,
                              const double (*colors)[4], bool are_data);

/* That the positions of points ([count][stride] numbers) at `key` ascend, within 0..1
 * unless they are data. */
status io_config_check_positions(const io_section *section, const char *key, int count,
                                 int stride, const double *points, bool are_data);

/* That a direction at `key` is not 0, and its length finite. */
status io_config_check_direction(const io_section *section, const char *key,
                                 vec3 direction);

#endif
