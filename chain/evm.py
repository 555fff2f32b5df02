"""A chain on this machine, in memory: py-evm at the rules of Prague, with arkworks behind the precompile.

py-evm is in requirements-chain.lock. Its own precompile takes two seconds of CPU for a seal of 24 cards.
Arkworks gives the same answer for the same gas in a few milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from chain.calls import MOST_GAS, CallResult, Reverted, reason
from chain.points import coordinates
from crypto.engines import MODULUS, Arkworks, EngineError

SENDER = bytes.fromhex("c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1")
_MSM = bytes(19) + b"\x0c"
_COORDINATE = 64
_TERM = 160


class Missing(RuntimeError):
    """There is no py-evm on this machine, or no arkworks."""


@dataclass(frozen=True, slots=True)
class Log:
    """What a contract has written into a transaction's log."""

    address: bytes
    topics: tuple[bytes, ...]
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class TransactionReceipt:
    """A transaction that went through."""

    answer: CallResult
    created: bytes
    logs: tuple[Log, ...]


def multiply(data: bytes) -> bytes:
    """The precompile G1MSM (EIP-2537) with arkworks; ValueError for malformed input."""
    engine = _arkworks()
    points, scalars = [], []
    for at in range(0, len(data), _TERM):
        x, y = (int.from_bytes(data[i : i + _COORDINATE], "big") for i in (at, at + _COORDINATE))
        if x >= MODULUS or y >= MODULUS:
            raise ValueError("a coordinate is not below p")
        if x == y == 0:
            continue  # the identity
        if (y * y - x**3 - 4) % MODULUS:
            raise ValueError("the point lies off the curve")
        flags = 0b101 if y > MODULUS // 2 else 0b100
        points.append(engine.decode((flags << 381 | x).to_bytes(48, "big")))
        scalars.append(int.from_bytes(data[at + 2 * _COORDINATE : at + _TERM], "big"))
    total = engine.msm(points, scalars) if points else engine.identity
    if engine.equal(total, engine.identity):
        return bytes(2 * _COORDINATE)
    return b"".join(n.to_bytes(_COORDINATE, "big") for n in coordinates(engine.encode(total)))


@cache
def _arkworks() -> Arkworks:
    try:
        return Arkworks()
    except EngineError as error:
        raise Missing(str(error)) from None


@cache
def _machine(fast: bool) -> Any:
    """py-evm's class of states at Prague.

    `fast` puts arkworks behind the precompile, and works out the gas of memory only where memory grows.
    """
    try:
        from eth.exceptions import VMError
        from eth.precompiles.bls12_381 import bls12_381_g1 as own
        from eth.vm.forks.prague.computation import PragueComputation
        from eth.vm.forks.prague.state import PragueState
    except ImportError:
        raise Missing("py-evm is not installed") from None
    if not fast:
        return PragueState

    def msm(computation: Any) -> None:
        data = computation.msg.data
        if not data or len(data) % _TERM:
            raise VMError("the terms have 160 bytes each")
        count = len(data) // _TERM
        discount = own.G1_MSM_DISCOUNTS[count - 1] if count <= 128 else own.G1_MSM_MAX_DISCOUNT
        price = count * own.BLS12_G1_MSM_GAS * discount // own.MSM_MULTIPLIER
        computation.consume_gas(price, reason="G1MSM")
        try:
            computation.output = multiply(data)
        except ValueError as error:
            raise VMError(str(error)) from None

    def extend_memory(computation: Any, start: int, size: int) -> None:
        # Most instructions stay within the memory that the contract has, and then no gas is due for it.
        if not (start >= 0 <= size and start + size <= len(computation._memory)):
            PragueComputation.extend_memory(computation, start, size)

    precompiles = {**PragueComputation.get_precompiles(), _MSM: msm}
    faster = {"_precompiles": precompiles, "extend_memory": extend_memory}
    computing = type("Computing", (PragueComputation,), faster)
    return type("Fast", (PragueState,), {"computation_class": computing})


