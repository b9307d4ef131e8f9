(* The checker, on Coq's 63-bit integers, and the proof that what it accepts obeys the rules.  Each
   block has a table: its rows, their ranks, and the rank that each move leads to.  So a neighbour's
   index is a sum of entries.  The table of the first block is not kept, as each row comes once. *)
Require Import List Arith NArith ZArith Permutation Bool Lia Uint63.
Require Import Model Rules Rank.
Import ListNotations.
Notation big := (4611686018427387904)%N. (* 2^62 *)

(* ---- The checker ---- *)
Open Scope uint63_scope.
Definition v (x : int) : N := Z.to_N (to_Z x).
Definition w (x : N) : int := of_Z (Z.of_N x).

(* The rank of different pieces.  A list has true for each piece that remains, from piece 0 on.
   place x l: how many remain below x, counted from p; and l after x is used. *)
Fixpoint place (x : nat) (l : list bool) (p : int) : option int :=
  match x, l with
  | _, [] => None
  | O, here :: _ => if here then Some p else None
  | S x, here :: l => place x l (if here then p + 1 else p)
  end.
Fixpoint use (x : nat) (l : list bool) : list bool :=
  match x, l with
  | _, [] => []
  | O, _ :: l => false :: l
  | S x, here :: l => here :: use x l
  end.
Fixpoint different (l : list bool) (r : row) (radix : list int) (acc : int) : option int :=
  match r, radix with
  | [], [] => Some acc
  | x :: r, k :: radix =>
      match place x l 0 with
      | Some p => different (use x l) r radix (k * acc + p) | None => None end
  | _, _ => None
  end.
Definition radix (n : nat) : list int := map (fun i => w (N.of_nat (S i))) (rev (seq 0 n)).
Definition ranker (k : kind) : row -> option int :=
  match k with
  | Pieces (Different n) =>
      let l := repeat true n in let ks := radix n in fun r => different l r ks 0
  | _ => fun r => option_map w (rank_row k r)
  end.

(* An entry: the rank of a row, and for each move the rank that it leads to, or None if it can't be
   made.  A row has no entry if it or what a move makes of it has no rank. *)
Notation entry := (int * list (option int))%type.
Fixpoint find_next (rank : row -> option int) (b : block) (r : row) (ps : list part)
  : option (list (option int)) :=
  match ps with
  | [] => Some []
  | p :: ps =>
      match find_next rank b r ps with
      | None => None
      | Some l =>
          match make_row b p r with
          | None => Some (None :: l)
          | Some r' => match rank r' with Some j => Some (Some j :: l) | None => None end
          end
      end
  end.
Definition find_entry (rank : row -> option int) (b : block) (ps : list part) (r : row)
  : row * option entry :=
  (r, match rank r, find_next rank b r ps with Some i, Some l => Some (i, l) | _, _ => None end).

(* Every row of a block. *)
Fixpoint rows_many (n : nat) (l : list (nat * nat)) : list row :=
  match n with
  | O => [[]]
  | S n => flat_map (fun c => map (cons (fst c)) (rows_many n (snd c))) (choices l)
  end.
Definition counts (p : pieces) : list (nat * nat) :=
  match p with
  | Different n => map (fun x => (x, 1%nat)) (seq 0 n)
  | Alike once many => map (fun x => (x, 1%nat)) once ++ many
  end.
Definition rows_pieces (p : pieces) : list row := rows_many (amount (counts p)) (counts p).
Fixpoint rows_turns (base : nat) (free ps : row) : list row :=
  match ps with
  | [] => [[]]
  | x :: ps => flat_map (fun t => map (cons t) (rows_turns base free ps))
                        (if mem x free then [O] else seq 0 base)
  end.
Definition rows (k : kind) : list row :=
  match k with
  | Pieces p => rows_pieces p
  | Digits home base free => rows_turns base free home
  | Turned p base free =>
      flat_map (fun ps => map (app ps) (rows_turns base free ps)) (rows_pieces p)
  end.

(* The first answer of a function for an element of a list, or for a row of a block. *)
Fixpoint first {A B} (f : A -> option B) (l : list A) : option B :=
  match l with [] => None | x :: l => match f x with None => first f l | b => b end end.
Fixpoint first_many {B} (n : nat) (l : list (nat * nat)) (f : row -> option B) : option B :=
  match n with
  | O => f []
  | S n => first (fun c => first_many n (snd c) (fun r => f (fst c :: r))) (choices l)
  end.
Definition first_row {B} (k : kind) (f : row -> option B) : option B :=
  match k with
  | Pieces p => first_many (amount (counts p)) (counts p) f
  | _ => first f (rows k)
  end.

