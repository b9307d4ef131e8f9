(* What is claimed: read only this file, and the theorem at the end of Fast.v with its w and v. *)
Require Import List Arith NArith Permutation.
Import ListNotations.
Open Scope N_scope.

(* ---- States ----
   A state is a list of blocks, and each block is a row of cells.  Cells, slots and values count
   from 0. *)
Definition row := list nat.
Definition state := list row.

(* The pieces of a set, one in each slot.  `Different n`: the pieces 0 .. n-1.  `Alike once many`:
   the pieces of `once` appear once, and (x, k) of `many` says that piece x appears k times.  The
   reader makes both lists rising, and writes `Different` if no pieces look alike, which has other
   ranks. *)
Inductive pieces := Different (n : nat) | Alike (once : row) (many : list (nat * nat)).
Definition values (p : pieces) : row :=
  match p with
  | Different n => seq 0 n
  | Alike once many => once ++ flat_map (fun c => repeat (fst c) (snd c)) many
  end.

(* What the cells of a block hold.  `Pieces`: the pieces, by slot.  `Digits home base free`: the
   orientations, by slot, of the pieces of `home`, which stay where they are.  `Turned p base free`:
   the pieces by slot, then their orientations by slot.  Orientations are below the base.  That of
   a piece of `free` does not count, and is 0. *)
Inductive kind :=
| Pieces (p : pieces)
| Digits (home : row) (base : nat) (free : row)
| Turned (p : pieces) (base : nat) (free : row).
Definition turns (base : nat) (free : row) (x t : nat) : Prop :=
  (t < base)%nat /\ (In x free -> t = O).
Definition arranged (k : kind) (r : row) : Prop :=
  match k with
  | Pieces p => Permutation (values p) r
  | Digits home base free => Forall2 (turns base free) home r
  | Turned p base free =>
      exists ps ts, r = ps ++ ts /\ Permutation (values p) ps /\ Forall2 (turns base free) ps ts
  end.

(* A block also lists its illegal cells: (i, x) says that cell i may not hold x. *)
Record block := { holds : kind; illegal : list (nat * nat) }.
Definition arrangement (bs : list block) (s : state) : Prop :=
  Forall2 (fun b r => arranged (holds b) r) bs s.

(* ---- Moves ----
   A move has a part for each block, also for one that it leaves alone.  (i, x) of its guard says
   that the move needs x in cell i.  The list `act` has (i, t) for each cell: the cell takes the
   value of cell i of its block.  To an orientation, the turn t is added.  check refuses a move that
   leads from an arrangement to none. *)
Record part := { guard : list (nat * nat); act : list (nat * nat) }.
Definition move := list part.
Record puzzle := { blocks : list block; goals : list state; moves : list move }.

Definition taken (r : row) (c : nat * nat) : nat := nth (fst c) r O.
Definition cell_is (r : row) (c : nat * nat) : bool := Nat.eqb (taken r c) (snd c).
Definition legal (b : block) (r : row) : bool := negb (existsb (cell_is r) (illegal b)).
Definition mem (x : nat) (l : row) : bool := existsb (Nat.eqb x) l.
Definition turn (base : nat) (free ps r : row) (a : list (nat * nat)) : row :=
  map (fun c => if mem (fst c) free then O else ((taken r (snd c) + snd (snd c)) mod base)%nat)
      (combine ps a).
Definition move_row (k : kind) (a : list (nat * nat)) (r : row) : row :=
  match k with
  | Pieces _ => map (taken r) a
  | Digits home base free => turn base free home r a
  | Turned p base free =>
      let n := length (values p) in
      let ps := map (taken r) (firstn n a) in
      ps ++ turn base free ps r (skipn n a)
  end.

(* Makes a move.  None: it can't be made, because a guard does not hold, or because the state before
   or after it is illegal. *)
Definition make_row (b : block) (p : part) (r : row) : option row :=
  if (legal b r && forallb (cell_is r) (guard p))%bool
  then let r' := move_row (holds b) (act p) r in if legal b r' then Some r' else None
  else None.
Definition first_part (m : move) : part := hd {| guard := []; act := [] |} m.
Fixpoint make (bs : list block) (m : move) (s : state) : option state :=
  match bs, s with
  | [], [] => Some []
  | b :: bs, r :: s =>
      match make_row b (first_part m) r, make bs (tl m) s with
      | Some r, Some s => Some (r :: s) | _, _ => None end
  | _, _ => None
  end.

(* path P k s: some k moves lead from s to a goal.  A goal needs no legality. *)
Inductive path (P : puzzle) : nat -> state -> Prop :=
| path_goal s : In s (goals P) -> path P 0 s
| path_move k s m t :
    In m (moves P) -> make (blocks P) m s = Some t -> path P k t -> path P (S k) s.

(* d is the least number of moves from s to a goal, and 255 only if no moves lead there. *)
Definition is_distance (P : puzzle) (s : state) (d : N) : Prop :=
  if d =? 255 then forall k, ~ path P k s
  else path P (N.to_nat d) s /\ forall k, path P k s -> (N.to_nat d <= k)%nat.

(* ---- The dense index ----
   The rank of each row is a digit, in mixed radix.  None: the row is not arranged.  Rank.v proves
   that different arrangements have different ranks, below the total. *)
