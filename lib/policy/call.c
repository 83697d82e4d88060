#include "policy/call.h"

const usw_options_t uswi_default_options = {.size = sizeof uswi_default_options};
