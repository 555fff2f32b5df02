"""Commands for a player's own key, file and webhooks."""
