# Six dials, which the moves U R F D L B turn. The colours of a cube's stickers are such letters, too.
{
    for face in U R F D L B; do echo "Set ${face}DIAL 1 4"; done
    printf '%s\n' Solved End
    for face in U R F D L B; do printf '%s\n' "Move $face" "${face}DIAL" 1 1 End; done
} >dials.tws
fewest-gen dials.tws 2>messages
small=UFRUFRRUUDLBDFDDLLRBLBFB
large=UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB
rows='UUU UUU UUU RRR RRR RRR FFF FFF FFF DDD DDD DDD LLL LLL LLL BBB BBB BBB'
for command in steps path show parity; do
    fewest "$command" dials.dtab $small
done
fewest steps dials.dtab $large
fewest steps dials.dtab "$rows"
fewest steps dials.dtab 000000 $large
fewest steps dials.dtab --from $large --moves U
fewest rank dials.dtab $large
echo "$large" | fewest path dials.dtab -
printf '%s\n' "$small" 000010 "$rows" | fewest batch dials.dtab
fewest steps game "$(echo "$large" | tr URFDLB wrgyob)"
fewest steps game --moves $large
# Everything else that can be read as moves gets the hint, and --moves reads moves.
for moves in "${small}U" 'U R F D L B U R F D L B U R F D L B U R F D L B' URFDLB "U'$small" UURRFFDDLLBB UURRFFDDLL; do
    fewest steps dials.dtab "$moves"
done
fewest steps dials.dtab --moves $small
# A puzzle whose states have such letters: it is a wrong state.
printf '%s\n' 'Set S 24 1' 'Letters S U R F D L B' Solved S '1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6' End \
    'Move U' S '(1 5 9 13)' End 'Move R' S '(13 17 21)' End >stickers.tws
fewest-gen -o stickers.dtab stickers.tws 2>messages || cat messages
fewest steps stickers.dtab $large
