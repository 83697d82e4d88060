/* Segments: results whose items follow each other, of any lengths (<upsweep/segments.h>).
 *
 * Items and ends of segments are one path: the items of segment 0, its end, the items of segment 1, and so on. It is cut into blocks of
 * equally many steps, whatever the lengths (merge path: Odeh, Green, Mwassi, Shmueli, Birk, 2012; of sparse matrices Merrill, Garland,
 * 2016), so that one segment of all items and as many segments as items cost the same per step. A block writes the results of the segments
 * that begin and end in it, and leaves the rest as a stretch; stretches are joined in order, which gives the other results. Where blocks
 * begin depends on lengths alone, so that every grid gives the same bits.
 *
 * Here is what all places share, and what processors do; team_segments.h has the GPU's part. */

#ifndef UPSWEEP_ENGINE_SEGMENTS_ONCE
#define UPSWEEP_ENGINE_SEGMENTS_ONCE
/* A place on the path: how many segments have ended, and the next item. */
typedef struct {
  size_t segment, item;
} usw_place_on_path_t;

/* What a path is of. */
typedef struct {
  size_t segments, first, last; /* items first, ..., last - 1 */
  size_t steps, steps_of_block;
} usw_path_t;

enum { USW_FEW_ITEMS = 16 /* of a segment on a processor: not worth the chains */ };
#endif

#if USW_SEGMENTS
/* What a part of the path leaves: the items before its first end and those behind its last one. Where no segment ends in it, all are the
 * head. */
typedef struct {
  uint64_t begin, end; /* the segments that end in it: begin, ..., end - 1 */
  USW_F(_acc) head, tail;
} USW_F(_stretch);
USW_ASSERT(sizeof(USW_F(_stretch)) == USW_STRETCH_BYTES(sizeof(USW_F(_acc))), "the library makes room for stretches");

USW_INLINE USW_F(_stretch) * USW_F(_stretches)(const USW_F(_arguments) * arguments) {
  return (USW_F(_stretch) *)(uintptr_t)arguments->usw_stretches;
}

USW_INLINE int USW_F(_is_empty_segment)(size_t k, const USW_F(_arguments) * arguments) {
  return USW_F(_segment_begin)(k, arguments) == USW_F(_segment_end)(k, arguments);
}

/* Offsets outside the items are told, and nothing is read there. */
USW_INLINE usw_path_t USW_F(_path)(const USW_F(_arguments) * arguments) {
  const size_t segments = arguments->usw_results, n = arguments->usw_items, blocks = arguments->usw_blocks;
  const size_t first = USW_F(_segment_begin)(0, arguments), end = USW_F(_segment_end)(segments - 1, arguments);
  const size_t last = usw_least(end, n);
  usw_path_t path = {segments, usw_least(first, last), last, 0, 0};
  if (first > last || end > n)
    USW_F(_tell_wrong)(arguments);
  path.steps = path.last - path.first + segments;
  path.steps_of_block = (path.steps + blocks - 1) / blocks;
  return path;
}

/* Whether segment k ends within the first `steps` steps; an end comes right behind its last item. */
USW_INLINE int USW_F(_ends_within)(size_t k, size_t steps, const usw_path_t path, const USW_F(_arguments) * arguments) {
  return USW_F(_segment_end)(k, arguments) - path.first + k < steps;
}

/* Items from number `item` on, as if they were the only ones. Indices count from where they do: in the library's kernels from the segment's
 * first item. */
USW_INLINE USW_F(_arguments)
    USW_F(_items_from)(const USW_F(_arguments) * arguments, size_t item, size_t begin_of_segment) {
  USW_F(_arguments) part = USW_F(_from_item)(arguments, item);
  part.usw_first = USW_AXES ? item - begin_of_segment : item;
  return part;
}

#if USW_SUB_GROUP == 1 || defined(USW_PORT_SIMT)
/* ---- processors: offsets have been checked before the call ---- */

USW_INLINE usw_place_on_path_t USW_F(_place_after)(size_t steps, const usw_path_t path,
                                                   const USW_F(_arguments) * arguments) {
  const size_t items = path.last - path.first;
  size_t low = steps > items ? steps - items : 0, high = usw_least(steps, path.segments);
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (USW_F(_ends_within)(middle, steps, path, arguments))
      low = middle + 1;
    else
      high = middle;
  }
  const usw_place_on_path_t place = {low, path.first + steps - low};
  return place;
}