Notation table := (int * list (row * option entry))%type. (* the number of ranks, and the entries *)
Fixpoint tables (bs : list block) (ms : list move) : list table :=
  match bs with
  | [] => []
  | b :: bs => let rank := ranker (holds b) in
      (w (total_row (holds b)), map (find_entry rank b (map first_part ms)) (rows (holds b)))
      :: tables bs (map (@tl part) ms)
  end.

(* join accs next: the indices of the neighbours, as far as the blocks up to here tell. *)
Fixpoint join (accs next : list (option int)) : list (option int) :=
  match accs, next with
  | Some a :: accs, Some n :: next => Some (a + n) :: join accs next
  | _ :: accs, _ :: next => None :: join accs next
  | _, _ => []
  end.
Definition each (dist : int -> int) (f : int -> bool) : list (option int) -> bool :=
  forallb (fun j => match j with Some j => f (dist j) | None => true end).
Definition some (dist : int -> int) (f : int -> bool) : list (option int) -> bool :=
  existsb (fun j => match j with Some j => f (dist j) | None => false end).
Definition obeys (dist : int -> int) (gs : list int) (i : int) (js : list (option int)) : bool :=
  let d := dist i in
  if existsb (eqb i) gs then d =? 0
  else if d =? 255 then each dist (eqb 255) js
  else if d <=? 254 then
    if d =? 0 then false
    else if each dist (leb (d - 1)) js then some dist (eqb (d - 1)) js else false
  else false.

(* Visits all arrangements that begin with the rows s, in reverse.  Gives the first that breaks a
   rule, or its first rows if the last of them has no entry. *)
Fixpoint walk (dist : int -> int) (gs : list int) (ts : list table) (s : list row) (acc : int)
  (accs : list (option int)) : option state :=
  match ts with
  | [] => if obeys dist gs acc accs then None else Some (rev s)
  | (k, es) :: ts =>
      let acc := k * acc in
      let accs := map (option_map (mul k)) accs in
      first (fun e => match snd e with
        | None => Some (rev (fst e :: s))
        | Some (i, next) => walk dist gs ts (fst e :: s) (acc + i) (join accs next) end) es
  end.

Definition goal_indices (P : puzzle) : list int :=
  flat_map (fun s => match rank (blocks P) s with Some i => [w i] | None => [] end) (goals P).
Definition totals (bs : list block) : bool := forallb (fun b => 0 <? total_row (holds b))%N bs.
(* None: every byte is right.  Some: what breaks a rule, or nothing if there is no block, if a block
   has no row, or if the arrangements are too many. *)
Definition check (P : puzzle) (dist : int -> int) : option state :=
  match blocks P with
  | [] => Some []
  | b :: bs =>
      if (totals (b :: bs) && (total (b :: bs) <? big)%N)%bool then
        let rank := ranker (holds b) in
        let ps := map first_part (moves P) in
        let gs := goal_indices P in
        let ts := tables bs (map (@tl part) (moves P)) in
        let k := w (total_row (holds b)) in
        let zeros := map (option_map (mul k)) (map (fun _ => Some 0) (moves P)) in
        first_row (holds b) (fun r => match snd (find_entry rank b ps r) with
          | None => Some [r]
          | Some (i, next) => walk dist gs ts [r] (k * 0 + i) (join zeros next) end)
      else Some []
  end.

(* ---- Integers ---- *)
Open Scope N_scope.
Lemma to_v x : to_Z x = Z.of_N (v x).
Proof. unfold v. assert (H := to_Z_bounded x). lia. Qed.
Lemma wB_val : wB = 9223372036854775808%Z. Proof. reflexivity. Qed.
Lemma v_w x : x < big -> v (w x) = x.
Proof. intros H. unfold v, w. rewrite of_Z_spec, wB_val, Z.mod_small; lia. Qed.
Lemma w_v x : w (v x) = x.
Proof. unfold w. rewrite <- to_v. apply of_to_Z. Qed.
Lemma v_eqb x y : (x =? y)%uint63 = (v x =? v y).
Proof.
  apply eq_true_iff_eq. rewrite eqb_spec, N.eqb_eq. split; [now intros ->|].
  intros E. apply to_Z_inj. now rewrite !to_v, E.
