/* Paths of files. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

/* `path` as seen from `folder`; an absolute one stays. malloc'ed, or NULL where memory is
 * short. Local. */
char *base_path_join(const char *folder, const char *path);

#endif
