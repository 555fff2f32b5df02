"""Commands for records of games: fetch, verify, draw."""