Fixpoint factorial (n : nat) : N := match n with O => 1 | S k => N.of_nat n * factorial k end.
Fixpoint power (base : N) (n : nat) : N := match n with O => 1 | S k => base * power base k end.
Fixpoint size (l : row) : N := match l with [] => 0 | _ :: l => N.succ (size l) end.

(* take x l: how many elements are before x in l, and l without x. *)
Fixpoint take (x : nat) (l : row) : option (N * row) :=
  match l with
  | [] => None
  | y :: l => if Nat.eqb x y then Some (0, l) else
              match take x l with Some (p, r) => Some (N.succ p, y :: r) | None => None end
  end.

(* Takes the pieces xs out of a row: a digit for the place of each, among those that are left.  Also
   gives what is left in the end. *)
Fixpoint rank_taken (xs l : row) (acc : N) : option (N * row) :=
  match xs with
  | [] => Some (acc, l)
  | x :: xs =>
      match take x l with
      | Some (p, rest) => rank_taken xs rest (size l * acc + p) | None => None end
  end.

(* The pieces that appear several times.  ways l is the number of their rows, a multinomial
   coefficient; choices l is what can stand first, each with what then remains. *)
Fixpoint amount (l : list (nat * nat)) : nat :=
  match l with [] => O | (_, k) :: l => (k + amount l)%nat end.
Fixpoint repeats (l : list (nat * nat)) : N :=
  match l with [] => 1 | (_, k) :: l => factorial k * repeats l end.
Definition ways (l : list (nat * nat)) : N := factorial (amount l) / repeats l.
Fixpoint choices (l : list (nat * nat)) : list (nat * list (nat * nat)) :=
  match l with
  | [] => []
  | (x, k) :: l =>
      match k with O => [] | S j => [(x, (x, j) :: l)] end ++
      map (fun c => (fst c, (x, k) :: snd c)) (choices l)
  end.
(* skip x cs: the number of rows that begin with what stands before x in cs, and what remains. *)
Fixpoint skip (x : nat) (cs : list (nat * list (nat * nat))) : option (N * list (nat * nat)) :=
  match cs with
  | [] => None
  | (y, l) :: cs => if Nat.eqb x y then Some (0, l) else
                    match skip x cs with Some (p, r) => Some (ways l + p, r) | None => None end
  end.
Fixpoint rank_many (many : list (nat * nat)) (r : row) : option N :=
  match r with
  | [] => match amount many with O => Some 0 | _ => None end
  | x :: r =>
      match skip x (choices many) with
      | Some (p, l) => match rank_many l r with Some q => Some (p + q) | None => None end
      | None => None
      end
  end.

(* If all differ, each piece has a place among those that are left.  If not, each piece that appears
   once has a place among the slots that are left; the other pieces follow, by slot. *)
Definition rank_pieces (p : pieces) (r : row) : option N :=
  match p with
  | Different n => match rank_taken r (seq 0 n) 0 with Some (a, []) => Some a | _ => None end
  | Alike once many =>
      match rank_taken once r 0 with
      | Some (a, rest) => match rank_many many rest with
                          | Some q => Some (a * ways many + q) | None => None end
      | None => None
      end
  end.

(* The orientations that count: digits. *)
Fixpoint rank_turns (base : nat) (free ps ts : row) (acc : N) : option N :=
  match ps, ts with
  | [], [] => Some acc
  | x :: ps, t :: ts =>
      if negb (Nat.ltb t base) then None
      else if negb (mem x free) then rank_turns base free ps ts (N.of_nat base * acc + N.of_nat t)
      else if Nat.eqb t 0 then rank_turns base free ps ts acc else None
  | _, _ => None
  end.

Fixpoint falling (n k : nat) : N :=
  match k with O => 1 | S k => N.of_nat n * falling (pred n) k end.
Definition total_pieces (p : pieces) : N :=
  match p with
  | Different n => falling n n
  | Alike once many => falling (length (values p)) (length once) * ways many
  end.
Definition counted (free ps : row) : nat := length (filter (fun x => negb (mem x free)) ps).
Definition total_row (k : kind) : N :=
  match k with
  | Pieces p => total_pieces p
  | Digits home base free => power (N.of_nat base) (counted free home)
  | Turned p base free => total_pieces p * power (N.of_nat base) (counted free (values p))
  end.
Definition rank_row (k : kind) (r : row) : option N :=
  match k with
  | Pieces p => rank_pieces p r
  | Digits home base free => rank_turns base free home r 0
  | Turned p base free =>
      let n := length (values p) in
      match rank_pieces p (firstn n r) with
      | Some a => rank_turns base free (firstn n r) (skipn n r) a
      | None => None
      end
  end.
Fixpoint total (bs : list block) : N :=
  match bs with [] => 1 | b :: bs => total_row (holds b) * total bs end.
Fixpoint rank_from (bs : list block) (s : state) (acc : N) : option N :=
  match bs, s with
  | [], [] => Some acc
  | b :: bs, r :: s =>
      match rank_row (holds b) r with
      | Some q => rank_from bs s (total_row (holds b) * acc + q) | None => None end
  | _, _ => None
  end.
Definition rank (bs : list block) (s : state) : option N := rank_from bs s 0.
