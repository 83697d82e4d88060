/* team_scalar.h for every scalar type: the list of reducer.h once more, since a macro cannot include. A type that is
 * missing here does not compile in <upsweep/team.h>'s macros. */
#define USW_SCALAR_TYPE char
#define USW_SCALAR_TAG c
#define USW_SCALAR_CLASS INTEGER
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE signed char
#define USW_SCALAR_TAG sc
#define USW_SCALAR_CLASS INTEGER
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE unsigned char
#define USW_SCALAR_TAG uc
#define USW_SCALAR_CLASS INTEGER
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE short
#define USW_SCALAR_TAG s
#define USW_SCALAR_CLASS INTEGER
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE unsigned short
#define USW_SCALAR_TAG us
#define USW_SCALAR_CLASS INTEGER
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE int
#define USW_SCALAR_TAG i
#define USW_SCALAR_CLASS INTEGER
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE unsigned
#define USW_SCALAR_TAG ui
#define USW_SCALAR_CLASS INTEGER
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE long
#define USW_SCALAR_TAG l
#define USW_SCALAR_CLASS INTEGER
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE unsigned long
#define USW_SCALAR_TAG ul
#define USW_SCALAR_CLASS INTEGER
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE long long
#define USW_SCALAR_TAG ll
#define USW_SCALAR_CLASS INTEGER
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE unsigned long long
#define USW_SCALAR_TAG ull
#define USW_SCALAR_CLASS INTEGER
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE float
#define USW_SCALAR_TAG f
#define USW_SCALAR_CLASS FLOATING
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE double
#define USW_SCALAR_TAG d
#define USW_SCALAR_CLASS FLOATING
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE usw_cf32_t
#define USW_SCALAR_TAG cf
#define USW_SCALAR_CLASS COMPLEX
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE usw_cf64_t
#define USW_SCALAR_TAG cd
#define USW_SCALAR_CLASS COMPLEX
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE usw_b8_t
#define USW_SCALAR_TAG b
#define USW_SCALAR_CLASS BOOLEAN
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE usw_f16_t
#define USW_SCALAR_TAG f16
#define USW_SCALAR_CLASS HALF
#include <upsweep/engine/team_scalar.h>

#define USW_SCALAR_TYPE usw_bf16_t
#define USW_SCALAR_TAG bf16
#define USW_SCALAR_CLASS HALF
#include <upsweep/engine/team_scalar.h>
