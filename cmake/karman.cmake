# Compiler settings that every target shares, and the helpers that declare libraries and tests.

add_library(karman_options INTERFACE)
target_compile_definitions(karman_options INTERFACE _POSIX_C_SOURCE=200809L)
target_compile_options(karman_options INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wvla -Wstrict-prototypes -Wmissing-prototypes
  # Products must round the same way in every function: the ray caster's predicates rely on it
  # (render/cells/cell.h).
  -ffp-contract=off
  # Neither changes a result; both let the compiler turn comparisons and square roots into SIMD.
  -fno-math-errno -fno-trapping-math)
if(CMAKE_C_COMPILER_ID MATCHES Clang)
  # Loops with "omp simd" that clang does not vectorize: slower, and no defect.
  target_compile_options(karman_options INTERFACE -Wno-pass-failed)
endif()
if(KARMAN_WERROR)
  target_compile_options(karman_options INTERFACE -Werror)
endif()
if(KARMAN_SANITIZE STREQUAL "thread")
  target_compile_options(karman_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(karman_options INTERFACE -fsanitize=thread)
elseif(KARMAN_SANITIZE)
  target_compile_options(karman_options INTERFACE
    -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(karman_options INTERFACE -fsanitize=address,undefined)
endif()

# karman_room(HEADERS file… SOURCES file… NEEDS room… USES room…): the room of this folder.
#
# A room is a folder with a few public headers; all else in it is private. Sources include the files
# of their own room by name, "mesh.h", and public headers of others by path,
# "render/surface/surface.h". A room sees other rooms only if it names them. NEEDS has the rooms and
# system libraries that its public headers include, USES those that only its sources include. The
# include root of a room has links to its public headers alone, so that other includes do not
# compile. A room may have sources in folders below; all of them see each other.
function(karman_room)
  cmake_parse_arguments(ARG "" "" "HEADERS;SOURCES;NEEDS;USES" ${ARGN})
  file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "." name ${path})
  set(root ${PROJECT_BINARY_DIR}/include/${name})
  file(REMOVE_RECURSE ${root})
  foreach(header ${ARG_HEADERS})
    get_filename_component(folder ${root}/${path}/${header} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${header} ${root}/${path}/${header} SYMBOLIC)
  endforeach()
  karman_room_names(needs ${ARG_NEEDS})
  karman_room_names(uses ${ARG_USES})
  add_library(door.${name} INTERFACE)
  add_library(door::${name} ALIAS door.${name})
  target_include_directories(door.${name} INTERFACE ${root})
  target_link_libraries(door.${name} INTERFACE ${needs})
  add_library(room.${name} OBJECT ${ARG_SOURCES})
  target_link_libraries(room.${name} PRIVATE door.${name} ${uses} karman_options)
  set_target_properties(room.${name} PROPERTIES KARMAN_SYSTEM "${needs};${uses}")
endfunction()

# karman_kernels(NAME): the sources NAME_four.c, NAME_avx2.c and NAME_avx512.c of this room. Each is
# for processors with one vector width of base/lanes.h. Sources that do not exist, and widths that
# the compiler does not know, are left out.
function(karman_kernels name)
  set(options_avx2 -mavx2)
  set(options_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw)
  file(RELATIVE_PATH room ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "." room ${room})
  foreach(width ${KARMAN_LANES_WIDTHS})
    set(source ${name}_${width}.c)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${source})
      target_sources(room.${room} PRIVATE ${source})
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${options_${width}}")
    endif()
  endforeach()
endfunction()

# Turns rooms, such as render/cells, into targets; libraries stay as they are.
function(karman_room_names variable)
  set(names)
  foreach(name ${ARGN})
    if(NOT name MATCHES "::|^m$|^dl$")
      string(REPLACE "/" "." name ${name})
      set(name door::${name})
    endif()
    list(APPEND names ${name})
  endforeach()
  set(${variable} "${names}" PARENT_SCOPE)
endfunction()

