/* OpenMP's reduction clause on a device. */
#define ON_DEVICE
#define PEER peer_plain_clause
#include "clause_cases.inc"
