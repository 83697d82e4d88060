/* usw info --topology=FILE.svg: the machine as boxes in boxes, in the colours of hwloc's lstopo. Every object is measured
 * from its children, then drawn; caches are bars above what they serve. */
#include "topology.h"
#include "topology_objects.h"

#include <stdio.h>
#include <string.h>

enum { GAP = 8, LINE = 18, CHARACTER = 7, MOST_ROW = 1600, SMALLEST = 48 };

typedef struct drawing {
  hwloc_topology_t topology;
  tool_seats_t seats;
  FILE *file;
} drawing_t;

typedef struct extent {
  int width, height;
} extent_t;

/* ---- what an object says ---- */

static const char *colour_of(const drawing_t *drawing, hwloc_obj_t object) {
  unsigned first, last;
  switch (object->type) {
  case HWLOC_OBJ_PACKAGE:
    return "#dedede";
  case HWLOC_OBJ_CORE:
    return "#bebebe";
  case HWLOC_OBJ_NUMANODE:
    return "#efdfde";
  case HWLOC_OBJ_PCI_DEVICE:
    return "#bed295";
  case HWLOC_OBJ_PU:
    if (!tool_is_usable(drawing->topology, object))
      return "#ff8080";
    return tool_seat_of(&drawing->seats, object, &first, &last) >= 0 ? "#80ff80" : "#ffffff";
  default:
    return "#ffffff";
  }
}

/* Two lines at most; the second one is empty for most. */
static void say(const drawing_t *drawing, hwloc_obj_t object, char *line, char *second) {
  unsigned first, last;
  *second = 0;
  if (object->type == HWLOC_OBJ_PCI_DEVICE) {
    snprintf(line, TOOL_LABEL_BYTES, "%s", tool_kind_of(&object->attr->pcidev));
    tool_name_device(object, second);
  } else if (object->type == HWLOC_OBJ_PU) {
    const int thread = tool_seat_of(&drawing->seats, object, &first, &last);
    snprintf(line, TOOL_LABEL_BYTES, "PU %u", object->os_index);
    if (thread >= 0)
      snprintf(second, TOOL_LABEL_BYTES, "thread %d: %u-%u", thread, first, last);
  } else {
    tool_name_object(object, line);
  }
}

static extent_t extent_of_text(const drawing_t *drawing, hwloc_obj_t object) {
  char line[TOOL_LABEL_BYTES], second[TOOL_LABEL_BYTES];
  say(drawing, object, line, second);
  const int length = (int)(strlen(line) > strlen(second) ? strlen(line) : strlen(second));
  return (extent_t){length * CHARACTER + 2 * GAP, (*second ? 2 : 1) * LINE + GAP};
}

/* ---- layout: rows of children, each as high as its highest ---- */

typedef struct row {
  int x, y, width, height, right; /* where the next one goes; what the rows take by now */
} row_t;

/* Called with every child and its place; draws, or only measures. */
typedef extent_t visit_t(const drawing_t *drawing, hwloc_obj_t object, int x, int y);

static void put(row_t *row, const drawing_t *drawing, hwloc_obj_t object, int left, visit_t *measure, visit_t *visit) {
  const extent_t extent = measure(drawing, object, 0, 0);
  if (row->x > left && row->x + extent.width > left + row->width) {
    row->x = left;
    row->y += row->height + GAP;
    row->height = 0;
  }
  if (visit)
    visit(drawing, object, row->x, row->y);
  row->x += extent.width + GAP;
  row->height = extent.height > row->height ? extent.height : row->height;
  row->right = row->x - GAP > row->right ? row->x - GAP : row->right;
}

static void end_row(row_t *row, int left) {
  if (row->height)
    row->y += row->height + GAP;
  row->height = 0;
  row->x = left;
}

static void put_devices(row_t *row, const drawing_t *drawing, hwloc_obj_t first, int left, visit_t *measure,
                        visit_t *visit) {
  for (hwloc_obj_t at = first; at; at = at->next_sibling)
    if (at->type == HWLOC_OBJ_PCI_DEVICE)
      put(row, drawing, at, left, measure, visit);
    else
      put_devices(row, drawing, at->io_first_child, left, measure, visit);
}

static int is_bar(hwloc_obj_t object) { return hwloc_obj_type_is_cache(object->type); }

