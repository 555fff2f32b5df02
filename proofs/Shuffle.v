(* The shuffle (docs/proofs.md, section 4.3) and the mix (10.1): a tree of n, n + 1, n, n + 1 transcripts gives the
   permutation and the blindings, or a relation. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Cloche Require Import Equations Relations Products Tree.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section PermutationArgument.

Variables (F : fieldType) (V : lmodType F) (gen : generator -> V).

Notation equations := (Permutation.equations gen).

(* All challenges of one kind below one message differ. Those that are divided by are not 0. *)
Record accepting (s : Permutation.statement V) (m : messages V) (t : answers F) : Prop := Accepting {
  y_differ : different (Permutation.n s) (y t);
  y_not_0 : forall i, (i < Permutation.n s)%N -> y t i != 0;
  lam_differ : forall i, (i < Permutation.n s)%N -> different (Permutation.n s).+1 (lam t i);
  lam_not_0 : forall i j, (i < Permutation.n s)%N -> (j <= Permutation.n s)%N -> lam t i j != 0;
  z_differ : forall i j, (i < Permutation.n s)%N -> (j <= Permutation.n s)%N ->
    different (Permutation.n s) (z t i j);
  x_differ : forall i j k, (i < Permutation.n s)%N -> (j <= Permutation.n s)%N -> (k < Permutation.n s)%N ->
    different (Permutation.n s).+1 (x t i j k);
  passes : forall i j k l,
    (i < Permutation.n s)%N -> (j <= Permutation.n s)%N -> (k < Permutation.n s)%N -> (l <= Permutation.n s)%N ->
    accepts (equations (y t i) (lam t i j) (z t i j k) (x t i j k l) s (leaf m t i j k l)) }.

(* The witness of 4.1 and 10.1: one permutation and one list of blindings for all halves. *)
Definition permutes (n : nat) (order : nat -> nat) : Prop :=
  (forall a, (a < n)%N -> (order a < n)%N) /\
  (forall a a', (a < n)%N -> (a' < n)%N -> order a = order a' -> a = a').

Definition valid (s : Permutation.statement V) (found : witness F) : Prop :=
  permutes (Permutation.n s) (order found) /\
  forall o a, (o < Permutation.count s)%N -> (a < Permutation.n s)%N ->
    Permutation.after (Permutation.halves s o) a
    = Permutation.before (Permutation.halves s o) (order found a)
      + blindings found a *: Permutation.base (Permutation.halves s o).

Section Tree.

Variables (s : Permutation.statement V) (m : messages V) (t : answers F).

Notation n := (Permutation.n s).

Hypotheses (two : (1 < n)%N) (ok : accepting s m t).

Let pos : (0 < n)%N := ltnW two.

Lemma first_x i j k : (i < n)%N -> (j <= n)%N -> (k < n)%N -> x t i j k 0 != x t i j k 1.
Proof.
by move=> li lj lk; apply/eqP => /(x_differ ok li lj lk (ltn0Sn n) (pos : (1 < n.+1)%N)).
Qed.

(* ---- Step 1: openings ----------------------------------------------------------------------------------- *)

Lemma open_c2 i : (i < n)%N -> c2 m i = com gen n (p t i) (r2 t i) /\ c3 m i = com gen n (alpha t i) (r3 t i).
Proof.
move=> li; have [ok0 ok1] := (passes ok li (leq0n n) pos (leq0n n), passes ok li (leq0n n) pos pos).
exact: openings (first_x li (leq0n n) pos) (leaf_S1 ok0) (leaf_S1 ok1).
Qed.

Lemma open_c i j k : (i < n)%N -> (j <= n)%N -> (k < n)%N ->
  lam t i j *: c1 m + c2 m i - z t i j k *: (\sum_(a < n) gen (G a)) = com gen n (factor t i j k) (r t i j k) /\
  c_d m i j k = com gen n (fun a => rest t i j k (fun l => u t i j k l a)) (rest t i j k (z_u t i j k)).
Proof.
move=> li lj lk; have [ok0 ok1] := (passes ok li lj lk (leq0n n), passes ok li lj lk pos).
exact: openings (first_x li lj lk) (leaf_S3 ok0) (leaf_S3 ok1).
Qed.

Lemma same_b i j k l a :
  Permutation.b (y t i) (lam t i j) (z t i j k) (x t i j k l) s (leaf m t i j k l) a = b n t i j k l a.
Proof. by []. Qed.

Lemma open_c_Delta i j k : (i < n)%N -> (j <= n)%N -> (k < n)%N ->
  c_Delta m i j k
    = com gen n.-1 (fun a => step t i j k (fun l => climb n t i j k l a)) (step t i j k (z_s t i j k)) /\
  c_delta m i j k
    = com gen n.-1 (fun a => rest t i j k (fun l => climb n t i j k l a)) (rest t i j k (z_s t i j k)).
