/* The settings of a config that orders may change, by the tables of its keys: their
 * values, limits, menus and help. Local. */
#ifndef RUN_SETTINGS_H
#define RUN_SETTINGS_H

#include "grid/field.h"
#include "io/config/colors/colormap.h"
#include "io/config/in_situ.h"
#include "run/steer/program.h"

#include <jansson.h>

/* Names that menus offer. */
typedef struct settings_offers {
    int nfields;
    const grid_field *fields; /* [nfields] of the data; borrowed */
    int ncolors;
    char *colors[IO_COLORMAP_NAMES]; /* [ncolors] */
} settings_offers;

/* Fills in the names of colour maps. */
void settings_offers_colors(settings_offers *offers);

void settings_offers_clear(settings_offers *offers);

/* Takes a setting, whose name is its dotted path: "layers.0.volume.range". All is
 * borrowed. */
typedef status settings_take(void *context, const steer_parameter *setting,
                             const steer_value *value);

/* Hands out all settings of a config's canonical text (io_config.canonical). offers:
 * NULL: menus have the words of choices alone. Errors: those of `take`, STATUS_MEMORY. */
status settings_list(const char *canonical, const settings_offers *offers,
                     settings_take *take, void *context);

/* The same for the times of picture `index`: "every", "when.above". */
status settings_list_times(const io_in_situ *in_situ, int index,
                           const settings_offers *offers, settings_take *take,
                           void *context);

/* For those who add layers: [{"kind", "sample"}], all kinds. A new reference; NULL
 * without memory. */
json_t *settings_kinds(void);

#endif
