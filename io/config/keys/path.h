/* Paths of files in configs. */
#ifndef IO_CONFIG_KEYS_PATH_H
#define IO_CONFIG_KEYS_PATH_H

/* The folder that a file lies in: "" for the working directory; and a path as a part of a
 * pattern, where its percent signs stand for themselves. malloc'ed, or NULL where memory
 * is short. */
char *io_path_folder(const char *path);
char *io_path_pattern(const char *path);

#endif
