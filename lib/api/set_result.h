/* The results of a set, from the cells that its kernel leaves. */
#ifndef USWI_API_SET_RESULT_H
#define USWI_API_SET_RESULT_H

#include "api/set_object.h"

/* Combine a reducer's cells and its original values, and write its variable or span. */
void uswi_set_finish(const usw_set_t *set, uint32_t number, const usw_set_cell_t *cells, const usw_options_t *options);

#endif
