"""The terminal table: a game as it looks at a terminal, and how one plays it there.

`desk` is the loop: what is typed, what arrives, what is asked. `frame` draws what all games have:
names, points, whose turn, what everybody has done. A `Drawing` (one a mode, found by `drawings`)
draws hand and board and turns a typed line into a move; no other line knows a mode, and a mode
without a drawing of its own gets one that lists its legal moves.
"""
