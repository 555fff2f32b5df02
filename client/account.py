"""The account at a house: registering, signing in by password or key, sessions, the box."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from client.calls import Calls, path_of
from client.decks import etag_of
from crypto.encoding import EncodingError, b64, unb64
from crypto.identity import public_key
from player.house import ApiProblem, Unreachable
from referee.sign_in import CHALLENGE, write_answer, write_registration


class AccountCalls(Calls):
    """Requests about a player's own account."""

    def register(
        self, handle: str, password: str, private: bytes, house_key: bytes, starter: str | None
    ) -> dict[str, Any]:
        """Register a player with an Ed25519 key, which signs that it is the player's own.

        `private` stays here, and `house_key` is the key of the house that the player knows. The house grants
        the starter deck named here.
        """
        proof = write_registration(private, house_key, handle)
        body = {"handle": handle, "password": password, "key": b64(public_key(private)), "proof": proof}
        return self._object("POST", "/players", json={**body, "starter": starter})

    def me(self) -> dict[str, Any]:
        """The signed-in player."""
        return self._get("/me")

    def box(self) -> tuple[str | None, str]:
        """The locked file that the house keeps for me, or None, and the tag that a change must name."""
        answer = self._call("GET", "/me/box")
        file: str | None = self._read(answer)["file"]
        return file, etag_of(answer)

    def put_box(self, file: str | None, tag: str) -> str:
        """Have the house keep this locked file, or with None delete it; returns the new tag.

        Raises `ApiProblem` 412 `precondition_failed` if the box has changed since it had this tag.
        """
        return etag_of(self._call("PUT", "/me/box", json={"file": file}, if_match=tag))

    def issue_token(
        self, handle: str, password: str, label: str, proof: Mapping[str, Any] | None = None
    ) -> str:
        """Get a new token, which this client uses from now on.

        A `proof` of the player's key (`referee.sign_in`) lets past the pause that a house makes after others
        have guessed wrong passwords.
        """
        body = {"handle": handle, "password": password, "label": label}
        try:
            asked = body if proof is None else {**body, "proof": proof}
            token: str = self._object("POST", "/tokens", json=asked)["token"]
        except ApiProblem as problem:
            if proof is None or problem.status != 422:
                raise
            # Older houses know no proofs, and refuse members that they don't know.
            token = self._object("POST", "/tokens", json=body)["token"]
        self._token = token
        return token

    def answer(self, private: bytes, house_key: bytes, handle: str, purpose: str) -> dict[str, Any]:
        """Ask for a challenge for one purpose, and answer it with the player's key, which stays here."""
        asked = {"handle": handle, "purpose": purpose}
        challenge = self._object("POST", "/tokens/challenge", json=asked).get("challenge")
        try:
            return write_answer(private, house_key, handle, purpose, unb64(challenge, CHALLENGE))
        except EncodingError as error:
            raise Unreachable(f"{self.url} sent a challenge that can't be read: {error}") from None

    def issue_token_by_key(self, handle: str, private: bytes, house_key: bytes, label: str) -> str:
        """Get a new token for the player's key, which this client uses from now on. No password is needed."""
        answer = self.answer(private, house_key, handle, "sign-in")
        body = {"handle": handle, "answer": answer, "label": label}
        token: str = self._object("POST", "/tokens/by-key", json=body)["token"]
        self._token = token
        return token

    def rename(self, handle: str) -> dict[str, Any]:
        """Take another handle."""
        return self._object("PATCH", "/me", json={"handle": handle})

    def export(self) -> bytes:
        """Everything that the house keeps about me, as a ZIP archive."""
        return self._call("POST", "/me/export").content

    def delete_account(self, answer: Mapping[str, Any], *, abandon: bool) -> None:
        """Delete my account for ever, by an answer with the purpose "deletion".

        Raises `ApiProblem` games_running while games run, unless I `abandon` them.
        """
        self._call("POST", "/me/deletion", json={"answer": answer, "abandon": abandon})

    def sessions(self) -> list[dict[str, Any]]:
        """My tokens that still work, newest first. The one of this client is `current`."""
        found: list[dict[str, Any]] = self._get("/tokens")["items"]
        return found

    def end_session(self, token_id: str) -> None:
        """Revoke one of my tokens."""
        self._call("DELETE", path_of("tokens", token_id))

    def end_sessions(self, *, others: bool) -> None:
        """Revoke all of my tokens, or all but the one of this client."""
        self._call("DELETE", "/tokens", query={"others": others})

    def change_password(
        self, password: str, *, current: str | None = None, answer: Mapping[str, Any] | None = None
    ) -> None:
        """Change my password, and end all other sessions.

        Either the `current` password or an `answer` with the purpose "password" shows that I may.
        """
        body: dict[str, Any] = {"password": password}
        body |= {"current": current} if answer is None else {"answer": answer}
        self._call("PUT", "/me/password", json=body)
