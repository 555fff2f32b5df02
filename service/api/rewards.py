"""Rewards: what winning brings, by which rules, and how one stands."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from service.operations import boosters
from service.operations import rewards as operations
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.etags import PUBLIC

rewards = Blueprint("rewards", "What winning brings: coins, and boosters.")


class RewardsView(Schema):
    """The rules by which winners are rewarded."""

    coins = fields.List(
        fields.Integer(),
        required=True,
        metadata={
            "description": "For the first, second, ... win over one opponent in seven days; then none."
        },
    )
    wins_a_day = fields.Integer(
        required=True, metadata={"description": "Wins that are rewarded in a day of UTC, one an opponent."}
    )
    booster_every = fields.Integer(
        required=True, metadata={"description": "The how-manieth rewarded win brings a booster each time."}
    )
    choices = fields.Integer(
        required=True,
        metadata={"description": "Moves and seals that the winner and somebody beaten must have made."},
    )
    bots = fields.String(
        required=True, metadata={"description": "All bots of the house count as this one opponent."}
    )
    booster_price = fields.Integer(required=True, metadata={"description": "In coins."})


class StandingView(Schema):
    """How one stands."""

    coins = fields.Integer(required=True)
    wins = fields.Integer(required=True, metadata={"description": "That were rewarded."})
    wins_today = fields.Integer(required=True, metadata={"description": "That were rewarded."})
    booster_in = fields.Integer(
        required=True, metadata={"description": "Rewarded wins until the next booster."}
    )


@rewards.route("/rewards")
@rewards.tagged(PUBLIC)
@rewards.gives(RewardsView)
def get_rewards() -> dict[str, Any]:
    """What winning brings, and within which bounds."""
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
def get_wallet() -> operations.Standing:
    """My coins, and how I stand with rewards."""
    with house().read() as session:
        return operations.standing(house(), session, me().id)
