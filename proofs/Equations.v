(* The equations that a verifier checks, as data.

   An equation is a list of terms (scalar, point) whose sum must be zero. The definitions below mirror those of
   crypto/linear.py, crypto/meal.py, crypto/permutation.py, crypto/shuffle.py and crypto/mix.py line by line, with
   the same names. They need a
   commutative ring R of scalars, and any type P of points: they never compute with a point. So a program can
   print them for numbers and names, and the theorems use them in a vector space. Numbers such as (M1) are those
   of docs/protocol.md and docs/proofs.md. Lists of the Python are functions of an index here, with a length. *)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

(* The generators: "blind", "lock", "card/k", "slot/i" and the traits, which have numbers here. *)
Inductive generator := H | U | A of nat | G of nat | B of nat.

Section Equations.

Variables (R : comRingType) (P : Type).

Definition equation : Type := seq (R * P).

Definition total_of (values : seq R) : R := foldr +%R 0 values.
Definition product_of (values : seq R) : R := foldr *%R 1 values.

Variable gen : generator -> P.

(* The seven entries of a card's vector. *)
Definition entries := 7%N.

End Equations.

(* ---- crypto/linear.py ---------------------------------------------------------------------------------- *)

Module Linear.
Section Linear.

Variables (R : comRingType) (P : Type) (gen : generator -> P).
(* The sum of a list of points: Python's _total. *)
Variable total : seq P -> P.

(* A claim: its pairs (a_p, c_p), and the traits outside S, which are `others` in the Python. *)
Record claim := Claim { cards : nat; a_p : nat -> P; c_p : nat -> P; others : seq nat }.

(* The public part: the lock h, and the pairs (a_k, D_k) for k = 1 ... m. *)
Record statement := Statement { h : P; m : nat; a : nat -> P; D : nat -> P; claimed : option claim }.

Record proof := Proof { T_1 : P; T_2 : P; T_3 : P; s_x : R; s_n : R; s_t : nat -> R }.

Variables (w e : R) (s : statement) (pf : proof).

(* (L1) s_x U = T_1 + e h *)
Definition L1 : equation R P :=
  [:: (s_x pf, gen U);
      (- 1, T_1 pf);
      (- e, h s)].

(* (L2) s_x sum_k w^k a_k = T_2 + e sum_k w^k D_k *)
Definition L2 : equation R P :=
  (- 1, T_2 pf)
  :: [seq (s_x pf * w ^+ k, a s k) | k <- iota 1 (m s)]
  ++ [seq (- e * w ^+ k, D s k) | k <- iota 1 (m s)].

(* (L3) s_x A + s_n A_0 + sum_t s_t B_t = T_3 + e C *)
Definition L3 (c : claim) : equation R P :=
  [:: (- 1, T_3 pf);
      (s_x pf, total [seq a_p c p | p <- iota 0 (cards c)]);
      (- e, total [seq c_p c p | p <- iota 0 (cards c)]);
      (s_n pf, gen (A 0))]
  ++ [seq (s_t pf t, gen (B t)) | t <- others c].

Definition equations : seq (equation R P) :=
  L1 :: (if (0 < m s)%N then [:: L2] else [::]) ++ (if claimed s is Some c then [:: L3 c] else [::]).

End Linear.
End Linear.

(* ---- crypto/meal.py ------------------------------------------------------------------------------------ *)

Module Meal.
Section Meal.

Variables (R : comRingType) (P : Type) (gen : generator -> P).

(* The public part: K_0 ... K_{m-1} and the number of courses C. *)
Record statement := Statement { m : nat; K : nat -> P; C : nat }.

(* All committed values in order: for each row box 0 (`rest` less the row's sum) and the row itself, then one
   value per course. Slot j(C+1)+c holds card j and box c, and slot m(C+1)+c-1 holds course c. *)
Definition slots (s : statement) (rows : nat -> nat -> R) (rest : R) (per_course : nat -> R) (i : nat) : R :=
  if (i < m s * (C s).+1)%N then
    let j := (i %/ (C s).+1)%N in
    if (i %% (C s).+1)%N is c.+1 then rows j c
    else rest - total_of [seq rows j c | c <- iota 0 (C s)]
  else per_course (i - m s * (C s).+1)%N.

Definition size_of (s : statement) : nat := (m s * (C s).+1 + C s)%N.

(* Course c = 1, 2, ... of the pages has the index c - 1 here, as in the Python. *)
Record proof := Proof {
  seal : P; point_A : P; Q : P; S : P; W : nat -> P;
  rows : nat -> nat -> R; f_g : nat -> R; z_A : R; z_Q : R; n : nat -> R; k : nat -> R }.

Variables (x : R) (s : statement) (pf : proof).

(* f_{j,0} = x - sum_{c>=1} f_{j,c} *)
Definition f : nat -> R := slots s (rows pf) x (f_g pf).

(* (M1) x B + A = Com(f; z_A) *)
Definition M1 : equation R P :=
  [:: (x, seal pf);
      (1, point_A pf)]
  ++ [seq (- f i, gen (G i)) | i <- iota 0 (size_of s)]
  ++ [:: (- z_A pf, gen H)].

(* (M2) x Q + S = Com(f (x - f); z_Q) *)
Definition M2 : equation R P :=
  [:: (x, Q pf);
      (1, S pf)]
  ++ [seq (f i * (f i - x), gen (G i)) | i <- iota 0 (size_of s)]
  ++ [:: (- z_Q pf, gen H)].

(* (M3) for each c: sum_j f_{j,c} K_j - n_c A_0 - f_{g_c} A_1 - k_c H = W_c *)
Definition M3 (c : nat) : equation R P :=
  [seq (rows pf j c, K s j) | j <- iota 0 (m s)]
  ++ [:: (- n pf c, gen (A 0));
         (- f_g pf c, gen (A 1));
         (- k pf c, gen H);
         (- 1, W pf c)].

Definition equations : seq (equation R P) :=
  [:: M1; M2] ++ [seq M3 c | c <- iota 0 (C s)].

(* B = Com(b; r_B), for the boxes 0 ... C of the cards in hand and the courses' recipes g_c. *)
Definition opening_of_seal (B : P) (boxes : nat -> nat) (recipes : nat -> R) (blinding : R) : equation R P :=
  [:: (1, B)]
  ++ [seq (- 1, gen (G (j * (C s).+1 + boxes j))) | j <- iota 0 (m s)]
  ++ [seq (- recipes c, gen (G (m s * (C s).+1 + c))) | c <- iota 0 (C s)]
  ++ [:: (- blinding, gen H)].

(* K_i = Card(vector; blinding) for the 7 entries of a card's vector. *)
Definition opening_of_card (point : P) (vector : nat -> R) (blinding : R) : equation R P :=
  [:: (1, point)]
  ++ [seq (- vector k, gen (A k)) | k <- iota 0 entries]
  ++ [:: (- blinding, gen H)].

End Meal.
End Meal.

(* ---- crypto/permutation.py ----------------------------------------------------------------------------- *)

Module Permutation.
Section Permutation.

Variables (R : comRingType) (P : Type) (gen : generator -> P).

(* One half of a statement: K_i = D_pi(i) + t_i base. *)
Record half := Half { before : nat -> P; after : nat -> P; base : P }.

(* The public part: n cards, and as many halves as `count` says. *)
Record statement := Statement { n : nat; count : nat; halves : nat -> half }.

Record proof := Proof {
  c1 : P; c2 : P; c3 : P; sums : nat -> P; c_d : P; c_delta : P; c_Delta : P;
  f : nat -> R; z_f : R; z_t : R; u : nat -> R; z_u : R; inner : nat -> R; z_s : R }.

Variables (y lam z x : R) (s : statement) (pf : proof).

(* P = prod_{j=1..n} (l j + y^j - z) *)
Definition product : R := product_of [seq lam * j%:R + y ^+ j - z | j <- iota 1 (n s)].

(* b~_0 = u~_0, b~_{n-1} = x P *)
Definition b (i : nat) : R :=
  if i == 0%N then u pf 0 else if i == (n s).-1 then x * product else inner pf i.

(* (S1) x c2 + c3 = Com(f; z_f) *)
Definition S1 : equation R P :=
  [:: (x, c2 pf);
      (1, c3 pf)]
  ++ [seq (- f pf i, gen (G i)) | i <- iota 0 (n s)]
  ++ [:: (- z_f pf, gen H)].

(* (S2) sum_i f_i K_i + z_t base = x sum_j y^(j+1) D_j + E, for each half *)
Definition S2 (o : nat) : equation R P :=
  [seq (f pf i, after (halves s o) i) | i <- iota 0 (n s)]
  ++ [:: (z_t pf, base (halves s o))]
  ++ [seq (- x * y ^+ j.+1, before (halves s o) j) | j <- iota 0 (n s)]
  ++ [:: (- 1, sums pf o)].

(* (S3) x c + c_d = Com(u~; z_u), with c = l c1 + c2 - z sum_i G_i *)
Definition S3 : equation R P :=
  [:: (x * lam, c1 pf);
      (x, c2 pf);
      (1, c_d pf)]
  ++ [seq (- x * z - u pf i, gen (G i)) | i <- iota 0 (n s)]
  ++ [:: (- z_u pf, gen H)].

(* (S4) x c_Delta + c_delta = Com(x b~_i - b~_{i-1} u~_i, i = 1..n-1; z_s) *)
Definition S4 : equation R P :=
  [:: (x, c_Delta pf);
      (1, c_delta pf)]
  ++ [seq (b i.-1 * u pf i - x * b i, gen (G i.-1)) | i <- iota 1 (n s).-1]
  ++ [:: (- z_s pf, gen H)].

Definition equations : seq (equation R P) :=
  S1 :: [seq S2 o | o <- iota 0 (count s)] ++ [:: S3; S4].

End Permutation.
End Permutation.

(* ---- crypto/shuffle.py ---------------------------------------------------------------------------------- *)

Module Shuffle.
Section Shuffle.

Variables (P : Type) (gen : generator -> P).

(* K_i = D_pi(i) + t_i H *)
Definition statement (n : nat) (D K : nat -> P) : Permutation.statement P :=
  Permutation.Statement n 1 (fun _ => Permutation.Half D K (gen H)).

End Shuffle.
End Shuffle.

(* ---- crypto/mix.py -------------------------------------------------------------------------------------- *)

Module Mix.
Section Mix.

Variables (P : Type) (gen : generator -> P).

(* The pairs of a pack: their first points a, and their second points c. *)
Record pack := Pack { a : nat -> P; c : nat -> P }.

(* K_i = D_pi(i) + (t_i U, t_i h), where h is the joint lock. Half 0 gives (S2a), half 1 gives (S2c). *)
Definition statement (n : nat) (h : P) (D K : pack) : Permutation.statement P :=
  Permutation.Statement n 2
    (fun o => if o == 0%N then Permutation.Half (a D) (a K) (gen U) else Permutation.Half (c D) (c K) h).

End Mix.
End Mix.
