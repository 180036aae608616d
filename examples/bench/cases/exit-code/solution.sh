cat > errors.sh <<'END'
# Shows the errors of a log.
! grep '^ERROR' "$1"
END
