(* Completeness (docs/proofs.md, sections 3.2, 4.2, 10.1 and 10.2): an honest prover's answers hold for all
   challenges. So the trees of the other files exist. The provers follow the `prove` of crypto/permutation.py,
   crypto/meal.py and crypto/linear.py step by step, with the same names. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Cloche Require Import Equations Relations Linear Meal Tree Shuffle.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

(* ---- Shuffle and mix ------------------------------------------------------------------------------------ *)

Section PermutationProver.

Variables (F : fieldType) (V : lmodType F) (gen : generator -> V).

Variables (s : Permutation.statement V) (known : witness F).
Notation n := (Permutation.n s).
Hypotheses (two : (1 < n)%N) (fits : valid s known).

(* The masks. The inner delta have the indices 1 ... n - 2. *)
Variables (r1 r2 r3 tau r_d s_1 s_x : F) (alpha d inner : nat -> F).
Definition delta (a : nat) : F := if a == 0%N then d 0 else if a == n.-1 then 0 else inner a.

Definition entry (a : nat) : F := (order known a).+1%:R.
(* 1. c1 = Com(pi(0)+1, ..., pi(n-1)+1; r1) *)
Definition c1 : V := com gen n entry r1.

(* 2. p_i = y^(pi(i)+1); c2 = Com(p; r2), c3 = Com(alpha; r3), E = sum_i alpha_i K_i + tau base *)
Definition p (y : F) (a : nat) : F := y ^+ (order known a).+1.
Definition c2 (y : F) : V := com gen n (p y) r2.
Definition c3 : V := com gen n alpha r3.
Definition sums (o : nat) : V :=
  \sum_(a < n) alpha a *: Permutation.after (Permutation.halves s o) a
  + tau *: Permutation.base (Permutation.halves s o).

(* 3. u_i = l (pi(i)+1) + p_i - z, r = l r1 + r2; b_0 = u_0, b_i = b_{i-1} u_i *)
Definition u (y lam z : F) (a : nat) : F := lam * entry a + p y a - z.
Definition b (y lam z : F) (a : nat) : F := \prod_(c < a.+1) u y lam z c.
Definition c_d : V := com gen n d r_d.
Definition c_delta : V := com gen n.-1 (fun a => - delta a * d a.+1) s_1.
Definition c_Delta (y lam z : F) : V :=
  com gen n.-1 (fun a => delta a.+1 - u y lam z a.+1 * delta a - b y lam z a * d a.+1) s_x.

(* 4. f_i = x p_i + alpha_i, z_f = x r2 + r3, z_t = -x R + tau with R = sum_i p_i t_i, and those of the product. *)
Definition prove (y lam z x : F) : Permutation.proof F V :=
  Permutation.Proof c1 (c2 y) c3 sums c_d c_delta (c_Delta y lam z)
    (fun a => x * p y a + alpha a) (x * r2 + r3)
    (- x * (\sum_(a < n) p y a * blindings known a) + tau)
    (fun a => x * u y lam z a + d a) (x * (lam * r1 + r2) + r_d)
    (fun a => x * b y lam z a + delta a) (x * s_x + s_1).

Let pos : (0 < n)%N := ltnW two.

(* pi as a permutation of the indices. *)
Lemma reorder (V' : zmodType) (g : nat -> V') : \sum_(a < n) g (order known a) = \sum_(c < n) g c.
Proof.
have [[inside once] _] := fits.
pose h (a : 'I_n) : 'I_n := Ordinal (inside a (ltn_ord a)).
have inj : injective h by move=> a a' /(congr1 val) /= /(once _ _ (ltn_ord a) (ltn_ord a')) /ord_inj.
by rewrite [RHS](reindex_inj inj).
Qed.

