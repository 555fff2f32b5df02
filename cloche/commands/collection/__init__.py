"""Commands for cards, copies, boosters and trades."""
