/* Writes the HDF5 file that values.py and errors.py read: make_hdf5 FILE [one]. */
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

static void write_cube(hid_t file) {
  static int16_t cube[5 * 6 * 7];
  const hsize_t shape[] = {5, 6, 7};
  for (int k = 0; k < 5 * 6 * 7; k++)
    cube[k] = (int16_t)(k % 11);
  write_dataset(file, "cube", H5T_STD_I16BE, H5T_NATIVE_INT16, 3, shape, H5P_DEFAULT, cube);
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

int main(int argc, char **argv) {
  if (argc < 2) {
    fputs("usage: make_hdf5 FILE [one]\n", stderr);
    return 2;
  }
  const hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  write_cube(file);
  if (argc == 2) {
    write_grids(file);
    write_special(file);
  }
  failures += file < 0 || H5Fclose(file) < 0;
  return failures ? 1 : 0;
}