Lemma reorder_product (g : nat -> F) : \prod_(a < n) g (order known a) = \prod_(c < n) g c.
Proof.
have [[inside once] _] := fits.
pose h (a : 'I_n) : 'I_n := Ordinal (inside a (ltn_ord a)).
have inj : injective h by move=> a a' /(congr1 val) /= /(once _ _ (ltn_ord a) (ltn_ord a')) /ord_inj.
by rewrite [RHS](reindex_inj inj).
Qed.

(* The verifier's b~ are the prover's. *)
Lemma answers_of_product y lam z x a : (a < n)%N ->
  Permutation.b y lam z x s (prove y lam z x) a = x * b y lam z a + delta a.
Proof.
move=> la; rewrite /Permutation.b; case: (eqVneq a 0%N) => [-> /=|nz].
  by rewrite /delta eqxx /b big_ord_recl big_ord0 mulr1.
case: (eqVneq a n.-1) => [end_|ne]; last by [].
rewrite /delta (negbTE nz) end_ eqxx addr0 /b prednK //; congr (_ * _).
by rewrite (productE s) -(reorder_product (fun c => lam * c.+1%:R + y ^+ c.+1 - z)).
Qed.

Theorem permutation_complete (y lam z x : F) :
  accepts (Permutation.equations gen y lam z x s (prove y lam z x)).
Proof.
move=> eq; rewrite in_cons mem_cat !in_cons in_nil orbF /holds => /or4P[/eqP ->|/mapP[o]|/eqP ->|/eqP ->].
- rewrite sum_S1 /= /c2 /c3 comZ comD; exact: subrr.
- rewrite mem_iota => /andP[_ lo] ->; rewrite sum_S2 /= /sums.
  have [_ open] := fits.
  rewrite (eq_bigr (fun a : 'I_n =>
      x *: (p y a *: Permutation.before (Permutation.halves s o) (order known a))
      + (x * (p y a * blindings known a)) *: Permutation.base (Permutation.halves s o)
      + alpha a *: Permutation.after (Permutation.halves s o) a)) => [|a _]; last first.
    by rewrite scalerDl; congr (_ + _); rewrite (open o a lo (ltn_ord a)) scalerDr !scalerA mulrA.
  rewrite !big_split /= -scaler_suml -mulr_sumr -scaler_sumr.
  rewrite (reorder (fun c => y ^+ c.+1 *: Permutation.before (Permutation.halves s o) c)).
  set S := \sum_(c < n) _; set E := \sum_(a < n) _; rewrite scalerDl mulNr scaleNr.
  apply/eqP; rewrite subr_eq0; apply/eqP; rewrite -!addrA; congr (_ + _).
  by rewrite addrCA addNKr.
- rewrite sum_S3 /= /c1 /c2 /c_d com_ones comZ comD comB comZ comD comB.
  rewrite -[RHS](scale0r (com gen n d r_d)) comZ.
  by apply: eq_com => [a _|]; rewrite /u; ring.
rewrite sum_S4 /= /c_Delta /c_delta comZ comD comB -[RHS](scale0r (com gen n.-1 d r_d)) comZ.
apply: eq_com => [a la|]; last by ring.
have la1 : (a.+1 < n)%N by rewrite -ltnS prednK in la.
rewrite !answers_of_product ?(ltnW la1) //.
have -> : b y lam z a.+1 = b y lam z a * u y lam z a.+1 by rewrite /b big_ord_recr.
by ring.
Qed.

(* So every choice of challenges has its tree. *)
Corollary permutation_tree_exists (y : nat -> F) (lam : nat -> nat -> F) (z : nat -> nat -> nat -> F)
    (x : nat -> nat -> nat -> nat -> F) :
  different n y -> (forall i, (i < n)%N -> y i != 0) ->
  (forall i, (i < n)%N -> different n.+1 (lam i)) -> (forall i j, (i < n)%N -> (j <= n)%N -> lam i j != 0) ->
  (forall i j, (i < n)%N -> (j <= n)%N -> different n (z i j)) ->
  (forall i j k, (i < n)%N -> (j <= n)%N -> (k < n)%N -> different n.+1 (x i j k)) ->
  exists m t, accepting gen s m t /\ [/\ Tree.y t = y, Tree.lam t = lam, Tree.z t = z & Tree.x t = x].