Qed.
Lemma v_leb x y : (x <=? y)%uint63 = (v x <=? v y).
Proof. apply eq_true_iff_eq. rewrite leb_spec, N.leb_le, !to_v. lia. Qed.
Lemma v_add x y : v x + v y < 2 * big -> v (x + y)%uint63 = v x + v y.
Proof. intros H. apply N2Z.inj. rewrite <- to_v, add_spec, wB_val, !to_v, Z.mod_small; lia. Qed.
Lemma v_mul x y : v x * v y < 2 * big -> v (x * y)%uint63 = v x * v y.
Proof. intros H. apply N2Z.inj. rewrite <- to_v, mul_spec, wB_val, !to_v, Z.mod_small; lia. Qed.
Lemma v_pred x : v x <> 0 -> v (x - 1)%uint63 = v x - 1.
Proof.
  intros H. apply N2Z.inj. rewrite <- to_v, sub_spec, to_v, wB_val. change (to_Z 1) with 1%Z.
  assert (B := to_Z_bounded x). rewrite to_v, wB_val in B. rewrite Z.mod_small; lia.
Qed.
Lemma le_product a b c : 1 <= b -> a * b < c -> a < c.
Proof. nia. Qed.
Lemma v_0 : v 0%uint63 = 0. Proof. reflexivity. Qed.
Lemma v_1 : v 1%uint63 = 1. Proof. reflexivity. Qed.
Lemma v_254 : v 254%uint63 = 254. Proof. reflexivity. Qed.
Lemma v_255 : v 255%uint63 = 255. Proof. reflexivity. Qed.
Opaque v w.
(* A digit, where T is the number of what comes before. *)
Lemma step_v K acc n T : K < big -> v acc < T -> v n < K -> T * K < big ->
  v (w K * acc + n)%uint63 = K * v acc + v n /\ K * v acc + v n < T * K.
Proof.
  intros KB A B TB. assert (H : (v acc + 1) * K <= T * K) by (apply N.mul_le_mono_r; lia).
  rewrite N.mul_add_distr_r, (N.mul_comm (v acc)) in H.
  rewrite v_add; rewrite v_mul; rewrite ?v_w by trivial; lia.
Qed.

(* ---- Entries ---- *)
Fixpoint remaining (k : nat) (l : list bool) : row :=
  match l with
  | [] => [] | here :: l => if here then k :: remaining (S k) l else remaining (S k) l end.
Lemma remaining_all n : forall k, remaining k (repeat true n) = seq k n.
Proof. induction n as [|n IH]; intros k; cbn; [reflexivity|]. now rewrite IH. Qed.
Lemma take_before x l : forall k, (x < k)%nat -> take x (remaining k l) = None.
Proof.
  induction l as [|[] l IH]; intros k K; cbn; trivial; [|apply IH; lia].
  destruct (Nat.eqb_spec x k); [lia|]. rewrite IH by lia. reflexivity.
Qed.
Lemma take_v l : forall x k p, v p + N.of_nat (length (remaining k l)) < big ->
  match take (k + x) (remaining k l) with
  | Some (q, r) => exists i, place x l p = Some i /\ v i = v p + q /\ r = remaining k (use x l)
  | None => place x l p = None
  end.
Proof.
  induction l as [|here l IH]; intros [|x] k p B; cbn [remaining place use take]; trivial.
  - rewrite Nat.add_0_r. destruct here; cbn [take].
    + rewrite Nat.eqb_refl. exists p. repeat split. lia.
    + now rewrite take_before by lia.
  - rewrite <- Nat.add_succ_comm. destruct here; cbn [remaining take length] in *;
    [|exact (IH x _ p B)]. destruct (Nat.eqb_spec (S k + x) k); [lia|].
    assert (E : v (p + 1)%uint63 = v p + 1) by (rewrite v_add; rewrite v_1; lia).
    specialize (IH x (S k) (p + 1)%uint63 ltac:(lia)).
    destruct (take (S k + x) (remaining (S k) l)) as [[q r]|]; [|exact IH].
    destruct IH as (i & I & V & R). exists i. split; [exact I|]. split; [lia|]. now rewrite R.
Qed.
Lemma falling_pos n : 1 <= falling n n.
Proof. induction n; [cbn; lia|]. cbn [falling]. rewrite Nat.pred_succ. nia. Qed.
Definition nothing_left (a : option (N * row)) : option N :=
  match a with Some (a, []) => Some a | _ => None end.
Lemma different_v r : forall l acc T, let n := length (remaining 0 l) in
  v acc < T -> T * falling n n < big ->
  nothing_left (rank_taken r (remaining 0 l) (v acc)) = option_map v (different l r (radix n) acc).