# karman_library(NAME ROOMS room… [LIBRARIES lib…]): the static library karman_NAME of these rooms,
# and the libraries that it depends on. Tests link such libraries and see private headers, too.
function(karman_library name)
  cmake_parse_arguments(ARG "" "" "ROOMS;LIBRARIES" ${ARGN})
  set(objects)
  set(system)
  foreach(room ${ARG_ROOMS})
    string(REPLACE "/" "." room ${room})
    list(APPEND objects $<TARGET_OBJECTS:room.${room}>)
    get_target_property(libraries room.${room} KARMAN_SYSTEM)
    list(FILTER libraries EXCLUDE REGEX "^door::")
    list(APPEND system ${libraries})
  endforeach()
  list(REMOVE_DUPLICATES system)
  add_library(karman_${name} STATIC ${objects})
  set_target_properties(karman_${name} PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(karman_${name} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_link_libraries(karman_${name} PUBLIC ${ARG_LIBRARIES} ${system})
endfunction()

# Timeouts that end a hanging test, in seconds: for a test without MPI, and for any other. A machine
# ten times slower than usual stays below them; no test passes or fails on a time.
set(KARMAN_UNIT_TIMEOUT 300)
set(KARMAN_TIMEOUT 900)

# karman_unit_test(NAME LIBRARIES lib… SOURCES file… [TIMEOUT seconds]): a cmocka program that runs
# without MPI.
function(karman_unit_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "LIBRARIES;SOURCES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE karman_test_support ${ARG_LIBRARIES} karman_options PkgConfig::CMOCKA m)
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT ${KARMAN_UNIT_TIMEOUT})
  endif()
  # Some tests start more threads than there are processors. By default waiting threads poll and use
  # up their time slices: test_planes then takes eight times as long.
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT ${ARG_TIMEOUT}
    ENVIRONMENT "OMP_WAIT_POLICY=passive")
endfunction()

# karman_room_labels(ROOM REGEX…): gives each test of this folder the label room.ROOM of the first
# REGEX that its name matches: "ctest -L room.io". Call it at the end.
function(karman_room_labels)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test ${tests})
    set(rest ${ARGN})
    while(rest)
      list(POP_FRONT rest room regex)
      if(test MATCHES "${regex}")
        get_test_property(${test} LABELS labels)
        list(FILTER labels EXCLUDE REGEX NOTFOUND)
        set_tests_properties(${test} PROPERTIES LABELS "${labels};room.${room}")
        break()
      endif()
    endwhile()
  endforeach()
endfunction()

# karman_skipped_test(NAME REASON): a test that is always skipped, in place of tests that cannot run
# on this machine. So users see that they are missing.
function(karman_skipped_test name reason)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${reason}")
  set_tests_properties(${name} PROPERTIES LABELS image TIMEOUT ${KARMAN_UNIT_TIMEOUT}
    SKIP_REGULAR_EXPRESSION "^skipped: ")
endfunction()

# karman_test_processors(NAME RANKS): the number of processors that ctest reserves for a test. Two
# tests of up to three ranks run side by side on two processors: they start programs, read, write
# and wait for each other, and use less than one processor on average.
function(karman_test_processors name ranks)
  set(processors 1)
  if(ranks GREATER 3)
    set(processors 2)
  endif()
  set_tests_properties(${name} PROPERTIES PROCESSORS ${processors})
endfunction()

# karman_launcher(VARIABLE RANKS): the launcher that a script writes in front of a program; empty
# for one rank.
function(karman_launcher variable ranks)
  set(launcher "")
  if(ranks GREATER 1)
    set(launcher ${KARMAN_MPIEXEC} -n ${ranks})
  endif()
  set(${variable} "${launcher}" PARENT_SCOPE)
endfunction()

# karman_mpi_test(NAME RANKS n… COMMAND cmd… [LABEL label] [TIMEOUT seconds]): one ctest entry
# NAME-n for every rank count. Waiting ranks yield the processor if ranks outnumber cores.
function(karman_mpi_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "RANKS;COMMAND" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL mpi)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT ${KARMAN_TIMEOUT})
  endif()
  foreach(ranks ${ARG_RANKS})
    add_test(NAME ${name}-${ranks}
      COMMAND ${KARMAN_MPIEXEC} -n ${ranks} ${ARG_COMMAND})
    set_tests_properties(${name}-${ranks} PROPERTIES
      LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
    karman_test_processors(${name}-${ranks} ${ranks})
  endforeach()
endfunction()
