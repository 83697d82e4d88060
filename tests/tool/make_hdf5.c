/* Writes the HDF5 file that values.py and errors.py read: make_hdf5 FILE [NAME]. With NAME, one dataset of that name. */
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>

enum { ROWS = 60, COLUMNS = 70 };

static int failures;

static void write_dataset(hid_t file, const char *name, hid_t stored, hid_t memory, int dimensions,
                          const hsize_t *shape, hid_t properties, const void *data) {
  const hid_t space = dimensions ? H5Screate_simple(dimensions, shape, NULL) : H5Screate(H5S_SCALAR);
  const hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const hid_t dataset = H5Dcreate2(file, name, stored, space, links, properties, H5P_DEFAULT);
  failures += dataset < 0 || H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0;
  H5Dclose(dataset);
  H5Pclose(links);
  H5Sclose(space);
}

static void write_grids(hid_t file) {
  static double grid[ROWS * COLUMNS];
  const hsize_t shape[] = {ROWS, COLUMNS}, chunk[] = {16, 9};
  for (int k = 0; k < ROWS * COLUMNS; k++)
    grid[k] = (k * 37 % 101 - 50) / 4.0;
  const hid_t chunked = H5Pcreate(H5P_DATASET_CREATE), packed = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(chunked, 2, chunk);
  H5Pset_chunk(packed, 2, chunk);
  H5Pset_shuffle(packed);
  H5Pset_deflate(packed, 6);
  write_dataset(file, "plain", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, shape, H5P_DEFAULT, grid);
  write_dataset(file, "chunked", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, 2, shape, chunked, grid);
  write_dataset(file, "packed", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, shape, packed, grid);
  write_dataset(file, "group/big_endian", H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE, 2, shape, packed, grid);
  H5Pclose(chunked);
  H5Pclose(packed);
}

static void write_cube(hid_t file, const char *name) {
  static int16_t cube[5 * 6 * 7];
  const hsize_t shape[] = {5, 6, 7};
  for (int k = 0; k < 5 * 6 * 7; k++)
    cube[k] = (int16_t)(k % 11);
  write_dataset(file, name, H5T_STD_I16BE, H5T_NATIVE_INT16, 3, shape, H5P_DEFAULT, cube);
}

/* Complex numbers, booleans and halves, as h5py writes them. */
static void write_special(hid_t file) {
  const hsize_t three = 3, none = 0;
  const double z[] = {10, -5, 20, -10, 30, -15};
  const hid_t complex = H5Tcreate(H5T_COMPOUND, 16), half = H5Tcopy(H5T_IEEE_F32LE),
              truth = H5Tenum_create(H5T_NATIVE_INT8);
  H5Tinsert(complex, "r", 0, H5T_IEEE_F64LE);
  H5Tinsert(complex, "i", 8, H5T_IEEE_F64LE);
  write_dataset(file, "complex", complex, complex, 1, &three, H5P_DEFAULT, z);
  const int8_t no = 0, yes = 1, truths[] = {1, 0, 1};
  H5Tenum_insert(truth, "FALSE", &no);
  H5Tenum_insert(truth, "TRUE", &yes);
  write_dataset(file, "truth", truth, truth, 1, &three, H5P_DEFAULT, truths);
  H5Tset_fields(half, 15, 10, 5, 0, 10);
  H5Tset_size(half, 2);
  H5Tset_ebias(half, 15);
  const uint16_t halves[] = {0x3c00, 0x3800, 0x3c00};
  write_dataset(file, "half", half, half, 1, &three, H5P_DEFAULT, halves);
  const int32_t seven = 7;
  write_dataset(file, "scalar", H5T_STD_I32LE, H5T_NATIVE_INT32, 0, NULL, H5P_DEFAULT, &seven);
  write_dataset(file, "nothing", H5T_STD_U8LE, H5T_NATIVE_UINT8, 1, &none, H5P_DEFAULT, NULL);
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, 4);
  write_dataset(file, "text", text, text, 1, &three, H5P_DEFAULT, "abc\0def\0ghi");
  H5Tclose(text);
  H5Tclose(truth);
  H5Tclose(half);
  H5Tclose(complex);
}

