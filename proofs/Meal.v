(* The sealed meal (docs/proofs.md, sections 3.3 and 3.4): three transcripts give R1 and R2, and a legal meal. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Cloche Require Import Equations Relations.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section MealArgument.

Variable F : fieldType.

(* The first message, and three answers to it. Answer i has the challenge x i, for i = 0, 1, 2. *)
Record messages (P : Type) := Messages { seal : P; point_A : P; Q : P; S : P; W : nat -> P }.
Record answers := Answers {
  x : nat -> F;
  rows : nat -> nat -> nat -> F; f_g : nat -> nat -> F; z_A : nat -> F; z_Q : nat -> F;
  n : nat -> nat -> F; k : nat -> nat -> F }.

Definition leaf (P : Type) (sent : messages P) (t : answers) (i : nat) : Meal.proof F P :=
  Meal.Proof (seal sent) (point_A sent) (Q sent) (S sent) (W sent)
    (rows t i) (f_g t i) (z_A t i) (z_Q t i) (n t i) (k t i).

(* ---- The extractor, for m cards and C courses. Its arguments are numbers and scalars. -------------------- *)

Record witness := Witness {
  bits : nat -> F; r_B : F; numbers : nat -> F; blindings : nat -> F }.

Section Extractor.

Variables (m C : nat) (t : answers).

(* What multiplies the challenge in the first two answers. *)
Definition step (v : nat -> F) : F := slope (x t 0) (x t 1) (v 0%N) (v 1%N).
Definition rest (v : nat -> F) : F := offset (x t 0) (v 0%N) (step v).

(* The values in the slots need no point. *)
Definition silent : messages unit := Messages tt tt tt tt (fun _ => tt).
Definition sized : Meal.statement unit := Meal.Statement m (fun _ => tt) C.
Definition f (i j : nat) : F := Meal.f (x t i) sized (leaf silent t i) j.
Definition squares (i j : nat) : F := f i j * (x t i - f i j).

Definition extract : witness :=
  Witness (fun j => step (f^~ j)) (step (z_A t)) (fun c => step ((n t)^~ c)) (fun c => step ((k t)^~ c)).

(* M1 and M2 of the third answer, less what the first two say. *)
Definition difference_1 : terms F :=
  difference (Meal.size_of sized) (fun j => x t 2 * step (f^~ j) + rest (f^~ j) - f 2 j)
             (x t 2 * step (z_A t) + rest (z_A t) - z_A t 2).
Definition difference_2 : terms F :=
  difference (Meal.size_of sized) (fun j => x t 2 * step (squares^~ j) + rest (squares^~ j) - squares 2 j)
             (x t 2 * step (z_Q t) + rest (z_Q t) - z_Q t 2).
Definition differences : seq (terms F) := [:: difference_1; difference_2].

End Extractor.

Variables (V : lmodType F) (gen : generator -> V).

Notation equations := (Meal.equations gen).

Definition accepting (s : Meal.statement V) (sent : messages V) (t : answers) : Prop :=
  different 3 (x t) /\ forall i, (i < 3)%N -> accepts (equations (x t i) s (leaf sent t i)).

Notation extract_ s t := (extract (Meal.m s) (Meal.C s) t).
Notation differences_ s t := (differences (Meal.m s) (Meal.C s) t).
Notation f_ s t := (f (Meal.m s) (Meal.C s) t).
Notation squares_ s t := (squares (Meal.m s) (Meal.C s) t).

(* ---- R1 and R2 ------------------------------------------------------------------------------------------ *)

Definition slot (C j c : nat) : nat := (j * C.+1 + c)%N.
Definition slot_g (m C c : nat) : nat := (m * C.+1 + c)%N.

Definition R1 (s : Meal.statement V) (sent : messages V) (found : witness) : Prop :=
  [/\ seal sent = com gen (Meal.size_of s) (bits found) (r_B found),
      forall i, (i < Meal.size_of s)%N -> bits found i = 0 \/ bits found i = 1 &
      forall j, (j < Meal.m s)%N -> \sum_(c < (Meal.C s).+1) bits found (slot (Meal.C s) j c) = 1].

Definition R2 (s : Meal.statement V) (found : witness) : Prop :=
  forall c, (c < Meal.C s)%N ->
    \sum_(j < Meal.m s) bits found (slot (Meal.C s) j c.+1) *: Meal.K s j
    = numbers found c *: gen (A 0) + bits found (slot_g (Meal.m s) (Meal.C s) c) *: gen (A 1)
      + blindings found c *: gen H.

Lemma slots_card (P : Type) (s : Meal.statement P) r y g j c : (j < Meal.m s)%N -> (c < Meal.C s)%N ->
  Meal.slots (R := F) s r y g (slot (Meal.C s) j c.+1) = r j c.
Proof.
move=> lj lc; rewrite /Meal.slots /slot.
have -> : (j * (Meal.C s).+1 + c.+1 < Meal.m s * (Meal.C s).+1)%N.
  by apply: leq_trans (_ : j.+1 * (Meal.C s).+1 <= _)%N; rewrite ?leq_mul2r // mulSn addnC ltn_add2r.
by rewrite modnMDl divnMDl // divn_small // addn0 modn_small.
Qed.

Lemma slots_hand (P : Type) (s : Meal.statement P) r y g j : (j < Meal.m s)%N ->
  Meal.slots (R := F) s r y g (slot (Meal.C s) j 0) = y - \sum_(c < Meal.C s) r j c.
Proof.
move=> lj; rewrite /Meal.slots /slot addn0 ltn_mul2r lj /= modnMl mulnK //.
by rewrite -sum_iota /total_of /reducebig unlock foldr_map.
Qed.

Lemma slots_recipe (P : Type) (s : Meal.statement P) r y g c :
  Meal.slots (R := F) s r y g (slot_g (Meal.m s) (Meal.C s) c) = g c.
Proof. by rewrite /Meal.slots /slot_g ltnNge leq_addr /= addKn. Qed.

(* ---- One transcript ------------------------------------------------------------------------------------- *)

Section Leaf.

Variables (s : Meal.statement V) (y : F) (pf : Meal.proof F V).

Lemma sum_M1 : sum_of (Meal.M1 gen y s pf)
  = y *: Meal.seal pf + Meal.point_A pf - com gen (Meal.size_of s) (Meal.f y s pf) (Meal.z_A pf).
Proof.
rewrite /Meal.M1 !sum_ofE /= !addr0 scale1r /com opprD -scaleNr -sumrN.
by congr (_ + (_ + _)); apply: eq_bigr => i _; rewrite scaleNr.
Qed.

Lemma sum_M2 : sum_of (Meal.M2 gen y s pf)
  = y *: Meal.Q pf + Meal.S pf
    - com gen (Meal.size_of s) (fun i => Meal.f y s pf i * (y - Meal.f y s pf i)) (Meal.z_Q pf).
Proof.
rewrite /Meal.M2 !sum_ofE /= !addr0 scale1r /com opprD -scaleNr -sumrN.
by congr (_ + (_ + _)); apply: eq_bigr => i _; rewrite -scaleNr -mulrN opprB.
Qed.

Lemma sum_M3 c : sum_of (Meal.M3 gen s pf c)
  = \sum_(j < Meal.m s) Meal.rows pf j c *: Meal.K s j
    - (Meal.n pf c *: gen (A 0) + Meal.f_g pf c *: gen (A 1) + Meal.k pf c *: gen H) - Meal.W pf c.
Proof. by rewrite /Meal.M3 !sum_ofE /= !addr0 scaleN1r !scaleNr !opprD !addrA. Qed.

Hypothesis ok : accepts (equations y s pf).

Lemma leaf_M1 :
  y *: Meal.seal pf + Meal.point_A pf = com gen (Meal.size_of s) (Meal.f y s pf) (Meal.z_A pf).
Proof.
have /ok : Meal.M1 gen y s pf \in (equations y s pf : seq (seq (F * V))) by rewrite mem_head.
by rewrite /holds sum_M1 => /subr0_eq.
Qed.

Lemma leaf_M2 :
  y *: Meal.Q pf + Meal.S pf
  = com gen (Meal.size_of s) (fun i => Meal.f y s pf i * (y - Meal.f y s pf i)) (Meal.z_Q pf).
Proof.
have /ok : Meal.M2 gen y s pf \in (equations y s pf : seq (seq (F * V))).
  by rewrite !in_cons eqxx orbT.
by rewrite /holds sum_M2 => /subr0_eq.
Qed.

Lemma leaf_M3 c : (c < Meal.C s)%N ->
  \sum_(j < Meal.m s) Meal.rows pf j c *: Meal.K s j
  - (Meal.n pf c *: gen (A 0) + Meal.f_g pf c *: gen (A 1) + Meal.k pf c *: gen H) = Meal.W pf c.
Proof.
move=> lc; have /ok : Meal.M3 gen s pf c \in (equations y s pf : seq (seq (F * V))).
  by rewrite !in_cons map_f ?orbT // mem_iota.
by rewrite /holds sum_M3 => /subr0_eq.
Qed.

End Leaf.

(* ---- Special soundness ---------------------------------------------------------------------------------- *)

(* Step 4 of 3.3: a polynomial of degree 2 with three roots. *)
Lemma bit_of (b a p q x0 x1 x2 : F) :
  x0 != x1 -> x0 != x2 -> x1 != x2 ->
  (forall y, y \in [:: x0; x1; x2] -> (y * b + a) * (y - (y * b + a)) = y * p + q) ->
  b = 0 \/ b = 1.
Proof.
move=> n01 n02 n12 e.
have e0 := e x0 (mem_head _ _).
have e1 : (x1 * b + a) * (x1 - (x1 * b + a)) = x1 * p + q by apply: e; rewrite !inE eqxx orbT.
have e2 : (x2 * b + a) * (x2 - (x2 * b + a)) = x2 * p + q by apply: e; rewrite !inE eqxx !orbT.
have d01 : (x0 - x1) * (b * (1 - b) * (x0 + x1) + a * (1 - b) - a * b - p) = 0.
  have -> : (x0 - x1) * (b * (1 - b) * (x0 + x1) + a * (1 - b) - a * b - p)
          = ((x0 * b + a) * (x0 - (x0 * b + a)) - (x0 * p + q))
            - ((x1 * b + a) * (x1 - (x1 * b + a)) - (x1 * p + q)) by ring.
  by rewrite e0 e1 !subrr.
have d02 : (x0 - x2) * (b * (1 - b) * (x0 + x2) + a * (1 - b) - a * b - p) = 0.
  have -> : (x0 - x2) * (b * (1 - b) * (x0 + x2) + a * (1 - b) - a * b - p)
          = ((x0 * b + a) * (x0 - (x0 * b + a)) - (x0 * p + q))
            - ((x2 * b + a) * (x2 - (x2 * b + a)) - (x2 * p + q)) by ring.
  by rewrite e0 e2 !subrr.
move: d01 d02 => /eqP; rewrite mulf_eq0 subr_eq0 (negbTE n01) /= => /eqP d01.
move=> /eqP; rewrite mulf_eq0 subr_eq0 (negbTE n02) /= => /eqP d02.
have : (x1 - x2) * (b * (1 - b)) = 0.
  have -> : (x1 - x2) * (b * (1 - b))
          = (b * (1 - b) * (x0 + x1) + a * (1 - b) - a * b - p)
            - (b * (1 - b) * (x0 + x2) + a * (1 - b) - a * b - p) by ring.
  by rewrite d01 d02 subrr.
move=> /eqP; rewrite mulf_eq0 subr_eq0 (negbTE n12) /= mulf_eq0 subr_eq0.
by case/orP => /eqP; [left|right].
Qed.

Lemma lineP (t : answers) (v : nat -> F) i :
  x t 0 != x t 1 -> (i < 2)%N -> v i = x t i * step t v + rest t v.
Proof.
rewrite /rest /step /offset /slope => ne; have nz : x t 0 - x t 1 != 0 by rewrite subr_eq0.
by case: i => [|[|//]] _; [ring|field].
Qed.

Lemma cancel_sums (a b c d : F) : a - c - (b - d) + (c - d) = a - b.
Proof. ring. Qed.

Lemma swap (a b c d : V) : a - b = c - d -> a - c = b - d.
Proof. by move=> /eqP; rewrite subr_eq => /eqP ->; rewrite addrAC [c - d - c]addrAC subrr add0r addrC. Qed.

Lemma meal_differences (s : Meal.statement V) (sent : messages V) (t : answers) r :
  accepting s sent t -> r \in differences_ s t -> proper gen r.
Proof.
move=> [dx ok]; have n01 : x t 0 != x t 1 by apply/eqP => /(dx 0%N 1%N isT isT).
have ok0 := ok 0%N isT; have ok1 := ok 1%N isT; have ok2 := ok 2%N isT.
have [eB eA] := openings n01 (leaf_M1 ok0) (leaf_M1 ok1).
have [eQ eS] := openings n01 (leaf_M2 ok0) (leaf_M2 ok1).
rewrite !inE => /orP[] /eqP ->; apply: proper_difference.
  exact: third (leaf_M1 ok2) eB eA.
exact: third (leaf_M2 ok2) eQ eS.
Qed.

Lemma row (s : Meal.statement V) (t : answers) j c : (j < Meal.m s)%N -> (c < Meal.C s)%N ->
  bits (extract_ s t) (slot (Meal.C s) j c.+1) = slope (x t 0) (x t 1) (rows t 0 j c) (rows t 1 j c).
Proof. by move=> lj lc; rewrite /= /step /f /Meal.f !slots_card. Qed.

(* R2 needs two answers and no comparison. *)
Lemma meal_R2 (s : Meal.statement V) (sent : messages V) (t : answers) :
  accepting s sent t -> R2 s (extract_ s t).
Proof.
move=> [dx ok]; have n01 : x t 0 != x t 1 by apply/eqP => /(dx 0%N 1%N isT isT).
have ok0 := ok 0%N isT; have ok1 := ok 1%N isT.
move=> c lc.
have e := swap (etrans (leaf_M3 ok0 lc) (esym (leaf_M3 ok1 lc))).
transitivity (\sum_(j < Meal.m s) (x t 0 - x t 1)^-1 *:
                (rows t 0 j c *: Meal.K s j - rows t 1 j c *: Meal.K s j)).
  by apply: eq_bigr => j _; rewrite (row t (ltn_ord j) lc) slopeZ.
rewrite -scaler_sumr sumrB {}e /= /step /f /Meal.f !slots_recipe !slopeZ -!scalerDr; congr (_ *: _).
by rewrite opprD [LHS]addrACA; congr (_ + _); rewrite opprD [LHS]addrACA.
Qed.

Lemma meal_witness (s : Meal.statement V) (sent : messages V) (t : answers) :
  accepting s sent t -> (forall r, r \in differences_ s t -> ~~ nontrivial r) ->
  R1 s sent (extract_ s t).
Proof.
move=> [dx ok] trivial.
have neq i j : (i < 3)%N -> (j < 3)%N -> (i != j) -> x t i != x t j.
  by move=> li lj; apply: contraNN => /eqP /(dx _ _ li lj) ->.
have n01 := neq 0%N 1%N isT isT isT.
have ok0 := ok 0%N isT; have ok1 := ok 1%N isT.
have [eB _] := openings n01 (leaf_M1 ok0) (leaf_M1 ok1).
have [d1 _] := trivial_difference (trivial _ (mem_head _ _)).
have in2 : difference_2 (Meal.m s) (Meal.C s) t \in differences_ s t by rewrite !inE eqxx orbT.
have [d2 _] := trivial_difference (trivial _ in2).
have line i j : (i < 3)%N -> (j < Meal.size_of s)%N ->
    f_ s t i j = x t i * step t ((f_ s t)^~ j) + rest t ((f_ s t)^~ j) /\
    squares_ s t i j = x t i * step t ((squares_ s t)^~ j) + rest t ((squares_ s t)^~ j).
  move=> li lj; case: (ltnP i 2) => [l2|g2].
    by split; [exact: (lineP ((f_ s t)^~ j)) | exact: (lineP ((squares_ s t)^~ j))].
  have -> : i = 2%N by apply/eqP; rewrite eqn_leq g2 -ltnS li.
  by split; apply/esym/eqP; rewrite -subr_eq0; apply/eqP; [exact: d1 | exact: d2].
split=> //.
- move=> j lj; have [|e|] := bit_of (p := step t ((squares_ s t)^~ j)) (q := rest t ((squares_ s t)^~ j))
    (a := rest t ((f_ s t)^~ j)) (b := step t ((f_ s t)^~ j)) n01 (neq 0%N 2%N isT isT isT) (neq 1%N 2%N isT isT isT).
  + move=> y; rewrite !inE => /or3P[] /eqP ->.
    * by have [e1 e2] := line 0%N j isT lj; rewrite -e1 -e2.
    * by have [e1 e2] := line 1%N j isT lj; rewrite -e1 -e2.
    * by have [e1 e2] := line 2%N j isT lj; rewrite -e1 -e2.
  + by left.
  + by right.
- move=> j lj; have nz : x t 0 - x t 1 != 0 by rewrite subr_eq0.
  rewrite big_ord_recl (eq_bigr (fun c : 'I__ => slope (x t 0) (x t 1) (rows t 0 j c) (rows t 1 j c)));
    last by move=> c _; exact: (row t lj (ltn_ord c)).
  rewrite -mulr_suml sumrB /= /step /f /Meal.f !slots_hand //= /slope -mulrDl.
  by rewrite cancel_sums divff.
Qed.

Theorem meal_special_soundness (s : Meal.statement V) (sent : messages V) (t : answers) :
  accepting s sent t ->
  sound gen (fun found => R1 s sent found /\ R2 s found) (extracted (differences_ s t) (extract_ s t)).
Proof.
by move=> ok; apply: extractedP => [r|]; [exact: (meal_differences ok)
  | split; [exact: meal_witness | exact: (meal_R2 ok)]].
Qed.

End MealArgument.
