# Writes OUTPUT, a C file with the FILES of FOLDER, or absolute paths, as live_assets (assets.h):
#   cmake -DFILES=a.html;b.js -DFOLDER=… -DOUTPUT=… -P embed.cmake
set(type_html "text/html; charset=utf-8")
set(type_css "text/css; charset=utf-8")
set(type_js "text/javascript; charset=utf-8")
set(arrays "")
set(table "")
foreach(name ${FILES})
  get_filename_component(path ${name} ABSOLUTE BASE_DIR ${FOLDER})
  get_filename_component(name ${name} NAME)
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
    bytes "${bytes}")
  string(MAKE_C_IDENTIFIER ${name} id)
  string(REGEX MATCH "[a-z]+$" kind ${name})
  string(APPEND arrays "static const unsigned char ${id}[] = {\n${bytes}};\n")
  if(name STREQUAL "index.html")
    set(name "")
  endif()
  string(APPEND table "    {\"/${name}\", \"${type_${kind}}\", ${id}, sizeof ${id}},\n")
endforeach()
file(WRITE ${OUTPUT} "/* Made by embed.cmake. */\n#include \"assets.h\"\n\n${arrays}\n"
  "const live_asset live_assets[] = {\n${table}    {0},\n};\n")
