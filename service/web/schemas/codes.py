"""Every code that a problem document of the house can have, beside those of the rules of a mode."""

from __future__ import annotations

from cards import games
from cards.games.schemas import JsonSchema

HOUSE = frozenset(
    """
    address_not_allowed already_challenged already_opened already_reported already_seated already_sent
    bad_address bad_anchor bad_asked bad_bytes bad_count bad_cursor bad_handle bad_hours bad_id
    bad_idempotency_key bad_integer bad_key bad_nonce bad_offer bad_password bad_places bad_precondition
    bad_prev bad_prizes bad_reason bad_request bad_result bad_rounds bad_seal bad_seats bad_seed bad_shape
    bad_signature bad_tag bad_time bad_url blocked body_too_large box_too_large busy certificate_given
    chain_unread challenge_closed coins_for_coins common_password copies_missing crowded
    cursor_of_another_query deck_illegal deck_missing decks_shut disk_full entries_closed expired_token
    format_gone formats_unreadable game_running game_stopped games_running handle_taken headers_too_large
    http_error https_needed idempotency_key_reused internal_error invalid invalid_handle invalid_password
    invalid_registration invalid_request key_taken malformed_json method_not_allowed missing_field no_body
    no_boosters no_bot_deck no_database no_opponent no_own_deck no_pantry no_prizes no_rematch no_rules
    not_a_moderator not_basic not_below_you not_director not_for_two not_found not_free not_involved
    not_json not_migrated not_minted not_next not_rateable not_seated not_signed_in not_taken not_wanted
    not_working not_your_challenge not_your_game not_your_offer not_your_seat not_your_table not_yours
    nothing null offer_closed one_form one_proof opener_stays opening_pending outside own_block own_case
    own_challenge own_offer own_report path_too_long player_gone precondition_failed precondition_required
    renamed_card renamed_lately repeated_card repeated_copy report_closed report_taken required
    reserved_handle retired_card revoked_token round_over same_opponents similar_handle soulbound
    stale_challenge stale_commitment stale_opening suspended table_cancelled table_closed table_left
    too_few_coins too_few_players too_late too_many_attempts too_many_blocks too_many_cards
    too_many_challenges too_many_connections too_many_copies too_many_decks too_many_favourites
    too_many_listeners too_many_offers too_many_phrases too_many_reports too_many_requests too_many_tables
    too_many_tags too_many_tournaments too_many_waiting too_many_webhooks too_many_wishes too_slow
    tournament_closed tournament_full trades_frozen two_commitments unknown_bot unknown_card unknown_chain
    unknown_event unknown_field unknown_format unknown_mode unknown_rules unknown_starter unknown_token
    unreachable_player unsupported_media_type webhook_disabled withdrawn_card wrong_booster wrong_house
    wrong_key wrong_nonce wrong_password wrong_player
    """.split()  # noqa: SIM905 - one a line would be a file of its own
)
"""The codes of the service itself."""

DECKS = frozenset(
    """
    advice_recipes bad_character bad_checksum bad_choice bad_count bad_date bad_form bad_length bad_line
    bad_number bad_operator bad_prefix bad_text banned_card deck_size empty_query expected_key
    expected_term expected_value left_out misplaced_sort not_free not_owned other_printing padded
    query_too_long
    rarity_not_allowed renamed_card repeated_sort restricted_card retired_card set_not_allowed too_deep
    too_many_copies too_many_of_rarity too_many_terms too_short trailing_bits unclosed_parenthesis
    unclosed_quote uncodable_count uncodable_number unknown_card unknown_flags unknown_key unknown_sort
    unknown_version unopened_parenthesis withdrawn_card
    """.split()  # noqa: SIM905 - one a line would be a file of its own
)
"""The codes of deck lists, deck codes, formats, and queries."""

GAMES = frozenset(
    """
    bad_address chain_unread outside
    already_offered bad_body bad_bytes bad_card bad_envelope bad_integer bad_kind bad_length bad_list
    bad_option bad_point bad_proof bad_scalar bad_shape bad_signature bad_text bad_time game_over
    dealer_needed house_fault link_not_due missing_field no_envelopes no_seal no_such_seat no_turn not_asked
    not_sought nothing_owed proof_lacking proof_not_due
    reveal_owed seat_out seen_too_old seen_unknown too_early too_large too_late unknown_card
    unknown_field unknown_option wrong_card wrong_deal wrong_draw wrong_game wrong_key wrong_kind
    wrong_link wrong_opening wrong_openings wrong_reveal wrong_seat wrong_set_digest wrong_step wrong_turn
    """.split()  # noqa: SIM905 - one a line would be a file of its own
)
"""The codes of the referee, for messages and tables."""


def schema() -> JsonSchema:
    """The codes as a list, with those of every mode; any text where a mode does not tell its own."""
    every = [mode.schemas() for name in games.names() for mode in games.versions(name)]
    known = HOUSE.union(DECKS, GAMES, *(found.codes for found in every if found is not None))
    codes: JsonSchema = {"type": "string", "enum": sorted(known)}
    if None in every:
        codes = {"anyOf": [codes, {"type": "string", "description": "A code of another mode."}]}
    return {**codes, "description": "Stable, for programs. docs/api.md explains each."}
