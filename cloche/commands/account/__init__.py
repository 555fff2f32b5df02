"""Commands for a player's own key, vault and webhooks."""
