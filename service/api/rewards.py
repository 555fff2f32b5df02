"""Rewards for winning: their rules, and the coins of the signed-in player."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from service.operations import boosters
from service.operations import rewards as operations
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.etags import PUBLIC

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
        required=True, metadata={"description": "After so many rewarded wins there is a booster, each time."}
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


class StandingView(Schema):
    """My coins and rewards."""

    coins = fields.Integer(required=True)
    wins = fields.Integer(required=True, metadata={"description": "My rewarded wins."})
    wins_today = fields.Integer(required=True, metadata={"description": "My rewarded wins today (UTC)."})
    booster_in = fields.Integer(
        required=True,
        metadata={"description": "The number of rewarded wins that are left until the next booster."},
    )


@rewards.route("/rewards")
@rewards.cached(PUBLIC)
@rewards.gives(RewardsView)
def get_rewards() -> dict[str, Any]:
    """Show the rules of rewards."""
    return {
        "coins": operations.COINS,
        "wins_a_day": operations.WINS_A_DAY,
        "booster_every": operations.BOOSTER_EVERY,
        "choices": operations.CHOICES,
        "bots": operations.BOTS,
        "booster_price": boosters.PRICE,
    }


@rewards.route("/wallet")
@rewards.signed_in
@rewards.gives(StandingView)
def get_wallet() -> operations.RewardStanding:
    """Show my coins and my rewards."""
    with house().read() as session:
        return operations.standing(house(), session, me().id)
