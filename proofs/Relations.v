(* What the theorems are about: equations in a vector space, relations among generators, and extractors.

   The group is any vector space V over any field F, and the generators are any points of it. In a cyclic group
   every two generators are related, so "there is a relation" would say nothing. An extractor is therefore a
   function of scalars alone: by its type it never sees a point. It returns a witness or a list of coefficients.
   The theorems say that the witness is valid, or that the coefficients are a relation. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Cloche Require Import Equations.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

(* Generators can be compared. *)
Definition generator_code (x : generator) : nat * nat :=
  match x with
  | H => (0, 0) | U => (1, 0) | A k => (2, k) | G i => (3, i) | B t => (4, t)
  end%N.
Definition generator_of (c : nat * nat) : generator :=
  match c.1 with 0 => H | 1 => U | 2 => A c.2 | 3 => G c.2 | _ => B c.2 end%N.
Lemma generator_codeK : cancel generator_code generator_of.
Proof. by case. Qed.
Definition generator_eqMixin := CanEqMixin generator_codeK.
Canonical generator_eqType := EqType generator generator_eqMixin.

Lemma sum_iota (V : zmodType) (n : nat) (f : nat -> V) : \sum_(i <- iota 0 n) f i = \sum_(i < n) f i.
Proof. by rewrite -(big_mkord xpredT f) /index_iota subn0. Qed.

Section Relations.

Variables (F : fieldType) (V : lmodType F) (gen : generator -> V).

(* The sum of an equation's terms. *)
Definition sum_of (eq : equation F V) : V := \sum_(t <- eq) t.1 *: t.2.
Definition holds (eq : equation F V) : Prop := sum_of eq = 0.
Definition accepts (eqs : seq (equation F V)) : Prop := forall eq, eq \in (eqs : seq (seq (F * V))) -> holds eq.

Lemma sum_of_cat e1 e2 : sum_of (e1 ++ e2) = sum_of e1 + sum_of e2.
Proof. exact: big_cat. Qed.
Lemma sum_of_cons t e : sum_of (t :: e) = t.1 *: t.2 + sum_of e.
Proof. exact: big_cons. Qed.
Lemma sum_of_nil : sum_of [::] = 0.
Proof. exact: big_nil. Qed.
Lemma sum_of_map n (c : nat -> F) (p : nat -> V) :
  sum_of [seq (c i, p i) | i <- iota 0 n] = \sum_(i < n) c i *: p i.
Proof. by rewrite /sum_of big_map sum_iota. Qed.
Lemma sum_of_seq (s : seq nat) (c : nat -> F) (p : nat -> V) :
  sum_of [seq (c i, p i) | i <- s] = \sum_(i <- s) c i *: p i.
Proof. by rewrite /sum_of big_map. Qed.
Definition sum_ofE := (sum_of_cat, sum_of_cons, sum_of_map, sum_of_nil).

(* A relation: generators, each named once, with coefficients that are not all zero, whose sum is zero. *)
Definition terms : Type := seq (F * generator).
Definition value (r : terms) : V := \sum_(t <- r) t.1 *: gen t.2.
Definition nontrivial (r : terms) : bool := has (fun t => t.1 != 0) r.
Definition relation (r : terms) : Prop := [/\ uniq (unzip2 r), nontrivial r & value r = 0].

(* An extractor looks through the differences that it computed. The first that is not all zero is its answer;
   else the witness is. *)
Definition extracted (W : Type) (differences : seq terms) (w : W) : terms + W :=
  if [seq r <- differences | nontrivial r] is r :: _ then inl r else inr w.

Definition sound (W : Type) (valid : W -> Prop) (found : terms + W) : Prop :=
  match found with inl r => relation r | inr w => valid w end.

Definition proper (r : terms) : Prop := uniq (unzip2 r) /\ value r = 0.

Lemma extractedP (W : Type) (valid : W -> Prop) (differences : seq terms) (w : W) :
  (forall r, r \in differences -> proper r) ->
  ((forall r, r \in differences -> ~~ nontrivial r) -> valid w) ->
  sound valid (extracted differences w).
Proof.
move=> good hw; rewrite /extracted.
case E: [seq r <- differences | nontrivial r] => [|r l] /=.
  apply: hw => r r_in; apply/negP => nt.
  by have := mem_filter nontrivial r differences; rewrite E r_in nt in_nil.
have: r \in [seq r <- differences | nontrivial r] by rewrite E mem_head.
by rewrite mem_filter => /andP[nt /good[un ze]].
Qed.

(* Com(v; r) = sum_i v_i G_i + r H, with n entries. *)
Definition com (n : nat) (v : nat -> F) (r : F) : V := \sum_(i < n) v i *: gen (G i) + r *: gen H.

Lemma comD n v v' r r' : com n v r + com n v' r' = com n (fun i => v i + v' i) (r + r').
Proof.
rewrite /com addrACA -big_split scalerDl; congr (_ + _).
by apply: eq_bigr => i _; rewrite scalerDl.
Qed.
Lemma comZ n a v r : a *: com n v r = com n (fun i => a * v i) (a * r).
Proof.
rewrite /com scalerDr scaler_sumr scalerA; congr (_ + _).
by apply: eq_bigr => i _; rewrite scalerA.
Qed.
Lemma comN n v r : - com n v r = com n (fun i => - v i) (- r).
Proof.
rewrite -scaleN1r comZ mulN1r /com; congr (_ + _).
by apply: eq_bigr => i _; rewrite mulN1r.
Qed.
Lemma comB n v v' r r' : com n v r - com n v' r' = com n (fun i => v i - v' i) (r - r').
Proof. by rewrite comN comD. Qed.
Lemma eq_com n v v' r r' : (forall i, (i < n)%N -> v i = v' i) -> r = r' -> com n v r = com n v' r'.
Proof. by move=> e ->; congr (_ + _); apply: eq_bigr => i _; rewrite e. Qed.

(* The difference of two openings, as terms. *)
Definition difference (n : nat) (v : nat -> F) (r : F) : terms :=
  rcons [seq (v i, G i) | i <- iota 0 n] (r, H).

Lemma value_difference n v r : value (difference n v r) = com n v r.
Proof. by rewrite /value /difference -cats1 big_cat big_seq1 big_map sum_iota. Qed.

Lemma proper_difference n v r : com n v r = 0 -> proper (difference n v r).
Proof.
move=> e; split; last by rewrite value_difference.
rewrite /difference /unzip2 map_rcons rcons_uniq -map_comp /=; apply/andP; split.
  by apply/mapP => -[].
by rewrite map_inj_uniq ?iota_uniq // => i j [].
Qed.

Lemma trivial_difference n v r :
  ~~ nontrivial (difference n v r) -> (forall i, (i < n)%N -> v i = 0) /\ r = 0.
Proof.
rewrite /nontrivial /difference has_rcons negb_or negbK has_map => /andP[/= /eqP -> /hasPn h].
split=> // i lt; have /h : i \in iota 0 n by rewrite mem_iota.
by rewrite /= negbK => /eqP.
Qed.

(* Two answers to two challenges: what multiplies the challenge, and what is left. *)
Definition slope (x x' v v' : F) : F := (v - v') / (x - x').
Definition offset (x v p : F) : F := v - x * p.

Lemma slopeZ (x x' v v' : F) (X : V) : slope x x' v v' *: X = (x - x')^-1 *: (v *: X - v' *: X).
Proof. by rewrite -scalerBl scalerA mulrC. Qed.

Lemma two_points (x x' : F) (X Y Z Z' : V) :
  x != x' -> x *: X + Y = Z -> x' *: X + Y = Z' ->
  X = (x - x')^-1 *: (Z - Z') /\ Y = Z - x *: X.
Proof.
move=> ne <- <-; split; last by rewrite addrC addKr.
rewrite opprD addrACA subrr addr0 -scalerBl scalerA mulVf ?scale1r //.
by rewrite subr_eq0.
Qed.

(* Two answers open the points X and Y. *)
Lemma openings n (x x' : F) (X Y : V) (v v' : nat -> F) (r r' : F) :
  let p i := slope x x' (v i) (v' i) in
  let s := slope x x' r r' in
  x != x' -> x *: X + Y = com n v r -> x' *: X + Y = com n v' r' ->
  X = com n p s /\ Y = com n (fun i => offset x (v i) (p i)) (offset x r s).
Proof.
move=> p s ne e e'; have [eX eY] := two_points ne e e'.
suff eXc : X = com n p s by split=> //; rewrite eY eXc comZ comB.
rewrite eX comB comZ; apply: eq_com => [i _|]; exact: mulrC.
Qed.

(* A third answer that does not lie on their line is a relation. *)
Lemma third n (x : F) (X Y : V) (v p a : nat -> F) (r s b : F) :
  x *: X + Y = com n v r -> X = com n p s -> Y = com n a b ->
  com n (fun i => x * p i + a i - v i) (x * s + b - r) = 0.
Proof. by move=> e eX eY; rewrite -comB -comD -comZ -eX -eY e subrr. Qed.

(* The system of Vandermonde whose rows begin with the first power. *)
Definition powers (n : nat) (w : nat -> F) : 'M[F]_n := \matrix_(i < n, k < n) w i ^+ k.+1.

Definition different (n : nat) (w : nat -> F) : Prop :=
  forall i j, (i < n)%N -> (j < n)%N -> w i = w j -> i = j.

Lemma powers_unit n w : different n w -> (forall i, (i < n)%N -> w i != 0) -> powers n w \in unitmx.
Proof.
move=> inj nz; rewrite -unitmx_tr -row_free_unit; apply: inj_row_free => v e.
pose p : {poly F} := \poly_(k < n) (if insub k is Some o then v 0 o else 0).
have roots: all (root p) [seq w i | i <- iota 0 n].
  apply/allP => _ /mapP[i + ->]; rewrite mem_iota => /andP[_ lt].
  have := congr1 (fun M : 'rV_n => M 0 (Ordinal lt)) e; rewrite !mxE => s.
  rewrite /root horner_poly -(inj_eq (mulfI (nz i lt))) mulr0 mulr_sumr -[X in _ == X]s; apply/eqP.
  by apply: eq_bigr => k _; rewrite valK !mxE exprS mulrCA.
have un: uniq [seq w i | i <- iota 0 n].
  rewrite map_inj_in_uniq ?iota_uniq // => i j; rewrite !mem_iota => /andP[_ li] /andP[_ lj].
  exact: inj.
have p0: p = 0.
  apply/eqP; apply: contraT => nz_p; have := max_poly_roots nz_p roots un.
  by rewrite size_map size_iota ltnNge size_poly.
apply/rowP => k; rewrite mxE; have := congr1 (fun q : {poly F} => q`_k) p0.
by rewrite coef_poly ltn_ord valK coef0.
Qed.

Lemma powers_solve n w (v r : nat -> V) :
  different n w -> (forall i, (i < n)%N -> w i != 0) ->
  (forall i : 'I_n, \sum_(k < n) w i ^+ k.+1 *: v k = r i) ->
  forall k : 'I_n, v k = \sum_(i < n) invmx (powers n w) k i *: r i.
Proof.
move=> inj nz e k.
rewrite (eq_bigr (fun i : 'I_n => \sum_(j < n) (invmx (powers n w) k i * powers n w i j) *: v j)).
  rewrite exchange_big (eq_bigr (fun j : 'I_n => (1%:M : 'M[F]_n) k j *: v j)) => [|j _].
    rewrite (bigD1 k) //= mxE eqxx scale1r big1 ?addr0 // => j ne.
    by rewrite mxE eq_sym (negbTE ne) scale0r.
  by rewrite -scaler_suml -(mulVmx (powers_unit inj nz)) !mxE.
move=> i _; rewrite -e scaler_sumr; apply: eq_bigr => j _.
by rewrite scalerA mxE.
Qed.

End Relations.
