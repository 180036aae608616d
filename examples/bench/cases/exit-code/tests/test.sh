printf 'INFO fine\n' > good.log
printf 'INFO fine\nERROR broken\n' > bad.log
sh errors.sh good.log || exit 1
[ "$(sh errors.sh bad.log)" = 'ERROR broken' ] || exit 1
sh errors.sh bad.log
[ $? = 1 ]
