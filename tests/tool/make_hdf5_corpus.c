/* Writes odd and wrong HDF5 files into the current folder and prints a line for each: its name, the arguments of the tool
 * and its right answer, with tabs between them (corpus_hdf5.py). The answer is a sum, or what the message has to say. */
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failures;

static hid_t file; /* the one that is being written */
static char name[64];

static void begin(const char *kind, const char *what, hid_t access) {
  snprintf(name, sizeof name, "%s_%s", kind, what);
  char path[80];
  snprintf(path, sizeof path, "%s.h5", name);
  file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  failures += file < 0;
}

static void end(const char *arguments, const char *answer) {
  failures += H5Fclose(file) < 0;
  printf("%s\t%s\t%s\n", name, arguments, answer);
}

static void put(hid_t place, const char *path, hid_t stored, hid_t memory, hid_t space, hid_t creation,
                const void *data) {
  const hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const hid_t dataset = H5Dcreate2(place, path, stored, space, links, creation, H5P_DEFAULT);
  failures += dataset < 0 || (data && H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0);
  H5Dclose(dataset);
  H5Pclose(links);
}

static const double values[] = {1, 2, 4};

/* Three numbers of the sum 7. */
static void put_seven(hid_t place, const char *path, hid_t stored, hid_t creation) {
  const hsize_t three = 3;
  const hid_t space = H5Screate_simple(1, &three, NULL);
  put(place, path, stored, H5T_NATIVE_DOUBLE, space, creation, values);
  H5Sclose(space);
}

/* ---- types ---- */

static void good_types(void) {
  const struct {
    const char *name;
    hid_t type;
    const char *tag;
  } types[] = {{"i8", H5T_STD_I8LE, "i8"},      {"i8be", H5T_STD_I8BE, "i8"},     {"i16", H5T_STD_I16LE, "i16"},
               {"i16be", H5T_STD_I16BE, "i16"}, {"i32", H5T_STD_I32LE, "i32"},    {"i32be", H5T_STD_I32BE, "i32"},
               {"i64", H5T_STD_I64LE, "i64"},   {"i64be", H5T_STD_I64BE, "i64"},  {"u8", H5T_STD_U8LE, "u8"},
               {"u16be", H5T_STD_U16BE, "u16"}, {"u32be", H5T_STD_U32BE, "u32"},  {"u64be", H5T_STD_U64BE, "u64"},
               {"u64", H5T_STD_U64LE, "u64"},   {"f32", H5T_IEEE_F32LE, "f32"},   {"f32be", H5T_IEEE_F32BE, "f32"},
               {"f64", H5T_IEEE_F64LE, "f64"},  {"f64be", H5T_IEEE_F64BE, "f64"}, {"alpha", H5T_ALPHA_I32, "i32"},
               {"mips", H5T_MIPS_F64, "f64"},   {"intel", H5T_INTEL_I16, "i16"}};
  char arguments[32];
  for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
    begin("type", types[k].name, H5P_DEFAULT);
    put_seven(file, "x", types[k].type, H5P_DEFAULT);
    snprintf(arguments, sizeof arguments, "--type=%s {}", types[k].tag);
    end(arguments, "7");
  }
  static const struct {
    const char *name;
    size_t bytes, bits, offset;
    const char *tag;
  } integers[] = {{"bits3", 1, 4, 0, "i8"},    {"bits12", 2, 12, 4, "i16"},  {"bytes3", 3, 24, 0, "i32"},
                  {"bytes5", 5, 40, 0, "i64"}, {"bytes6", 6, 33, 15, "i64"}, {"bytes7", 7, 56, 0, "i64"}};
  for (size_t k = 0; k < sizeof integers / sizeof integers[0]; k++) {
    const hid_t type = H5Tcopy(k % 2 ? H5T_STD_I64BE : H5T_STD_I64LE);
    H5Tset_precision(type, integers[k].bits);
    H5Tset_size(type, integers[k].bytes);
    H5Tset_offset(type, integers[k].offset);
    begin("type", integers[k].name, H5P_DEFAULT);
    put_seven(file, "x", type, H5P_DEFAULT);
    snprintf(arguments, sizeof arguments, "--type=%s {}", integers[k].tag);
    end(arguments, "7");
    H5Tclose(type);
  }
}

