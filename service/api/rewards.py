"""Rewards for winning: their rules, and the coins of the signed-in player."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from service.operations import rewards as operations
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.etags import PUBLIC
from service.web.fields import Id

BOOSTER_IN = "The number of rewarded wins that are left until the next booster; null if wins bring none."

rewards = Blueprint("rewards", "Rewards for winning: coins and boosters.")


class RewardsView(Schema):
    """The rules by which winners are rewarded."""

    coins = fields.List(
        fields.Integer(),
        required=True,
        metadata={
            "description": "Coins for the first, second, ... win over one opponent in seven days; later"
            " wins bring none."
        },
    )
    wins_a_day = fields.Integer(
        required=True,
        metadata={"description": "The most wins that are rewarded in a day (UTC); of each opponent one."},
    )
    booster_every = fields.Integer(
        required=True,
        metadata={"description": "After so many rewarded wins there is a booster, each time; 0 for none."},
    )
    choices = fields.Integer(
        required=True,
        metadata={"description": "The moves and seals that winner and loser must have made for a reward."},
    )
    bots = fields.String(
        required=True,
        metadata={"description": "The name of the one opponent that all bots of the house count as."},
    )
    booster_price = fields.Integer(
        required=True, metadata={"description": "The price of a booster in coins."}
    )
    welcome_boosters = fields.Integer(
        required=True,
        metadata={"description": "Boosters that a new player gets; their copies are bound."},
    )


class StandingView(Schema):
    """My coins and rewards."""

    coins = fields.Integer(required=True)
    wins = fields.Integer(required=True, metadata={"description": "My rewarded wins."})
    wins_today = fields.Integer(required=True, metadata={"description": "My rewarded wins today (UTC)."})
    booster_in = fields.Integer(required=True, allow_none=True, metadata={"description": BOOSTER_IN})


class GameRewardView(Schema):
    """What a game brought me."""

    coins = fields.Integer(required=True)
    booster = Id("The id of the booster that the win brought.", required=True, allow_none=True)
    booster_in = fields.Integer(required=True, allow_none=True, metadata={"description": BOOSTER_IN})
    reason = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "enum": [*operations.REASONS, None],
            "description": "Why the game brought nothing; null for a rewarded win. not_won: I did not win,"
            " or nobody lost. too_short: I, or everybody whom I beat, made too few choices. same_opponent:"
            " enough wins over this opponent were rewarded today or this week. daily_limit: enough wins were"
            " rewarded today. no_rewards: this house rewards no wins.",
        },
    )


@rewards.route("/rewards")
@rewards.cached(PUBLIC)
@rewards.gives(RewardsView)
def get_rewards() -> dict[str, Any]:
    """Show the rules of rewards."""
    settings = house().settings
    return {
        "coins": settings.reward_coins,
        "wins_a_day": settings.reward_wins_a_day,
        "booster_every": settings.reward_booster_every,
        "choices": settings.reward_choices,
        "bots": operations.BOTS,
        "booster_price": settings.booster_price,
        "welcome_boosters": settings.welcome_boosters,
    }


@rewards.route("/wallet")
@rewards.signed_in
@rewards.gives(StandingView)
def get_wallet() -> operations.RewardStanding:
    """Show my coins and my rewards."""
    with house().read() as session:
        return operations.standing(house(), session, me().id)


@rewards.route("/games/<game_id>/reward")
@rewards.signed_in
@rewards.gives(GameRewardView)
@rewards.refuses(404, 409)
def get_reward(game_id: str) -> operations.GameReward:
    """Show what a game that is over brought me, or why it brought nothing."""
    with house().read() as session:
        return operations.of_game(house(), session, game_id, me().id)
