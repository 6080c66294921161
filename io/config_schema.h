/* What a config may hold: the tables that libcyaml loads it with, and the defaults. */
#ifndef IO_CONFIG_SCHEMA_H
#define IO_CONFIG_SCHEMA_H

#include <cyaml/cyaml.h>

/* Loads an io_config from a document that io_config_normalise has been over. */
extern const cyaml_schema_value_t io_config_schema;

/* YAML of what holds where the root, a volume layer, its shade, and an entry of lights do
 * not say otherwise. */
extern const char io_config_defaults[];
extern const char io_config_volume_defaults[];
extern const char io_config_shade_defaults[];
extern const char io_config_light_defaults[];

#endif
