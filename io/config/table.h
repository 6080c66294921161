/* The tables of keys of a config: the one description of each key. */
#ifndef IO_CONFIG_TABLE_H
#define IO_CONFIG_TABLE_H

#include "io/config/keys/key.h"

/* The whole config, an io_config. The section in_situ, which is read separately, has
 * io_config_in_situ_keys and an io_in_situ. */
extern const io_key io_config_keys[];
extern const io_key io_config_in_situ_keys[];

/* An entry of data.copies, a grid_copies (copies/copies.c). */
extern const io_key io_config_copies_keys[];

/* The view: camera, an entry of lights, lighting, an entry of clip. */
extern const io_key io_config_camera_keys[];
extern const io_key io_config_film_keys[]; /* and camera.path: film/table.c */
extern const io_key io_config_path_keys[];
extern const io_key io_config_light_keys[];
extern const io_key io_config_lighting_keys[];
extern const io_key io_config_clip_keys[];
extern const io_key io_config_threshold_keys[];

/* An entry of layers, an io_layer_config. */
extern const io_key io_config_layer_keys[];

/* The key annotations, and an entry of categories (annotations/table.c). */
extern const io_key io_config_annotation_keys[];
extern const io_key io_config_category_keys[];

/* An entry of the seeds of particles. */
extern const io_key io_config_seed_keys[];

/* The words for numbers of a running program: io_measure. */
extern const io_key_word io_config_measures[];

/* The keys for the times at which a running program draws a picture. */
extern const char *const io_config_trigger_keys[];
enum { IO_CONFIG_TRIGGER_KEYS = 4 };

#endif
