/* References: what the memory gives. They move the bytes of a case and find nothing. */
#include "bench.h"
#include "measure/device.h"
#include "peers/peers.h"

/* Where copies go, as large as the largest stream so far. */
static struct {
  bench_place_t place;
  void *memory;
  size_t bytes;
} target;

void bench_free_references(void) {
  if (target.memory)
    bench_free(&target.place, target.memory);
  target.memory = NULL;
  target.bytes = 0;
}

static int make_target(const bench_place_t *place, size_t bytes) {
  if (bytes <= target.bytes)
    return 0;
  bench_free_references();
  target.place = *place;
  target.memory = bench_allocate(place, bytes);
  target.bytes = target.memory ? bytes : 0;
  return target.memory ? 0 : -1;
}

static usw_status_t run_read(const bench_competitor_t *competitor, const bench_case_t *what, usw_report_t *report,
                             bench_value_t *value_out) {
  (void)competitor, (void)report, (void)value_out;
  const int failed = what->device < 0
                         ? peer_read_host(what->streams, what->stream_bytes, what->stream_count)
                         : peer_read_device(what->device, what->streams, what->stream_bytes, what->stream_count);
  return failed ? USW_ERROR_UNSUPPORTED : USW_OK;
}

static usw_status_t run_copy(const bench_competitor_t *competitor, const bench_case_t *what, usw_report_t *report,
                             bench_value_t *value_out) {
  (void)competitor, (void)report, (void)value_out;
  int failed = 0;
  if (what->device >= 0)
    failed = peer_copy_device(what->device, target.memory, what->streams, what->stream_bytes, what->stream_count);
  for (int k = 0; k < what->stream_count && what->device < 0 && !failed; k++)
    failed = peer_copy_host(target.memory, what->streams[k], what->stream_bytes[k]);
  return failed ? USW_ERROR_UNSUPPORTED : USW_OK;
}

/* A copy says something of the memory only where caches are small beside it. */
static const double least_copied_bytes = 1 << 24;

int bench_enlist_references(const bench_session_t *session, const bench_case_t *what, bench_competitor_t *competitors) {
  int count = 0;
  size_t longest = 0;
  if (what->stream_count == 0)
    return 0;
  for (int k = 0; k < what->stream_count; k++)
    longest = what->stream_bytes[k] > longest ? what->stream_bytes[k] : longest;
  if (bench_is_peer_wanted(session->options, "read"))
    competitors[count++] = (bench_competitor_t){.name = "read", .run = run_read, .is_peer = 1, .is_reference = 1};
  if (bench_is_peer_wanted(session->options, "copy") && what->bytes >= least_copied_bytes &&
      make_target(&session->place, longest) == 0)
    competitors[count++] = (bench_competitor_t){.name = "copy", .run = run_copy, .is_peer = 1, .is_reference = 1};
  return count;
}

void bench_wake_up(const bench_place_t *place) {
  static const double seconds = 0.5;
  static const size_t bytes = 1 << 26;
  if (make_target(place, bytes))
    return;
  const bench_case_t what = {
      .device = place->device, .stream_count = 1, .streams = {target.memory}, .stream_bytes = {bytes}};
  for (const double start = bench_now(); bench_now() - start < seconds;)
    if (run_read(NULL, &what, NULL, NULL) != USW_OK)
      return;
}
