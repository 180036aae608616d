set -e
[ "$(sh greet.sh Ada)" = 'hello Ada' ]
[ "$(sh greet.sh --detail Ada | head -n 1)" = 'greeting Ada' ]
sh greet.sh --help | grep -q -- --detail
! grep -q -- --verbose greet.sh
