import { describe, expect, it } from "vitest";
import type { DeskEvent, MatchView, Offered, Report, Section, Told } from "../page/desk";
import { after, plateOf } from "../page/flow/taught";
import { modules } from "../page/parts/qr";
import { plot } from "../page/people/chart";
import { withWords } from "../page/people/results";
import { pot, prizesIn, resultWords } from "../page/people/tournament";
import { waited } from "../page/people/waiting";
import { parts } from "../page/router";
import { toggled } from "../page/screens/album";
import { added, size } from "../page/screens/deck_list";
import { counted, steps } from "../page/screens/market";
import { handleFault } from "../page/screens/register";
import { gameIn, verdictOf } from "../page/screens/verify";
import { named, roundOf, toldWords, whyWords } from "../page/table/account_words";
import { bySuit, cardName } from "../page/table/french";
import { newMatch, take } from "../page/table/match";
import { asideOf, coursesOf, courseValues } from "../page/table/modes/chef/courses";
import { paintedPaths } from "../page/table/modes/chef/dishes";
import { courseOf, draftOf, kept, lay, mealOf, takeBack } from "../page/table/modes/chef/draft";
import { bareMoves, movesWith, moveWords, numbered } from "../page/table/moves";
import { refusalWords } from "../page/words";

describe("a QR code", () => {
  it("has a square for each dark module, within four modules of silence", () => {
    expect(modules([[true, false], [false, true]])).toBe("M4 4h1v1h-1zM5 5h1v1h-1z");
  });
});

describe("a favourite dish", () => {
  it("counts ingredients that are in it more than once", () => {
    expect(withWords([{ name: "Flour" }, { name: "Butter" }, { name: "Flour" }])).toBe("2 × Flour and Butter");
  });
});

describe("a meal while it is put together", () => {
  it("has each card on one course, and one recipe on a plate", () => {
    let draft = lay({}, 2, 7, true);
    draft = lay(draft, 2, 1, false);
    draft = lay(draft, 1, 1, false);
    expect(courseOf(draft, 1)).toBe(1);
    draft = lay(draft, 2, 9, true);
    expect(draft[2]).toEqual({ recipe: 9, ingredients: [] });
    expect(courseOf(draft, 7)).toBeNull();
  });

  it("names courses and ingredients in ascending order, as the rules take them", () => {
    let draft = lay({}, 3, 5, true);
    draft = lay(draft, 1, 30, false);
    draft = lay(draft, 1, 2, false);
    expect(mealOf(draft)).toEqual({
      dishes: [
        { course: 1, recipe: null, ingredients: [2, 30] },
        { course: 3, recipe: 5, ingredients: [] },
      ],
    });
    expect(mealOf(draftOf(mealOf(draft)))).toEqual(mealOf(draft));
  });

  it("forgets an empty plate", () => {
    expect(takeBack(lay({}, 2, 4, false), 4)).toEqual({});
  });

  it("keeps no card that has left the hand, and no course that has gone", () => {
    const table = {
      hand: [{ index: 1, slug: "bread" }],
      courses: [{ number: 2, name: "entree" as const, points: 3 }],
      sealed: null, phase: "meal" as const, final: 1,
      piles: [0, 0] as [number, number], hands: [1, 1] as [number, number], served: [[], []] as [string[], string[]],
    };
    const draft = lay(lay(lay({}, 2, 1, false), 2, 8, false), 1, 1, false);
    expect(kept(draft, table)).toEqual({});
    expect(kept(lay(lay({}, 2, 1, false), 2, 8, false), table)).toEqual({ 2: { recipe: null, ingredients: [1] } });
  });
});

