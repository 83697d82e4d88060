/* expect: the operator has no identity: an exclusive scan needs a value to begin with */
/* What would the first thread get? With a value to begin with it compiles. */
#include <upsweep/team.h>
static inline double closer(double x, double y) { return x * x < y * y ? x : y; }
#define USW_OPERATOR closer
#define USW_OPERATOR_TYPE double
#include <upsweep/team_operator.h>
double bad(usw_team_t team, double x);
double bad(usw_team_t team, double x) { return usw_team_exclusive_scan(team, x, closer); }