Proof.
move=> y_differ y_nz lam_differ lam_nz z_differ x_differ.
pose at_ i j k l := prove (y i) (lam i j) (z i j k) (x i j k l).
exists (Messages c1 (fun i => c2 (y i)) (fun _ => c3) (fun _ => sums) (fun _ _ _ => c_d) (fun _ _ _ => c_delta)
          (fun i j k => c_Delta (y i) (lam i j) (z i j k))).
exists (Answers y lam z x
  (fun i j k l => Permutation.f (at_ i j k l)) (fun i j k l => Permutation.z_f (at_ i j k l))
  (fun i j k l => Permutation.z_t (at_ i j k l)) (fun i j k l => Permutation.u (at_ i j k l))
  (fun i j k l => Permutation.z_u (at_ i j k l)) (fun i j k l => Permutation.inner (at_ i j k l))
  (fun i j k l => Permutation.z_s (at_ i j k l))).
split=> //; split=> //= i j k l _ _ _ _; exact: permutation_complete.
Qed.

End PermutationProver.

(* ---- The sealed meal ------------------------------------------------------------------------------------ *)

Section MealProver.

Variables (F : fieldType) (V : lmodType F) (gen : generator -> V).

Variables (s : Meal.statement V) (known : Meal.witness F).
Notation m := (Meal.m s).
Notation C := (Meal.C s).
Hypothesis one_hot : forall j, (j < m)%N -> \sum_(c < C.+1) bits known (slot C j c) = 1.
Hypothesis binary : forall i, (i < Meal.size_of s)%N -> bits known i = 0 \/ bits known i = 1.
Hypothesis adds_up : R2 gen s known.

(* The masks a_{j,c}, e_c, r_A, r_Q, r_S, t_c and u_c, of course c from 0. *)
Variables (masks : nat -> nat -> F) (e_ : nat -> F) (r_A r_Q r_S : F) (t_ u_ : nat -> F).

(* a_{j,0} = -(a_{j,1} + ... + a_{j,C}) *)
Definition mask : nat -> F := Meal.slots s masks 0 e_.

(* B = Com(b; r_B), A = Com(a; r_A), Q = Com(a(1-2b); r_Q), S = Com(-a^2; r_S) *)
Definition first_meal : Meal.messages V :=
  Meal.Messages (com gen (Meal.size_of s) (bits known) (r_B known))
    (com gen (Meal.size_of s) mask r_A)
    (com gen (Meal.size_of s) (fun i => mask i * (1 - 2%:R * bits known i)) r_Q)
    (com gen (Meal.size_of s) (fun i => - mask i * mask i) r_S)
    (* W_c = sum_j a_{j,c} K_j - t_c A_0 - e_c A_1 - u_c H *)
    (fun c => \sum_(j < m) masks j c *: Meal.K s j
              - (t_ c *: gen (A 0) + e_ c *: gen (A 1) + u_ c *: gen H)).

(* f = x b + a, z_A = x r_B + r_A, z_Q = x r_Q + r_S, n_c = x N_c + t_c, k_c = x R_c + u_c *)
Definition answer_meal (x : nat -> F) : Meal.answers F :=
  Meal.Answers x
    (fun i j c => x i * bits known (slot C j c.+1) + masks j c)
    (fun i c => x i * bits known (slot_g m C c) + e_ c)
    (fun i => x i * r_B known + r_A) (fun i => x i * r_Q + r_S)
    (fun i c => x i * numbers known c + t_ c) (fun i c => x i * Meal.blindings known c + u_ c).

Definition prove_meal (x : nat -> F) (i : nat) : Meal.proof F V := Meal.leaf first_meal (answer_meal x) i.

Lemma answers_of_slots x i j : (j < Meal.size_of s)%N ->
  Meal.f (x i) s (prove_meal x i) j = x i * bits known j + mask j.