/* Memory, then what has processors, then devices, from (left, top) on; where they end. */
static extent_t put_children(const drawing_t *drawing, hwloc_obj_t object, int left, int top, visit_t *measure,
                             visit_t *visit) {
  row_t row = {.x = left, .y = top, .width = MOST_ROW, .right = left};
  for (hwloc_obj_t at = object->memory_first_child; at; at = at->next_sibling)
    put(&row, drawing, at, left, measure, visit);
  end_row(&row, left);
  for (hwloc_obj_t at = object->first_child; at; at = at->next_sibling)
    put(&row, drawing, at, left, measure, visit);
  end_row(&row, left);
  if (object->type != HWLOC_OBJ_PCI_DEVICE)
    put_devices(&row, drawing, object->io_first_child, left, measure, visit);
  end_row(&row, left);
  return (extent_t){row.right, row.y};
}

static extent_t measure_object(const drawing_t *drawing, hwloc_obj_t object, int x, int y) {
  (void)x, (void)y; /* it would be the same anywhere */
  const int inset = is_bar(object) ? 0 : GAP;
  extent_t own = extent_of_text(drawing, object);
  if (is_bar(object))
    own.height += GAP;
  const extent_t end = put_children(drawing, object, inset, own.height, measure_object, NULL);
  own.width = end.width + inset > own.width ? end.width + inset : own.width;
  own.height = end.height > own.height ? end.height - (is_bar(object) ? GAP : 0) : own.height;
  own.width = own.width > SMALLEST ? own.width : SMALLEST;
  return own;
}

/* ---- drawing ---- */

/* Text of the system's, as XML has it. */
static void write_text(FILE *file, int x, int y, const char *text) {
  fprintf(file, "<text x=\"%d\" y=\"%d\">", x, y);
  for (; *text; text++)
    if (*text == '&' || *text == '<' || *text == '>')
      fprintf(file, "&#%d;", *text);
    else
      fputc(*text, file);
  fputs("</text>\n", file);
}

static extent_t draw_object(const drawing_t *drawing, hwloc_obj_t object, int x, int y) {
  char line[TOOL_LABEL_BYTES], second[TOOL_LABEL_BYTES];
  const extent_t extent = measure_object(drawing, object, x, y), text = extent_of_text(drawing, object);
  const int inset = is_bar(object) ? 0 : GAP, height = is_bar(object) ? text.height : extent.height;
  fprintf(drawing->file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", x, y, extent.width,
          height, colour_of(drawing, object));
  say(drawing, object, line, second);
  write_text(drawing->file, x + GAP, y + LINE, line);
  if (*second)
    write_text(drawing->file, x + GAP, y + 2 * LINE, second);
  put_children(drawing, object, x + inset, y + text.height + (is_bar(object) ? GAP : 0), measure_object, draw_object);
  return extent;
}

static void draw(const drawing_t *drawing) {
  const hwloc_obj_t root = hwloc_get_root_obj(drawing->topology);
  const extent_t extent = measure_object(drawing, root, 0, 0);
  char legend[TOOL_LABEL_BYTES];
  snprintf(legend, sizeof legend, "A large call: %u chunks, by %u thread%s: %s. Green: where they sit with USW_BIND=1",
           drawing->seats.chunks, drawing->seats.threads, drawing->seats.threads == 1 ? "" : "s",
           drawing->seats.reason);
  const int width = (int)strlen(legend) * CHARACTER, wide = width > extent.width ? width : extent.width;
  fprintf(drawing->file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"monospace\" "
          "font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n<g stroke=\"#000000\" "
          "stroke-width=\"0.5\">\n<style>text{stroke:none}</style>\n",
          wide + 2 * GAP, extent.height + LINE + 3 * GAP);
  draw_object(drawing, root, GAP, GAP);
  write_text(drawing->file, GAP, extent.height + LINE + GAP, legend);
  fputs("</g>\n</svg>\n", drawing->file);
}

int tool_draw_tree(FILE *file, const char **why_out) {
  drawing_t drawing = {.topology = tool_load_topology(), .file = file};
  *why_out = "hwloc cannot read this machine's topology";
  if (!drawing.topology)
    return -1;
  if (tool_find_seats(&drawing.seats) == 0) {
    draw(&drawing);
    *why_out = NULL;
  }
  tool_free_seats(&drawing.seats);
  hwloc_topology_destroy(drawing.topology);
  return *why_out ? -1 : 0;
}