Proof.
  induction r as [|x r IH]; intros l acc T n A B; cbn [rank_taken different].
  - unfold n. destruct (remaining 0 l) as [|y t]; [reflexivity|].
    unfold radix. cbn [length]. now rewrite seq_S, rev_app_distr.
  - assert (L := take_bound x (remaining 0 l)). fold n in L.
    destruct n as [|m] eqn:N; unfold n in N.
    { destruct (remaining 0 l); [reflexivity|discriminate]. }
    assert (E : radix (S m) = w (N.of_nat (S m)) :: radix m).
    { unfold radix. now rewrite seq_S, rev_app_distr. }
    assert (F := falling_pos m). cbn [falling pred] in B. rewrite N.mul_assoc in B.
    assert (TL : T * N.of_nat (S m) < big) by now apply le_product with (2 := B).
    assert (LB : N.of_nat (S m) < big) by (apply (le_product _ T); [|rewrite N.mul_comm]; lia).
    assert (TV := take_v l x 0 0%uint63). rewrite v_0, N in TV. specialize (TV LB).
    cbn [Nat.add] in TV. rewrite E.
    destruct (take x (remaining 0 l)) as [[q t]|]; [|now rewrite TV].
    destruct TV as (p & -> & Vp & ->). rewrite N.add_0_l in Vp. subst q.
    destruct (L _ _ eq_refl) as [X Y]. injection Y as Y.
    destruct (step_v (N.of_nat (S m)) acc p T) as [S1 S2]; trivial.
    rewrite size_length, N, <- S1. subst m.
    eapply IH; [rewrite S1; exact S2|exact B].
Qed.

Section Block.
Variable b : block.
Hypothesis T : total_row (holds b) < big.
Lemma ranker_v r j : ranker (holds b) r = Some j ->
  rank_row (holds b) r = Some (v j) /\ v j < total_row (holds b).
Proof.
  assert (O : option_map w (rank_row (holds b) r) = Some j ->
    rank_row (holds b) r = Some (v j) /\ v j < total_row (holds b)).
  { destruct (rank_row (holds b) r) as [q|] eqn:Q; [|discriminate]. intros [= <-].
    apply row_rank in Q as [Q _]. rewrite v_w by lia. auto. }
  destruct (holds b) as [[n|once many]|home base free|p base free]; trivial. clear O. cbn in T |- *.
  intros R. assert (V := different_v r (repeat true n) 0%uint63 1). cbv zeta in V.
  rewrite remaining_all, seq_length, R, v_0 in V. specialize (V ltac:(lia) ltac:(lia)).
  split; [exact V|]. exact (proj1 (row_rank (Pieces (Different n)) _ _ V)).
Qed.

(* What an entry says of a move. *)
Definition leads (r : row) (m : move) (n : option int) : Prop :=
  match n with
  | None => make_row b (first_part m) r = None
  | Some j => exists r', make_row b (first_part m) r = Some r' /\
                         rank_row (holds b) r' = Some (v j) /\ v j < total_row (holds b)
  end.
Lemma find_next_v r ms : forall l,
  find_next (ranker (holds b)) b r (map first_part ms) = Some l -> Forall2 (leads r) ms l.