/* Items item, ..., item + count - 1 of one segment. */
USW_INLINE void USW_F(_visit_part_of_segment)(USW_F(_acc) * a, USW_F(_spans) * s, size_t item, size_t count,
                                              size_t begin_of_segment, const USW_F(_arguments) * arguments,
                                              int contiguous) {
  const USW_F(_arguments) part = USW_F(_items_from)(arguments, item, begin_of_segment);
  if (USW_F(_tries) || count >= USW_FEW_ITEMS) {
    USW_F(_visit_by_chains)(a, s, 0, count, &part, contiguous);
    return;
  }
  USW_F(_identity)(a);
  USW_ONE_BY_ONE for (size_t k = 0; k < count; k++) USW_F(_visit_index)(a, s, k, &part, contiguous);
}

/* The steps first, ..., last - 1 of the path. */
USW_INLINE void USW_F(_visit_stretch)(USW_F(_stretch) * stretch, USW_F(_spans) * s, size_t first, size_t last,
                                      const usw_path_t path, const USW_F(_arguments) * arguments, int contiguous) {
  usw_place_on_path_t at = USW_F(_place_after)(first, path, arguments);
  size_t left = last - first;
  size_t begin = at.segment < path.segments ? USW_F(_segment_begin)(at.segment, arguments) : path.last;
  const size_t first_end = at.segment;
  USW_F(_acc) a, of_part, nothing;
  USW_F(_identity)(&nothing);
  USW_F(_identity)(&a);
  while (left > 0) {
    const size_t end = USW_F(_segment_end)(at.segment, arguments), count = usw_least(end - at.item, left);
    if (count > 0) {
      USW_F(_spans) own = *s;
      USW_ENTER_SEGMENT(&own, at.segment);
      USW_F(_visit_part_of_segment)(&of_part, &own, at.item, count, begin, arguments, contiguous);
      USW_F(_merge)(&a, &of_part);
    }
    at.item += count;
    left -= count;
    if (left == 0)
      break;
    if (at.segment == first_end)
      stretch->head = a;
    else
      USW_F(_write_results)(&a, at.segment, arguments, begin == end);
    USW_F(_identity)(&a);
    begin = end;
    at.segment++;
    left--;
  }
  stretch->begin = first_end;
  stretch->end = at.segment;
  stretch->tail = first_end < at.segment ? a : nothing;
  if (first_end == at.segment)
    stretch->head = a;
}

/* Blocks first, ..., last - 1. */
USW_INLINE void USW_F(_visit_segments)(USW_F(_spans) * s, size_t first, size_t last,
                                       const USW_F(_arguments) * arguments, int contiguous) {
  const usw_path_t path = USW_F(_path)(arguments);
  for (size_t b = first; b < last; b++)
    USW_F(_visit_stretch)(&USW_F(_stretches)(arguments)[b], s, usw_least(b * path.steps_of_block, path.steps),
                          usw_least((b + 1) * path.steps_of_block, path.steps), path, arguments, contiguous);
}

/* Join what all blocks have left, in order. */
USW_INLINE void USW_F(_join_stretches)(const USW_F(_arguments) * arguments) {
  const USW_F(_stretch) *const stretches = USW_F(_stretches)(arguments);
  int has_end = 0;
  USW_F(_acc) head, tail; /* of those so far, as of one stretch */
  USW_F(_identity)(&head);
  USW_F(_identity)(&tail);
  for (size_t b = 0; b < arguments->usw_blocks; b++) {
    const USW_F(_stretch) next = stretches[b];
    USW_F(_merge)(has_end ? &tail : &head, &next.head);
    if (next.begin == next.end)
      continue;
    if (has_end)
      USW_F(_write_results)(&tail, next.begin, arguments, USW_F(_is_empty_segment)(next.begin, arguments));
    tail = next.tail;
    has_end = 1;
  }
  USW_F(_write_results)(&head, 0, arguments, USW_F(_is_empty_segment)(0, arguments));
}
#endif
#endif