Proof.
move=> lj; rewrite /Meal.f /mask /Meal.slots; case: ifP => [inside|/negbT outside].
  have lr : (j %/ C.+1 < m)%N by rewrite ltn_divLR.
  case E: (j %% C.+1)%N => [|c]; last by rewrite /= /slot -E -divn_eq.
  have at_0 : j = slot C (j %/ C.+1) 0 by rewrite /slot -E -divn_eq.
  rewrite {2}at_0; have := one_hot lr; rewrite big_ord_recl /= => /(canRL (addrK _)) ->.
  have sums (v : nat -> F) : total_of [seq v c | c <- iota 0 C] = \sum_(c < C) v c.
    by rewrite -sum_iota /total_of /reducebig unlock foldr_map.
  rewrite !sums /= big_split -mulr_sumr /= mulrBr mulr1 sub0r opprD addrA.
  by congr (_ - _ * _ - _); apply: eq_bigr => c _.
by rewrite /= /slot_g subnKC // leqNgt.
Qed.

Lemma cancel (v1 v2 v3 w1 w2 w3 W : V) :
  v1 + v2 + v3 + W - (v1 + w1 + (v2 + w2) + (v3 + w3)) - (W - (w1 + w2 + w3)) = 0.
Proof.
have -> : v1 + w1 + (v2 + w2) + (v3 + w3) = (v1 + v2 + v3) + (w1 + w2 + w3).
  by rewrite [v1 + w1 + _]addrACA addrACA.
by rewrite opprD addrACA subrr add0r subrr.
Qed.

Theorem meal_complete (x : nat -> F) (i : nat) : accepts (Meal.equations gen (x i) s (prove_meal x i)).
Proof.
move=> eq; rewrite !in_cons /holds => /or3P[/eqP ->|/eqP ->|/mapP[c]].
- rewrite sum_M1 /= comZ comD comB -[RHS](scale0r (com gen (Meal.size_of s) mask 0)) comZ.
  by apply: eq_com => [j lj|]; rewrite ?answers_of_slots //; ring.
- rewrite sum_M2 /= comZ comD comB -[RHS](scale0r (com gen (Meal.size_of s) mask 0)) comZ.
  apply: eq_com => [j lj|]; last by ring.
  by rewrite answers_of_slots //; case: (binary lj) => ->; ring.