/* Integers of fewer bits than their bytes have, negative ones too, in both orders of bytes. */
static void good_narrow_types(void) {
  static const double numbers[] = {-5, -6, 18};
  const hsize_t three = 3;
  const hid_t space = H5Screate_simple(1, &three, NULL);
  for (int bytes = 1; bytes <= 8; bytes *= 2)
    for (int is_big = 0; is_big < 2; is_big++) {
      const hid_t type = H5Tcopy(is_big ? H5T_STD_I64BE : H5T_STD_I64LE);
      char what[16], arguments[16];
      snprintf(what, sizeof what, "narrow%d%s", bytes, is_big ? "be" : "");
      snprintf(arguments, sizeof arguments, "--type=i%d {}", 8 * bytes);
      H5Tset_precision(type, (size_t)bytes * 6);
      H5Tset_size(type, (size_t)bytes);
      begin("type", what, H5P_DEFAULT);
      put(file, "x", type, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, numbers);
      end(arguments, "7");
      H5Tclose(type);
    }
  H5Sclose(space);
}

typedef struct compound {
  const char *name;
  const char *members[3];
  size_t offsets[3], bytes;
  hid_t types[3];
} compound_t;

static void put_compound(const compound_t *compound) {
  const hsize_t two = 2;
  const hid_t space = H5Screate_simple(1, &two, NULL);
  const hid_t type = H5Tcreate(H5T_COMPOUND, compound->bytes);
  static const double numbers[8] = {0};
  for (int k = 0; k < 3 && compound->members[k]; k++)
    H5Tinsert(type, compound->members[k], compound->offsets[k], compound->types[k]);
  put(file, "z", type, type, space, H5P_DEFAULT, numbers);
  H5Tclose(type);
  H5Sclose(space);
}

/* The real part first in memory, whatever the file has: 3 - 1i and 4 + 2i of the sum 7 + 1i. */
static void good_complex(void) {
  const struct {
    const char *name, *real, *imaginary;
    int is_swapped;
    hid_t part;
    size_t gap;
  } kinds[] = {{"r_i", "r", "i", 0, H5T_IEEE_F64LE, 0},
               {"i_r", "r", "i", 1, H5T_IEEE_F64LE, 0},
               {"i_r_f32", "r", "i", 1, H5T_IEEE_F32LE, 0},
               {"i_r_be", "r", "i", 1, H5T_IEEE_F32BE, 0},
               {"i_r_gap", "r", "i", 1, H5T_IEEE_F64LE, 8},
               {"r_i_gap", "r", "i", 0, H5T_IEEE_F32LE, 4},
               {"large_letters", "R", "I", 0, H5T_IEEE_F64LE, 0},
               {"large_swapped", "R", "I", 1, H5T_IEEE_F64LE, 0},
               {"re_im", "re", "im", 0, H5T_IEEE_F64LE, 0},
               {"im_re", "Re", "Im", 1, H5T_IEEE_F64BE, 0},
               {"real_imag", "real", "imag", 0, H5T_IEEE_F64LE, 0},
               {"imag_real", "real", "imag", 1, H5T_IEEE_F64LE, 0},
               {"imaginary", "Real", "Imaginary", 1, H5T_IEEE_F64LE, 0}};
  static const double numbers[] = {3, -1, 4, 2};
  const hsize_t two = 2;
  const hid_t space = H5Screate_simple(1, &two, NULL);
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    const size_t bytes = H5Tget_size(kinds[k].part), second = bytes + kinds[k].gap;
    const hid_t stored = H5Tcreate(H5T_COMPOUND, second + bytes), memory = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(stored, kinds[k].is_swapped ? kinds[k].imaginary : kinds[k].real, 0, kinds[k].part);
    H5Tinsert(stored, kinds[k].is_swapped ? kinds[k].real : kinds[k].imaginary, second, kinds[k].part);
    H5Tinsert(memory, kinds[k].real, 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(memory, kinds[k].imaginary, 8, H5T_NATIVE_DOUBLE);
    begin("complex", kinds[k].name, H5P_DEFAULT);
    put(file, "z", stored, memory, space, H5P_DEFAULT, numbers);
    end("{}", "[7, 1]");
    H5Tclose(memory);
    H5Tclose(stored);
  }
  H5Sclose(space);
}

