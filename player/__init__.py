"""A player's side of a game, without a network and without files.

- `session` plays one seat: it follows the record (`follow`), finds out what to send next (`due`), builds it
  (`seat`), and writes down what must not be lost (`vault`, in the format of `vault_format`).
- `watchfulness` says what no record convicts a house of: a time-out that came early, a link that counts.
- `sent_log` keeps messages and receipts; `table_terms` and `boosters` check what was agreed to.
- `bot` is what a bot must be able to do. `house` holds the values that a house answers with.

Two seams reach outside: `house.House`, what is asked of a house, and `vault.Disk`, where the vault lies.
This room runs wherever Python runs, a browser included. It imports the standard library, `referee/`,
`cards/`, `crypto/` and the protocol's libraries alone.
"""
