sed -i.bak 's/--verbose/--detail/g' greet.sh && rm greet.sh.bak
