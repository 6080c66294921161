#!/usr/bin/env bash
# Runs public.py with a Python that has VTK, if there is one.
#
#   public.sh PYTHON public.py KARMAN DATA TABLE FOLDER
python=$1
shift
"$python" -c 'import vtkmodules' 2>/dev/null || { [ -x /usr/bin/python3 ] && python=/usr/bin/python3; }
exec "$python" "$@"