static void bad_compounds(void) {
  const hid_t d = H5T_IEEE_F64LE, f = H5T_IEEE_F32LE, n = H5T_STD_I32LE;
  const compound_t compounds[] = {{"x_y", {"x", "y"}, {0, 8}, 16, {d, d}},
                                  {"r_j", {"r", "j"}, {0, 8}, 16, {d, d}},
                                  {"re_i", {"re", "i"}, {0, 8}, 16, {d, d}},
                                  {"real_im", {"real", "im"}, {0, 8}, 16, {d, d}},
                                  {"i_j", {"i", "j"}, {0, 8}, 16, {d, d}},
                                  {"real_complex", {"real", "complex"}, {0, 8}, 16, {d, d}},
                                  {"polar", {"r", "phi"}, {0, 8}, 16, {d, d}},
                                  {"integers", {"r", "i"}, {0, 4}, 8, {n, n}},
                                  {"mixed", {"r", "i"}, {0, 8}, 12, {d, f}},
                                  {"half_integer", {"r", "i"}, {0, 8}, 12, {d, n}},
                                  {"orders", {"r", "i"}, {0, 8}, 16, {d, H5T_IEEE_F64BE}},
                                  {"one", {"r"}, {0}, 8, {d}},
                                  {"three", {"r", "i", "k"}, {0, 8, 16}, 24, {d, d, d}}};
  for (size_t k = 0; k < sizeof compounds / sizeof compounds[0]; k++) {
    begin("bad_compound", compounds[k].name, H5P_DEFAULT);
    put_compound(&compounds[k]);
    end("{}", "compounds|r and i, re and im");
  }
}

static void put_type(const char *what, hid_t type, const char *answer) {
  const hsize_t none = 0, most = 9;
  const hid_t space = H5Screate_simple(1, &none, &most), chunked = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(chunked, 1, &most);
  begin("bad_type", what, H5P_DEFAULT);
  put(file, "x", type, type, space, chunked, NULL);
  end("{}", answer);
  H5Pclose(chunked);
  H5Sclose(space);
}

static hid_t enumeration(hid_t base, int no, int yes, const char *yes_name) {
  const hid_t type = H5Tenum_create(base);
  const int8_t bytes[] = {(int8_t)no, (int8_t)yes};
  const int32_t words[] = {no, yes};
  const int is_byte = H5Tget_size(base) == 1;
  H5Tenum_insert(type, "FALSE", is_byte ? (const void *)&bytes[0] : &words[0]);
  H5Tenum_insert(type, yes_name, is_byte ? (const void *)&bytes[1] : &words[1]);
  return type;
}

static void bad_types(void) {
  const hsize_t three = 3;
  const hid_t text = H5Tcopy(H5T_C_S1), wide = H5Tcopy(H5T_STD_I64LE), quad = H5Tcopy(H5T_IEEE_F64LE);
  H5Tset_size(text, H5T_VARIABLE);
  H5Tset_size(wide, 16);
  H5Tset_precision(wide, 128);
  H5Tset_size(quad, 16);
  H5Tset_precision(quad, 128);
  H5Tset_fields(quad, 127, 112, 15, 0, 112);
  H5Tset_ebias(quad, 16383);
  put_type("text", H5T_C_S1, "texts");
  put_type("texts", text, "texts");
  put_type("bitfield", H5T_STD_B16LE, "bytes without a meaning");
  put_type("opaque", H5Tcreate(H5T_OPAQUE, 4), "bytes without a meaning");
  put_type("array", H5Tarray_create2(H5T_IEEE_F64LE, 1, &three), "arrays");
  put_type("sequence", H5Tvlen_create(H5T_IEEE_F64LE), "sequences");
  put_type("reference", H5T_STD_REF_OBJ, "references");
  put_type("region", H5T_STD_REF_DSETREG, "references");
  put_type("enumeration", enumeration(H5T_NATIVE_INT8, 0, 2, "TRUE"), "enumerated");
  put_type("enumeration_swapped", enumeration(H5T_NATIVE_INT8, 1, 0, "TRUE"), "enumerated");
  put_type("enumeration_names", enumeration(H5T_NATIVE_INT8, 0, 1, "YES"), "enumerated");
  put_type("enumeration_wide", enumeration(H5T_NATIVE_INT32, 0, 1, "TRUE"), "enumerated");
  put_type("wide", wide, "integers of 16 bytes");
  put_type("quad", quad, "floating-point numbers of 16 bytes");
  put_type("vax", H5T_VAX_F64, "VAX floating-point numbers of 8 bytes");
}

/* ---- how elements are stored ---- */

enum { DEFLATED = 1, SHUFFLED = 2, CHECKED = 4, EARLY = 8, COMPACT = 16, FILLED = 32, SCALED = 64, NBIT = 128 };

