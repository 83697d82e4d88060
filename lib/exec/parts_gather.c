#include "exec/parts_gather.h"

#include "backend/driver.h"
#include "backend/gpu_driver.h"
#include "exec/cells.h"
#include "exec/recheck.h"
#include "policy/cells.h"
#include "policy/place.h"
#include "policy/results.h"

static int may_be_gathered(const uswi_part_t *part) {
  return part->state == USWI_PART_IS_LEFT && part->is_launched && uswi_folds_by_cells(&part->call);
}

/* A second run compares the parts' own records, and a report counts by them. */
void uswi_parts_choose_gather(uswi_parts_t *parts) {
  const uswi_call_t *call = &parts->part->call;
  const int needs_records = call->options->report || uswi_recheck_rate(call) > 0;
  uswi_part_t *first = NULL;
  uint32_t count = 0;
  for (uswi_part_t *part = parts->part; part < parts->part + parts->count; part++) {
    const int is_one = !needs_records && may_be_gathered(part);
    part->call.gathered = (uint32_t)is_one;
    count += (uint32_t)is_one;
    first = is_one && !first ? part : first;
  }
  if (first)
    first->call.gathered = count;
  if (count == 1)
    first->call.gathered = 0;
}

/* Put the record of a part behind others in the memory of the part that gathers them; that one's stream waits for it. */
static usw_status_t send(uswi_part_t *part, uswi_part_t *to, size_t number) {
  const uswi_device_t *device = part->call.device, *there = to->call.device;
  uswi_scratch_t *scratch = part->scratch;
  void *const stream = part->launched.pending.stream;
  int error = scratch->event ? 0 : device->driver->create_event(device->ordinal, &scratch->event);
  if (error == 0)
    error = device->driver->copy_across(device->ordinal, stream, there->ordinal,
                                        uswi_gathered_record(&to->call, to->scratch, number),
                                        uswi_gathered_record(&part->call, scratch, 0), part->call.record_bytes);
  if (error == 0)
    error = device->driver->record(device->ordinal, scratch->event, stream);
  if (error == 0)
    error = there->driver->order_after(there->ordinal, to->launched.pending.stream, scratch->event);
  return uswi_driver_status(device, part->call.name, error);
}

/* Whether the device that all records come to has the span, and other parts want theirs on devices, too: then no host sees any. */
static int may_write(const uswi_parts_t *parts, const uswi_part_t *first, size_t count) {
  for (const uswi_part_t *part = parts->part; part < parts->part + parts->count; part++) {
    count -= part->state == USWI_PART_IS_STARTED || part->state == USWI_PART_IS_GATHERED;
    if (part->state == USWI_PART_IS_LEFT || part->state == USWI_PART_HAS_ENDED ||
        (part->results && part->results[0] && uswi_backend_where(part->results[0]).memory != USWI_MEMORY_DEVICE))
      return 0;
  }
  return count == 0 && parts->variables && !parts->to_record && uswi_is_span_on_device(&first->call);
}

/* From the span to the memory that a part names for it. */
static usw_status_t copy_result(const uswi_part_t *first, const uswi_part_t *part) {
  const uswi_device_t *device = first->call.device;
  const uswi_device_t *const there = uswi_device(uswi_backend_where(part->results[0]).device);
  if (!there)
    return uswi_unknown_place(part->call.name, part->call.kernel->reducers[0].name,
                              (uint64_t)(uintptr_t)part->results[0]);
  const int error =
      device->driver->copy_across(device->ordinal, first->launched.pending.stream, there->ordinal, part->results[0],
                                  first->call.variables[0].address, uswi_bytes_of_cells(&first->call));
  return uswi_driver_status(device, first->call.name, error);
}

/* Behind the fold of all records. */
static usw_status_t write(uswi_parts_t *parts, uswi_part_t *first) {
  usw_status_t status = uswi_put_span(&first->call, first->scratch, &first->launched);
  for (const uswi_part_t *part = parts->part; part < parts->part + parts->count && status == USW_OK; part++)
    if (part->results && part->results[0])
      status = copy_result(first, part);
  return status;
}

usw_status_t uswi_parts_gather(uswi_parts_t *parts, uswi_part_t **failed_out) {
  uswi_part_t *first = NULL;
  size_t count = 1;
  for (uswi_part_t *part = parts->part; part < parts->part + parts->count; part++) {
    if (part->state != USWI_PART_IS_STARTED || part->call.gathered == 0)
      continue;
    if (part->call.gathered > 1) {
      first = part;
      continue;
    }
    *failed_out = part;
    const usw_status_t status = first ? send(part, first, count) : USW_OK;
    if (status != USW_OK)
      return status;
    if (first) {
      part->state = USWI_PART_IS_GATHERED;
      parts->gathered++;
      count++;
    }
  }
  *failed_out = first;
  if (count == 1)
    return USW_OK;
  parts->is_written = may_write(parts, first, count);
  const usw_status_t status =
      uswi_start_gathered(&first->call, first->scratch, count, parts->is_written, &first->launched);
  return status == USW_OK && parts->is_written ? write(parts, first) : status;
}