Proof.
  induction ms as [|m ms IH]; cbn [map find_next]; intros l H. { injection H as <-. constructor. }
  destruct (find_next _ _ _ _) as [l'|]; [|discriminate]. specialize (IH _ eq_refl).
  destruct (make_row b (first_part m) r) as [r'|] eqn:M.
  - destruct (ranker _ r') as [j|] eqn:R; [|discriminate]. injection H as <-. constructor; trivial.
    exists r'. apply ranker_v in R. auto.
  - injection H as <-. constructor; trivial.
Qed.
Lemma find_entry_v r ms i next :
  snd (find_entry (ranker (holds b)) b (map first_part ms) r) = Some (i, next) ->
  rank_row (holds b) r = Some (v i) /\ v i < total_row (holds b) /\ Forall2 (leads r) ms next.
Proof.
  cbn. destruct (ranker _ _) as [j|] eqn:R; [|discriminate].
  destruct (find_next _ _ _ _) as [l|] eqn:N; [|discriminate]. intros H. injection H as -> ->.
  apply ranker_v in R as [R1 R2]. split; [trivial|]. split; [trivial|]. now apply find_next_v.
Qed.
End Block.

(* ---- Every row is visited ---- *)
Lemma first_in {A B} (f : A -> option B) l : first f l = None -> forall x, In x l -> f x = None.
Proof.
  induction l as [|y l IH]; simpl; intros H x; [tauto|]. destruct (f y) eqn:E; [discriminate|].
  intros [->|I]; auto.
Qed.
Lemma choices_in x l : In x (all l) -> exists r, In (x, r) (choices l).
Proof.
  induction l as [|[y k] l IH]; simpl; [tauto|]. intros H. apply in_app_or in H as [H|H].
  - destruct k; [destruct H|]. apply repeat_spec in H as ->. eexists. apply in_or_app. left.
    now left.
  - destruct (IH H) as (r & I). eexists. apply in_or_app. right. apply in_map_iff.
    exists (x, r). split; [reflexivity|trivial].
Qed.
Lemma many_row n l r : amount l = S n -> Permutation (all l) r -> exists x t s, r = x :: t /\
  In (x, s) (choices l) /\ amount s = n /\ Permutation (all s) t.
Proof.
  intros L P. destruct r as [|x t]. { apply Permutation_length in P. rewrite amount_all in P.
  simpl in P. lia. }
  destruct (choices_in x l) as (s & H1). { eapply Permutation_in; [symmetry; exact P|now left]. }
  exists x, t, s. split; [reflexivity|]. split; [trivial|]. split.
  - apply choices_amount in H1. simpl in H1. lia.
  - apply Permutation_cons_inv with x. now rewrite <- (choices_perm _ _ _ H1).
Qed.
Lemma no_row l r : amount l = O -> Permutation (all l) r -> r = [].
Proof.
  rewrite <- amount_all. destruct (all l); [|discriminate]. intros _. apply Permutation_nil.
Qed.
Lemma rows_many_in n : forall l r, amount l = n -> Permutation (all l) r -> In r (rows_many n l).
Proof.
  induction n as [|n IH]; intros l r L P.
  - rewrite (no_row l r L P). now left.
  - destruct (many_row n l r L P) as (x & t & s & -> & I & LS & PS).
    apply in_flat_map. exists (x, s). split; trivial. apply in_map. auto.
Qed.
Lemma first_many_in {B} n : forall l (f : row -> option B) r, amount l = n ->
  Permutation (all l) r -> first_many n l f = None -> f r = None.
Proof.
  induction n as [|n IH]; intros l f r L P H.
  - now rewrite (no_row l r L P).
  - destruct (many_row n l r L P) as (x & t & s & -> & I & LS & PS).
    exact (IH _ _ _ LS PS (first_in _ _ H _ I)).
Qed.
Lemma counts_all p : all (counts p) = values p.
Proof.
  assert (O : forall l, all (map (fun x => (x, 1%nat)) l) = l) by (induction l; simpl; congruence).
  destruct p; simpl; [apply O|]. now rewrite flat_map_app, O.
Qed.
Lemma rows_pieces_in p r : Permutation (values p) r -> In r (rows_pieces p).
Proof. rewrite <- counts_all. now apply rows_many_in. Qed.
Lemma rows_turns_in base free ps ts :
  Forall2 (turns base free) ps ts -> In ts (rows_turns base free ps).
Proof.
  induction 1 as [|x t ps ts [L Z] _ IH]; [now left|]. apply in_flat_map. exists t.
  split; [|now apply in_map]. destruct (mem x free) eqn:M; [|apply in_seq; lia].
  apply mem_spec in M. left. now rewrite Z.
Qed.
Lemma rows_in k r : arranged k r -> In r (rows k).
Proof.
  destruct k as [p|home base free|p base free]; simpl; [apply rows_pieces_in|apply rows_turns_in|].
  intros (ps & ts & -> & P & F). apply in_flat_map. exists ps. split; [now apply rows_pieces_in|].
  now apply in_map, rows_turns_in.
Qed.
Lemma first_row_in {B} k (f : row -> option B) r :
  arranged k r -> first_row k f = None -> f r = None.
Proof.
  intros A. assert (I := rows_in k r A). destruct k as [p|home base free|p base free];
  cbn [first_row]; intros H;
    try exact (first_in _ _ H r I).
  apply first_many_in with (3 := H); trivial. now rewrite counts_all.
Qed.

(* ---- The walk ---- *)
(* j is the index that move m leads to from s, if a is that of the blocks before. *)
Definition reaches (bs : list block) (s : state) (ma : move * option int) (j : option int) : Prop :=
  match j with
  | None => snd ma = None \/ make bs (fst ma) s = None
  | Some j => exists a t, snd ma = Some a /\ make bs (fst ma) s = Some t /\
              rank_from bs t (v a) = Some (v j)
  end.
Definition below (T : N) (a : option int) : Prop :=
  match a with Some a => v a < T | None => True end.
Lemma join_v b bs r s T ms accs n : T * total_row (holds b) < big -> total_row (holds b) < big ->
  Forall (below T) accs -> length accs = length ms -> Forall2 (leads b r) ms n ->
  let accs' := join (map (option_map (mul (w (total_row (holds b))))) accs) n in
  length accs' = length (map (@tl part) ms) /\ Forall (below (T * total_row (holds b))) accs' /\
  forall js, Forall2 (reaches bs s) (combine (map (@tl part) ms) accs') js ->
             Forall2 (reaches (b :: bs) (r :: s)) (combine ms accs) js.
Proof.
  intros TB KB. set (K := total_row (holds b)) in *. intros B L N. revert accs B L.
  induction N as [|m x ms n M _ IH]; intros [|a accs] B L; try discriminate; cbn [map join].
  { split; [trivial|]. split; [constructor|]. intros js J. inversion J. constructor. }
  inversion B as [|? ? Ba Bs]; subst. injection L as L. destruct (IH accs Bs L) as (I1 & I2 & I3).
  clear IH. destruct a as [a|]; cbn [option_map]; [destruct x as [x|]|]; cbn [combine length].
  - destruct M as (r' & M & R & X). fold K in X. destruct (step_v K a x T) as [E EB]; trivial.
    split; [now rewrite I1|]. split. { constructor; trivial. cbn. now rewrite E. }
    intros js J. inversion J as [|? j ? js' J1 J2]; subst. constructor; [|now apply I3].
    destruct j as [j|]; cbn in J1 |- *; rewrite M.
    + destruct J1 as (a' & t & [= <-] & Mk & Rt). rewrite E in Rt. rewrite Mk.
      exists a, (r' :: t). cbn [rank_from]. rewrite R. auto.
    + right. destruct J1 as [J1|J1]; [discriminate|]. now rewrite J1.
  - split; [now rewrite I1|]. split; [now constructor|].
    intros js J. inversion J as [|? [j|] ? js' J1 J2]; subst; cbn in J1, M.
    + destruct J1 as (a' & t & E & _). discriminate.
    + constructor; [right; cbn; now rewrite M|now apply I3].
  - split; [now rewrite I1|]. split; [now constructor|].
    intros js J. inversion J as [|? [j|] ? js' J1 J2]; subst; cbn in J1.
    + destruct J1 as (a' & t & E & _). discriminate.
    + constructor; [now left|now apply I3].
Qed.

(* What a walk has shown: the index of s, and those of its neighbours, obey the rules. *)
Definition lands dist gs (bs : list block) (ms : list move) (acc : int) accs (s : state) : Prop :=
  exists i js, rank_from bs s (v acc) = Some (v i) /\
    Forall2 (reaches bs s) (combine ms accs) js /\ obeys dist gs i js = true.
Lemma total_pos bs : totals bs = true -> 1 <= total bs.
Proof.
  induction bs as [|b bs IH]; cbn; [lia|]. rewrite andb_true_iff, N.ltb_lt. intros [B H].
  specialize (IH H). nia.
Qed.
(* The entry of a row, and what the walk shows of the blocks behind it. *)
Lemma entry_v dist gs b bs ms r s acc accs T i next : totals (b :: bs) = true ->
  v acc < T -> T * total (b :: bs) < big -> Forall (below T) accs -> length accs = length ms ->
  let k := w (total_row (holds b)) in
  snd (find_entry (ranker (holds b)) b (map first_part ms) r) = Some (i, next) ->
  let acc' := (k * acc + i)%uint63 in
  let accs' := join (map (option_map (mul k)) accs) next in
  (forall T', v acc' < T' -> T' * total bs < big -> Forall (below T') accs' ->
    length accs' = length (map (@tl part) ms) ->
    lands dist gs bs (map (@tl part) ms) acc' accs' s) ->
  lands dist gs (b :: bs) ms acc accs (r :: s).
Proof.
  intros TS A TB B L k F acc' accs' W. apply andb_prop in TS as [G TS']. apply N.ltb_lt in G.
  cbn [total] in TB.   unfold acc', accs', k in *. clear acc' accs' k.
  set (K := total_row (holds b)) in *. assert (TK : T * K < big).
  { rewrite N.mul_assoc in TB. apply le_product with (2 := TB). now apply total_pos. }
  assert (KB : K < big) by (apply (le_product _ T); [|rewrite N.mul_comm]; lia).
  apply find_entry_v in F as (Ek & Eb & En); trivial. fold K in Eb.
  destruct (step_v K acc i T) as [E EB]; trivial.
  destruct (join_v b bs r s T ms accs next) as (J1 & J2 & J3); trivial.
  destruct (W (T * K)) as (j & js & Rj & Fj & O); trivial.
  - now rewrite E.
  - now rewrite <- N.mul_assoc.
  - exists j, js. rewrite E in Rj. cbn [rank_from]. rewrite Ek. split; [exact Rj|].
    split; [now apply J3|exact O].
Qed.
Lemma walk_v dist gs bs : totals bs = true -> forall ms st s acc accs T, v acc < T ->
  T * total bs < big -> Forall (below T) accs -> length accs = length ms -> arrangement bs s ->
  walk dist gs (tables bs ms) st acc accs = None -> lands dist gs bs ms acc accs s.
Proof.
  induction bs as [|b bs IH]; intros TS ms st s acc accs T A TB B L As; cbn [tables walk]; intros H.
  - inversion As; subst. exists acc, accs. split; [reflexivity|].
    split; [|now destruct (obeys _ _ _ _)]. clear -L. revert accs L.
    induction ms as [|m ms IH]; intros [|a accs] L; try discriminate; constructor.
    + destruct a as [a|]; simpl; [|now left]. exists a, []. auto.
    + apply IH. now injection L.
  - inversion As as [|? r ? s' Ab As']; subst.
    set (g := find_entry (ranker (holds b)) b (map first_part ms)) in *.
    assert (X := first_in _ _ H _ (in_map g _ _ (rows_in _ _ Ab))). cbv beta in X.
    destruct (snd (g r)) as [[i next]|] eqn:F; [|discriminate X].
    apply (entry_v dist gs b bs ms r s' acc accs T i next); trivial.
    intros T' A' TB' B' L'. apply andb_prop in TS as [_ TS]. eapply IH; eauto.
Qed.

(* ---- The rules are obeyed ---- *)
Lemma each_v dist f js j : each dist f js = true -> In (Some j) js -> f (dist j) = true.
Proof. unfold each. rewrite forallb_forall. intros H I. exact (H _ I). Qed.
Lemma some_v dist f js : some dist f js = true -> exists j, In (Some j) js /\ f (dist j) = true.
Proof.
  unfold some. rewrite existsb_exists. intros ([j|] & I & F); [|discriminate]. exists j. auto.
Qed.

Notation bytes dist := (fun i => v (dist (w i))).
Lemma reaches_next bs s ms accs js : Forall2 (reaches bs s) (combine ms accs) js ->
  length accs = length ms -> (forall a, In a accs -> exists x, a = Some x /\ v x = 0) ->
  (forall m t, In m ms -> make bs m s = Some t ->
    exists j, In (Some j) js /\ rank bs t = Some (v j)) /\
  (forall j, In (Some j) js ->
    exists m t, In m ms /\ make bs m s = Some t /\ rank bs t = Some (v j)).
Proof.
  revert accs js. induction ms as [|m ms IH]; intros [|a accs] js F L Z; try discriminate.
  { inversion F; subst. split; simpl; tauto. }
  cbn [combine] in F. inversion F as [|? j ? js' F1 F2]; subst. injection L as L.
  destruct (IH accs js' F2 L) as [I1 I2]. { intros x X. apply Z. now right. }
  destruct (Z a (or_introl eq_refl)) as (x & -> & X). split.
  - intros m' t [<-|M] T.
    + destruct j as [j|]; cbn in F1.
      * destruct F1 as (a' & t' & [= <-] & T' & R). rewrite T in T'. injection T' as <-.
        rewrite X in R. exists j. split; [now left|exact R].
      * destruct F1 as [F1|F1]; [discriminate|]. cbn in F1. congruence.
    + destruct (I1 m' t M T) as (j' & J & R). exists j'. split; [now right|trivial].
  - intros j' [E|J].
    + rewrite E in F1. cbn in F1. destruct F1 as (a' & t' & [= <-] & T' & R). rewrite X in R.
      exists m, t'. split; [now left|]. auto.
    + destruct (I2 j' J) as (m' & t & M & T & R). exists m', t. split; [now right|auto].
Qed.
Lemma goal_v P s i : total (blocks P) < big -> rank (blocks P) s = Some (v i) ->
  existsb (eqb i) (goal_indices P) = true <-> In s (goals P).
Proof.
  intros T R. rewrite existsb_exists. unfold goal_indices. split.
  - intros (x & I & E). apply eqb_spec in E as <-. apply in_flat_map in I as (t & I & X).
    destruct (rank (blocks P) t) as [j|] eqn:J; [|destruct X]. destruct X as [<-|[]].
    destruct (rank_one _ _ _ _ J J) as [B _]. rewrite v_w in R by lia.
    destruct (rank_one _ _ _ _ R J) as [_ ->]. exact I.
  - intros I. exists i. split; [|now apply eqb_spec]. apply in_flat_map. exists s.
    split; [exact I|]. rewrite R. left. apply w_v.
Qed.
Lemma lands_ok P dist s accs acc : total (blocks P) < big -> length accs = length (moves P) ->
  v acc = 0 -> (forall a, In a accs -> exists x, a = Some x /\ v x = 0) ->
  lands dist (goal_indices P) (blocks P) (moves P) acc accs s -> ok P (bytes dist) s.
Proof.
  intros TB L A Z (i & js & R & F & O). rewrite A in R.
  destruct (reaches_next _ _ _ _ _ F L Z) as [N1 N2].
  assert (NX : forall j, next P s j -> exists x, In (Some x) js /\ j = v x).
  { intros j (m & t & M & T & Rt). destruct (N1 m t M T) as (x & X & Rx). exists x.
    split; trivial. congruence. }
  exists (v i). split; [exact R|]. split.
  { intros m t M T. destruct (N1 m t M T) as (x & _ & Rx). congruence. }
  rewrite w_v. unfold obeys in O. assert (GV := goal_v P s i TB R).
  destruct (existsb _ (goal_indices P)).
  - left. split; [now apply GV|]. rewrite v_eqb, v_0 in O. now apply N.eqb_eq.
  - assert (NG : ~ In s (goals P)). { intros I. apply GV in I. discriminate. }
    rewrite v_eqb, v_255 in O. destruct (N.eqb_spec (v (dist i)) 255) as [E|E].
    + right. left. split; [exact NG|]. split; [exact E|]. intros j J.
      apply NX in J as (x & X & ->). rewrite w_v. assert (Y := each_v _ _ _ _ O X).
      rewrite v_eqb, v_255 in Y. symmetry. now apply N.eqb_eq.
    + rewrite v_leb, v_254 in O. destruct (N.leb_spec (v (dist i)) 254) as [S|]; [|discriminate].
      rewrite v_eqb, v_0 in O. destruct (N.eqb_spec (v (dist i)) 0) as [|U]; [discriminate|].
      destruct (each _ _ _) eqn:O1; [|discriminate].
      right. right. split; [exact NG|]. split; [lia|]. split.
      * intros j J. apply NX in J as (x & X & ->). rewrite w_v. assert (Y := each_v _ _ _ _ O1 X).
        rewrite v_leb, v_pred in Y by exact U. apply N.leb_le in Y. lia.
      * apply some_v in O as (x & X & Y). rewrite v_eqb, v_pred in Y by exact U.
        apply N.eqb_eq in Y. exists (v x). rewrite w_v. split; [exact (N2 x X)|lia].
Qed.

(* What the program runs, and what it proves. *)
Theorem check_correct : forall (P : puzzle) (dist : int -> int),
  check P dist = None ->
  forall s, arrangement (blocks P) s ->
  exists i, rank (blocks P) s = Some i /\ is_distance P s (v (dist (w i))).
Proof.
  intros P dist C. apply (rules_correct P (bytes dist)). intros s As. unfold check in C.
  destruct (blocks P) as [|b bs] eqn:EB; [discriminate|].
  destruct (totals (b :: bs)) eqn:TS; [|discriminate C].
  cbn [andb] in C. destruct (N.ltb_spec (total (b :: bs)) big) as [TB|]; [|discriminate C].
  inversion As as [|? r ? s' Ab As']; subst. apply first_row_in with (2 := C) in Ab as F.
  cbv beta in F. set (zeros := map (fun _ => Some 0%uint63) (moves P)) in *.
  assert (ZZ : forall a, In a zeros -> exists x, a = Some x /\ v x = 0).
  { intros a I. apply in_map_iff in I as (m & <- & _). now exists 0%uint63. }
  set (g := find_entry (ranker (holds b)) b (map first_part (moves P))) in *.
  destruct (snd (g r)) as [[i next]|] eqn:FE; [|discriminate F].
  apply lands_ok with (accs := zeros) (acc := 0%uint63); rewrite ?EB; trivial.
  { apply map_length. }
  apply (entry_v _ _ b bs (moves P) r s' 0%uint63 zeros 1 i next); trivial.
  - rewrite v_0. lia.
  - now rewrite N.mul_1_l.
  - apply Forall_forall. intros a I. apply ZZ in I as (x & -> & X). cbn. lia.
  - apply map_length.
  - intros T' A' TB' B' L'. apply andb_prop in TS as [_ TS]. eapply walk_v; eauto.
Qed.