static hid_t creation_of(int how, int rank, const hsize_t *chunk) {
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  const double one = 1;
  if (chunk)
    H5Pset_chunk(creation, rank, chunk);
  if (how & SHUFFLED)
    H5Pset_shuffle(creation);
  if (how & SCALED)
    H5Pset_scaleoffset(creation, H5Z_SO_FLOAT_DSCALE, 1);
  if (how & NBIT)
    H5Pset_nbit(creation);
  if (how & DEFLATED)
    H5Pset_deflate(creation, 9);
  if (how & CHECKED)
    H5Pset_fletcher32(creation);
  if (how & EARLY)
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
  if (how & COMPACT)
    H5Pset_layout(creation, H5D_COMPACT);
  if (how & FILLED)
    H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &one);
  return creation;
}

static void good_layouts(void) {
  static const struct {
    const char *name;
    int how, rank, is_written;
    hsize_t shape[4], chunk[4], most[4];
    const char *answer;
  } layouts[] = {{"contiguous", 0, 1, 1, {3}, {0}, {3}, "7"},
                 {"compact", COMPACT, 1, 1, {3}, {0}, {3}, "7"},
                 {"early", EARLY, 1, 1, {3}, {0}, {3}, "7"},
                 {"chunks", 0, 1, 1, {3}, {2}, {3}, "7"},
                 {"chunk_of_one", 0, 1, 1, {3}, {1}, {3}, "7"},
                 {"chunk_larger", 0, 1, 1, {3}, {1000}, {H5S_UNLIMITED}, "7"},
                 {"unlimited", 0, 2, 1, {3, 1}, {2, 2}, {H5S_UNLIMITED, H5S_UNLIMITED}, "7"},
                 {"deflated", DEFLATED, 1, 1, {3}, {2}, {3}, "7"},
                 {"shuffled", SHUFFLED, 1, 1, {3}, {2}, {3}, "7"},
                 {"checked", CHECKED, 1, 1, {3}, {2}, {3}, "7"},
                 {"all_filters", DEFLATED | SHUFFLED | CHECKED, 1, 1, {3}, {2}, {5}, "7"},
                 {"scaled", SCALED, 1, 1, {3}, {3}, {3}, "7"},
                 {"nbit", NBIT, 1, 1, {3}, {3}, {3}, "7"},
                 {"unwritten", 0, 1, 0, {9}, {0}, {9}, "0"},
                 {"filled", FILLED, 1, 0, {7}, {0}, {7}, "7"},
                 {"filled_chunks", FILLED, 2, 0, {7, 1}, {2, 1}, {H5S_UNLIMITED, 1}, "7"},
                 {"filled_deflated", FILLED | DEFLATED, 1, 0, {7}, {4}, {7}, "7"},
                 {"nothing", 0, 1, 0, {0}, {0}, {0}, "0"},
                 {"nothing_yet", 0, 2, 0, {0, 5}, {4, 5}, {H5S_UNLIMITED, 5}, "0"},
                 {"nothing_second", 0, 2, 0, {5, 0}, {5, 4}, {5, H5S_UNLIMITED}, "0"},
                 {"two", 0, 2, 1, {1, 3}, {0}, {1, 3}, "7"},
                 {"four", 0, 4, 1, {1, 3, 1, 1}, {1, 2, 1, 1}, {1, 3, 1, 1}, "7"}};
  for (size_t k = 0; k < sizeof layouts / sizeof layouts[0]; k++) {
    const hid_t space = H5Screate_simple(layouts[k].rank, layouts[k].shape, layouts[k].most);
    const hid_t creation = creation_of(layouts[k].how, layouts[k].rank, layouts[k].chunk[0] ? layouts[k].chunk : NULL);
    begin("layout", layouts[k].name, H5P_DEFAULT);
    put(file, "x", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space, creation, layouts[k].is_written ? values : NULL);
    end("--type=f64 {}", layouts[k].answer);
    H5Pclose(creation);
    H5Sclose(space);
  }
  const hid_t scalar = H5Screate(H5S_SCALAR);
  hsize_t ones[32];
  for (int d = 0; d < 32; d++)
    ones[d] = d == 9 ? 3 : 1;
  const hid_t many = H5Screate_simple(32, ones, NULL);
  const double seven = 7;
  begin("layout", "scalar", H5P_DEFAULT);
  put(file, "x", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, scalar, H5P_DEFAULT, &seven);
  end("--type=f64 {}", "7");
  begin("layout", "dimensions32", H5P_DEFAULT);
  put(file, "x", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, many, H5P_DEFAULT, values);
  end("--type=f64 {}", "7");
  H5Sclose(many);
  H5Sclose(scalar);
}

