/* Paths of files. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

/*
 * `path` as seen from `folder`; an absolute one stays. Each leading "../" of `path`
 * removes a name from the folder if both lead to the same place: "configs" and "../out"
 * give "out". Behind a symbolic link they do not. malloc'ed; NULL if memory is short.
 * Looks into the file system. Local.
 */
char *base_path_join(const char *folder, const char *path);

/* The same in two parts: returns the folder (malloc'ed or NULL) and moves *path behind
 * each "../" that has removed a name from the folder. */
char *base_path_climb(const char *folder, const char **path);

/* `path` as seen from the folder of the running program: for PREFIX/bin/karman "../share"
 * is PREFIX/share, even if PREFIX was moved. malloc'ed; NULL if memory is short or the
 * folder is unknown. Local. */
char *base_path_beside_program(const char *path);

/* The same for the folder of libkarman, in a program that is installed elsewhere. */
char *base_path_beside_library(const char *path);

/* Returns -1, 0 or 1 if a comes before, with or after b. Digits in names count as
 * numbers, so that out_9.h5 comes before out_10.h5. */
int base_path_compare(const char *a, const char *b);

/*
 * The end of temporary names of this process, ".HOST.PID.tmp": processes of several
 * machines may write into one folder. Local.
 */
enum { BASE_PATH_SUFFIX = 64 };
void base_path_suffix(char suffix[BASE_PATH_SUFFIX]);

#endif
