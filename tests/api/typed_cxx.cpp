// The typed functions and their C++ overloads.
#include "typed.h"

int main() { return typed_run(); }
