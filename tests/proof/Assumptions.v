(* What the theorems assume: tests/proof/assumptions.txt has the answers. *)
Require Import Rules Rank Fast.
Print Assumptions rules_correct.
Print Assumptions rank_one.
Print Assumptions check_correct.