class EvmChain:
    """Contracts and their state, with a clock that is set by hand.

    Nobody pays for gas, and no block is mined.
    """

    def __init__(self, chain_id: int = 31337, *, fast: bool = True) -> None:
        """`fast` puts arkworks behind the precompile; else all is py-evm's own. Raises `Missing`."""
        machine = _machine(fast)
        from eth.constants import BLANK_ROOT_HASH
        from eth.db.atomic import AtomicDB
        from eth.vm.execution_context import ExecutionContext

        self.chain_id = chain_id
        self._moment = ExecutionContext(bytes(20), 1_800_000_000, 1, 0, bytes(32), 10**9, (), chain_id, 0, 0)
        self._machine, self._db = machine, AtomicDB()
        self._state = machine(self._db, self._moment, BLANK_ROOT_HASH)

    @property
    def time(self) -> int:
        """The block's time, in seconds since 1970."""
        return int(self._moment.timestamp)

    @time.setter
    def time(self, seconds: int) -> None:
        self._moment._timestamp = seconds

    def code(self, address: bytes) -> bytes:
        """The code of a contract; empty where there is none."""
        return bytes(self._state.get_code(address))

    def balance(self, address: bytes) -> int:
        """What an account holds, in wei."""
        return int(self._state.get_balance(address))

    def nonce(self, address: bytes) -> int:
        """How many transactions an account has sent."""
        return int(self._state.get_nonce(address))

    def fund(self, address: bytes, wei: int) -> None:
        """Give an account ether out of nothing."""
        self._state.set_balance(address, wei)
        self._state.lock_changes()

    def put_code(self, address: bytes, code: bytes) -> None:
        """Put a contract where it lies on every chain."""
        self._state.set_code(address, code)
        self._state.lock_changes()

    def snapshot(self) -> Any:
        """The state as it is, for `back_to`."""
        self._state.persist()
        return self._state.state_root

    def back_to(self, snapshot: Any) -> None:
        """Forget all that happened since a snapshot."""
        self._state = self._machine(self._db, self._moment, snapshot)

    def call(self, to: bytes, data: bytes, sender: bytes = SENDER) -> CallResult:
        """Ask a contract, and change nothing; raises `Reverted`."""
        before = self._state.snapshot()
        try:
            return self._apply(to, data, sender, 0).answer
        finally:
            self._state.revert(before)
            self._state.lock_changes()

    def send(self, to: bytes, data: bytes, sender: bytes = SENDER, value: int = 0) -> TransactionReceipt:
        """Send a transaction; an empty `to` deploys. Raises `Reverted`, and then nothing has changed."""
        try:
            return self._apply(to, data, sender, value)
        finally:
            self._state.lock_changes()

    def deploy(self, code: bytes) -> TransactionReceipt:
        """Deploy a contract, given what creates it with the constructor's arguments behind."""
        return self.send(b"", code)

    def _apply(self, to: bytes, data: bytes, sender: bytes, value: int) -> TransactionReceipt:
        from eth.vm.forks.prague import PragueVM
        from eth.vm.spoof import SpoofTransaction

        made = PragueVM.create_unsigned_transaction(
            nonce=self._state.get_nonce(sender), gas_price=0, gas=MOST_GAS, to=to, value=value, data=data
        )
        transaction = SpoofTransaction(made, from_=sender)
        done = self._state.apply_transaction(transaction)
        if done.is_error:
            why = reason(bytes(done.output)) or str(done.error) or "without a reason"
            raise Reverted(why, bytes(done.output))
        used = MOST_GAS - done.get_gas_remaining()
        used -= min(done.get_gas_refund(), used // 5)
        logs = tuple(
            Log(bytes(place), tuple(topic.to_bytes(32, "big") for topic in topics), bytes(written))
            for place, topics, written in done.get_log_entries()
        )
        answer = CallResult(bytes(done.output), used + max(done.data_floor_gas, 0))
        return TransactionReceipt(answer, bytes(done.msg.storage_address) if not to else b"", logs)
