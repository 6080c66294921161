/* Inside app/integrate: rows of the table. */
#ifndef APP_INTEGRATE_ROWS_H
#define APP_INTEGRATE_ROWS_H

#include "app/table/table.h"
#include "frame/measure/measure.h"
#include "wishes.h"

/* The integrals over a place. */
typedef struct integrate_found {
    bool is_volume;
    const app_integrate_request *request;
    const integrate_wishes *wishes;
    frame_measure_sums all;         /* of 1 */
    const frame_measure_sums *sums; /* of each recipe of the wishes */
} integrate_found;

/* Sets the cells of the table's last row. Local. */
void integrate_row_fill(const integrate_found *found, app_table *table);

#endif
