(* Coq's 63-bit integers: OCaml's own, without signs.  Trusted. *)
type t = int

let of_int (i : int) : t = i
let l_sl (x : int) y = if 0 <= y && y < 63 then x lsl y else 0
let l_or (x : int) y = x lor y
let add (x : int) y = x + y
let sub (x : int) y = x - y
let mul (x : int) y = x * y
let equal (x : int) y = x = y
let le (x : int) y = x lxor min_int <= y lxor min_int