describe("an account", () => {
  const told = (code: string, values: Told["values"], reasons: Told[] = [], text = "…"): Told => ({ code, values, reasons, text });
  const dish = told("dish", { seat: 0, course: 2, recipe: "toast", ingredients: ["bread", "tuna", "bread"], yum: 2 }, [
    told("units", { points: 1 }),
    told("match", { card: "bread", what: "bread", points: 1 }),
  ]);
  const sections: Section[] = [
    { heading: told("round", { round: 2, final: 0 }), lines: [told("missed_seal", { seat: 1 })], winners: null },
    { heading: told("course", { course: 2, winner: 0, points: 3 }), lines: [dish], winners: [0] },
    { heading: told("course", { course: 3, winner: null, points: 0 }), lines: [], winners: [] },
  ];
  const teller = { mode: "chef", names: ["ada", "bob"], card: (slug: string) => slug, values: courseValues };

  it("has its dishes under their courses", () => {
    expect(coursesOf(sections).map((course) => [course.course, course.winner, course.dishes.length])).toEqual([
      [2, 0, 1],
      [3, null, 0],
    ]);
    expect(roundOf({ seq: 9, round: 7, sections })).toBe(2);
    expect(roundOf({ seq: 9, round: 7, sections: sections.slice(1) })).toBe(0);
  });

  it("is told from codes and values", () => {
    expect(sections.map(({ heading }) => toldWords(heading!, teller))).toEqual([
      "Round 2",
      "Entree: ada wins 3 points",
      "Dessert: nobody wins",
    ]);
    expect(toldWords(dish, teller)).toBe("ada: toast with 2 × bread and tuna, 2 yum");
    expect(whyWords(dish, teller)).toBe("units +1 · bread matches bread +1");
    expect(asideOf(sections).map((line) => toldWords(line, teller))).toEqual(["bob sealed no meal in time"]);
  });

  it("is told as the house tells it, with names, where a code is new", () => {
    expect(toldWords(told("comet", { seat: 1 }, [], "Seat 1 sees a comet"), teller)).toBe("bob sees a comet");
    expect(named("seat 7 waits", teller.names)).toBe("seat 7 waits");
  });

  it("is told in the game's own words", () => {
    const run = told("run", { length: 3, times: 2, points: 8 });
    const hand = told("hand", { seat: 1, points: 8, total: 33, cards: ["5H", "JS"], starter: "4D", claim: null }, [run]);
    const cards = { mode: "cribbage", names: ["ada", "bob"], card: cardName };
    expect(toldWords(hand, cards)).toBe("bob’s hand, 5 of hearts and jack of spades: 8 points, now 33");
    expect(whyWords(hand, cards)).toBe("2 runs of 3 with their pairs 8");
  });
});

describe("a refusal", () => {
  it("is told by its code, else by its group, else as the house tells it", () => {
    expect(refusalWords("must_follow", "…")).toBe("You must follow the suit that was led.");
    expect(refusalWords("bad_cursor", "…")).toContain("(bad_cursor)");
    expect(refusalWords("comet", "A comet fell.")).toBe("A comet fell.");
  });
});

describe("legal moves", () => {
  const verbs = { takes: ["play", "lay"], numbers: ["cut"] };
  const moves: Offered[] = [
    { key: "a", move: { play: 3, card: "QS", stack: 2 } },
    { key: "b", move: { play: 3, card: "QS", stack: 5 } },
    { key: "c", move: { lay: [1, 4] } },
    { key: "d", move: { pass: true } },
    { key: "e", move: { cut: 7 } },
  ];

  it("are those with exactly the picked cards", () => {
    expect(movesWith(moves, new Set([3]), verbs).map((each) => each.key)).toEqual(["a", "b"]);
    expect(movesWith(moves, new Set([4, 1]), verbs).map((each) => each.key)).toEqual(["c"]);
    expect(movesWith(moves, new Set([1]), verbs)).toEqual([]);
  });

  it("without cards stand apart, and so do numbers", () => {
    expect(bareMoves(moves, verbs).map((each) => each.key)).toEqual(["d"]);
    expect([...numbered(moves, verbs).keys()]).toEqual(["cut"]);
  });

  it("are told in words", () => {
    expect(moveWords(moves[0]!.move, {}, verbs)).toBe("Lay the queen of spades on stack 2");
    expect(moveWords(moves[2]!.move, { 1: "5H", 4: "KD" }, verbs)).toBe("Lay away the 5 of hearts and king of diamonds");
    expect(moveWords({ pass: true }, {}, verbs)).toBe("Pass");
  });

  it("of a mode that the page does not know are told by their form", () => {
    expect(bareMoves([{ key: "f", move: { bid: 4 } }], verbs).length).toBe(1);
    expect(moveWords({ bid: 4 }, {}, verbs)).toBe('{"bid":4}');
  });
});

