# USW_ORACLE_SOURCES: what a reduction must give, the data to ask it for, and grades of what came. Tests and usw-selfcheck share it.
set(USW_ORACLE_SOURCES exact.c grade.c items.c kept.c memory.c oracle.c pattern.c place.c result.c)
list(TRANSFORM USW_ORACLE_SOURCES PREPEND "${CMAKE_CURRENT_LIST_DIR}/")
