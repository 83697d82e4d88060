/* The part of accurate_kernels.c about spans, included by it alone. */

static void start(usw_reproducible_d_t *sums, int count) {
  for (int k = 0; k < count; k++)
    usw_reproducible_d_identity(&sums[k]);
}

/* What was there before, then the values. */
static void end(usw_reproducible_d_t *sums, int count, const double *before, double *expected) {
  for (int k = 0; k < count; k++) {
    if (before)
      usw_reproducible_d_add(&sums[k], before[k], 0);
    expected[k] = usw_reproducible_d_value(&sums[k]);
  }
}

static void check_few(const case_t *c) {
  const usw_options_t options = options_of(c, USW_COMPENSATED);
  usw_reproducible_d_t sums[FEW], sum;
  exact_t exact[FEW], magnitudes[FEW];
  double totals[FEW] = {0.1, 0.2, 0.3}, twice[FEW] = {0, 0, 0}, total = 0, expected[FEW], expected_total;
  memset(exact, 0, sizeof exact);
  memset(magnitudes, 0, sizeof magnitudes);
  start(sums, FEW);
  start(&sum, 1);
  for (size_t i = c->n; i-- > 0;) {
    const double a = x[at(c, i)];
    const uint32_t key = keys[at(c, i)] % FEW;
    usw_reproducible_d_add(&sums[1], 0.1, 0);
    usw_reproducible_d_add(&sums[key], a, 0);
    usw_reproducible_d_add(&sum, a, 0);
    add_both(&exact[key], &magnitudes[key], a, 1);
  }
  end(sums, FEW, c->skip & 1 ? NULL : totals, expected);
  end(&sum, 1, NULL, &expected_total);
  CHECK_STATUS(USW_OK, by_few(c->n, (const double *)x_there.data + c->layout.offset,
                              (const uint32_t *)keys_there.data + c->layout.offset, totals, twice, &total, &options));
  same(expected, totals, sizeof totals, "totals", c);
  SAME(expected_total, total);
  for (int k = 0; k < FEW; k++)
    check_compensated(&exact[k], &magnitudes[k], twice[k], c);
}

static void check_keys(const case_t *c) {
  const usw_options_t options = options_of(c, USW_REPRODUCIBLE);
  usw_reproducible_d_t sums[KEYS];
  usw_reproducible_f_t sums_f[KEYS];
  double totals[KEYS], expected[KEYS];
  float totals_f[KEYS], expected_f[KEYS];
  uint32_t items[KEYS], expected_items[KEYS];
  start(sums, KEYS);
  for (int k = 0; k < KEYS; k++) {
    totals[k] = 0.01 * k;
    totals_f[k] = 0.01f * (float)k;
    items[k] = expected_items[k] = 5;
    usw_reproducible_f_identity(&sums_f[k]);
  }
  for (size_t i = c->n; i-- > 0;) {
    const uint32_t key = keys[at(c, i)];
    usw_reproducible_d_add(&sums[key / 5 % KEYS], -0.3, 0);
    usw_reproducible_d_add(&sums[key % KEYS], x[at(c, i)], 0);
    usw_reproducible_f_add(&sums_f[i / 10 % KEYS], (float)key, 0);
    expected_items[key % KEYS]++;
  }
  for (int k = 0; k < KEYS; k++) {
    usw_reproducible_f_add(&sums_f[k], totals_f[k], 0);
    expected_f[k] = usw_reproducible_f_value(&sums_f[k]);
  }
  end(sums, KEYS, c->skip & 1 ? NULL : totals, expected);
  CHECK_STATUS(USW_OK, by_key(c->n, (const double *)x_there.data + c->layout.offset,
                              (const uint32_t *)keys_there.data + c->layout.offset, totals, items, totals_f, &options));
  same(expected, totals, sizeof totals, "totals by key", c);
  same(expected_f, totals_f, sizeof totals_f, "totals of floats by key", c);
  same(expected_items, items, sizeof items, "items by key", c);
}

/* Extents on both sides of what a team's memory has room for. */
static void check_any_keys(const case_t *c) {
  static const size_t extents[] = {1, 40, MOST_EXTENT};
  static usw_reproducible_d_t sums[MOST_EXTENT];
  static double totals[MOST_EXTENT], expected[MOST_EXTENT];
  static float twice[2 * 9], expected_twice[2 * 9];
  const usw_options_t options = options_of(c, USW_COMPENSATED);
  const size_t extent = extents[c->n % 3];
  start(sums, (int)extent);
  for (size_t k = 0; k < extent; k++)
    totals[k] = 0.01 * (double)k;
  for (size_t k = 0; k < 18; k++)
    twice[k] = expected_twice[k] = k % 2 ? 0 : 4;
  for (size_t i = c->n; i-- > 0;) {
    usw_reproducible_d_add(&sums[keys[at(c, i)] % extent], x[at(c, i)], 0);
    expected_twice[2 * (keys[at(c, i)] % 9)] += (float)(i % 1000); /* exact */
  }
  end(sums, (int)extent, c->skip & 1 ? NULL : totals, expected);
  CHECK_STATUS(USW_OK, by_any_key(c->n, (const double *)x_there.data + c->layout.offset,
                                  (const uint32_t *)keys_there.data + c->layout.offset, totals, extent,
                                  (usw_cf32_t *)(void *)twice, 9, &options));
  same(expected, totals, extent * sizeof totals[0], "totals by any key", c);
  same(expected_twice, twice, sizeof twice, "compensated totals by any key", c);
}
