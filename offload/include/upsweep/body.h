/** @addtogroup kernels
 *  What the body of a kernel may say; <upsweep/kernel.h> includes it.
 *  @{ */
#ifndef UPSWEEP_BODY_H
#define UPSWEEP_BODY_H

/** Combine a value into a reducer.
 *
 *  @param[in] reducer name of a reducer R(...) in USW_REDUCERS.
 *  @param[in] value   of the reducer's type; taken by its operator.
 *  @note Threads: bodies run side by side; nothing else has to be done about it.  @since 0.1
 *  @see tests/api/user_kernel.c */
#define usw_combine(reducer, value)                                                                                    \
  do {                                                                                                                 \
    USW_ASSERT((int)USW_OF(_dimensions_, reducer) == 0, "usw_combine: '" #reducer "' is a span: use usw_combine_at");  \
    USW_OF(_combine_, reducer)(usw_accumulator, usw_spans, (value));                                                   \
  } while (0)
/** Combine a value into one element of a span.
 *
 *  @param[in] span  name of a span S(...) in USW_REDUCERS.
 *  @param[in] index of the element, from 0 on, a size_t. Outside the span: undefined; where the kernel's file was compiled
 *                   with USW_CHECKED defined the call returns USW_ERROR_INVALID and names kernel, span and index.
 *  @param[in] value of the span's element type; taken by its operator.
 *  @note Threads: as usw_combine().  @since 0.1  @see tests/api/spans.c */
#define usw_combine_at(span, index, value)                                                                             \
  do {                                                                                                                 \
    USW_ASSERT((int)USW_OF(_dimensions_, span) == 1, "usw_combine_at: '" #span "' is not a span: use usw_combine");    \
    USW_OF(_combine_, span)(usw_accumulator, usw_spans, (size_t)(index), (value));                                     \
  } while (0)
/** @cond */
#define USW_FITS(reducer, operation, text)                                                                             \
  USW_ASSERT((int)USW_OF(_code_, reducer) == (int)operation,                                                           \
             text " does not fit the operator of reducer '" #reducer "': use usw_combine")
#define USW_SHORTHAND(reducer, operation, value, text)                                                                 \
  do {                                                                                                                 \
    USW_FITS(reducer, operation, text);                                                                                \
    usw_combine(reducer, value);                                                                                       \
  } while (0)
#define USW_SHORTHAND_AT(span, operation, index, value, text)                                                          \
  do {                                                                                                                 \
    USW_FITS(span, operation, text);                                                                                   \
    usw_combine_at(span, index, value);                                                                                \
  } while (0)
#define USW_IS_INTEGER(reducer, text)                                                                                  \
  USW_ASSERT((USW_OPERATORS_OF(USW_OF(_type_, reducer)) >> USW_BIT_AND) & 1,                                           \
             text ": reducer '" #reducer "' is not an integer")
/** @endcond */
/** reducer += value, for USW_PLUS; does not compile for another operator.
 *
 *  @param[in] reducer name of a reducer R(...) in USW_REDUCERS.
 *  @param[in] value   of the reducer's type.
 *  @note Threads: as usw_combine().  @since 0.1 */
#define usw_add(reducer, value) USW_SHORTHAND(reducer, USW_PLUS, value, "usw_add")
/** The same for one element of a span.
 *
 *  @param[in] span  name of a span S(...) in USW_REDUCERS.
 *  @param[in] index of the element, from 0 on.
 *  @param[in] value of the span's element type.
 *  @note Threads: as usw_combine().  @since 0.1 */
#define usw_add_at(span, index, value) USW_SHORTHAND_AT(span, USW_PLUS, index, value, "usw_add_at")
/** reducer += x * y, for USW_PLUS and the accurate sums, which take the exact product; does not compile for another operator.
 *
 *  @param[in] reducer name of a reducer R(...) in USW_REDUCERS.
 *  @param[in] x       a factor of the reducer's type.
 *  @param[in] y       the other one.
 *  @note Accuracy: for accurate sums of double, a product that overflows counts as infinite, and one below 2^-969 may be
 *        off by 2^-1074.
 *  @note Threads: as usw_combine().  @since 0.1  @see tests/api/accurate_kernels.c */
#define usw_add_product(reducer, x, y)                                                                                 \
  do {                                                                                                                 \
    USW_FITS(reducer, USW_PLUS, "usw_add_product");                                                                    \
    USW_ASSERT((int)USW_OF(_dimensions_, reducer) == 0, "usw_add_product: '" #reducer "' is a span");                  \
    USW_OF(_combine_product_, reducer)(usw_accumulator, usw_spans, (x), (y));                                          \
  } while (0)
/** reducer *= value, for USW_MULTIPLIES; does not compile for another operator.
 *
 *  @param[in] reducer name of a reducer R(...) in USW_REDUCERS.
 *  @param[in] value   of the reducer's type.
 *  @note Threads: as usw_combine().  @since 0.1 */
#define usw_multiply(reducer, value) USW_SHORTHAND(reducer, USW_MULTIPLIES, value, "usw_multiply")
/** The same for one element of a span.
 *
 *  @param[in] span  name of a span S(...) in USW_REDUCERS.
 *  @param[in] index of the element, from 0 on.
 *  @param[in] value of the span's element type.
 *  @note Threads: as usw_combine().  @since 0.1 */
#define usw_multiply_at(span, index, value) USW_SHORTHAND_AT(span, USW_MULTIPLIES, index, value, "usw_multiply_at")
/** reducer &= value, for USW_BIT_AND; does not compile for another operator.
 *
 *  @param[in] reducer name of a reducer R(...) in USW_REDUCERS.
 *  @param[in] value   of the reducer's type.
 *  @note Threads: as usw_combine().  @since 0.1 */
#define usw_and(reducer, value) USW_SHORTHAND(reducer, USW_BIT_AND, value, "usw_and")
/** The same for one element of a span.
 *
 *  @param[in] span  name of a span S(...) in USW_REDUCERS.
 *  @param[in] index of the element, from 0 on.
 *  @param[in] value of the span's element type.
 *  @note Threads: as usw_combine().  @since 0.1 */
#define usw_and_at(span, index, value) USW_SHORTHAND_AT(span, USW_BIT_AND, index, value, "usw_and_at")
/** reducer |= value, for USW_BIT_OR; does not compile for another operator.
 *
 *  @param[in] reducer name of a reducer R(...) in USW_REDUCERS.
 *  @param[in] value   of the reducer's type.
 *  @note Threads: as usw_combine().  @since 0.1 */
#define usw_or(reducer, value) USW_SHORTHAND(reducer, USW_BIT_OR, value, "usw_or")
/** The same for one element of a span.
 *
 *  @param[in] span  name of a span S(...) in USW_REDUCERS.
 *  @param[in] index of the element, from 0 on.
 *  @param[in] value of the span's element type.
 *  @note Threads: as usw_combine().  @since 0.1 */
#define usw_or_at(span, index, value) USW_SHORTHAND_AT(span, USW_BIT_OR, index, value, "usw_or_at")
/** reducer ^= value, for USW_BIT_XOR; does not compile for another operator.
 *
 *  @param[in] reducer name of a reducer R(...) in USW_REDUCERS.
 *  @param[in] value   of the reducer's type.
 *  @note Threads: as usw_combine().  @since 0.1 */
#define usw_xor(reducer, value) USW_SHORTHAND(reducer, USW_BIT_XOR, value, "usw_xor")
/** The same for one element of a span.
 *
 *  @param[in] span  name of a span S(...) in USW_REDUCERS.
 *  @param[in] index of the element, from 0 on.
 *  @param[in] value of the span's element type.
 *  @note Threads: as usw_combine().  @since 0.1 */
#define usw_xor_at(span, index, value) USW_SHORTHAND_AT(span, USW_BIT_XOR, index, value, "usw_xor_at")
/** ++reducer, for USW_PLUS over an integer; does not compile otherwise.
 *
 *  @param[in] reducer name of a reducer R(...) in USW_REDUCERS.
 *  @note Threads: as usw_combine().  @since 0.1 */
#define usw_inc(reducer)                                                                                               \
  do {                                                                                                                 \
    USW_IS_INTEGER(reducer, "usw_inc");                                                                                \
    usw_add(reducer, 1);                                                                                               \
  } while (0)
/** The same for one element of a span.
 *
 *  @param[in] span  name of a span S(...) in USW_REDUCERS.
 *  @param[in] index of the element, from 0 on.
 *  @note Threads: as usw_combine().  @since 0.1 */
#define usw_inc_at(span, index)                                                                                        \
  do {                                                                                                                 \
    USW_IS_INTEGER(span, "usw_inc_at");                                                                                \
    usw_add_at(span, index, 1);                                                                                        \
  } while (0)
/** Write the item's element of an output.
 *
 *  @param[in] output name of an output OUT(...) in USW_OUTPUTS.
 *  @param[in] value  of the output's type. Of several the last one counts; where an item writes none, its element stays.
 *  @note Threads: every item has an element of its own; nothing has to be done about it.  @since 0.2
 *  @see tests/api/outputs.c */
#define usw_write(output, value)                                                                                       \
  do {                                                                                                                 \
    (void)USW_OF(_is_output_, output);                                                                                 \
    if (!usw_spans->usw_is_mute && !usw_spans->usw_has_no_item)                                                        \
      *usw_output_##output = (value);                                                                                  \
  } while (0)
/** The identity of a reducer's operator, inside the body; does not compile where it has none.
 *
 *  @param[in] reducer name of a reducer or span in USW_REDUCERS.
 *  @return a value of the reducer's type.
 *  @since 0.1 */
#define usw_identity_of(reducer)                                                                                       \
  (USW_ASSERT_IN_EXPRESSION(USW_OF(_has_identity_, reducer),                                                           \
                            "the operator of reducer '" #reducer "' has no identity"),                                 \
   USW_OF(_identity_of_, reducer)())

/** The number of elements of a span, inside the body.
 *
 *  @param[in] span name of a span S(...) in USW_REDUCERS.
 *  @return a uint64_t.
 *  @since 0.1 */
#define usw_extent_of(span) USW_OF(_extent_in_, span)(usw_spans)

/** The threads that visit items together, as a team: inside the body of a kernel with USW_IN_STEP. One thread where
 *  items are visited one by one: on the host, on the x86_64 device, and by the strategy clause.
 *
 *  @return a usw_team_t (@ref team).
 *  @since 0.1  @see tests/api/in_step.c */
#define usw_kernel_team()                                                                                              \
  (USW_ASSERT_IN_EXPRESSION(USW_F(_together), "usw_kernel_team: the kernel is not USW_IN_STEP"),                       \
   usw_spans->usw_in_team ? usw_bare_team() : usw_team_alone())
/** Whether the thread has an item, or only takes part in collectives: inside the body of a kernel with USW_IN_STEP.
 *
 *  @return 0 or 1.
 *  @since 0.1 */
#define usw_has_item()                                                                                                 \
  (USW_ASSERT_IN_EXPRESSION(USW_F(_together), "usw_has_item: the kernel is not USW_IN_STEP"),                          \
   usw_spans->usw_has_no_item == 0)

/** The number of the item's segment: inside the body of a kernel with USW_SEGMENTS.
 *
 *  @return a size_t, from 0 on.
 *  @since 0.3  @see tests/api/segment_kernels.c */
#define usw_segment()                                                                                                  \
  (USW_ASSERT_IN_EXPRESSION(USW_F(_has_segments), "usw_segment: the kernel is not USW_SEGMENTS"),                      \
   usw_spans->usw_segment)

/** Which of its result's items this is: inside the body of a kernel with USW_AXES, where an index of an arg- operator counts along the
 *  reduced axes.
 *
 *  @return a size_t, from 0 on, row-major over the reduced axes.
 *  @since 0.3  @see tests/api/axes_kernels.c */
#define usw_item()                                                                                                     \
  (USW_ASSERT_IN_EXPRESSION(USW_F(_has_axes_of_space), "usw_item: the kernel is not USW_AXES"), usw_item_of_result)

/** What the items before this one have combined into a reducer, behind the variable's original value: inside the body of a kernel with
 *  USW_SCAN.
 *
 *  @param[in] reducer name of a reducer R(...) in USW_REDUCERS.
 *  @return a value of the reducer's type: the identity where there is nothing; of an operator without one bytes of zeros.
 *  @note Determinism: as the kernel's result. Nothing that the body combines may depend on it.  @since 0.3
 *  @see tests/api/scan_kernels.c */
#define usw_scanned(reducer)                                                                                           \
  (USW_ASSERT_IN_EXPRESSION(USW_F(_scans), "usw_scanned: the kernel is not USW_SCAN"),                                 \
   USW_OF(_total_, reducer)(&usw_spans->usw_before))
/** The same, and what this item has combined by now.
 *
 *  @param[in] reducer name of a reducer R(...) in USW_REDUCERS.
 *  @return a value of the reducer's type.
 *  @since 0.3  @see usw_scanned() */
#define usw_scanned_through(reducer)                                                                                   \
  (USW_ASSERT_IN_EXPRESSION(USW_F(_scans), "usw_scanned_through: the kernel is not USW_SCAN"),                         \
   USW_OF(_total_, reducer)(usw_accumulator))
/** The element of the item before this one: inside the body of a kernel with USW_SCAN.
 *
 *  @param[in] input name of an input IN(...) in USW_ARGS; no output is in its place.
 *  @return an element; of item 0 its own.
 *  @since 0.3  @see tests/api/scan_kernels.c */
#define usw_previous(input)                                                                                            \
  (USW_ASSERT_IN_EXPRESSION(USW_F(_scans), "usw_previous: the kernel is not USW_SCAN"),                                \
   usw_spans->usw_previous_of_##input)
/** Write an element of an output that need not be the item's: inside the body of a kernel with USW_SCAN.
 *
 *  @param[in] output name of an output OUT(...) in USW_OUTPUTS, apart from all inputs.
 *  @param[in] index  of the element, from 0 on, below the number of items; no two items write the same one.
 *  @param[in] value  of the output's type.
 *  @since 0.3  @see tests/api/scan_kernels.c */
#define usw_write_at(output, index, value)                                                                             \
  do {                                                                                                                 \
    USW_ASSERT((int)USW_F(_scans) && (int)USW_OF(_is_output_, output) >= 0,                                            \
               "usw_write_at: the kernel is not USW_SCAN");                                                            \
    if (!usw_spans->usw_is_mute)                                                                                       \
      usw_spans->usw_base_of_##output[(ptrdiff_t)(index) * usw_spans->usw_step_of_##output] = (value);                 \
  } while (0)
/** Begin anew: what is before this item, original values included, counts for nothing from it on. Inside the body of a kernel with USW_SCAN and
 *  USW_RESTARTS, before it combines anything; after the call the variables hold what the items from the last restart on come to. Which items
 *  do so must not depend on what is scanned; it may on usw_previous().
 *
 *  @note Determinism: as the kernel's result.  @since 0.3  @see tests/api/scan_kernels.c */
#define usw_restart()                                                                                                  \
  (USW_ASSERT_IN_EXPRESSION(USW_F(_restarts), "usw_restart: the kernel is not USW_RESTARTS"),                          \
   USW_F(_restart)(usw_accumulator, usw_spans))
/** @} */
#endif