/* ---- where the dataset is ---- */

static void put_group(const char *path) { H5Gclose(H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); }

static void link_outside(const char *other, const char *path, const char *from) {
  const hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  failures += H5Lcreate_external(other, path, file, from, links, H5P_DEFAULT) < 0;
  H5Pclose(links);
}

static void link_inside(const char *path, const char *from) {
  failures += H5Lcreate_soft(path, file, from, H5P_DEFAULT, H5P_DEFAULT) < 0;
}

/* A file with one dataset of the sum 7; more may follow. */
static void begin_seven(const char *what, const char *path) {
  begin("place", what, H5P_DEFAULT);
  put_seven(file, path, H5T_IEEE_F64LE, H5P_DEFAULT);
}

static void good_places(void) {
  static const char *const paths[] = {"a/b/c/d", "a b", "x:y", ".x", "\xce\xb1", "a\nb", "x,y", "%s"};
  char what[16];
  for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++) {
    snprintf(what, sizeof what, "name%zu", k);
    begin_seven(what, paths[k]);
    end("--type=f64 {}", "7");
  }
  begin_seven("path", "a/b");
  end("--dataset=/a/b {}", "7");
  begin_seven("path_dots", "a/b");
  end("--dataset=./a/./b {}", "7");
  begin_seven("soft", "a");
  link_inside("/a", "b");
  end("{}", "7");
  begin_seven("soft_named", "a");
  put_seven(file, "c", H5T_IEEE_F64LE, H5P_DEFAULT);
  link_inside("a", "b");
  end("--dataset=b {}", "7");
  begin_seven("hard", "a");
  failures += H5Lcreate_hard(file, "a", file, "b", H5P_DEFAULT, H5P_DEFAULT) < 0;
  end("{}", "7");
  begin_seven("dangling_beside", "a");
  link_inside("/none", "b");
  link_outside("none.h5", "/none", "c");
  end("{}", "7");
  begin_seven("loop", "g/a");
  failures += H5Lcreate_hard(file, "/", file, "g/up", H5P_DEFAULT, H5P_DEFAULT) < 0;
  link_inside("/g", "g/again");
  end("{}", "7");
}

/* The links lead into the file place_path.h5. */
static void good_links(void) {
  static const struct {
    const char *name, *to, *from, *arguments;
  } links[] = {{"plain", "/a/b", "x", "{}"},
               {"in_group", "/a/b", "g/h/x", "{}"},
               {"relative", "a/b", "x", "{}"},
               {"named", "/a/b", "x", "--dataset=x {}"},
               {"through_group", "/a", "g", "--dataset=g/b {}"},
               {"through_root", "/", "g", "--dataset=/g/a/b {}"}};
  for (size_t k = 0; k < sizeof links / sizeof links[0]; k++) {
    begin("link", links[k].name, H5P_DEFAULT);
    link_outside("place_path.h5", links[k].to, links[k].from);
    end(links[k].arguments, "7");
  }
  begin("link", "twice", H5P_DEFAULT);
  link_outside("link_plain.h5", "/x", "y"); /* a link to a link */
  end("{}", "7");
  begin("link", "by_soft", H5P_DEFAULT);
  link_outside("place_path.h5", "/a", "g");
  link_inside("/g/b", "y");
  end("{}", "7");
}

