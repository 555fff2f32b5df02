(* Steps 2 and 3 of the shuffle's extractor (docs/proofs.md, section 4.3), where no point occurs: products and
   roots of polynomials over a field.

   Step 3 of the page factors a polynomial in two variables. Here it is taken apart at each value of lambda:
   two products of linear factors in z are the same polynomial, so each root of one is a root of the other. With
   n + 1 values of lambda and n places, one place serves two values of lambda. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Cloche Require Import Equations Relations.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Products.

Variable F : fieldType.

Lemma many_roots m (x : nat -> F) (p : {poly F}) :
  different m x -> (size p <= m)%N -> (forall l, (l < m)%N -> p.[x l] = 0) -> p = 0.
Proof.
move=> dx small zero; apply/eqP; apply: contraT => nz.
have roots : all (root p) [seq x l | l <- iota 0 m].
  by apply/allP => _ /mapP[l + ->]; rewrite mem_iota /root => /andP[_ /zero ->].
have un : uniq [seq x l | l <- iota 0 m].
  rewrite map_inj_in_uniq ?iota_uniq // => i j; rewrite !mem_iota => /andP[_ li] /andP[_ lj].
  exact: dx.
by have := max_poly_roots nz roots un; rewrite size_map size_iota ltnNge small.
Qed.

(* Step 2: the answers b~ climb from u~_0 to x P. Leaf l has the challenge x l and the answers b l, w l. *)
Section Chain.

Variables (n : nat) (x : nat -> F) (b w : nat -> nat -> F) (u d s t : nat -> F) (P : F).
Hypotheses (two : (1 < n)%N) (dx : different n.+1 x).
Hypothesis line : forall l a, (l <= n)%N -> (a < n)%N -> w l a = x l * u a + d a.
Hypothesis first : forall l, (l <= n)%N -> b l 0 = w l 0.
Hypothesis last : forall l, (l <= n)%N -> b l n.-1 = x l * P.
Hypothesis climb : forall l a, (l <= n)%N -> (a.+1 < n)%N ->
  x l * b l a.+1 - b l a * w l a.+1 = x l * s a + t a.

Lemma chain a : (a < n)%N ->
  exists2 r : {poly F}, (size r <= a.+1)%N &
    forall l, (l <= n)%N -> x l ^+ a * b l a = (\prod_(c < a.+1) u c) * x l ^+ a.+1 + r.[x l].
Proof.
elim: a => [|a IH] lt.
  exists (d 0%N)%:P => [|l ll]; first exact: size_polyC_leq1.
  by rewrite big_ord_recl big_ord0 hornerC first // line // expr0 expr1 mul1r mulr1 mulrC.
have [r small e] := IH (ltnW lt).
pose c := \prod_(i < a.+1) u i.
exists (r * ((u a.+1)%:P * 'X + (d a.+1)%:P) + (c * d a.+1 + s a) *: 'X^a.+1 + t a *: 'X^a).
  have term k (v : F) : (k <= a.+1)%N -> (size (v *: 'X^k) <= a.+2)%N.
    by move=> ka; apply: leq_trans (size_scale_leq _ _) _; rewrite size_polyXn.
  have sum (g h : {poly F}) : (size g <= a.+2)%N -> (size h <= a.+2)%N -> (size (g + h)%R <= a.+2)%N.
    by move=> sg sh; apply: leq_trans (size_add _ _) _; rewrite geq_max sg.
  have linear : (size ((u a.+1)%:P * 'X + (d a.+1)%:P)%R <= 2)%N.
    by rewrite size_MXaddC; case: ifP => // _; rewrite ltnS size_polyC_leq1.
  apply: (sum); last exact: term.
  apply: (sum); last exact: term.
  apply: leq_trans (size_mul_leq _ _) _; have := leq_add small linear.
  by rewrite addn2; case: (_ + _)%N.
move=> l ll; have := e l ll; have := climb ll lt; rewrite (line ll lt) => up here.
have -> : \prod_(i < a.+2) u i = c * u a.+1 by rewrite big_ord_recr.
have -> : (r * ((u a.+1)%:P * 'X + (d a.+1)%:P) + (c * d a.+1 + s a) *: 'X^a.+1 + t a *: 'X^a).[x l]
    = r.[x l] * (u a.+1 * x l + d a.+1) + (c * d a.+1 + s a) * x l ^+ a.+1 + t a * x l ^+ a.
  by rewrite !(hornerD, hornerZ, hornerM, hornerX, hornerC, hornerXn).
have -> : x l ^+ a.+1 * b l a.+1
    = x l ^+ a * (x l * b l a.+1 - b l a * (x l * u a.+1 + d a.+1))
      + x l ^+ a * b l a * (x l * u a.+1 + d a.+1) by rewrite exprS; ring.
by rewrite {}up {}here -/c !exprS; ring.
Qed.

Lemma product_of_chain : \prod_(c < n) u c = P.
Proof.
have lt : (n.-1 < n)%N by rewrite prednK // ltnW.
have [r small e] := chain lt; have pos : (n.-1).+1 = n by rewrite prednK // ltnW.
rewrite pos in small e.
pose g : {poly F} := (\prod_(c < n) u c - P) *: 'X^n + r.
have g0 : g = 0.
  apply: (many_roots dx) => [|l ll].
    rewrite (leq_trans (size_add _ _)) // geq_max (leq_trans small) // andbT.
    by apply: leq_trans (size_scale_leq _ _) _; rewrite size_polyXn.
  rewrite /g !hornerE !hornerXn mulrBl addrAC -(e l ll) (last ll).
  by rewrite mulrA -exprSr pos mulrC subrr.
have := congr1 (fun p : {poly F} => p`_n) g0.
rewrite coefD coefZ coefXn eqxx mulr1 coef0 (nth_default _ small) addr0 => /eqP.
by rewrite subr_eq0 => /eqP.
Qed.

End Chain.

(* Step 3 at one lambda: products of n factors that agree at n values of z have the same factors. *)
Lemma same_factors n (z : nat -> F) (v w : 'I_n -> F) :
  different n z ->
  (forall k, (k < n)%N -> \prod_a (v a - z k) = \prod_a (w a - z k)) ->
  forall t, exists a, v a = w t.
Proof.
move=> dz agree t.
pose of_ (c : 'I_n -> F) : {poly F} := \prod_a ('X - (c a)%:P).
have size_of c : size (of_ c) = n.+1.
  by rewrite /of_ -big_enum size_prod_XsubC size_enum_ord.
have top c : (of_ c)`_n = 1.
  have : of_ c \is monic by apply: monic_prod => a _; exact: monicXsubC.
  by rewrite monicE /lead_coef size_of => /eqP.
have at_ c y : (of_ c).[y] = (-1) ^+ #|'I_n| * \prod_a (c a - y).
  rewrite /of_ horner_prod -prodrN; apply: eq_bigr => a _.
  by rewrite !hornerE opprB.
have zero : of_ v - of_ w = 0.
  apply: (many_roots dz) => [|k lk]; last by rewrite hornerD hornerN !at_ agree // subrr.
  apply/leq_sizeP => k; rewrite leq_eqVlt => /orP[/eqP <-|lt].
    by rewrite coefB !top subrr.
  by rewrite coefB !nth_default ?size_of ?subrr.
have := at_ v (w t); rewrite (subr0_eq zero) at_ (bigD1 t) //= subrr mul0r mulr0 => /esym/eqP.
rewrite mulf_eq0 signr_eq0 prodf_seq_eq0 => /hasP[a _ /=]; rewrite subr_eq0 => /eqP.
by exists a.
Qed.

(* Step 3 at n + 1 values of lambda. *)
Lemma same_pairs n (lam : nat -> F) (e p g h : 'I_n -> F) :
  different n.+1 lam ->
  (forall j, (j <= n)%N -> forall t, exists a, lam j * e a + p a = lam j * g t + h t) ->
  forall t, exists a, e a = g t /\ p a = h t.
Proof.
move=> dl some t.
have [c cP] := fin_all_exists (fun j : 'I_n.+1 => some j (ltn_ord j) t).
have /injectivePn[j [j' ne same]] : ~~ injectiveb c.
  by apply/negP => /injectiveP /leq_card; rewrite !card_ord ltnn.
exists (c j); have := cP j'; rewrite -same; have := cP j => here there.
have nz : lam j - lam j' != 0.
  by rewrite subr_eq0; apply: contraNneq ne => /(dl _ _ (ltn_ord j) (ltn_ord j')) /ord_inj ->.
have : (lam j - lam j') * (e (c j) - g t) = 0.
  have -> : (lam j - lam j') * (e (c j) - g t)
     = (lam j * e (c j) + p (c j) - (lam j * g t + h t))
       - (lam j' * e (c j) + p (c j) - (lam j' * g t + h t)) by ring.
  by rewrite here there !subrr.
move=> /eqP; rewrite mulf_eq0 (negbTE nz) subr_eq0 => /eqP eq; split=> //.
by move: here; rewrite eq => /addrI.
Qed.

End Products.
