/* The scripts of this folder, for the shells; made by cmake/embed.cmake. */
#ifndef APP_COMPLETION_SCRIPTS_H
#define APP_COMPLETION_SCRIPTS_H

extern const unsigned char completion_karman_bash[], completion_karman_zsh[],
    completion_karman_fish[];

#endif