Proof.
move=> li lj lk; have [ok0 ok1] := (passes ok li lj lk (leq0n n), passes ok li lj lk pos).
exact: openings (first_x li lj lk) (leaf_S4 ok0) (leaf_S4 ok1).
Qed.

Lemma com_ones (v : F) : v *: (\sum_(a < n) gen (G a)) = com gen n (fun _ => v) 0.
Proof. by rewrite /com scale0r addr0 scaler_sumr. Qed.

Lemma open_c1 : c1 m = com gen n (e t) (r1 t).
Proof.
have [eq _] := open_c pos (leq0n n) pos; have [eq2 _] := open_c2 pos.
have nz := lam_not_0 ok pos (leq0n n).
apply: (scalerI nz); rewrite comZ.
have -> : lam t 0 0 *: c1 m
    = com gen n (factor t 0 0 0) (r t 0 0 0) - com gen n (p t 0) (r2 t 0) + com gen n (fun _ => z t 0 0 0) 0.
  by rewrite -eq -eq2 -com_ones addrAC subrK addrK.
rewrite comB comD; apply: eq_com => [a _|]; first by rewrite mulrCA divff // mulr1.
by rewrite mulrCA divff // mulr1 addr0.
Qed.

Lemma shuffle_differences d : d \in differences n t -> proper gen d.
Proof.
move=> /differencesP[i [j [k [l [[li lj lk ll] d_in]]]]]; have here := passes ok li lj lk ll.
have [e2 e3] := open_c2 li; have [ec ed] := open_c li lj lk; have [eD ed'] := open_c_Delta li lj lk.
move: d_in; rewrite !inE => /or4P[] /eqP ->; apply: proper_difference.
- exact: third (leaf_S1 here) e2 e3.
- rewrite -comB -[X in _ - X]ec e2 open_c1 com_ones comZ comD comB comB.
  rewrite -[RHS](scale0r (com gen n (e t) 0)) comZ; apply: eq_com => [a _|]; by rewrite ?subr0 mul0r subrr.
- exact: third (leaf_S3 here) ec ed.
- exact: third (leaf_S4 here) eD ed'.
Qed.

Section Trivial.

Hypothesis trivial : forall d, d \in differences n t -> ~~ nontrivial d.

Lemma one_c1 i j k a : (i < n)%N -> (j <= n)%N -> (k < n)%N -> (a < n)%N ->
  factor t i j k a = lam t i j * e t a + p t i a - z t i j k.
Proof.
move=> li lj lk la; have : ~~ nontrivial (difference_c1 n t i j k).
  by apply: trivial; apply: (mem_differences li lj lk (leq0n n)); rewrite !inE eqxx orbT.
by move=> /trivial_difference[/(_ a la) /eqP]; rewrite subr_eq0 => /eqP.
Qed.

Lemma line_u i j k l a : (i < n)%N -> (j <= n)%N -> (k < n)%N -> (l <= n)%N -> (a < n)%N ->
  u t i j k l a = x t i j k l * factor t i j k a + rest t i j k (fun l => u t i j k l a).
Proof.
move=> li lj lk ll la; have : ~~ nontrivial (difference_S3 n t i j k l).
  by apply: trivial; apply: (mem_differences li lj lk ll); rewrite !inE eqxx !orbT.
by move=> /trivial_difference[/(_ a la) /eqP]; rewrite subr_eq0 => /eqP <-.
Qed.

Lemma line_S4 i j k l a : (i < n)%N -> (j <= n)%N -> (k < n)%N -> (l <= n)%N -> (a < n.-1)%N ->
  climb n t i j k l a = x t i j k l * step t i j k (fun l => climb n t i j k l a)
                        + rest t i j k (fun l => climb n t i j k l a).
Proof.
move=> li lj lk ll la; have : ~~ nontrivial (difference_S4 n t i j k l).
  by apply: trivial; apply: (mem_differences li lj lk ll); rewrite !inE eqxx !orbT.
by move=> /trivial_difference[/(_ a la) /eqP]; rewrite subr_eq0 => /eqP <-.
Qed.

(* ---- Step 2: the product -------------------------------------------------------------------------------- *)

Lemma product_of_factors i j k : (i < n)%N -> (j <= n)%N -> (k < n)%N ->
  \prod_(a < n) factor t i j k a = Permutation.product (y t i) (lam t i j) (z t i j k) s.
Proof.
move=> li lj lk.
apply: (product_of_chain (x := x t i j k) (b := fun l => b n t i j k l) (w := fun l => u t i j k l)
  (d := fun a => rest t i j k (fun l => u t i j k l a))
  (s := fun a => step t i j k (fun l => climb n t i j k l a))
  (t := fun a => rest t i j k (fun l => climb n t i j k l a))) => //.
- exact: x_differ ok _ _ _ li lj lk.
- by move=> l a ll la; exact: line_u.
- move=> l _; rewrite /b /Permutation.b /= eqxx.
  by case: eqP => // zero; move: two; rewrite -(prednK pos) zero.
- move=> l a ll la; apply: line_S4 => //.
  by rewrite -ltnS prednK.
Qed.

(* ---- Step 3: the permutation ---------------------------------------------------------------------------- *)

Lemma productE (v w q : F) :
  Permutation.product v w q s = \prod_(c < n) (w * c.+1%:R + v ^+ c.+1 - q).
Proof.
rewrite /Permutation.product /product_of (iotaDl 1 0) -map_comp.
rewrite -(big_mkord xpredT (fun c => w * c.+1%:R + v ^+ c.+1 - q)) /index_iota subn0.
by elim: (iota 0 n) => [|c cs IH]; rewrite ?big_nil // big_cons /= IH.
Qed.

Lemma pairs i : (i < n)%N -> forall c : 'I_n, exists a : 'I_n, e t a = c.+1%:R /\ p t i a = y t i ^+ c.+1.
Proof.
move=> li; apply: (same_pairs (e := fun a => e t (nat_of_ord a)) (p := fun a => p t i (nat_of_ord a))
  (g := fun c => (nat_of_ord c).+1%:R) (h := fun c => y t i ^+ (nat_of_ord c).+1) (lam_differ ok li)).
move=> j lj; apply: (same_factors (z_differ ok li lj)) => k lk.
rewrite -productE -(product_of_factors li lj lk).
by apply: eq_bigr => a _; rewrite one_c1.
Qed.

(* The order q is larger than the number of cards. *)
Hypothesis large : forall c, (0 < c < n)%N -> c%:R != 0 :> F.

Lemma numbers_differ : uniq [seq c.+1%:R : F | c <- iota 0 n].
Proof.
have aux c c' : (c < c')%N -> (c' < n)%N -> c.+1%:R != c'.+1%:R :> F.
  move=> lt l'; rewrite eq_sym -subr_eq0.
  have -> : c'.+1%:R - c.+1%:R = (c' - c)%:R :> F by rewrite -(subSS c c') natrB // ltnS ltnW.
  by apply: large; rewrite subn_gt0 lt (leq_ltn_trans (leq_subr _ _)).
rewrite map_inj_in_uniq ?iota_uniq // => c c'; rewrite !mem_iota !add0n => /andP[_ lc] /andP[_ lc'] eq.
by case: (ltngtP c c') => // lt; [have := aux _ _ lt lc' | have := aux _ _ lt lc]; rewrite eq eqxx.
Qed.

Lemma permutation i : (i < n)%N -> exists h : 'I_n -> 'I_n, bijective h /\
  forall a : 'I_n, place n t a = h a /\ p t i a = y t i ^+ (h a).+1.
Proof.
move=> li; have [g gP] := fin_all_exists (pairs li).
have at_ (c : 'I_n) : index (e t (g c)) [seq c.+1%:R | c <- iota 0 n] = c.
  have [-> _] := gP c.
  have -> : (c.+1%:R : F) = nth 0 [seq c.+1%:R | c <- iota 0 n] c.
    by rewrite (nth_map 0%N) ?size_iota // nth_iota.
  by rewrite index_uniq ?size_map ?size_iota // numbers_differ.
have inj : injective g by move=> c c' eq; apply: ord_inj; rewrite -[LHS]at_ eq at_.
have [h gh hg] := injF_bij inj; exists h; split; first by exists g.
move=> a; have [_ eq] := gP (h a); have := at_ (h a); rewrite hg in eq *.
by [].
Qed.

(* ---- Step 4: the blindings ------------------------------------------------------------------------------ *)

Lemma weighted i o : (i < n)%N -> (o < Permutation.count s)%N ->
  \sum_(a < n) p t i a *: Permutation.after (Permutation.halves s o) a
  - \sum_(c < n) y t i ^+ c.+1 *: Permutation.before (Permutation.halves s o) c
  = rho t i *: Permutation.base (Permutation.halves s o).
Proof.
move=> li lo; have [ok0 ok1] := (passes ok li (leq0n n) pos (leq0n n), passes ok li (leq0n n) pos pos).
have [-> _] := two_points (first_x li (leq0n n) pos) (leaf_S2 ok0 lo) (leaf_S2 ok1 lo).
rewrite opprD addrACA -sumrB scalerDr scaler_sumr -slopeZ opprD addrA.
rewrite -[X in _ = X]add0r /rho scaleNr; congr (_ - _); apply/eqP; rewrite subr_eq0; apply/eqP.
by apply: eq_bigr => a _; rewrite -slopeZ.
Qed.

Lemma shuffle_valid : valid s (extract n t).
Proof.
have [h0 [[g0 hg0 gh0] h0P]] := permutation pos.
have placed (a : 'I_n) : place n t a = h0 a by have [] := h0P a.
split=> [|o a lo la].
  split=> [a la|a a' la la' /= eq]; first by rewrite /= (placed (Ordinal la)).
  apply: (congr1 val (_ : Ordinal la = Ordinal la')); apply: (can_inj hg0); apply: ord_inj.
  by rewrite -!placed.
pose D := Permutation.before (Permutation.halves s o).
pose K := Permutation.after (Permutation.halves s o).
pose v (c : nat) : V := if insub c is Some c' then K (g0 c') - D c else 0.
have solved (i : 'I_n) : \sum_(c < n) y t i ^+ c.+1 *: v c = rho t i *: Permutation.base (Permutation.halves s o).
  rewrite -(weighted (ltn_ord i) lo).
  have [h [_ hP]] := permutation (ltn_ord i).
  rewrite (eq_bigr (fun c : 'I_n => y t i ^+ c.+1 *: K (g0 c) - y t i ^+ c.+1 *: D c)) => [|c _]; last first.
    by rewrite /v valK scalerBr.
  rewrite sumrB; congr (_ - _); rewrite (reindex h0) /=; last by exists g0 => c _.
  apply: eq_bigr => c _; have [same ->] := hP c.
  by rewrite hg0 -same placed.
have := powers_solve (r := fun i => rho t i *: Permutation.base (Permutation.halves s o))
  (y_differ ok) (y_not_0 ok) solved (h0 (Ordinal la)).
rewrite /v valK hg0 /= /blinding (placed (Ordinal la)) valK => /eqP.
rewrite subr_eq addrC -/K -/D => /eqP ->; congr (_ + _).
by rewrite scaler_suml; apply: eq_bigr => i _; rewrite scalerA.
Qed.

End Trivial.

End Tree.

Theorem permutation_special_soundness (s : Permutation.statement V) (m : messages V) (t : answers F) :
  (1 < Permutation.n s)%N ->
  (forall c, (0 < c < Permutation.n s)%N -> c%:R != 0 :> F) ->
  accepting s m t ->
  sound gen (valid s) (extracted (differences (Permutation.n s) t) (extract (Permutation.n s) t)).
Proof.
move=> two large ok; apply: extractedP => [d|trivial]; first exact: (shuffle_differences two ok).
exact: (shuffle_valid two ok).
Qed.

(* The match deck: K_a = D_pi(a) + t_a H. *)
Theorem shuffle_special_soundness (n : nat) (D K : nat -> V) (m : messages V) (t : answers F) :
  (1 < n)%N -> (forall c, (0 < c < n)%N -> c%:R != 0 :> F) ->
  accepting (Shuffle.statement gen n D K) m t ->
  sound gen (fun found =>
      permutes n (order found) /\
      forall a, (a < n)%N -> K a = D (order found a) + blindings found a *: gen H)
    (extracted (differences n t) (extract n t)).
Proof.
move=> two large ok; have := permutation_special_soundness (s := Shuffle.statement gen n D K) two large ok.
by case: extracted => //= found [perm open]; split=> // a; exact: (open 0%N).
Qed.

(* The mix of a pack: both halves of K_a - D_pi(a) are t_a, once of U and once of the joint lock h. *)
Theorem mix_special_soundness (n : nat) (h : V) (D K : Mix.pack V) (m : messages V) (t : answers F) :
  (1 < n)%N -> (forall c, (0 < c < n)%N -> c%:R != 0 :> F) ->
  accepting (Mix.statement gen n h D K) m t ->
  sound gen (fun found =>
      permutes n (order found) /\
      forall a, (a < n)%N ->
        Mix.a K a = Mix.a D (order found a) + blindings found a *: gen U /\
        Mix.c K a = Mix.c D (order found a) + blindings found a *: h)
    (extracted (differences n t) (extract n t)).
Proof.
move=> two large ok; have := permutation_special_soundness (s := Mix.statement gen n h D K) two large ok.
case: extracted => //= found [perm open]; split=> // a la.
by split; [exact: (open 0%N) | exact: (open 1%N)].
Qed.

End PermutationArgument.
