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
  install=("$bin/python" -I -m pip install --quiet --disable-pip-version-check --no-input)
  if [[ "${MINUTEBOOK_MODE:-check}" == maintain ]]; then
    # What makes reading faster has no wheel for every machine; without it all works as well.
    "${install[@]}" "${here}[maintain,fast]" || "${install[@]}" "${here}[maintain]"
  else
    "${install[@]}" "$here"
  fi
  program="$bin/minutebook"
fi

exec "$python" -I "$here/ci/action.py" "$program"
