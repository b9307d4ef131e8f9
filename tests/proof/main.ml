(* prove RULES DISTANCES: proves the distances of a puzzle, or shows an arrangement that breaks a
   rule. *)
open Checker

let contents path =
  let file = open_in_bin path in
  let text = really_input_string file (in_channel_length file) in
  close_in file;
  text
let rec int_of_positive = function
  | XH -> 1 | XO p -> 2 * int_of_positive p | XI p -> (2 * int_of_positive p) + 1
let int_of_n = function N0 -> 0 | Npos p -> int_of_positive p
let rec int_of_nat = function O -> 0 | S n -> 1 + int_of_nat n

let () =
  try
    let puzzle = Reader.read (contents Sys.argv.(1)) and data = contents Sys.argv.(2) in
    let length = String.length data and count = int_of_n (total puzzle.blocks) in
    let byte i = if 0 <= i && i < length then Char.code data.[i] else 256 in
    match check puzzle byte with
    | None when length = count -> Printf.printf "proved: %d arrangements\n" count
    | None -> Reader.refuse "%d arrangements, and %d bytes" count length
    | Some rows ->
      let digits x = string_of_int (int_of_nat x) in
      let text row = String.concat " " (List.map digits row) in
      let shown = String.concat " / " (List.map text rows) in
      match rank puzzle.blocks rows with
      | Some i when byte (int_of_n i) < 256 ->
        Reader.refuse "arrangement %d has byte %d: %s" (int_of_n i) (byte (int_of_n i)) shown
      | Some i -> Reader.refuse "arrangement %d has no byte: %s" (int_of_n i) shown
      | None -> Reader.refuse "a row, or what a move makes of it, has no rank: %s" shown
  with
  | Reader.Refused why -> Printf.printf "refused: %s\n" why; exit 1
  | Invalid_argument _ | Failure _ -> print_endline "refused: these are no rules"; exit 1
