/* OpenMP's reduction clause on the host's threads. */
#define PEER peer_host_clause
#include "clause_cases.inc"