rewrite mem_iota => /andP[_ lc] ->; rewrite sum_M3 /=.
have := adds_up lc; set N := numbers known c; set g := bits known _; set R := Meal.blindings known c => r2.
rewrite (eq_bigr (fun j : 'I_m => x i *: (bits known (slot C j c.+1) *: Meal.K s j) + masks j c *: Meal.K s j))
  => [|j _]; last by rewrite scalerDl scalerA.
rewrite big_split /= -scaler_sumr r2 !scalerDl !scalerDr !scalerA; exact: cancel.
Qed.

(* So every three challenges have their transcripts. *)
Corollary meal_transcripts_exist (x : nat -> F) : different 3 x ->
  exists sent t, Meal.accepting gen s sent t /\ x = Meal.x t.
Proof.
by move=> x_differ; exists first_meal, (answer_meal x); split=> //; split=> // i _; exact: meal_complete.
Qed.

End MealProver.

(* ---- The linear argument -------------------------------------------------------------------------------- *)

Section LinearProver.

Variables (F : fieldType) (V : lmodType F) (gen : generator -> V).

Variables (s : Linear.statement V) (known : Linear.witness F).
Hypothesis holds_true : Linear.valid gen s known.

(* The masks k_x, k_n and k_t. *)
Variables (k_x k_n : F) (k_t : nat -> F).

(* T_1 = k_x U, T_2 = k_x sum_k w^k a_k, T_3 = k_x A + k_n A_0 + sum_t k_t B_t *)
Definition T_2 (w : F) : V := k_x *: (\sum_(k < Linear.m s) w ^+ k.+1 *: Linear.a s k.+1).
Definition T_3 : V :=
  if Linear.claimed s is Some c then
    k_x *: (\sum_(p < Linear.cards c) Linear.a_p c p)
    + (k_n *: gen (A 0) + \sum_(b <- Linear.others c) k_t b *: gen (B b))
  else 0.

(* s_x = k_x + e x, s_n = k_n + e n, s_t = k_t + e f_t *)
Definition prove_linear (w e : F) : Linear.proof F V :=
  Linear.Proof (k_x *: gen U) (T_2 w) T_3
    (k_x + e * key known) (k_n + e * number known) (fun b => k_t b + e * counts known b).

Theorem linear_complete (w e : F) :
  accepts (Linear.equations gen (@total F V) w e s (prove_linear w e)).
Proof.
have [R1 R2 R3] := holds_true.
move=> eq; rewrite in_cons mem_cat /holds => /or3P[/eqP ->|eq_in|eq_in].
- rewrite sum_L1 /= R1 scalerDl scalerA [k_x *: _ + _]addrC; exact: subrr.
- move: eq_in; case: ifP => // _; rewrite inE => /eqP ->.
  have multiple : \sum_(k < Linear.m s) w ^+ k.+1 *: Linear.D s k.+1
                  = key known *: (\sum_(k < Linear.m s) w ^+ k.+1 *: Linear.a s k.+1).
    by rewrite scaler_sumr; apply: eq_bigr => k _; rewrite (R2 k.+1 (ltn_ord k)) !scalerA mulrC.
  by rewrite sum_L2 /= /T_2 multiple scalerDl scalerA [k_x *: _ + _]addrC; exact: subrr.
move: eq_in; case E: (Linear.claimed s) => [c|] //; rewrite inE => /eqP ->.
rewrite sum_L3 /= /T_3 E; have := R3 c E => /(canRL (subrK _)) ->.
have traits : \sum_(b <- Linear.others c) (k_t b + e * counts known b) *: gen (B b)
    = \sum_(b <- Linear.others c) k_t b *: gen (B b) + e *: (\sum_(b <- Linear.others c) counts known b *: gen (B b)).
  by rewrite scaler_sumr -big_split; apply: eq_bigr => b _ /=; rewrite scalerDl scalerA.
rewrite traits !scalerDl !scalerDr !scalerA.
set a := k_x *: _; set N := k_n *: _; set T := \sum_(b <- _) k_t b *: _.
set v1 := (e * key known) *: _; set v2 := (e * number known) *: _; set v3 := e *: _.
apply/eqP; rewrite subr_eq0; apply/eqP.
by rewrite [N + v2 + _]addrACA [LHS]addrACA [RHS]addrC [v2 + v3 + v1]addrC.
Qed.

(* So the m values of w and two of e below each have their tree. *)
Corollary linear_tree_exists (w e e' : nat -> F) :
  different (width s) w -> (forall i, (i < width s)%N -> w i != 0) ->
  (forall i, (i < width s)%N -> e i != e' i) ->
  exists sent t, Linear.accepting gen s sent t /\ [/\ Linear.w t = w, Linear.e t = e & Linear.e' t = e'].
Proof.
move=> w_differ w_nz e_differ.
exists (Linear.Messages (fun _ => k_x *: gen U) (fun i => T_2 (w i)) (fun _ => T_3)).
exists (Linear.Answers w e e'
  (fun i => Linear.s_x (prove_linear (w i) (e i))) (fun i => Linear.s_n (prove_linear (w i) (e i)))
  (fun i => Linear.s_t (prove_linear (w i) (e i)))
  (fun i => Linear.s_x (prove_linear (w i) (e' i))) (fun i => Linear.s_n (prove_linear (w i) (e' i)))
  (fun i => Linear.s_t (prove_linear (w i) (e' i)))).
by split=> //; split=> // i _; split; exact: linear_complete.
Qed.

End LinearProver.