describe("what the kitchen says about a game", () => {
  const view = (seq: number, at: number) => ({ game: "g", seq, at }) as unknown as MatchView;
  const entry = (seq: number, at: number, game = "g"): DeskEvent => ({
    event: "entry", game, seq, kind: "move", seat: 0, body: {}, view: view(seq, at),
  });

  it("never goes back", () => {
    const match = newMatch();
    take(match, "g", entry(5, 1000), 1010);
    take(match, "g", entry(4, 900), 1020);
    expect(match.view.value?.seq).toBe(5);
  });

  it("is not taken from another game", () => {
    const match = newMatch();
    take(match, "g", entry(5, 1000, "other"), 1010);
    expect(match.view.value).toBeNull();
  });

  it("tells how far the clocks are apart, by the quickest news", () => {
    const match = newMatch();
    take(match, "g", entry(1, 1000), 5200);
    take(match, "g", entry(2, 2000), 6050);
    take(match, "g", entry(3, 3000), 7900);
    expect(match.skew.value).toBe(4050);
  });

  it("has each account once", () => {
    const match = newMatch();
    const event: DeskEvent = { event: "account", game: "g", account: { seq: 9, round: 1, sections: [] }, view: view(9, 0) };
    take(match, "g", event, 0);
    take(match, "g", event, 0);
    expect(match.accounts.value.length).toBe(1);
  });
});

describe("images of dishes", () => {
  it("belong to the account whose pictures they are, where the house has them", () => {
    const items = [
      { name: "12-1", dish: "1156-1027", painted: true },
      { name: "12-2", dish: "1281-1027", painted: false },
      { name: "12-3", dish: null, painted: false },
      { name: "12-4", dish: "1156-1001-1027", painted: true },
      { name: "112-2", dish: "1156-1027", painted: true },
    ];
    expect([...paintedPaths(12, items)]).toEqual([
      [1, "/api/v1/dishes/1156-1027/picture"],
      [4, "/api/v1/dishes/1156-1001-1027/picture"],
    ]);
  });
});

