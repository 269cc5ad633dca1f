#!/bin/sh
# Makes .venv with Python 3.11, unless a working one is there.
set -eu

is_311='import sys; sys.exit(sys.version_info[:2] != (3, 11))'

if .venv/bin/python -c "$is_311" 2>/dev/null && .venv/bin/python -m pip --version >/dev/null 2>&1; then
    exit 0
fi
for python in python3.11 python3 python; do
    if "$python" -c "$is_311" 2>/dev/null; then
        if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
            echo "Python 3.11 is here without venv. Install it (on Debian and Ubuntu: apt install python3.11-venv) and try again." >&2
            exit 1
        fi
        echo "Making .venv …"
        exec "$python" -m venv --clear .venv
    fi
done
echo "riskapp needs Python 3.11, as python3.11 or python3. Install it and try again." >&2
exit 1
