/* What the kernels of reducer sets (set.h) and of batches (batch.h) do with elements. What a kernel's lists say at compile time
 * is data here: tasks say where a reducer's elements are, how one becomes words, and how words are combined. */
#include <upsweep/element.h>
#include <upsweep/engine/reducers.h>
#include <upsweep/order.h>
#include <upsweep/set_task.h>

#define USW_ITEMS_IN_FLIGHT 1 /* an item has loads enough of its own */
#define USW_BATCH_ITEMS 1

#include <upsweep/port.h>

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif

/* Words that are loaded before they are combined: in registers on a GPU, where all of a batch are loaded, the first again
 * for what is beyond the count, because no load waits for a comparison then; else as many as vectors like. Chains: of
 * additions, which need not wait for each other. */
#if USW_SUB_GROUP > 1
enum { USW_SET_STEP = USW_SET_LANES, USW_SET_BATCH = 8, USW_SET_CHAINS = 1 };
#define USW_SET_FOR(k, most, count) USW_UNROLL for (uint32_t k = 0; k < (most); k++)
#define USW_SET_WITHIN(k, count) ((k) < (count) ? (k) : 0)
#else
enum { USW_SET_STEP = 1, USW_SET_BATCH = 256, USW_SET_CHAINS = 8 };
#define USW_SET_FOR(k, most, count) for (uint32_t k = 0; k < (most) && k < (count); k++)
#define USW_SET_WITHIN(k, count) (k)
#endif

enum {
#define USW_SET_CODE(tag, CODE, code, ...) USW_SET_CODE_##tag = code,
  USW_TYPES(USW_SET_CODE, )
#undef USW_SET_CODE
};

/* Values to words and back, by type: in the low bytes, the others zero. */
#define USW_SET_WORDS(tag, T)                                                                                          \
  USW_INLINE void usw_set_put_##tag(uint64_t *words, T value) {                                                        \
    words[0] = 0;                                                                                                      \
    __builtin_memcpy(words, &value, sizeof value);                                                                     \
  }                                                                                                                    \
  USW_INLINE T usw_set_get_##tag(const uint64_t *words) {                                                              \
    T value;                                                                                                           \
    __builtin_memcpy(&value, words, sizeof value);                                                                     \
    return value;                                                                                                      \
  }
USW_SET_WORDS(i64, int64_t)
USW_SET_WORDS(u64, uint64_t)
USW_SET_WORDS(f32, float)
USW_SET_WORDS(f64, double)
USW_SET_WORDS(cf64, usw_cf64_t)
/* Two floats in one word, by hand: clang keeps a copied pair in memory. */
USW_INLINE void usw_set_put_cf32(uint64_t *words, usw_cf32_t value) {
  const float real = __real__(value), imaginary = __imag__(value);
  uint32_t low, high;
  __builtin_memcpy(&low, &real, sizeof low);
  __builtin_memcpy(&high, &imaginary, sizeof high);
  words[0] = low | (uint64_t)high << 32;
}
USW_INLINE usw_cf32_t usw_set_get_cf32(const uint64_t *words) {
  const uint32_t low = (uint32_t)words[0], high = (uint32_t)(words[0] >> 32);
  float real, imaginary;
  __builtin_memcpy(&real, &low, sizeof real);
  __builtin_memcpy(&imaginary, &high, sizeof imaginary);
  return __builtin_complex(real, imaginary);
}

/* Load up to `count` elements, USW_SET_STEP * stride apart, as words. Of a full batch the compiler knows the count: any
 * that is no less than what a batch holds. */
#define USW_SET_LOAD(KIND, tag, words_each, as, value)                                                                 \
  case KIND | USW_SET_CODE_##tag: {                                                                                    \
    const usw_##tag##_t *from = (const usw_##tag##_t *)(uintptr_t)task->x + (int64_t)first * stride;                   \
    const int64_t step = USW_SET_STEP * stride;                                                                        \
    USW_SET_FOR(k, USW_SET_BATCH / (words_each), count) {                                                              \
      const usw_##tag##_t x = from[(int64_t)USW_SET_WITHIN(k, count) * step];                                          \
      usw_set_put_##as(&words[(words_each) * k], value);                                                               \
    }                                                                                                                  \
    break;                                                                                                             \
  }
