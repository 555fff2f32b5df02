/**
 * The curve engine of the kitchen: G1 of BLS12-381 by mcl-wasm, hashing to the curve by noble.
 *
 * Points live here, and Python holds their numbers. `web/python/boot.py` puts this behind `crypto.group`, which checks
 * every encoding itself. Scalars are 32 bytes, big-endian, below the order.
 */
import { bls12_381 } from "@noble/curves/bls12-381.js";
import * as mcl from "mcl-wasm";
import { bytes, type Bytes } from "./bytes";

const SCALAR = 32;
const points: (mcl.G1 | undefined)[] = [];
const free: number[] = [];

/** Load the engine. Everything else here waits for it. */
export async function ready(): Promise<void> {
  await mcl.init(mcl.BLS12_381);
  mcl.setETHserialization(true);
  mcl.verifyOrderG1(true);
}

function put(point: mcl.G1): number {
  const at = free.pop() ?? points.length;
  points[at] = point;
  return at;
}

function at(number: number): mcl.G1 {
  const point = points[number];
  if (!point) throw new RangeError(`there is no point ${number}`);
  return point;
}

function scalar(data: Uint8Array): mcl.Fr {
  const made = new mcl.Fr();
  made.deserialize(data);
  return made;
}

export const curve = {
  curve_identity(): number {
    const point = new mcl.G1();
    point.clear();
    return put(point);
  },
  /** The number of the point of 48 bytes; -1 if they encode none of G1. */
  curve_decode(data: Bytes): number {
    const point = new mcl.G1();
    try {
      point.deserialize(bytes(data));
    } catch {
      return -1;
    }
    return put(point);
  },
  curve_encode: (number: number): Uint8Array => at(number).serialize(),
  curve_hash(message: Bytes, tag: Bytes): number {
    const point = new mcl.G1();
    point.deserialize(bls12_381.G1.hashToCurve(bytes(message), { DST: bytes(tag) }).toBytes(true));
    return put(point);
  },
  curve_add: (left: number, right: number): number => put(mcl.add(at(left), at(right))),
  curve_neg: (number: number): number => put(mcl.neg(at(number))),
  curve_equal: (left: number, right: number): boolean => at(left).isEqual(at(right)),
  /** The sum of scalar * point. `numbers` are the points' numbers as little-endian words of 4 bytes. */
  curve_product(numbers: Bytes, scalars: Bytes): number {
    const given = bytes(numbers).slice();
    const which = new Uint32Array(given.buffer, 0, given.byteLength / 4);
    const factors = bytes(scalars);
    const terms = [...which].map(at);
    const by = terms.map((_, i) => scalar(factors.subarray(SCALAR * i, SCALAR * (i + 1))));
    const [point, factor] = [terms[0], by[0]];
    return put(terms.length === 1 && point && factor ? mcl.mul(point, factor) : mcl.mulVec(terms, by));
  },
  /** Forget a point that Python holds no more. */
  curve_release(number: number): void {
    points[number] = undefined;
    free.push(number);
  },
};
