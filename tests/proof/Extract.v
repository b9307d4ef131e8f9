(* Writes the checker as OCaml. *)
Require Import Model Fast.
Require Extraction.
Require Import ExtrOcamlBasic ExtrOCamlInt63.
Extraction Language OCaml.
Extract Inlined Constant fst => "fst".
Extract Inlined Constant snd => "snd".
Extraction "checker.ml" check total rank.
