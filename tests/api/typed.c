/* The typed functions and their C11 generic names. */
#include "typed.h"

int main(void) { return typed_run(); }
