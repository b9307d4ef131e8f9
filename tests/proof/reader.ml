(* Reads what `fewest show --json PUZZLE` prints, as a puzzle of Model.v.  Trusted: it says which
   puzzle the proof is about.  It refuses what it does not know. *)
open Checker

exception Refused of string
let refuse format = Printf.ksprintf (fun text -> raise (Refused text)) format

(* ---- JSON, as far as it is needed ---- *)
type json = Number of int | Text of string | List of json list | Object of (string * json) list

let parse text =
  let at = ref 0 in
  let peek () = if !at < String.length text then text.[!at] else '\000' in
  let rec skip () = if peek () = ' ' || peek () = '\n' then (incr at; skip ()) in
  let eat c =
    skip ();
    if peek () <> c then refuse "byte %d of the rules: expected '%c'" !at c;
    incr at in
  let rec more close item =
    let first = item () in
    skip ();
    if peek () = ',' then (incr at; first :: more close item) else (eat close; [ first ]) in
  let items close item = (* in brackets *)
    incr at; skip ();
    if peek () = close then (incr at; []) else more close item in
  let text_value () =
    eat '"';
    let from = !at in
    while peek () <> '"' do
      if !at >= String.length text then refuse "a text of the rules has no end";
      at := !at + if peek () = '\\' then 2 else 1
    done;
    incr at;
    String.sub text from (!at - 1 - from) in
  let rec value () =
    skip ();
    match peek () with
    | '[' -> List (items ']' value)
    | '{' -> Object (items '}' (fun () -> let key = text_value () in eat ':'; (key, value ())))
    | '"' -> Text (text_value ())
    | _ ->
      let from = !at in
      while peek () >= '0' && peek () <= '9' do incr at done;
      if !at = from || !at > from + 9 then refuse "byte %d of the rules: expected a value" from;
      Number (int_of_string (String.sub text from (!at - from))) in
  let found = value () in
  skip ();
  if !at < String.length text then refuse "byte %d of the rules: expected the end" !at;
  found

let number = function Number n -> n | _ -> refuse "expected a number"
let list = function List l -> l | _ -> refuse "expected an array"
let numbers value = List.map number (list value)
let pair value = match numbers value with [ a; b ] -> (a, b) | _ -> refuse "expected a pair"

(* ---- The puzzle ---- *)
let nat i = List.fold_left (fun n _ -> S n) O (List.init i Fun.id)
let nats l = List.map nat l
let pairs l = List.map (fun (a, b) -> (nat a, nat b)) l
let range first count = List.init count (fun i -> first + i)
let place x l = (* of x in l *)
  let rec go i = function [] -> None | y :: l -> if x = y then Some i else go (i + 1) l in
  go 0 l

(* A block: the cells of a state that it has, and what stands in Model.v. *)
type found = { all : int list; kind : kind; bad : (int * int) list }

(* The pieces that stand in a row of a goal. *)
let pieces row =
  let sorted = List.sort_uniq compare row in
  let count x = List.length (List.filter (( = ) x) row) in
  if sorted = range 0 (List.length row) then Different (nat (List.length row))
  else
    let once, many = List.partition (fun x -> count x = 1) sorted in
    Alike (nats once, List.map (fun x -> (nat x, nat (count x))) many)

(* Cuts the orientations of pieces that stay where they are into blocks of at most 4096 rows, where
   no move takes a value across the cut.  The index of the whole has the same digits. *)
let cut sources first base free all =
  let stays l from = List.for_all (fun c -> List.mem (from c) l) l in
  let rec parts now = function
    | [] -> if now = [] then [] else [ now ]
    | c :: l ->
      let now = now @ [ c ] in
      if List.for_all (stays now) sources then now :: parts [] l else parts now l in
  let few l = float_of_int base ** float_of_int (List.length l) <= 4096. in
  let join part = function
    | next :: l when few (part @ next) -> (part @ next) :: l
    | l -> part :: l in
  let block all =
    let home = List.map (fun c -> c - first) all in
    { all; kind = Digits (nats home, nat base, nats free); bad = [] } in
  List.map block (List.fold_right join (parts [] all) [])

(* The blocks from cell `first` on.  A goal tells which pieces there are. *)
let rec read_blocks sources goal first = function
  | [] -> []
  | Object [ ("set", set); ("holds", Text "pieces"); ("cells", cells); _; ("illegal", illegal) ]
    :: l -> (
    let count = number cells and bad = List.map pair (list illegal) in
    let all = range first count in
    let p = pieces (List.map (List.nth goal) all) in
    match l with
    | Object
        [ ("set", same); ("holds", Text "orientations"); _; ("values", base); ("ignored_pieces", free) ]
      :: l when same = set && numbers free <> [] ->
      let kind = Turned (p, nat (number base), nats (numbers free)) and count = 2 * count in
      { all = range first count; kind; bad } :: read_blocks sources goal (first + count) l
    | _ -> { all; kind = Pieces p; bad } :: read_blocks sources goal (first + count) l)
  | Object [ _; ("holds", Text "orientations"); ("cells", cells); ("values", base); (key, free) ]
    :: l when key = "ignored_cells" || (key = "ignored_pieces" && numbers free = []) ->
    cut sources first (number base) (numbers free) (range first (number cells))
    @ read_blocks sources goal (first + number cells) l
  | _ -> refuse "a block is of no known kind"

let read_move = function
  | Object [ ("name", _); ("needs", needs); ("from", from); ("add", add) ] ->
    (List.map pair (list needs), Array.of_list (numbers from), Array.of_list (numbers add))
  | _ -> refuse "a move has not the keys name, needs, from, add"

let read text =
  match parse text with
  | Object [ ("puzzle", _); ("blocks", blocks); ("goals", goals); ("moves", moves) ] ->
    let goals = List.map numbers (list goals) and moves = List.map read_move (list moves) in
    let sources = List.map (fun (_, from, _) c -> from.(c)) moves in
    let found = read_blocks sources (List.hd goals) 0 (list blocks) in
    let count = List.length (List.concat_map (fun b -> b.all) found) in
    let fits (needs, from, add) =
      Array.length from = count && Array.length add = count
      && List.for_all (fun (c, _) -> c < count) needs in
    if not (List.for_all (fun g -> List.length g = count) goals && List.for_all fits moves) then
      refuse "a goal or a move has another number of cells than the blocks";
    let part (needs, from, add) { all; kind; _ } =
      let turns = match kind with Pieces _ -> false | _ -> true in
      let cell c = match place from.(c) all with
        | Some i when add.(c) = 0 || turns -> (i, add.(c))
        | _ -> refuse "a move takes a value to cell %d that this cell can't hold" c in
      let need (c, x) = Option.map (fun i -> (i, x)) (place c all) in
      { guard = pairs (List.filter_map need needs); act = pairs (List.map cell all) } in
    let goal g = List.map (fun b -> nats (List.map (List.nth g) b.all)) found in
    { blocks = List.map (fun b -> { holds = b.kind; illegal = pairs b.bad }) found;
      goals = List.map goal goals;
      moves = List.map (fun m -> List.map (part m) found) moves }
  | _ -> refuse "the rules have not the keys puzzle, blocks, goals, moves"
