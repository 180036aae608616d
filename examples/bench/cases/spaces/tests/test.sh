set -e
printf 'a\nb\n' > plain.txt
printf 'c\n' > 'with space.txt'
[ "$(sh count.sh plain.txt)" = 2 ]
[ "$(sh count.sh plain.txt 'with space.txt')" = 3 ]
