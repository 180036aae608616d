case $1 in
  --help) echo 'greet.sh [--verbose] NAME' ;;
  --verbose) echo "greeting $2"; echo "hello $2" ;;
  *) echo "hello $1" ;;
esac
