#include "policy/outputs.h"

#include "base/error.h"

static uswi_elements_t elements_of(const uswi_call_t *call, uint32_t argument, uint32_t stream) {
  const uint32_t bytes = call->kernel->arguments[argument].bytes;
  return (uswi_elements_t){call->arguments[argument], call->strides[stream] * (int64_t)bytes, bytes, call->n};
}

static uint64_t low_of(const uswi_elements_t *e) {
  return e->step < 0 ? e->first + (uint64_t)e->step * (e->n - 1) : e->first;
}
static uint64_t end_of(const uswi_elements_t *e) {
  return (e->step < 0 ? e->first : e->first + (uint64_t)e->step * (e->n - 1)) + e->bytes;
}

static int are_the_same(const uswi_elements_t *a, const uswi_elements_t *b) {
  return a->first == b->first && a->bytes == b->bytes && (a->step == b->step || a->n == 1);
}

int uswi_are_apart(const uswi_elements_t *a, const uswi_elements_t *b) {
  const uint64_t low = low_of(a), other = low_of(b), step = (uint64_t)(a->step < 0 ? -a->step : a->step);
  if (end_of(a) <= other || end_of(b) <= low)
    return 1;
  if (step == 0 || step != (uint64_t)(b->step < 0 ? -b->step : b->step))
    return 0;
  const uint64_t distance = low >= other ? (low - other) % step : (step - (other - low) % step) % step;
  return distance >= b->bytes && step - distance >= a->bytes;
}

static usw_status_t check_with_stream(const uswi_call_t *call, const usw_argument_t *output,
                                      const uswi_elements_t *written, uint32_t argument, uint32_t stream) {
  const usw_argument_t *other = &call->kernel->arguments[argument];
  const uswi_elements_t elements = elements_of(call, argument, stream);
  const int is_in_place = other->kind == USW_ARGUMENT_IN && are_the_same(written, &elements);
  if (is_in_place && (call->kernel->facts & USW_FACT_REVISITS))
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: '%s' cannot be written in place: the body may run again for an item, because of its spans; "
                     "give the output an array of its own",
                     call->name, output->name);
  if (is_in_place && uswi_asks_for_rechecks(call->options))
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: options.recheck is %u, but '%s' is written in place: a second run would read what the first "
                     "wrote",
                     call->name, call->options->recheck, output->name);
  if (is_in_place || uswi_are_apart(written, &elements))
    return USW_OK;
  return uswi_fail(USW_ERROR_INVALID,
                   "%s: the output '%s' shares elements with '%s': it may be the same array as an input, with the same "
                   "stride, or be apart from it",
                   call->name, output->name, other->name);
}

/* Of an array only the beginning is known. */
static usw_status_t check_with_array(const uswi_call_t *call, const usw_argument_t *output,
                                     const uswi_elements_t *written, uint32_t argument) {
  const uint64_t address = call->arguments[argument];
  const int is_dense = written->step == written->bytes || -written->step == written->bytes;
  if (!is_dense || address < low_of(written) || address >= end_of(written))
    return USW_OK;
  return uswi_fail(USW_ERROR_INVALID,
                   "%s: the array '%s' begins within the output '%s': items would read what others write", call->name,
                   call->kernel->arguments[argument].name, output->name);
}

static usw_status_t check_output(const uswi_call_t *call, uint32_t output, uint32_t output_stream) {
  const usw_kernel_t *k = call->kernel;
  const uswi_elements_t written = elements_of(call, output, output_stream);
  usw_status_t status = USW_OK;
  if (written.step == 0 && call->n > 1)
    return uswi_fail(USW_ERROR_INVALID, "%s: the output '%s' has stride 0: every item writes an element of its own",
                     call->name, k->arguments[output].name);
  if (k->facts & USW_FACT_SPACE)
    return USW_OK;
  for (uint32_t a = 0, stream = 0; a < output && status == USW_OK; a++) {
    if (uswi_is_stream(&k->arguments[a]))
      status = check_with_stream(call, &k->arguments[output], &written, a, stream++);
    else if (k->arguments[a].kind == USW_ARGUMENT_ARRAY)
      status = check_with_array(call, &k->arguments[output], &written, a);
  }
  return status;
}

usw_status_t uswi_check_outputs(const uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  usw_status_t status = USW_OK;
  for (uint32_t a = 0, stream = 0; a < k->argument_count && call->n > 0 && status == USW_OK; a++) {
    if (k->arguments[a].kind == USW_ARGUMENT_OUT)
      status = check_output(call, a, stream);
    stream += (uint32_t)uswi_is_stream(&k->arguments[a]);
  }
  return status;
}

int uswi_is_in_place(const uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  if (!(k->facts & USW_FACT_OUTPUTS))
    return 0;
  for (uint32_t output = 0; output < k->argument_count; output++)
    for (uint32_t a = 0; k->arguments[output].kind == USW_ARGUMENT_OUT && a < output; a++)
      if (k->arguments[a].kind == USW_ARGUMENT_IN && call->arguments[a] == call->arguments[output])
        return 1;
  return 0;
}