describe("small things", () => {
  it("a handle follows the house's rule", () => {
    expect(handleFault("ada")).toBeNull();
    expect(handleFault("ad")).toBe("short");
    expect(handleFault("1ada")).toBe("letters");
    expect(handleFault("ädä")).toBe("letters");
  });

  it("an address has parts", () => {
    expect(parts("#/deck/a%20b?x=1")).toEqual(["deck", "a b"]);
    expect(parts("")).toEqual([]);
  });

  it("a game's id is found in a link", () => {
    const id = "0f0e0d0c-1111-4222-8333-444455556666";
    expect(gameIn(`https://house/#/watch/${id}`)).toBe(id);
    expect(gameIn("tuna")).toBeNull();
  });

  it("a record that only lacks its end is not called false", () => {
    const fault = (code: string) => ({ valid: false, fault: { code } }) as unknown as Report;
    expect(verdictOf({ valid: true } as Report)).toBe("verify.valid");
    expect(verdictOf(fault("unfinished"))).toBe("verify.unfinished");
    expect(verdictOf(fault("bad_signature"))).toBe("verify.invalid");
  });

  it("a chip adds its words to the search, and takes them out again", () => {
    expect(toggled("tuna", "is:recipe")).toBe("tuna is:recipe");
    expect(toggled("tuna is:recipe", "is:recipe")).toBe("tuna");
  });

  it("a deck counts copies and forgets cards without any", () => {
    const deck = added(added({}, "tuna", 2), "rice", 1);
    expect(size(deck)).toBe(3);
    expect(added(deck, "rice", -1)).toEqual({ tuna: 2 });
    expect(added({}, "rice", -1)).toEqual({});
  });

  it("an offer's copies are counted by card", () => {
    expect(counted([{ card: "tuna" }, { card: "rice" }, { card: "tuna" }])).toEqual({ tuna: 2, rice: 1 });
  });

  it("prices are steps: each holds until the next sale", () => {
    expect(steps([10, 20], 100, 40)).toBe("M0 20H50V0H100");
  });

  it("cards have names, and an order by suit", () => {
    expect(cardName("10C")).toBe("10 of clubs");
    expect(cardName("Joker")).toBe("Joker");
    expect(["AH", "2C", "KC"].sort(bySuit)).toEqual(["KC", "2C", "AH"]);
  });

  it("the taught round judges nothing that was not prepared", () => {
    expect(plateOf(["tomato", "bread", "bruschetta"]).yum).toBe(4);
    expect(plateOf(["bread"]).yum).toBeNull();
    expect(plateOf(["caviar"])).toEqual({ balance: {}, yum: null, items: [] });
    expect(after("lay")).toBe("lid");
    expect(after("end")).toBe("end");
  });
});

describe("a chart of ratings", () => {
  const step = (points: number, deviation: number) => ({ at: "2026-11-23T09:00:00Z", result: "won" as const, points, deviation });

  it("runs from the first game to the last, between round numbers", () => {
    const { line, band, grid, last } = plot([step(1500, 500), step(1600, 400), step(1550, 300)]);
    expect(grid.map(({ points }) => points)).toEqual([1000, 1200, 1400, 1600, 1800, 2000]);
    expect([grid[0]!.y, grid.at(-1)!.y]).toEqual([100, 0]);
    expect(line).toBe("0,50 50,40 100,45");
    expect(band).toBe("0,0 50,0 100,15 100,75 50,80 0,100");
    expect(last).toEqual({ x: 100, y: 45 });
  });

  it("has its only game in the middle, also where nothing is uncertain", () => {
    const { line, grid } = plot([step(1500, 0)]);
    expect(line).toBe("50,100");
    expect(grid.map(({ points }) => points)).toEqual([1500, 1550]);
  });

  it("stands beside how long one has waited", () => {
    expect([waited(-5), waited(61_900), waited(3_600_000)]).toEqual(["0:00", "1:01", "60:00"]);
  });
});

describe("a tournament", () => {
  const pairing = { round: 1, board: 1, first: "ann", second: "bob", state: "over" as const, played: true, game: null, ruling: null };

  it("takes prizes that make a hundred, the first the greatest", () => {
    expect(prizesIn("60, 30 10 %")).toEqual([60, 30, 10]);
    expect(prizesIn("")).toEqual([]);
    for (const wrong of ["60, 30", "30, 70", "a", "99.5, 0.5", "100, 0"]) expect(prizesIn(wrong), wrong).toBeNull();
  });

  it("writes results as standings do", () => {
    const words = (["first", "second", "draw", "neither"] as const).map((result) => resultWords({ ...pairing, result }));
    expect(words).toEqual(["1 : 0", "0 : 1", "½ : ½", "0 : 0"]);
    expect(resultWords({ ...pairing, second: null, result: "first" })).toBe("+");
    expect(resultWords({ ...pairing, second: null, result: "neither" })).toBe("–");
    expect(resultWords({ ...pairing, result: null })).toBe("");
  });

  it("has all fees and what was added in its pot", () => {
    expect(pot({ fee: 20, entered: 4, added: 50 } as Parameters<typeof pot>[0])).toBe(130);
  });
});
