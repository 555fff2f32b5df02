"""The terminal table: how a game looks at a terminal, and how a player plays it there.

`live` follows a running game in a thread: `played` for a player, `watched` for a spectator, `hot_seat` for
two players at one terminal. `replaying` goes through a record. `commands` are the words that can be typed at
every table, `layout` draws what all games have: names, points, whose turn it is. A `Presenter` (one for each
mode, found by `presenters`) draws hand and board and turns a typed line into a move. No other code here knows
a mode; a mode without a presenter of its own gets one that lists its legal moves.
"""
