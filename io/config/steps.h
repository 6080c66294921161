/* The steps from the text of a config to an io_config; io/config/parse.c has their
 * order. */
#ifndef IO_CONFIG_STEPS_H
#define IO_CONFIG_STEPS_H

#include "config.h"
#include "io/config/document/section.h"

/* The section of layer `index`, which has this kind. */
io_section io_config_layer_section(io_document *document, int index, io_layer_kind kind);

/* ---- Steps, in their order ---- */

/*
 * Runs all steps, from a document with its overrides to a config; a key in_situ is
 * ignored. `folder` is the config file's. Errors: those of io_config_parse.
 */
status io_config_build(io_document *document, const char *folder, io_config **out);

/* Removes keys that the word `auto` leaves open: of the camera, and the list of layers.
 * Local. Errors: STATUS_MEMORY. */
status io_config_open(io_document *document);

/* Replaces a camera that is a word, such as front, by {view: front}. */
status io_config_open_view(io_document *document);

/* Adds the keys of the look that the config names, where it does not give them. Local.
 * Errors: STATUS_MEMORY. */
status io_config_apply_look(io_document *document);

/*
 * Converts alternative notations to the one of the table: names and files of colour maps
 * become their points. Also refuses errors that the table cannot express: two volumes, or
 * opacity together with extinction. `folder` is the config file's. Errors: STATUS_USAGE,
 * STATUS_INPUT (a colour map that cannot be read), STATUS_MEMORY.
 */
status io_config_normalise(io_document *document, const char *folder);

/* If `colors` of a layer is a name or a file, replaces it by the points of the colour
 * map. With `positions: data` in the section, positions are scaled to its range. The map
 * also supplies the opacity of a volume, and the nan_color of other layers, if the
 * section lacks them. */
status io_config_normalise_colors(const io_section *section, bool is_volume,
                                  const char *folder);

/* STATUS_OK, or a failure for lack of memory if an addition to the document failed. */
static inline status io_config_agree_added(bool is_added)
{
    return is_added ? STATUS_OK : base_fail_memory(0, "the config");
}

/* Sets members that depend on which keys are given. */
void io_config_derive(io_document *document, io_config *config);

/* With `image.color: linear`, converts all colours but those of annotations to linear
 * light. Maps get more points, so that they look as before: the light between two points
 * errs by at most 2e-4. Errors: STATUS_MEMORY. */
status io_config_linearise(io_config *config);

/* Checks the values of a config that was loaded from `root`; errors name their lines.
 * Errors: STATUS_USAGE. */
status io_config_check(const io_section *root, const io_config *config);

/* ---- Checks of parts ---- */

status io_config_check_volume(const io_section *section, const io_volume_config *volume);
status io_config_check_tool(const io_section *section, io_layer_kind kind,
                            const io_tool_config *tool);
status io_config_check_particles(const io_section *section,
                                 const io_particles_config *particles);
/* Whether some of `pictures` are cells of one picture, which its config then draws. */
bool io_config_has_cells(const json_t *pictures);

status io_config_check_film(const io_section *root, const io_config *config);
status io_config_check_copies(const io_section *root, const io_config *config);
status io_config_check_paint(const io_section *section, const io_paint_config *paint);
status io_config_check_categories(const io_section *section,
                                  const io_paint_config *paint);
status io_config_check_annotations(const io_section *root, const io_config *config);

/* Checks the points of a colour map: colours in 0..1, ascending positions, within 0..1
 * unless they are data. */
status io_config_check_colors(const io_section *section, int count,
                              const double (*colors)[4], bool are_data);

/* Checks that the positions of points ([count][stride] numbers) at `key` ascend, within
 * 0..1 unless they are data. */
status io_config_check_positions(const io_section *section, const char *key, int count,
                                 int stride, const double *points, bool are_data);

/* Checks that a direction at `key` is not 0, and that its length is finite. */
status io_config_check_direction(const io_section *section, const char *key,
                                 vec3 direction);

#endif
