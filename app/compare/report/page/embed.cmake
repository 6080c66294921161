# Writes OUTPUT, a C file with the texts page.html, page.css, page.js and map.js of FOLDER:
#   cmake -DFOLDER=… -DOUTPUT=… -P embed.cmake
set(text "/* Made by embed.cmake. */\n#include \"page.h\"\n")
foreach(part page.html page.css page.js map.js)
  file(READ ${FOLDER}/${part} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
    bytes "${bytes}")
  string(REPLACE . _ name ${part})
  string(APPEND text "const unsigned char report_${name}[] = {${bytes}0x00};\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