#define USW_SET_LOAD_INTEGER(tag) USW_SET_LOAD(USW_SET_VALUE, tag, 1, u64, (uint64_t)x ^ task->flip)
#define USW_SET_LOAD_FLOAT(tag, as) USW_SET_LOAD(USW_SET_VALUE, tag, 1, as, usw_value_##tag(x))
#define USW_SET_LOAD_KEY(tag)                                                                                          \
  USW_SET_LOAD(USW_SET_KEY, tag, 1, i64, usw_key_##tag(x, nan, (usw_key_##tag##_t)task->flip))
#define USW_SET_LOAD_NONZERO(tag) USW_SET_LOAD(USW_SET_NONZERO, tag, 1, u64, (uint64_t)usw_nonzero_##tag(x))

USW_INLINE void usw_set_load(uint64_t *words, const usw_set_task_t *task, uint64_t first, uint32_t count,
                             int64_t stride, uint64_t nan) {
  switch (task->load) {
    USW_SET_LOAD_INTEGER(i8)
    USW_SET_LOAD_INTEGER(i16)
    USW_SET_LOAD_INTEGER(i32)
    USW_SET_LOAD_INTEGER(i64)
    USW_SET_LOAD_INTEGER(u8)
    USW_SET_LOAD_INTEGER(u16)
    USW_SET_LOAD_INTEGER(u32)
    USW_SET_LOAD_FLOAT(f16, f32)
    USW_SET_LOAD_FLOAT(bf16, f32)
    USW_SET_LOAD_FLOAT(f32, f32)
    USW_SET_LOAD_FLOAT(f64, f64)
    USW_SET_LOAD_FLOAT(cf32, cf32)
    USW_SET_LOAD(USW_SET_VALUE, cf64, 2, cf64, x)
    USW_SET_LOAD_KEY(f16)
    USW_SET_LOAD_KEY(bf16)
    USW_SET_LOAD_KEY(f32)
    USW_SET_LOAD_KEY(f64)
    USW_SET_LOAD_NONZERO(u8)
    USW_SET_LOAD_NONZERO(u16)
    USW_SET_LOAD_NONZERO(u32)
    USW_SET_LOAD_NONZERO(u64)
    USW_SET_LOAD_NONZERO(f16)
    USW_SET_LOAD_NONZERO(f32)
    USW_SET_LOAD_NONZERO(f64)
    USW_SET_LOAD_NONZERO(cf32)
    USW_SET_LOAD_NONZERO(cf64)
  default:
    break;
  }
}

/* Put the identity in place of words that are a NaN. */
#define USW_SET_PASS(tag, words_each)                                                                                  \
  case USW_SET_VALUE | USW_SET_CODE_##tag:                                                                             \
    USW_SET_FOR(k, USW_SET_BATCH / (words_each), count) {                                                              \
      const usw_##tag##_t x = usw_set_get_##tag(&words[(words_each) * k]);                                             \
      for (uint32_t w = 0; x != x && w < (words_each); w++)                                                            \
        words[(words_each) * k + w] = w == 0 ? task->identity : 0;                                                     \
    }                                                                                                                  \
    break;
USW_INLINE void usw_set_pass_nans(uint64_t *words, const usw_set_task_t *task, uint32_t count USW_UNUSED) {
  switch (task->load) {
  case USW_SET_VALUE | USW_SET_CODE_f16: /* floats by now */
  case USW_SET_VALUE | USW_SET_CODE_bf16:
    USW_SET_PASS(f32, 1)
    USW_SET_PASS(f64, 1)
    USW_SET_PASS(cf32, 1)
    USW_SET_PASS(cf64, 2)
  default:
    break;
  }
}

/* Every way to combine words: an operator, the type of what they hold, how many words that is. */
#define USW_SET_COMBINES(ROW)                                                                                          \
  ROW(USW_PLUS, i64, 1)                                                                                                \
  ROW(USW_PLUS, f32, 1)                                                                                                \
  ROW(USW_PLUS, f64, 1)                                                                                                \
  ROW(USW_PLUS, cf32, 1)                                                                                               \
  ROW(USW_PLUS, cf64, 2)                                                                                               \
  ROW(USW_MULTIPLIES, i64, 1)                                                                                          \
  ROW(USW_MULTIPLIES, f32, 1)                                                                                          \
  ROW(USW_MULTIPLIES, f64, 1)                                                                                          \
  ROW(USW_MULTIPLIES, cf32, 1)                                                                                         \
  ROW(USW_MULTIPLIES, cf64, 2)                                                                                         \
  ROW(USW_MINIMUM, i64, 1)                                                                                             \
  ROW(USW_BIT_AND, i64, 1)                                                                                             \
  ROW(USW_BIT_OR, i64, 1)                                                                                              \
  ROW(USW_BIT_XOR, i64, 1)

/* Combine a batch of elements into a cell that has a value. */
#define USW_SET_FOLD(operation, tag, words_each)                                                                       \
  case USW_SET_COMBINE(operation, USW_SET_CODE_##tag): {                                                               \
    usw_##tag##_t chain[USW_SET_CHAINS];                                                                               \
    chain[0] = usw_set_get_##tag(cell->words);                                                                         \
    for (uint32_t c = 1; c < USW_SET_CHAINS; c++)                                                                      \
      chain[c] = USW_SET_IDENTITY(operation, tag);                                                                     \
    USW_SET_FOR(k, USW_SET_BATCH / (words_each) / USW_SET_CHAINS, (count + USW_SET_CHAINS - 1) / USW_SET_CHAINS) {     \
      const uint64_t *from = &words[(words_each) * USW_SET_CHAINS * k];                                                \
      for (uint32_t c = 0; c < USW_SET_CHAINS; c++)                                                                    \
        if (k * USW_SET_CHAINS + c < count)                                                                            \
          chain[c] = usw_operate(operation, chain[c], usw_set_get_##tag(&from[(words_each) * c]));                     \
    }                                                                                                                  \
    for (uint32_t c = 1; c < USW_SET_CHAINS; c++)                                                                      \
      chain[0] = usw_operate(operation, chain[0], chain[c]);                                                           \
    usw_set_put_##tag(cell->words, chain[0]);                                                                          \
    break;                                                                                                             \
  }
#define USW_SET_IDENTITY(operation, tag) USW_IDENTITY(operation, usw_##tag##_t)
USW_INLINE void usw_set_fold(usw_set_cell_t *cell, const uint64_t *words, uint32_t count) {
  switch (cell->combine) {
    USW_SET_COMBINES(USW_SET_FOLD)
  default:
    break;
  }
}

/* Two cells of the same reducer, or nothing and any. */
#define USW_SET_OPERATE(operation, tag, words_each)                                                                    \
  case USW_SET_COMBINE(operation, USW_SET_CODE_##tag):                                                                 \
    usw_set_put_##tag(a.words, usw_operate(operation, usw_set_get_##tag(a.words), usw_set_get_##tag(b.words)));        \
    break;
USW_INLINE usw_set_cell_t usw_set_operate(usw_set_cell_t a, usw_set_cell_t b) {
  if (a.combine == 0 ||
      b.combine == 0) { /* all bits of nothing are 0; a choice of structures would be one of addresses */
    const usw_set_cell_t either = {{a.words[0] | b.words[0], a.words[1] | b.words[1]}, a.combine | b.combine};
    return either;
  }
  switch (a.combine) {
    USW_SET_COMBINES(USW_SET_OPERATE)
  default:
    break;
  }
  return a;
}
USW_INLINE usw_set_cell_t usw_set_nothing(void) {
  const usw_set_cell_t nothing = {{0, 0}, 0};
  return nothing;
}

/* The first element of a task's item, and how many it has: items of a group take neighbouring elements in turn. */
USW_INLINE uint64_t usw_set_first(const usw_set_task_t *task, uint64_t item) {
  return item / USW_SET_STEP * (USW_SET_STEP * task->elements_per_item) + item % USW_SET_STEP;
}
USW_INLINE uint64_t usw_set_count(const usw_set_task_t *task, uint64_t first) {
  const uint64_t left = first < task->elements ? (task->elements - first + (USW_SET_STEP - 1)) / USW_SET_STEP : 0;
  return left < task->elements_per_item ? left : task->elements_per_item;
}

/* Elements whose words fill a batch. */
USW_INLINE uint32_t usw_set_batch(const usw_set_task_t *task) {
  return task->words == 2 ? USW_SET_BATCH / 2 : USW_SET_BATCH; /* not divided: on a GPU that takes a while */
}

/* Load a batch of an item's elements, from the k-th on; returns how many. */
USW_INLINE uint32_t usw_set_load_batch(uint64_t *words, const usw_set_task_t *task, uint64_t first, uint64_t count,
                                       uint64_t k, uint64_t nan) {
  const uint64_t batch = usw_set_batch(task);
  const uint32_t now = (uint32_t)(count - k < batch ? count - k : batch);
  if (USW_SUB_GROUP == 1 && now == batch && task->stride == 1)
    usw_set_load(words, task, first + k, USW_SET_BATCH, 1, nan);
  else
    usw_set_load(words, task, first + USW_SET_STEP * k, now, task->stride, nan);
  if (nan == USW_NAN_IGNORE)
    usw_set_pass_nans(words, task, now);
  return now;
}

/* All elements of an item, combined. */
USW_INLINE usw_set_cell_t usw_set_combined(const usw_set_task_t *task, uint64_t first, uint64_t count, uint64_t nan) {
  usw_set_cell_t cell = {{task->identity, 0}, task->combine};
  uint64_t words[USW_SET_BATCH];
#pragma nounroll
  for (uint64_t k = 0; k < count; k += usw_set_batch(task)) {
    const uint32_t now = usw_set_load_batch(words, task, first, count, k, nan);
    if (USW_SUB_GROUP == 1 && now == usw_set_batch(task))
      usw_set_fold(&cell, words, USW_SET_BATCH);
    else
      usw_set_fold(&cell, words, now);
  }
  return cell;
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
