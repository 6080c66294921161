/* Paths of files in configs. */
#ifndef IO_CONFIG_KEYS_PATH_H
#define IO_CONFIG_KEYS_PATH_H

/* The folder of a file, "" for the working directory; and a path as a part of a pattern,
 * with its percent signs escaped. malloc'ed; NULL if memory is short. */
char *io_path_folder(const char *path);
char *io_path_pattern(const char *path);

#endif
