(* The linear argument (docs/proofs.md, section 10.2): special soundness, and what a claim means for cards. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Cloche Require Import Equations Relations.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section LinearArgument.

Variable F : fieldType.

(* The tree: w_0, w_1, ... and below each w_i two values of e. The points T depend on i alone. *)
Record messages (P : Type) := Messages { T_1 : nat -> P; T_2 : nat -> P; T_3 : nat -> P }.
Record answers := Answers {
  w : nat -> F; e : nat -> F; e' : nat -> F;
  s_x : nat -> F; s_n : nat -> F; s_t : nat -> nat -> F;
  s_x' : nat -> F; s_n' : nat -> F; s_t' : nat -> nat -> F }.

(* The extractor. Its argument has scalars alone. *)
Record witness := Witness { key : F; number : F; counts : nat -> F }.

Definition extract (t : answers) : witness :=
  Witness (slope (e t 0) (e' t 0) (s_x t 0) (s_x' t 0))
          (slope (e t 0) (e' t 0) (s_n t 0) (s_n' t 0))
          (fun i => slope (e t 0) (e' t 0) (s_t t 0 i) (s_t' t 0 i)).

Variables (V : lmodType F) (gen : generator -> V).

Definition total (points : seq V) : V := \sum_(p <- points) p.

Notation equations := (Linear.equations gen total).

Definition leaf (sent : messages V) (t : answers) i :=
  Linear.Proof (T_1 sent i) (T_2 sent i) (T_3 sent i) (s_x t i) (s_n t i) (s_t t i).
Definition leaf' (sent : messages V) (t : answers) i :=
  Linear.Proof (T_1 sent i) (T_2 sent i) (T_3 sent i) (s_x' t i) (s_n' t i) (s_t' t i).

(* A tree for m pairs has m different w, none of them 0, or one w without pairs. *)
Definition width (s : Linear.statement V) : nat := maxn 1 (Linear.m s).

Definition accepting (s : Linear.statement V) (sent : messages V) (t : answers) : Prop :=
  [/\ different (width s) (w t),
      forall i, (i < width s)%N -> w t i != 0,
      forall i, (i < width s)%N -> e t i != e' t i &
      forall i, (i < width s)%N ->
        accepts (equations (w t i) (e t i) s (leaf sent t i)) /\
        accepts (equations (w t i) (e' t i) s (leaf' sent t i))].

(* R1 and R2, and R3 if there is a claim. *)
Definition valid (s : Linear.statement V) (found : witness) : Prop :=
  [/\ Linear.h s = key found *: gen U,
      forall k, (1 <= k <= Linear.m s)%N -> Linear.D s k = key found *: Linear.a s k &
      forall c, Linear.claimed s = Some c ->
        \sum_(p < Linear.cards c) Linear.c_p c p - key found *: (\sum_(p < Linear.cards c) Linear.a_p c p)
        = number found *: gen (A 0) + \sum_(b <- Linear.others c) counts found b *: gen (B b)].

(* The three equations of one leaf, as equations between points. *)
Section Leaf.

Variables (s : Linear.statement V) (x y : F) (pf : Linear.proof F V).

Lemma sum_L1 : sum_of (Linear.L1 gen y s pf)
  = Linear.s_x pf *: gen U - (y *: Linear.h s + Linear.T_1 pf).
Proof. by rewrite /Linear.L1 !sum_ofE /= addr0 scaleN1r scaleNr opprD [- Linear.T_1 pf - _]addrC. Qed.

Lemma sum_L2 : sum_of (Linear.L2 x y s pf)
  = Linear.s_x pf *: (\sum_(k < Linear.m s) x ^+ k.+1 *: Linear.a s k.+1)
    - (y *: (\sum_(k < Linear.m s) x ^+ k.+1 *: Linear.D s k.+1) + Linear.T_2 pf).
Proof.
have shift (c : F) (p : nat -> V) :
    \sum_(k <- iota 1 (Linear.m s)) (c * x ^+ k) *: p k = c *: (\sum_(k < Linear.m s) x ^+ k.+1 *: p k.+1).
  rewrite (iotaDl 1 0) big_map sum_iota scaler_sumr.
  by apply: eq_bigr => k _; rewrite scalerA.
by rewrite /Linear.L2 sum_of_cons sum_of_cat !sum_of_seq !shift /= scaleN1r scaleNr opprD addrC addrA.
Qed.

Lemma gather (v1 v2 v3 v4 v5 : V) : - v1 + (v2 + (- v3 + v4)) + v5 = v2 + (v4 + v5) - (v3 + v1).
Proof.
rewrite [- v1 + _]addrC [- v3 + v4]addrC opprD !addrA addrAC; congr (_ - _).
by rewrite addrAC.
Qed.

Lemma sum_L3 c : sum_of (Linear.L3 gen total y pf c)
  = Linear.s_x pf *: (\sum_(p < Linear.cards c) Linear.a_p c p)
    + (Linear.s_n pf *: gen (A 0) + \sum_(b <- Linear.others c) Linear.s_t pf b *: gen (B b))
    - (y *: (\sum_(p < Linear.cards c) Linear.c_p c p) + Linear.T_3 pf).
Proof.
rewrite /Linear.L3 sum_of_cat sum_of_seq !sum_of_cons sum_of_nil /total !big_map !sum_iota /=.
by rewrite addr0 scaleN1r scaleNr; exact: gather.
Qed.

Hypothesis ok : accepts (equations x y s pf).

Lemma leaf_L1 : y *: Linear.h s + Linear.T_1 pf = Linear.s_x pf *: gen U.
Proof.
have /ok : Linear.L1 gen y s pf \in (equations x y s pf : seq (seq (F * V))) by rewrite mem_head.
by rewrite /holds sum_L1 => /subr0_eq.
Qed.

Lemma leaf_L2 : (0 < Linear.m s)%N ->
  y *: (\sum_(k < Linear.m s) x ^+ k.+1 *: Linear.D s k.+1) + Linear.T_2 pf
  = Linear.s_x pf *: (\sum_(k < Linear.m s) x ^+ k.+1 *: Linear.a s k.+1).
Proof.
move=> pos; have /ok : Linear.L2 x y s pf \in (equations x y s pf : seq (seq (F * V))).
  by rewrite /Linear.equations pos !in_cons eqxx orbT.
by rewrite /holds sum_L2 => /subr0_eq.
Qed.

Lemma leaf_L3 c : Linear.claimed s = Some c ->
  y *: (\sum_(p < Linear.cards c) Linear.c_p c p) + Linear.T_3 pf
  = Linear.s_x pf *: (\sum_(p < Linear.cards c) Linear.a_p c p)
    + (Linear.s_n pf *: gen (A 0) + \sum_(b <- Linear.others c) Linear.s_t pf b *: gen (B b)).
Proof.
move=> E; have /ok : Linear.L3 gen total y pf c \in (equations x y s pf : seq (seq (F * V))).
  by rewrite /Linear.equations E !in_cons mem_cat mem_head !orbT.
by rewrite /holds sum_L3 => /subr0_eq.
Qed.

End Leaf.

Theorem linear_special_soundness (s : Linear.statement V) (sent : messages V) (t : answers) :
  gen U != 0 -> accepting s sent t -> valid s (extract t).
Proof.
move=> U0 [wdiff wnz ediff ok].
have pos : (0 < width s)%N by rewrite leq_max.
pose x i := slope (e t i) (e' t i) (s_x t i) (s_x' t i).
have hx i : (i < width s)%N -> Linear.h s = x i *: gen U.
  move=> lt; have [ok1 ok2] := ok i lt.
  have [-> _] := two_points (ediff i lt) (leaf_L1 ok1) (leaf_L1 ok2).
  by rewrite -scalerBl scalerA mulrC.
have same i : (i < width s)%N -> x i = x 0%N.
  move=> lt; apply/eqP.
  by rewrite -subr_eq0 -[_ == 0]orbF -(negbTE U0) -scaler_eq0 scalerBl -!hx // subrr.
split; first exact: hx.
  move=> k /andP[k1 km]; have mpos : (0 < Linear.m s)%N by exact: leq_trans km.
  have wm : width s = Linear.m s by apply/maxn_idPr.
  rewrite wm in wdiff wnz ediff ok same.
  pose v (k : nat) := Linear.D s k.+1 - x 0%N *: Linear.a s k.+1.
  have zero (i : 'I_(Linear.m s)) : \sum_(k < Linear.m s) w t i ^+ k.+1 *: v k = 0.
    have [ok1 ok2] := ok i (ltn_ord i).
    have [eD _] := two_points (ediff i (ltn_ord i)) (leaf_L2 ok1 mpos) (leaf_L2 ok2 mpos).
    rewrite (eq_bigr (fun k : 'I__ => w t i ^+ k.+1 *: Linear.D s k.+1
               - x 0%N *: (w t i ^+ k.+1 *: Linear.a s k.+1))) => [|j _]; last first.
      by rewrite scalerBr !scalerA mulrC.
    rewrite sumrB -scaler_sumr {}eD -scalerBl scalerA mulrC -(same i (ltn_ord i)).
    by rewrite subrr.
  have lt : (k.-1 < Linear.m s)%N by rewrite prednK.
  have := powers_solve (r := fun _ => 0) wdiff wnz zero (Ordinal lt).
  rewrite [RHS]big1 => [|i _]; last by rewrite scaler0.
  by rewrite /v /= prednK // => /eqP; rewrite subr_eq0 => /eqP.
move=> c E; have [ok1 ok2] := ok 0%N pos.
have [eC _] := two_points (ediff 0%N pos) (leaf_L3 ok1 E) (leaf_L3 ok2 E).
rewrite eC opprD addrACA -scalerBl scalerDr scalerA mulrC addrAC subrr add0r.
rewrite opprD addrACA -scalerBl scalerDr scalerA mulrC; congr (_ + _).
rewrite -sumrB scaler_sumr; apply: eq_bigr => b _.
by rewrite -scalerBl scalerA mulrC.
Qed.

(* From points to cards. The traits of the mode have numbers. A card has a number and some of the traits. *)
Variable mode : seq nat.
Hypothesis mode_uniq : uniq mode.

Record card := Card { card_number : F; has_trait : pred nat }.
Definition point (c : card) : V :=
  card_number c *: gen (A 0) + \sum_(b <- mode | has_trait c b) gen (B b).

(* How many of the cards have a trait. *)
Definition having (cs : seq card) (b : nat) : nat := count (has_trait^~ b) cs.

(* The coefficients that must agree: n with the sum of the numbers, f_t with the number of cards with t. *)
Definition claim_difference (others : seq nat) (cs : seq card) (found : witness) : terms F :=
  (\sum_(c <- cs) card_number c - number found, A 0)
  :: [seq ((having cs b)%:R - (if b \in others then counts found b else 0), B b) | b <- mode].

Lemma sum_points (cs : seq card) :
  \sum_(c <- cs) point c
  = (\sum_(c <- cs) card_number c) *: gen (A 0) + \sum_(b <- mode) (having cs b)%:R *: gen (B b).
Proof.
elim: cs => [|c cs IH].
  by rewrite !big_nil scale0r add0r big1 // => b _; rewrite scale0r.
rewrite !big_cons {}IH /point scalerDl -!addrA; congr (_ + _).
rewrite addrCA; congr (_ + _); rewrite big_mkcond -big_split; apply: eq_bigr => b _ /=.
by rewrite natrD scalerDl; case: (has_trait c b); rewrite ?scale1r ?scale0r.
Qed.

(* S is what the claim denies. The cards are what C - x A adds up to, by the mixes and the shares. *)
Theorem linear_claim (s : Linear.statement V) (c : Linear.claim V) (denied : seq nat) (cs : seq card)
    (sent : messages V) (t : answers) :
  gen U != 0 ->
  (forall k, (0 < k <= 255)%N -> k%:R != 0 :> F) ->
  (size cs <= 255)%N ->
  Linear.claimed s = Some c ->
  Linear.others c = [seq b <- mode | b \notin denied] ->
  accepting s sent t ->
  \sum_(p < Linear.cards c) Linear.c_p c p
    - key (extract t) *: (\sum_(p < Linear.cards c) Linear.a_p c p) = \sum_(k <- cs) point k ->
  sound gen (fun found => valid s found /\
                          forall b, b \in mode -> b \in denied -> ~~ has (has_trait^~ b) cs)
    (extracted [:: claim_difference (Linear.others c) cs (extract t)] (extract t)).
Proof.
move=> U0 big few E rest ok cards; have v := linear_special_soundness U0 ok.
have [_ _ /(_ c E)] := v; rewrite cards sum_points => eq.
apply: extractedP => [r|trivial].
  rewrite inE => /eqP ->; split.
    rewrite /claim_difference /unzip2 /= -map_comp map_inj_uniq => [|i j []//].
    by rewrite mode_uniq andbT; apply/mapP => -[].
  rewrite /value big_cons big_map /= scalerBl.
  rewrite (eq_bigr (fun b => (having cs b)%:R *: gen (B b)
             - (if b \in Linear.others c then counts (extract t) b *: gen (B b) else 0))) => [|b _]; last first.
    by rewrite scalerBl; case: ifP; rewrite ?scale0r.
  rewrite sumrB.
  have -> : \sum_(b <- mode) (if b \in Linear.others c then counts (extract t) b *: gen (B b) else 0)
            = \sum_(b <- Linear.others c) counts (extract t) b *: gen (B b).
    rewrite rest big_filter [RHS]big_mkcond; apply: eq_big_seq => b b_in.
    by rewrite mem_filter b_in andbT.
  by rewrite addrACA -opprD eq subrr.
split=> // b b_in b_denied.
have := trivial _ (mem_head _ _); rewrite /nontrivial /= negb_or has_map => /andP[_ /hasPn /(_ b b_in)] /=.
rewrite negbK rest mem_filter b_denied /= subr0 => zero.
rewrite has_count -eqn0Ngt; apply: contraTT zero => pos; apply: big.
by rewrite lt0n pos (leq_trans (count_size _ _)).
Qed.

End LinearArgument.
