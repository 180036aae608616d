sed -i.bak 's/number < to/number <= to/' range.js && rm range.js.bak
