(* The shuffle's tree of transcripts, its extractor, and what one leaf says (docs/proofs.md, section 4.3).

   The argument is that of crypto/permutation.py: a shuffle has one half, a mix two. Its tree has n different y,
   n + 1 lambda below each, n z below each, and n + 1 x below each. Indices i, j, k, l count them from 0. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Cloche Require Import Equations Relations.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

(* The prover's points: c1 comes before y, c2, c3 and the E of each half before lambda and z, the rest before x. *)
Record messages (P : Type) := Messages {
  c1 : P; c2 : nat -> P; c3 : nat -> P; sums : nat -> nat -> P;
  c_d : nat -> nat -> nat -> P; c_delta : nat -> nat -> nat -> P; c_Delta : nat -> nat -> nat -> P }.

(* The challenges and the answers of leaf (i, j, k, l). *)
Record answers (F : Type) := Answers {
  y : nat -> F; lam : nat -> nat -> F; z : nat -> nat -> nat -> F; x : nat -> nat -> nat -> nat -> F;
  f : nat -> nat -> nat -> nat -> nat -> F; z_f : nat -> nat -> nat -> nat -> F;
  z_t : nat -> nat -> nat -> nat -> F;
  u : nat -> nat -> nat -> nat -> nat -> F; z_u : nat -> nat -> nat -> nat -> F;
  inner : nat -> nat -> nat -> nat -> nat -> F; z_s : nat -> nat -> nat -> nat -> F }.

Definition leaf (F : comRingType) (P : Type) (m : messages P) (t : answers F) (i j k l : nat) :
    Permutation.proof F P :=
  Permutation.Proof (c1 m) (c2 m i) (c3 m i) (sums m i) (c_d m i j k) (c_delta m i j k) (c_Delta m i j k)
    (f t i j k l) (z_f t i j k l) (z_t t i j k l) (u t i j k l) (z_u t i j k l) (inner t i j k l)
    (z_s t i j k l).

(* ---- The extractor -------------------------------------------------------------------------------------- *)

Section Extractor.

Variables (F : fieldType) (n : nat) (t : answers F).

(* What multiplies x in the first two leaves below (i, j, k), and what is left. *)
Definition step (i j k : nat) (v : nat -> F) : F := slope (x t i j k 0) (x t i j k 1) (v 0%N) (v 1%N).
Definition rest (i j k : nat) (v : nat -> F) : F := offset (x t i j k 0) (v 0%N) (step i j k v).
(* The value of their line at leaf l, less the answer there. *)
Definition bent (i j k l : nat) (v : nat -> F) : F := x t i j k l * step i j k v + rest i j k v - v l.

(* c2 = Com(p; r2), read below the first lambda and z. *)
Definition p (i a : nat) : F := step i 0 0 (fun l => f t i 0 0 l a).
Definition r2 (i : nat) : F := step i 0 0 (z_f t i 0 0).
Definition alpha (i a : nat) : F := rest i 0 0 (fun l => f t i 0 0 l a).
Definition r3 (i : nat) : F := rest i 0 0 (z_f t i 0 0).
(* c = Com(u; r) *)
Definition factor (i j k a : nat) : F := step i j k (fun l => u t i j k l a).
Definition r (i j k : nat) : F := step i j k (z_u t i j k).
(* c1 = Com(e; r1), from c = lambda c1 + c2 - z sum_i G_i *)
Definition e (a : nat) : F := (factor 0 0 0 a - p 0 a + z t 0 0 0) / lam t 0 0.
Definition r1 : F := (r 0 0 0 - r2 0) / lam t 0 0.

(* The entries of S4, which need no point. *)
Definition silent : messages unit :=
  Messages tt (fun _ => tt) (fun _ => tt) (fun _ _ => tt)
    (fun _ _ _ => tt) (fun _ _ _ => tt) (fun _ _ _ => tt).
Definition sized : Permutation.statement unit :=
  Permutation.Statement n 0 (fun _ => Permutation.Half (fun _ => tt) (fun _ => tt) tt).
Definition b (i j k l : nat) : nat -> F :=
  Permutation.b (y t i) (lam t i j) (z t i j k) (x t i j k l) sized (leaf silent t i j k l).
Definition climb (i j k l a : nat) : F := x t i j k l * b i j k l a.+1 - b i j k l a * u t i j k l a.+1.

(* Two openings of one commitment, for S1, for c1, for S3 and for S4. *)
Definition difference_S1 (i j k l : nat) : terms F :=
  difference n (fun a => x t i j k l * p i a + alpha i a - f t i j k l a)
             (x t i j k l * r2 i + r3 i - z_f t i j k l).
Definition difference_c1 (i j k : nat) : terms F :=
  difference n (fun a => lam t i j * e a + p i a - z t i j k - factor i j k a)
             (lam t i j * r1 + r2 i - r i j k).
Definition difference_S3 (i j k l : nat) : terms F :=
  difference n (fun a => bent i j k l (fun l => u t i j k l a)) (bent i j k l (z_u t i j k)).
Definition difference_S4 (i j k l : nat) : terms F :=
  difference n.-1 (fun a => bent i j k l (fun l => climb i j k l a)) (bent i j k l (z_s t i j k)).

Definition leaves : seq (nat * nat * (nat * nat)) :=
  [seq (above, below) | above <- [seq (i, j) | i <- iota 0 n, j <- iota 0 n.+1],
                        below <- [seq (k, l) | k <- iota 0 n, l <- iota 0 n.+1]].
Definition differences : seq (terms F) :=
  flatten [seq let: (i, j, (k, l)) := leaf in
               [:: difference_S1 i j k l; difference_c1 i j k; difference_S3 i j k l; difference_S4 i j k l]
          | leaf <- leaves].

Record witness := Witness { order : nat -> nat; blindings : nat -> F }.

(* pi(a) + 1 is the entry a of c1. *)
Definition place (a : nat) : nat := index (e a) [seq c.+1%:R | c <- iota 0 n].
(* Step 4: sum_c y^(c+1) (K_{pi^-1(c)} - D_c) = rho_y H at n values of y *)
Definition rho (i : nat) : F := - step i 0 0 (z_t t i 0 0).
Definition blinding (a : nat) : F :=
  if insub (place a) is Some c then \sum_(i < n) invmx (powers n (y t)) c i * rho i else 0.

Definition extract : witness := Witness place blinding.

Lemma mem_differences i j k l d :
  (i < n)%N -> (j <= n)%N -> (k < n)%N -> (l <= n)%N ->
  d \in [:: difference_S1 i j k l; difference_c1 i j k; difference_S3 i j k l; difference_S4 i j k l] ->
  d \in differences.
Proof.
move=> li lj lk ll d_in; apply/flatten_mapP; exists (i, j, (k, l)) => //.
by rewrite /leaves !allpairs_f // mem_iota.
Qed.

Lemma differencesP d : d \in differences -> exists i j k l,
  [/\ (i < n)%N, (j <= n)%N, (k < n)%N & (l <= n)%N] /\
  d \in [:: difference_S1 i j k l; difference_c1 i j k; difference_S3 i j k l; difference_S4 i j k l].
Proof.
case/flatten_mapP => -[above below] /allpairsP[q [q1 q2 eq]].
have [i [j [li lj e1]]] : exists i j, [/\ i \in iota 0 n, j \in iota 0 n.+1 & above = (i, j)].
  by have /allpairsP[[i j] [? ? e]] := q1; exists i, j; split=> //; rewrite -e; case: eq.
have [k [l [lk ll e2]]] : exists k l, [/\ k \in iota 0 n, l \in iota 0 n.+1 & below = (k, l)].
  by have /allpairsP[[k l] [? ? e]] := q2; exists k, l; split=> //; rewrite -e; case: eq.
rewrite e1 e2 => d_in; exists i, j, k, l; split=> //.
by rewrite !mem_iota in li lj lk ll.
Qed.

End Extractor.

(* ---- One leaf ------------------------------------------------------------------------------------------- *)

Section Leaf.

Variables (F : fieldType) (V : lmodType F) (gen : generator -> V).
Variables (s : Permutation.statement V) (y lam z x : F) (pf : Permutation.proof F V).

Notation equations := (Permutation.equations gen y lam z x s pf).
Notation n := (Permutation.n s).
Notation half := (Permutation.halves s).

Lemma sum_S1 : sum_of (Permutation.S1 gen x s pf)
  = x *: Permutation.c2 pf + Permutation.c3 pf - com gen n (Permutation.f pf) (Permutation.z_f pf).
Proof.
rewrite /Permutation.S1 !sum_ofE /= !addr0 scale1r /com opprD -scaleNr -sumrN.
by congr (_ + (_ + _)); apply: eq_bigr => a _; rewrite scaleNr.
Qed.

Lemma sum_S2 o : sum_of (Permutation.S2 y x s pf o)
  = \sum_(a < n) Permutation.f pf a *: Permutation.after (half o) a + Permutation.z_t pf *: Permutation.base (half o)
    - (x *: (\sum_(c < n) y ^+ c.+1 *: Permutation.before (half o) c) + Permutation.sums pf o).
Proof.
rewrite /Permutation.S2 !sum_ofE /= !addr0 scaleN1r -addrA opprD scaler_sumr -sumrN.
by congr (_ + (_ + (_ - _))); apply: eq_bigr => c _; rewrite scalerA mulNr scaleNr.
Qed.

Lemma sum_S3 : sum_of (Permutation.S3 gen lam z x s pf)
  = x *: (lam *: Permutation.c1 pf + Permutation.c2 pf - z *: (\sum_(a < n) gen (G a))) + Permutation.c_d pf
    - com gen n (Permutation.u pf) (Permutation.z_u pf).
Proof.
rewrite /Permutation.S3 !sum_ofE /= !addr0 scale1r.
have -> : \sum_(a < n) (- x * z - Permutation.u pf a) *: gen (G a)
          = - (x *: (z *: (\sum_(a < n) gen (G a)))) - \sum_(a < n) Permutation.u pf a *: gen (G a).
  rewrite !scaler_sumr -!sumrN -big_split; apply: eq_bigr => a _ /=.
  by rewrite scalerBl scalerA mulNr scaleNr.
rewrite scaleNr /com scalerBr scalerDr scalerA opprD !addrA; congr (_ - _ - _).
by rewrite [LHS]addrAC [x *: (lam *: _)]scalerA.
Qed.

Lemma sum_S4 : sum_of (Permutation.S4 gen y lam z x s pf)
  = x *: Permutation.c_Delta pf + Permutation.c_delta pf
    - com gen n.-1 (fun a => x * Permutation.b y lam z x s pf a.+1
                             - Permutation.b y lam z x s pf a * Permutation.u pf a.+1)
        (Permutation.z_s pf).
Proof.
rewrite /Permutation.S4 !sum_of_cat sum_of_seq !sum_of_cons !sum_of_nil /= !addr0 scale1r.
rewrite (iotaDl 1 0) big_map sum_iota /= /com opprD -scaleNr -sumrN.
by congr (_ + (_ + _)); apply: eq_bigr => a _; rewrite -scaleNr opprB.
Qed.

Hypothesis ok : accepts equations.

Lemma leaf_S1 : x *: Permutation.c2 pf + Permutation.c3 pf = com gen n (Permutation.f pf) (Permutation.z_f pf).
Proof.
have /ok : Permutation.S1 gen x s pf \in (equations : seq (seq (F * V))) by rewrite mem_head.
by rewrite /holds sum_S1 => /subr0_eq.
Qed.

Lemma leaf_S2 o : (o < Permutation.count s)%N ->
  x *: (\sum_(c < n) y ^+ c.+1 *: Permutation.before (half o) c) + Permutation.sums pf o
  = \sum_(a < n) Permutation.f pf a *: Permutation.after (half o) a + Permutation.z_t pf *: Permutation.base (half o).
Proof.
move=> lo; have /ok : Permutation.S2 y x s pf o \in (equations : seq (seq (F * V))).
  by rewrite in_cons mem_cat map_f ?orbT // mem_iota.
by rewrite /holds sum_S2 => /subr0_eq.
Qed.

Lemma leaf_S3 :
  x *: (lam *: Permutation.c1 pf + Permutation.c2 pf - z *: (\sum_(a < n) gen (G a))) + Permutation.c_d pf
  = com gen n (Permutation.u pf) (Permutation.z_u pf).
Proof.
have /ok : Permutation.S3 gen lam z x s pf \in (equations : seq (seq (F * V))).
  by rewrite in_cons mem_cat mem_head !orbT.
by rewrite /holds sum_S3 => /subr0_eq.
Qed.

Lemma leaf_S4 :
  x *: Permutation.c_Delta pf + Permutation.c_delta pf
  = com gen n.-1 (fun a => x * Permutation.b y lam z x s pf a.+1
                           - Permutation.b y lam z x s pf a * Permutation.u pf a.+1)
        (Permutation.z_s pf).
Proof.
have /ok : Permutation.S4 gen y lam z x s pf \in (equations : seq (seq (F * V))).
  by rewrite in_cons mem_cat !in_cons eqxx !orbT.
by rewrite /holds sum_S4 => /subr0_eq.
Qed.

End Leaf.