static void good_files(void) {
  const hid_t block = H5Pcreate(H5P_FILE_CREATE), latest = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_userblock(block, 512);
  H5Pset_libver_bounds(latest, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  begin("file", "latest", latest);
  put_seven(file, "x", H5T_IEEE_F64LE, H5P_DEFAULT);
  end("--type=f64 {}", "7");
  H5Fclose(H5Fcreate("file_block.h5", H5F_ACC_TRUNC, block, H5P_DEFAULT));
  snprintf(name, sizeof name, "file_block");
  file = H5Fopen("file_block.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  put_seven(file, "x", H5T_IEEE_F64LE, H5P_DEFAULT);
  end("--type=f64 {}", "7");
  begin("file", "committed", H5P_DEFAULT);
  const hid_t type = H5Tcopy(H5T_IEEE_F64LE);
  failures += H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) < 0;
  put_seven(file, "x", type, H5P_DEFAULT);
  H5Tclose(type);
  end("--type=f64 {}", "7");
  H5Pclose(latest);
  H5Pclose(block);
}

static void bad_places(void) {
  begin("bad", "nothing", H5P_DEFAULT);
  end("{}", "has no dataset");
  begin("bad", "groups", H5P_DEFAULT);
  put_group("a");
  put_group("a/b");
  end("{}", "has no dataset");
  begin("bad", "two", H5P_DEFAULT);
  put_seven(file, "a", H5T_IEEE_F64LE, H5P_DEFAULT);
  put_seven(file, "b", H5T_IEEE_F64LE, H5P_DEFAULT);
  end("{}", "has 2 datasets, name one by --dataset: a, b");
  begin("bad", "two_files", H5P_DEFAULT);
  put_seven(file, "a", H5T_IEEE_F64LE, H5P_DEFAULT);
  link_outside("place_path.h5", "/a/b", "b");
  end("{}", "has 2 datasets, name one by --dataset: a, b");
  begin("bad", "many", H5P_DEFAULT);
  char path[16];
  for (int k = 0; k < 100; k++) {
    snprintf(path, sizeof path, "number%d", k);
    put_seven(file, path, H5T_IEEE_F64LE, H5P_DEFAULT);
  }
  end("{}", "has 100 datasets|, ...");
  begin("bad", "null", H5P_DEFAULT);
  put(file, "x", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, H5Screate(H5S_NULL), H5P_DEFAULT, NULL);
  end("{}", "has no shape");
  static const char *const choices[] = {"none", "a/none", "a", "a/b/c", "/", ".", "A/b"};
  for (size_t k = 0; k < sizeof choices / sizeof choices[0]; k++) {
    char what[16], arguments[32];
    snprintf(what, sizeof what, "choice%zu", k);
    snprintf(arguments, sizeof arguments, "--dataset=%s {}", choices[k]);
    begin("bad", what, H5P_DEFAULT);
    put_seven(file, "a/b", H5T_IEEE_F64LE, H5P_DEFAULT);
    end(arguments, "there is no such dataset; there are: a/b");
  }
}

static void bad_links(void) {
  static const struct {
    const char *name, *file, *to, *from, *arguments, *answer;
  } links[] = {{"no_file", "none.h5", "/x", "y", "{}", "its link y leads to /x of the file none.h5|HDF5_EXT_PREFIX"},
               {"no_file_named", "none.h5", "/x", "y", "--dataset=y {}", "its link y leads to /x of the file none.h5"},
               {"no_path", "place_path.h5", "/none", "y", "{}", "its link y leads to /none of the file place_path.h5"},
               {"no_path_named", "place_path.h5", "/none", "g/y", "--dataset=/g/y {}", "its link /g/y leads to /none"},
               {"through", "none.h5", "/", "g", "--dataset=g/a/b {}", "its link g leads to / of the file none.h5"},
               {"group", "place_path.h5", "/a", "g", "{}", "a group of another file: --dataset=g/NAME"},
               {"group_named", "place_path.h5", "/a", "g", "--dataset=g {}", "there is no such dataset"},
               {"no_member", "place_path.h5", "/a", "g", "--dataset=g/c {}", "there is no such dataset"},
               {"no_hdf5", "text.txt", "/a", "y", "{}", "its link y leads to /a of the file text.txt"},
               {"itself", "bad_link_itself.h5", "/y", "y", "{}", "its link y leads to /y of the file bad_link_itself"},
               {"soft", NULL, "/none", "y", "{}", "its link y leads to /none, which is not there"},
               {"soft_named", NULL, "none/a", "y", "--dataset=y {}", "its link y leads to none/a, which is not there"},
               {"soft_through", NULL, "none", "y", "--dataset=y/a {}", "its link y leads to none, which is not there"},
               {"soft_loop", NULL, "y", "y", "{}", "its link y leads to y, which is not there"}};
  for (size_t k = 0; k < sizeof links / sizeof links[0]; k++) {
    begin("bad_link", links[k].name, H5P_DEFAULT);
    if (links[k].file)
      link_outside(links[k].file, links[k].to, links[k].from);
    else
      link_inside(links[k].to, links[k].from);
    end(links[k].arguments, links[k].answer);
  }
}

int main(void) {
  good_types();
  good_narrow_types();
  good_complex();
  good_layouts();
  good_places();
  good_links();
  good_files();
  bad_compounds();
  bad_types();
  bad_places();
  bad_links();
  return failures ? 1 : 0;
}
