/* What a config may hold: the tables that libcyaml loads it with. */
#ifndef IO_CONFIG_SCHEMA_H
#define IO_CONFIG_SCHEMA_H

#include <cyaml/cyaml.h>

enum { REQUIRED = CYAML_FLAG_DEFAULT, OPTIONAL = CYAML_FLAG_OPTIONAL };

/* A mapping whose values lie in the structure around it. */
#define FIELD_SECTION(_key, _flags, _structure, _fields)                                 \
    {                                                                                    \
        .key = (_key), .data_offset = 0,                                                 \
        .value = {                                                                       \
            CYAML_VALUE_MAPPING(_flags, _structure, _fields),                            \
        },                                                                               \
    }

/* Loads an io_config from a document that io_config_normalise has been over. */
extern const cyaml_schema_value_t io_config_schema;

/* An entry of layers. */
extern const cyaml_schema_value_t io_config_layer_schema;

#endif
