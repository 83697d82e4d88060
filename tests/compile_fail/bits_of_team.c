/* expect: the type of the value does not have USW_BIT_OR */
/* Floating numbers have no bits to combine. */
#include <upsweep/team.h>
double bad(usw_team_t team, double x);
double bad(usw_team_t team, double x) { return usw_team_reduce(team, x, USW_BIT_OR); }
