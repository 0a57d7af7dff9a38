#!/usr/bin/env bash
# Run by action.yml: installs the minutebook that this script lies in, unless told of one, and hands over to action.py.
# Every input arrives in the environment; none is pasted into a command.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
python="${MINUTEBOOK_PYTHON:-python3}"
program="${MINUTEBOOK_PROGRAM:-}"

# -I everywhere: without it Python imports from the current folder, which holds the change under judgement.
if [[ -z "$program" ]]; then
  folder="${RUNNER_TEMP:?is set by the runner}/minutebook"
  "$python" -I -m venv "$folder"
  bin="$folder/bin"
  [[ -d "$bin" ]] || bin="$folder/Scripts"
  extra=""
  [[ "${MINUTEBOOK_MODE:-check}" == maintain ]] && extra="[maintain]"
  "$bin/python" -I -m pip install --quiet --disable-pip-version-check --no-input "$here$extra"
  program="$bin/minutebook"
fi

exec "$python" -I "$here/ci/action.py" "$program"
