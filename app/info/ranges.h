/* Ranges of fields. */
#ifndef APP_INFO_RANGES_H
#define APP_INFO_RANGES_H

/* The steps over which the ranges of fields are taken. */
typedef enum app_info_ranges {
    APP_INFO_ENDS, /* the first and the last step that have the field */
    APP_INFO_ALL,
    APP_INFO_NONE
} app_info_ranges;

#endif
