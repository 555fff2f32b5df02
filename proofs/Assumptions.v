(* What each theorem assumes beyond its own hypotheses. `make proofs` wants "closed" for all of them. *)

From Cloche Require Import Linear Meal Legal Shuffle Dealt Complete.

Print Assumptions linear_special_soundness.
Print Assumptions linear_claim.
Print Assumptions meal_special_soundness.
Print Assumptions meal_is_legal.
Print Assumptions permutation_special_soundness.
Print Assumptions shuffle_special_soundness.
Print Assumptions mix_special_soundness.
Print Assumptions dealt_meal_is_legal.
Print Assumptions linear_complete.
Print Assumptions linear_tree_exists.
Print Assumptions meal_complete.
Print Assumptions meal_transcripts_exist.
Print Assumptions permutation_complete.
Print Assumptions permutation_tree_exists.
