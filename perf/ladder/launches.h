/* Launches of LADDER_RUNG with every size of team. */
#define LADDER_TEAM_SIZE 32
#include "launch.h"
#define LADDER_TEAM_SIZE 64
#include "launch.h"
#define LADDER_TEAM_SIZE 128
#include "launch.h"
#define LADDER_TEAM_SIZE 256
#include "launch.h"
#define LADDER_TEAM_SIZE 512
#include "launch.h"
#define LADDER_TEAM_SIZE 1024
#include "launch.h"
#undef LADDER_RUNG
