/* The options of a call to the library, as words of the command line. */
#include "call_options.h"
#include "measure/number.h"
#include "tool.h"

#include <errno.h>

enum { MOST_FOLD = 60 };

error_t tool_refuse(const char *command, const char *option, const char *value, const char *wanted) {
  tool_fail(command, value, "is not what --%s takes: %s", option, wanted);
  return EINVAL;
}

static error_t read_place(const char *command, const char *text, usw_options_t *options) {
  if (!tool_place_named(text, options))
    return tool_refuse(command, "place", text, TOOL_PLACES);
  if (options->place == USW_DEVICE && options->device == TOOL_NO_DEVICE) {
    tool_fail(command, "--place gpu", "there is no GPU that this library can use; `usw info' says why");
    return EINVAL;
  }
  return 0;
}

static error_t read_work_group_load(const char *command, const char *text, usw_options_t *options) {
  uint64_t load;
  if (number_parse(text, 1, UINT32_MAX, &load))
    return tool_refuse(command, "work-group-load", text, "a number of partials, written as " NUMBER_FORMS);
  options->work_group_load = (uint32_t)load;
  return 0;
}

static error_t read_recheck(const char *command, const char *text, usw_options_t *options) {
  uint64_t rate;
  if (number_parse(text, 1, USW_RECHECK_NEVER - 1, &rate))
    return tool_refuse(command, "recheck", text, "a number of calls, written as " NUMBER_FORMS);
  options->recheck = (uint32_t)rate;
  return 0;
}

static error_t read_fold(const char *command, const char *text, usw_options_t *options) {
  uint64_t fold;
  if (number_parse(text, 1, MOST_FOLD, &fold))
    return tool_refuse(command, "fold", text, "a number of bins, 1 to 60");
  options->fold = (uint32_t)fold;
  return 0;
}

error_t tool_read_call_option(const char *command, int key, const char *text, usw_options_t *options) {
  switch (key) {
  case TOOL_KEY_PLACE:
    return read_place(command, text, options);
  case TOOL_KEY_STRATEGY:
    return tool_strategy_named(text, options) ? 0 : tool_refuse(command, "strategy", text, TOOL_STRATEGIES);
  case TOOL_KEY_WORK_GROUP_LOAD:
    return read_work_group_load(command, text, options);
  case TOOL_KEY_RECHECK:
    return read_recheck(command, text, options);
  case TOOL_KEY_ACCURACY:
    return tool_accuracy_named(text, options) ? 0 : tool_refuse(command, "accuracy", text, TOOL_ACCURACIES);
  case TOOL_KEY_FOLD:
    return read_fold(command, text, options);
  case TOOL_KEY_NAN:
    return tool_nan_named(text, options) ? 0 : tool_refuse(command, "nan", text, TOOL_NANS);
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

error_t tool_read_type(const char *command, const char *text, const tool_type_t **type_out) {
  *type_out = tool_type_named(text);
  return *type_out ? 0 : tool_refuse(command, "type", text, TOOL_TYPES);
}
