(* From points to cards (docs/proofs.md, section 3.4): a meal that passes is legal, or there is a relation.

   The rules ask: each card of the hand lies in one box; no course has two recipes; each cost is met exactly.
   The vectors of cards are integers here, and the equations hold in the field. So the theorem also says that
   nothing wraps around mod q, with up to 40 cards in hand. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Cloche Require Import Equations Relations Meal.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The legality that the rules ask for, of a choice that puts hand card j into box j, 0 being the hand. *)
Record legal (m C : nat) (vector : nat -> nat -> int) (box : nat -> nat) : Prop := Legal {
  one_box : forall j, (j < m)%N -> (box j <= C)%N;
  one_recipe : forall c, (1 <= c <= C)%N -> \sum_(j < m | box j == c) vector j 1%N <= 1;
  costs_met : forall c, (1 <= c <= C)%N -> forall k, (2 <= k < entries)%N ->
    \sum_(j < m | box j == c) vector j k = 0 }.

(* What the texts of cards allow: a card is a recipe or not, and its nets are small. *)
Definition card_like (bound : nat) (vector : nat -> int) : Prop :=
  (vector 1%N = 0 \/ vector 1%N = 1) /\ forall k, (2 <= k < entries)%N -> `|vector k| <= bound%:Z.

(* ---- The extractor, for m cards and C courses, and openings of the cards. It sees no point. -------------- *)

Section Extractor.

Variables (F : fieldType) (m C : nat) (vector : nat -> nat -> int) (blinding : nat -> F).

(* Which box a card lies in. *)
Definition box (found : witness F) (j : nat) : nat :=
  head 0%N [seq c <- iota 0 C.+1 | bits found (slot C j c) == 1].

(* How many recipes that makes in a course, by the cards in it. *)
Definition recipes (found : witness F) (c : nat) : int := \sum_(j < m | box found j == c.+1) vector j 1%N.

(* The coefficients in R2 of course c, c from 0. *)
Definition coefficient (found : witness F) (c k : nat) : F :=
  \sum_(j < m) bits found (slot C j c.+1) * (vector j k)%:~R
  - (if k == 0%N then numbers found c else if k == 1%N then bits found (slot_g m C c) else 0).
Definition card_difference (found : witness F) (c : nat) : terms F :=
  rcons [seq (coefficient found c k, A k) | k <- iota 0 entries]
        (\sum_(j < m) bits found (slot C j c.+1) * blinding j - blindings found c, H).
Definition card_differences (found : witness F) : seq (terms F) :=
  [seq card_difference found c | c <- iota 0 C].

End Extractor.

Section LegalMeal.

Variables (F : fieldType) (V : lmodType F) (gen : generator -> V).

(* The field is that of the scalars mod q. *)
Variable q : nat.
Hypothesis order : q \in [char F].

Lemma no_wrap (z : int) : `|z| < q%:Z -> z%:~R = 0 :> F -> z = 0.
Proof.
move=> small zero; apply/eqP; rewrite -absz_eq0; apply: contraTT small => nz.
have div : (q %| `|z|)%N.
  rewrite (dvdn_charf order); apply/eqP; move: zero; case: z {nz} => [k|k].
    by rewrite -pmulrn.
  by rewrite NegzE abszN mulrNz -pmulrn /= => /eqP; rewrite oppr_eq0 => /eqP.
by rewrite -abszE ltz_nat -leqNgt dvdn_leq // lt0n.
Qed.

Lemma no_wrap_nat (k l : nat) : (k < q)%N -> (l < q)%N -> k%:R = l%:R :> F -> k = l.
Proof.
have aux a b : (a <= b)%N -> (b < q)%N -> a%:R = b%:R :> F -> a = b.
  move=> ab lb e; apply/eqP; rewrite eqn_leq ab -subn_eq0; apply: contraTT lb => nz.
  rewrite -leqNgt (leq_trans _ (leq_subr a b)) // dvdn_leq ?lt0n //.
  by rewrite (dvdn_charf order) natrB // e subrr.
move=> lk ll e; case: (leqP k l) => [kl|/ltnW lk']; first exact: aux.
by apply/esym; apply: aux.
Qed.

Variables (s : Meal.statement V) (sent : messages V) (t : answers F).

Notation m := (Meal.m s).
Notation C := (Meal.C s).
Notation box := (box C).

(* The openings of the cards in hand. They are known to whoever played the house and ran the extractor of the
   match deck, or they are the ones that a reveal brings. *)
Variables (vector : nat -> nat -> int) (blinding : nat -> F).

Definition opened : Prop := forall j, (j < m)%N ->
  holds (Meal.opening_of_card gen (Meal.K s j) (fun k => (vector j k)%:~R) (blinding j)).

Lemma card_differences_proper found r :
  opened -> R2 gen s found -> r \in card_differences m C vector blinding found -> proper gen r.
Proof.
move=> open r2 /mapP[c]; rewrite mem_iota => /andP[_ lc] ->; split.
  by [].
have card j : (j < m)%N ->
    Meal.K s j = \sum_(k < entries) (vector j k)%:~R *: gen (A k) + blinding j *: gen H.
  move=> lj; have /eqP := open j lj; rewrite /holds /Meal.opening_of_card 2!sum_of_cat sum_of_map.
  rewrite !(sum_of_cons, sum_of_nil) !addr0 scale1r.
  rewrite (eq_bigr (fun k : 'I__ => - ((vector j k)%:~R *: gen (A k)))) => [|k _]; last by rewrite scaleNr.
  by rewrite sumrN scaleNr -opprD subr_eq0 => /eqP.
have := r2 c lc; rewrite (eq_bigr (fun j : 'I_m =>
    \sum_(k < entries) (bits found (slot C j c.+1) * (vector j k)%:~R) *: gen (A k)
    + (bits found (slot C j c.+1) * blinding j) *: gen H)) => [|j _]; last first.
  rewrite (card j (ltn_ord j)) scalerDr scaler_sumr scalerA; congr (_ + _).
  by apply: eq_bigr => k _; rewrite scalerA.
rewrite big_split exchange_big /= -scaler_suml => e.
rewrite /value /card_difference -cats1 big_cat big_seq1 big_map sum_iota /=.
rewrite scalerBl (eq_bigr (fun k : 'I_entries =>
    (\sum_(j < m) (bits found (slot C j c.+1) * (vector j k)%:~R) *: gen (A k))
    - (if k == 0%N :> nat then numbers found c else if k == 1%N :> nat then bits found (slot_g m C c) else 0)
      *: gen (A k))) => [|k _]; last by rewrite /coefficient scalerBl scaler_suml.
rewrite sumrB addrACA -opprD {}e; apply/eqP; rewrite subr_eq0; apply/eqP; congr (_ + _).
rewrite /entries !big_ord_recl big_ord0 /= !scale0r !addr0.
by [].
Qed.

(* What a reveal shows of the seal. *)
Definition opens (found : witness F) : Prop :=
  holds (Meal.opening_of_seal gen s (seal sent) (box found) (fun c => (recipes m C vector found c)%:~R) (r_B found)).

Section Trivial.

Variable found : witness F.
Hypothesis r1 : R1 gen s sent found.
Hypothesis trivial : forall r, r \in card_differences m C vector blinding found -> ~~ nontrivial r.
Hypotheses (few : (m <= 40)%N) (courses : (C <= 40)%N) (large : (41 < q)%N).

(* Exactly one of a card's bits is 1. *)
Lemma one_bit j : (j < m)%N ->
  (box found j <= C)%N /\ forall c, (c <= C)%N -> bits found (slot C j c) = (box found j == c)%:R.
Proof.
move=> lj; have [_ bit one] := r1.
pose ones := [seq c <- iota 0 C.+1 | bits found (slot C j c) == 1].
have bitj d : (d <= C)%N -> bits found (slot C j d) = (bits found (slot C j d) == 1)%:R.
  move=> ld; have : (slot C j d < Meal.size_of s)%N.
    rewrite /slot /Meal.size_of; apply: ltn_addr; apply: leq_trans (_ : j.+1 * C.+1 <= _)%N.
      by rewrite mulSn addnC ltn_add2r.
    by rewrite leq_mul2r lj orbT.
  by move=> /bit[] ->; rewrite ?eqxx // eq_sym oner_eq0.
have size1 : size ones = 1%N.
  apply: no_wrap_nat; [|exact: leq_ltn_trans large|].
    apply: leq_ltn_trans (_ : C.+1 < q)%N; last by apply: leq_ltn_trans large.
    by rewrite size_filter (leq_trans (count_size _ _)) // size_iota.
  have := one j lj; rewrite (eq_bigr (fun c : 'I__ => (bits found (slot C j c) == 1)%:R)) => [|d _]; last first.
    by apply: bitj; rewrite -ltnS.
  rewrite -(sum_iota C.+1 (fun d => (bits found (slot C j d) == 1)%:R)) => e.
  rewrite [RHS]mulr1n -[RHS]e -sum1_size natr_sum /ones big_filter big_mkcond.
  by apply: eq_bigr => d _; case: (_ == 1).
have mem c : (c <= C)%N -> (c \in ones) = (bits found (slot C j c) == 1).
  by move=> lc; rewrite mem_filter mem_iota add0n ltnS lc leq0n !andbT.
have : box found j = head 0%N ones by [].
have inside d : d \in ones -> (d <= C)%N by rewrite mem_filter mem_iota add0n ltnS => /and3P[].
move: size1 mem inside; case: ones => [//|d [|//]] _ mem inside -> /=.
split=> [|c lc]; first by apply: inside; rewrite mem_head.
by rewrite (bitj c lc) -mem // inE eq_sym.
Qed.

(* The sums in R2 are sums over the cards in a box. *)
Lemma sum_of_box c (v : nat -> F) : (c <= C)%N ->
  \sum_(j < m) bits found (slot C j c) * v j = \sum_(j < m | box found j == c) v j.
Proof.
move=> lc; rewrite [RHS]big_mkcond; apply: eq_bigr => j _.
have [_ /(_ c lc) ->] := one_bit (ltn_ord j).
by case: (_ == _); rewrite ?mul1r ?mul0r.
Qed.

Lemma agree c k : (c < C)%N -> (k < entries)%N ->
  (\sum_(j < m | box found j == c.+1) vector j k)%:~R
  = if k == 0%N then numbers found c else if k == 1%N then bits found (slot_g m C c) else 0 :> F.
Proof.
move=> lc lk; have : card_difference m C vector blinding found c \in card_differences m C vector blinding found.
  by apply: map_f; rewrite mem_iota.
move=> /trivial; rewrite /nontrivial /card_difference has_rcons negb_or has_map => /andP[_ /hasPn].
move=> /(_ k); rewrite mem_iota => /(_ lk) /=; rewrite negbK /coefficient subr_eq0 => /eqP <-.
by rewrite (sum_of_box (fun j => (vector j k)%:~R)) // rmorph_sum.
Qed.

Lemma small_sum c k (bound : nat) :
  (forall j, (j < m)%N -> `|vector j k| <= bound%:Z) ->
  `|\sum_(j < m | box found j == c) vector j k| <= (40 * bound)%N%:Z.
Proof.
move=> b; apply: le_trans (ler_norm_sum _ _ _) _.
apply: le_trans (_ : \sum_(j < m) bound%:Z <= _).
  rewrite big_mkcond; apply: ler_sum => j _; case: ifP => _; last by [].
  exact: b.
by rewrite sumr_const card_ord -mulr_natr natz -PoszM lez_nat mulnC leq_mul2r few orbT.
Qed.

Lemma meal_legal (bound : nat) :
  (40 * bound < q)%N ->
  (forall j, (j < m)%N -> card_like bound (vector j)) ->
  legal m C vector (box found).
Proof.
move=> fits cards; split.
- by move=> j /one_bit[].
- move=> [//|c] /= lc.
  have size_of_card j : (j < m)%N -> `|vector j 1%N| <= 1%:Z.
    by move=> /cards[[->|->] _].
  have [_ bit _] := r1.
  have lg : (slot_g m C c < Meal.size_of s)%N by rewrite ltn_add2l.
  set sum := \sum_(j < m | _) _.
  have sum_small : `|sum| <= 40%:Z by have := small_sum c.+1 size_of_card; rewrite muln1.
  have sum_pos : 0 <= sum.
    by apply: sumr_ge0 => j _; have [[->|->] _] := cards j (ltn_ord j).
  have := agree lc (isT : (1 < entries)%N); rewrite -/sum /= => e.
  case: (bit _ lg) => b; rewrite b in e.
    suff -> : sum = 0 by [].
    apply: no_wrap e; apply: le_lt_trans sum_small _; rewrite ltz_nat.
    exact: leq_ltn_trans large.
  suff /eqP : sum - 1 = 0 by rewrite subr_eq0 => /eqP ->.
  apply: no_wrap; last by rewrite rmorphB /= e subrr.
  apply: le_lt_trans (ler_norm_sub _ _) _; rewrite normr1.
  by apply: le_lt_trans (_ : 41%:Z < _); [rewrite -(ler_add2r 1) in sum_small | rewrite ltz_nat].
- move=> [//|c] /= lc k /andP[k2 k7]; apply: no_wrap.
    apply: le_lt_trans (small_sum (bound := bound) _ _) _; last by rewrite ltz_nat.
    by move=> j lj; have [_] := cards j lj; apply; rewrite k2.
  by rewrite (agree lc k7); case: k k2 {k7} => [|[|k]].
Qed.

(* The seal opens by these boxes, these recipes and r_B, in the equation that a verifier checks at a reveal. *)
Lemma rows_of (k r : nat) (f : nat -> V) :
  \sum_(i < r * k) f i = \sum_(j < r) \sum_(c < k) f (j * k + c)%N.
Proof.
elim: r => [|r IH]; first by rewrite mul0n !big_ord0.
by rewrite mulSnr big_split_ord /= IH big_ord_recr.
Qed.

Lemma meal_opens : opens found.
Proof.
have [eq _ _] := r1.
rewrite /opens /holds /Meal.opening_of_seal !sum_ofE /= !addr0 scale1r eq /com /Meal.size_of big_split_ord /=.
rewrite (rows_of C.+1 m (fun i => bits found i *: gen (G i))) scaleNr.
have -> : \sum_(j < m) \sum_(c < C.+1) bits found (j * C.+1 + c)%N *: gen (G (j * C.+1 + c))
          = \sum_(j < m) gen (G (j * C.+1 + box found j)).
  apply: eq_bigr => j _; have [inside bit] := one_bit (ltn_ord j).
  rewrite (bigD1 (Ordinal (inside : box found j < C.+1)%N)) //= (bit _ inside) eqxx scale1r big1 ?addr0 // => c ne.
  rewrite (bit c (ltn_ord c)) (_ : (_ == _) = false) ?scale0r //.
  by apply: contraNF ne => /eqP box_c; apply/eqP/ord_inj.
have -> : \sum_(c < C) - (recipes m C vector found c)%:~R *: gen (G (m * C.+1 + c))
          = - (\sum_(c < C) bits found (m * C.+1 + c)%N *: gen (G (m * C.+1 + c))).
  by rewrite -sumrN; apply: eq_bigr => c _; rewrite scaleNr (agree (ltn_ord c) (isT : (1 < entries)%N)).
have -> : \sum_(j < m) -1 *: gen (G (j * C.+1 + box found j))
          = - (\sum_(j < m) gen (G (j * C.+1 + box found j))).
  by rewrite -sumrN; apply: eq_bigr => j _; rewrite scaleN1r.
by rewrite -!opprD addrA subrr.
Qed.

End Trivial.

(* The whole: three transcripts and known openings give a legal meal, or a relation. *)
Theorem meal_is_legal (bound : nat) :
  accepting gen s sent t -> opened ->
  (m <= 40)%N -> (C <= 40)%N -> (41 < q)%N -> (40 * bound < q)%N ->
  (forall j, (j < m)%N -> card_like bound (vector j)) ->
  let found := extract m C t in
  sound gen (fun found =>
      [/\ R1 gen s sent found, R2 gen s found, legal m C vector (box found) & opens found])
    (extracted (differences m C t ++ card_differences m C vector blinding found) found).
Proof.
move=> ok open few courses large fits cards found; have r2 := meal_R2 ok.
apply: extractedP => [r|trivial].
  by rewrite mem_cat => /orP[]; [exact: (meal_differences ok) | exact: card_differences_proper].
have trivial1 r : r \in differences m C t -> ~~ nontrivial r by move=> i; apply: trivial; rewrite mem_cat i.
have trivial2 r : r \in card_differences m C vector blinding found -> ~~ nontrivial r.
  by move=> i; apply: trivial; rewrite mem_cat i orbT.
have r1 := meal_witness ok trivial1; split=> //; [exact: meal_legal cards | exact: meal_opens].
Qed.

End LegalMeal.
