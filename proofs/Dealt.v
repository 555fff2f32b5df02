(* Match deck and meal together (docs/proofs.md, section 3.4, and property 3 of docs/protocol.md): against a chef,
   with an honest house. Whoever plays the house knows the openings of the certified cards D_j. The shuffle's
   extractor turns them into openings of the K_i. With these the meal's extractor has a legal meal of cards of the
   deck, or a relation. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Cloche Require Import Equations Relations Meal Legal Tree Shuffle.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

(* ---- The extractor, for n certified cards, whose openings the house knows, and a hand of m positions. ------ *)

Section Extractor.

Variables (F : fieldType) (n : nat) (vector : nat -> nat -> int) (salt : nat -> F).
Variables (m C : nat) (hand : nat -> nat) (shuffled : Tree.answers F) (sealed : Meal.answers F).

Record witness := Witness { deck : Tree.witness F; meal : Meal.witness F }.

(* Which certified card is hand card j, and the opening of its point. *)
Definition card (deck : Tree.witness F) (j : nat) : nat := order deck (hand j).
Definition held (deck : Tree.witness F) (j : nat) : nat -> int := vector (card deck j).
Definition blind (deck : Tree.witness F) (j : nat) : F := salt (card deck j) + Tree.blindings deck (hand j).

Definition extract : terms F + witness :=
  match extracted (Tree.differences n shuffled) (Tree.extract n shuffled) with
  | inl r => inl r
  | inr deck =>
      let meal := Meal.extract m C sealed in
      match extracted (Meal.differences m C sealed ++ card_differences m C (held deck) (blind deck) meal) meal with
      | inl r => inl r
      | inr meal => inr (Witness deck meal)
      end
  end.

End Extractor.

(* ---- The theorem ---------------------------------------------------------------------------------------- *)

Section Dealt.

Variables (F : fieldType) (V : lmodType F) (gen : generator -> V) (q : nat).
Hypothesis order_q : q \in [char F].

(* The certificate D of an honest house, and a match deck K that passes. *)
Variables (n : nat) (D K : nat -> V) (vector : nat -> nat -> int) (salt : nat -> F).
Hypothesis house : forall j, (j < n)%N ->
  holds (Meal.opening_of_card gen (D j) (fun k => (vector j k)%:~R) (salt j)).
Variables (first : Tree.messages V) (shuffled : Tree.answers F).
Hypothesis deck_passes : Shuffle.accepting gen (Shuffle.statement gen n D K) first shuffled.

(* A hand of m positions, and a meal of it that passes. *)
Variables (m C : nat) (hand : nat -> nat).
Hypothesis positions : forall j, (j < m)%N -> (hand j < n)%N.
Hypothesis ascending : forall i j, (i < m)%N -> (j < m)%N -> hand i = hand j -> i = j.
Definition statement : Meal.statement V := Meal.Statement m (fun j => K (hand j)) C.
Variables (sent : Meal.messages V) (sealed : Meal.answers F).
Hypothesis meal_passes : Meal.accepting gen statement sent sealed.

(* What the extractor's output is: different cards of the certificate, with openings of their points, and a legal
   meal of them, to which the seal opens. *)
Record served (w : witness F) : Prop := Served {
  cards_of_deck : forall j, (j < m)%N -> (card hand (deck w) j < n)%N;
  different_cards : forall i j, (i < m)%N -> (j < m)%N -> card hand (deck w) i = card hand (deck w) j -> i = j;
  opened_cards : opened gen statement (held vector hand (deck w)) (blind salt hand (deck w));
  committed : R1 gen statement sent (meal w);
  added_up : R2 gen statement (meal w);
  legal_meal : legal m C (held vector hand (deck w)) (box C (meal w));
  opened_seal : opens gen statement sent (held vector hand (deck w)) (meal w) }.

(* K_i = D_pi(i) + t_i H, and D_pi(i) is the card a with the blinding s: K_i is the card a with s + t_i. *)
Lemma moved (X Y : V) (v : nat -> F) (r t : F) :
  holds (Meal.opening_of_card gen X v r) -> Y = X + t *: gen H -> holds (Meal.opening_of_card gen Y v (r + t)).
Proof.
have sum Z b : sum_of (Meal.opening_of_card gen Z v b)
              = Z + sum_of [seq (- v k, gen (A k)) | k <- iota 0 entries] - b *: gen H.
  rewrite /Meal.opening_of_card 2!sum_of_cat; set entries_of := sum_of [seq _ | _ <- _].
  by rewrite !(sum_of_cons, sum_of_nil) !addr0 scale1r scaleNr addrA.
rewrite /holds !sum => eq ->; rewrite -[RHS]eq scalerDl opprD [X + _ + _]addrAC -addrA; congr (_ + _).
by rewrite [- _ - _]addrC addrA subrr add0r.
Qed.

Theorem dealt_meal_is_legal (bound : nat) :
  (1 < n)%N -> (n <= q)%N -> (m <= 40)%N -> (C <= 40)%N -> (41 < q)%N -> (40 * bound < q)%N ->
  (forall j, (j < n)%N -> card_like bound (vector j)) ->
  sound gen served (extract n vector salt m C hand shuffled sealed).
Proof.
move=> two nq few courses large fits cards.
have numbers c : (0 < c < n)%N -> c%:R != 0 :> F.
  move=> /andP[c0 cn]; rewrite -(dvdn_charf order_q); apply/negP => /(dvdn_leq c0).
  by rewrite leqNgt (leq_trans cn nq).
have := shuffle_special_soundness two numbers deck_passes; rewrite /extract.
case: extracted => //= deck [[inside once] K_of].
have open : opened gen statement (held vector hand deck) (blind salt hand deck).
  move=> j lj; apply: moved (house (inside _ (positions lj))) _.
  exact: K_of (positions lj).
have := meal_is_legal order_q (bound := bound) meal_passes open few courses large fits.
move=> /(_ (fun j lj => cards _ (inside _ (positions lj)))) /=.
case: extracted => //= found [r1 r2 legal opens]; split=> //.
- by move=> j lj; exact: inside (positions lj).
- by move=> i j li lj /(once _ _ (positions li) (positions lj)) /ascending ->.
Qed.

End Dealt.
