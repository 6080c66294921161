/* Paths of files. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

/*
 * `path` as seen from `folder`; an absolute one stays. Each "../" that `path` begins with
 * takes a name off the folder, "configs" and "../out" making "out", where both lead to
 * the same place: behind a symbolic link they do not. malloc'ed, or NULL where memory is
 * short. Looks into the file system. Local.
 */
char *base_path_join(const char *folder, const char *path);

/* The same in two parts: the folder, malloc'ed or NULL, and *path, which moves on behind
 * each "../" that the folder has given way to. */
char *base_path_climb(const char *folder, const char **path);

/* `path` as seen from the folder of the running program: "../share" of PREFIX/bin/karman
 * is PREFIX/share, wherever PREFIX was moved to. malloc'ed, or NULL where memory is short
 * or the folder is not known. Local. */
char *base_path_beside_program(const char *path);

#endif