/* Numbers that are laid out as no C type of this machine is; HDF5 converts them while it writes. */
static void write_unusual(hid_t file) {
  const hsize_t four = 4;
  const int32_t integers[] = {1, 2, 3, -4}, large[] = {1, 1 << 30, 1 << 30, -70000};
  const double numbers[] = {1.5, -0.25, 3, 0x1p130}; /* the last is larger than any float */
  const hid_t narrow = H5Tcopy(H5T_STD_I16LE), three_bytes = H5Tcopy(H5T_STD_I32BE), biased = H5Tcopy(H5T_IEEE_F32LE),
              quad = H5Tcopy(H5T_IEEE_F64LE), complex = H5Tcreate(H5T_COMPOUND, 8);
  H5Tset_precision(narrow, 12);
  H5Tset_offset(narrow, 4);
  H5Tset_precision(three_bytes, 24);
  H5Tset_size(three_bytes, 3);
  H5Tset_ebias(biased, 100);
  H5Tset_size(quad, 16);
  H5Tset_precision(quad, 128);
  H5Tset_fields(quad, 127, 112, 15, 0, 112);
  H5Tset_ebias(quad, 16383);
  H5Tinsert(complex, "real", 0, H5T_IEEE_F32BE);
  H5Tinsert(complex, "imag", 4, H5T_IEEE_F32BE);
  write_dataset(file, "big_i32", H5T_STD_I32BE, H5T_NATIVE_INT32, 1, &four, H5P_DEFAULT, large);
  write_dataset(file, "narrow", narrow, H5T_NATIVE_INT32, 1, &four, H5P_DEFAULT, integers);
  write_dataset(file, "three_bytes", three_bytes, H5T_NATIVE_INT32, 1, &four, H5P_DEFAULT, integers);
  write_dataset(file, "biased", biased, H5T_NATIVE_DOUBLE, 1, &four, H5P_DEFAULT, numbers);
  write_dataset(file, "quad", quad, H5T_NATIVE_DOUBLE, 1, &four, H5P_DEFAULT, numbers);
  write_dataset(file, "vax", H5T_VAX_F32, H5T_NATIVE_DOUBLE, 1, &four, H5P_DEFAULT, numbers);
  const uint8_t pairs[] = {0x3f, 0x80, 0, 0, 0x40, 0, 0, 0, 0x40, 0x40, 0, 0, 0xbf, 0x80, 0, 0}; /* 1 + 2i, 3 - i */
  const hsize_t two = 2;
  write_dataset(file, "big_complex", complex, complex, 1, &two, H5P_DEFAULT, pairs);
  H5Tclose(complex);
  H5Tclose(quad);
  H5Tclose(biased);
  H5Tclose(three_bytes);
  H5Tclose(narrow);
}

/* Two-byte floats: both standard ones in big-endian order, and one of another bias. */
static void write_halves(hid_t file) {
  static const struct {
    const char *name;
    size_t exponent_bits, bias;
    H5T_order_t order;
  } types[] = {{"big_half", 5, 15, H5T_ORDER_BE},
               {"big_bfloat", 8, 127, H5T_ORDER_BE},
               {"bfloat", 8, 127, H5T_ORDER_LE},
               {"biased_half", 5, 12, H5T_ORDER_LE}};
  const hsize_t four = 4;
  const double numbers[] = {1.5, -0.25, 3, 0.5};
  for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
    const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
    const size_t fraction_bits = 15 - types[k].exponent_bits;
    H5Tset_fields(type, 15, fraction_bits, types[k].exponent_bits, 0, fraction_bits);
    H5Tset_size(type, 2);
    H5Tset_ebias(type, types[k].bias);
    H5Tset_order(type, types[k].order);
    write_dataset(file, types[k].name, type, H5T_NATIVE_DOUBLE, 1, &four, H5P_DEFAULT, numbers);
    H5Tclose(type);
  }
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fputs("usage: make_hdf5 FILE [NAME]\n", stderr);
    return 2;
  }
  const hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  write_cube(file, argc == 2 ? "cube" : argv[2]);
  if (argc == 2) {
    write_grids(file);
    write_special(file);
    write_unusual(file);
    write_halves(file);
  }
  failures += file < 0 || H5Fclose(file) < 0;
  return failures ? 1 : 0;
}
