# Tests of documents: what they say is there, their tables are what the library and the measurements say, snippets run.

set(docs "${PROJECT_SOURCE_DIR}/scripts/docs")
usw_check(NAME check.documents COMMAND "${checks}/documents.py" --build "${PROJECT_BINARY_DIR}")
usw_check(NAME check.bench_tables COMMAND "${PROJECT_SOURCE_DIR}/perf/tables.py" --check
          "${docs}/pages/performance/results.md" "${docs}/pages/performance/results_all.md"
          perf/baselines/h200-bench-suite.md)
usw_check(NAME check.family_tables COMMAND "${PROJECT_SOURCE_DIR}/perf/family_tables.py" --check "${docs}/pages/performance/families.md")
usw_check(NAME check.chart COMMAND "${PROJECT_SOURCE_DIR}/perf/chart.py" --check)
set(ranks "${PROJECT_SOURCE_DIR}/perf/apps/ranks")
usw_check(NAME check.ranks_tables COMMAND "${ranks}/tables_ranks.py" --check "${docs}/pages/performance/ranks.md")
usw_check(NAME check.ranks_chart COMMAND "${ranks}/digits.py" --check)
if(TARGET usw_doc_tables)
  file(GLOB pages CONFIGURE_DEPENDS "${docs}/pages/reference/*.md" "${docs}/pages/performance/*.md")
  usw_check(NAME check.page_tables COMMAND "${docs}/fill.py" "${USW_DOC_PROGRAMS}" --check ${pages})
  usw_check(NAME check.docs TIMEOUT 300 COMMAND "${checks}/docs.sh" "${USW_DOXYGEN}" "${USW_SPHINX}" "${USW_DOXYFILE}"
            "${USW_DOC_PROGRAMS}")
endif()
if(NOT CMAKE_CROSSCOMPILING AND CMAKE_C_COMPILER_ID STREQUAL "Clang")
  usw_check(NAME check.snippets TIMEOUT 300 COMMAND "${checks}/snippets.py" "${PROJECT_BINARY_DIR}" "${CMAKE_C_COMPILER}")
endif()
