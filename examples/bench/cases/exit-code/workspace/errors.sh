# Shows the errors of a log.
grep '^ERROR' "$1"
