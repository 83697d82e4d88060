/* Sizes and places of members as C has them, for layout.f90. */
#include <upsweep/upsweep.h>

size_t c_size_of_options(void);
size_t c_size_of_report(void);
void c_fill_options(usw_options_t *options);
void c_fill_report(usw_report_t *report);
void c_fill_describe(usw_describe_i16_t *result);

size_t c_size_of_options(void) { return sizeof(usw_options_t); }
size_t c_size_of_report(void) { return sizeof(usw_report_t); }

void c_fill_options(usw_options_t *options) {
  options->place = 1;
  options->device = 2;
  options->strategy = 3;
  options->accuracy = 4;
  options->nan = 5;
  options->teams = 6;
  options->initialize_to_identity = 7;
  for (int i = 0; i < USW_MAX_INPUTS; i++)
    options->stride[i] = 8 + i;
  options->work_group_load = 99;
  options->recheck = 100;
  options->devices = USW_ALL_DEVICES;
}

void c_fill_report(usw_report_t *report) {
  report->place = 1;
  report->device = 2;
  report->strategy = 3;
  report->teams = 4;
  report->team_size = 5;
  report->bytes = 6;
  report->time_ns = 7;
  report->kept = 8;
  report->target = "x86_64";
}

void c_fill_describe(usw_describe_i16_t *result) {
  *result = (usw_describe_i16_t){
      .count = 1, .mean = 2, .variance = 3, .minimum = 4, .maximum = 5, .minimum_index = 6, .maximum_index = 7};
}
