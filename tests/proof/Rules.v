(* The rules that prove distances: at a goal the byte is 0; elsewhere no move lowers it by more than
   1, and some move lowers it by 1; 255 meets only 255. *)
Require Import List Arith NArith Permutation Bool Lia.
Require Import Model.
Import ListNotations.
Open Scope N_scope.

Definition next (P : puzzle) (s : state) (j : N) : Prop :=
  exists m t, In m (moves P) /\ make (blocks P) m s = Some t /\ rank (blocks P) t = Some j.
Definition ok (P : puzzle) (dist : N -> N) (s : state) : Prop :=
  exists i, rank (blocks P) s = Some i /\
  (forall m t, In m (moves P) -> make (blocks P) m s = Some t -> rank (blocks P) t <> None) /\
  (In s (goals P) /\ dist i = 0 \/
   ~ In s (goals P) /\ dist i = 255 /\ (forall j, next P s j -> dist j = 255) \/
   ~ In s (goals P) /\ dist i < 255 /\ (forall j, next P s j -> dist i <= N.succ (dist j)) /\
     exists j, next P s j /\ dist i = N.succ (dist j)).

(* ---- What has a rank is an arrangement ---- *)
Lemma take_split x l : forall p r, take x l = Some (p, r) ->
  exists a b, l = a ++ x :: b /\ r = a ++ b /\ p = N.of_nat (length a).
Proof.
  induction l as [|y l IH]; simpl; intros p r; [discriminate|].
  destruct (Nat.eqb_spec x y) as [->|].
  - intros [= <- <-]. now exists [], l.
  - destruct (take x l) as [[q r']|]; [|discriminate]. intros [= <- <-].
    destruct (IH _ _ eq_refl) as (a & b & -> & -> & ->). exists (y :: a), b. simpl. repeat split.
    lia.
Qed.
Lemma take_perm x l p r : take x l = Some (p, r) -> Permutation l (x :: r).
Proof. intros H. apply take_split in H as (a & b & -> & -> & _). symmetry. apply Permutation_middle.
  Qed.

Lemma taken_perm once : forall r acc i rest, rank_taken once r acc = Some (i, rest) ->
  Permutation (once ++ rest) r.
Proof.
  induction once as [|x once IH]; intros r acc i rest; simpl.
  - now intros [= _ <-].
  - destruct (take x r) as [[p t]|] eqn:T; [|discriminate]. intros H.
    rewrite (take_perm _ _ _ _ T). constructor. eapply IH, H.
Qed.

Notation all l := (flat_map (fun c : nat * nat => repeat (fst c) (snd c)) l).
Lemma choices_perm l : forall x r, In (x, r) (choices l) -> Permutation (all l) (x :: all r).
Proof.
  induction l as [|[y k] l IH]; simpl; intros x r; [tauto|]. intros H.
  apply in_app_or in H as [H|H].
  - destruct k; [destruct H|]. destruct H as [[= <- <-]|[]]. reflexivity.
  - apply in_map_iff in H as ([z t] & [= <- <-] & H). apply IH in H. simpl.
    rewrite H. symmetry. apply Permutation_middle.
Qed.
Lemma skip_in x cs : forall p l, skip x cs = Some (p, l) -> In (x, l) cs.
Proof.
  induction cs as [|[y k] cs IH]; simpl; intros p l; [discriminate|].
  destruct (Nat.eqb_spec x y) as [->|]. { intros [= _ ->]. now left. }
  destruct (skip x cs) as [[q r]|]; [|discriminate]. intros [= _ <-]. right. now apply IH with q.
Qed.
Lemma amount_all l : length (all l) = amount l.
Proof. induction l as [|[x k] l IH]; simpl; trivial. now rewrite app_length, repeat_length, IH. Qed.
Lemma many_perm r : forall many i, rank_many many r = Some i -> Permutation (all many) r.
Proof.
  induction r as [|x r IH]; intros many i; simpl.
  - destruct (amount many) eqn:A; [|discriminate]. intros _. rewrite <- amount_all in A.
    destruct (all many); [reflexivity|discriminate].
  - destruct (skip x (choices many)) as [[p l]|] eqn:S; [|discriminate].
    destruct (rank_many l r) eqn:R; [|discriminate]. intros _.
    rewrite (choices_perm _ _ _ (skip_in _ _ _ _ S)). constructor. eapply IH, R.
Qed.

Lemma pieces_perm p r i : rank_pieces p r = Some i -> Permutation (values p) r.
Proof.
  destruct p as [n|once many]; simpl.
  - destruct (rank_taken r (seq 0 n) 0) as [[a [|]]|] eqn:T; try discriminate. intros _.
    rewrite <- (taken_perm _ _ _ _ _ T). now rewrite app_nil_r.
  - destruct (rank_taken once r 0) as [[a rest]|] eqn:O; [|discriminate].
    destruct (rank_many many rest) eqn:M; [|discriminate]. intros _.
    rewrite <- (taken_perm _ _ _ _ _ O). apply Permutation_app_head. eapply many_perm, M.
Qed.

Lemma mem_spec x l : mem x l = true <-> In x l.
Proof.
  unfold mem. rewrite existsb_exists. split.
  - intros (y & H & E). apply Nat.eqb_eq in E. now subst.
  - intros H. exists x. split; trivial. apply Nat.eqb_refl.
Qed.
Lemma turns_arranged base free ps : forall ts acc i,
  rank_turns base free ps ts acc = Some i -> Forall2 (turns base free) ps ts.
Proof.
  induction ps as [|x ps IH]; intros [|t ts] acc i; simpl; try discriminate; [constructor|].
  destruct (Nat.ltb_spec t base); [|discriminate]. simpl. destruct (mem x free) eqn:M; simpl.
  - destruct (Nat.eqb_spec t 0) as [->|]; [|discriminate]. intros R. constructor; eauto.
    split; trivial.
  - intros R. constructor; eauto. split; trivial. intros I. apply mem_spec in I. congruence.
Qed.

Lemma row_arranged k r i : rank_row k r = Some i -> arranged k r.
Proof.
  destruct k as [p|home base free|p base free]; simpl; intros H.
  - eapply pieces_perm, H.
  - eapply turns_arranged, H.
  - set (n := length (values p)) in *. destruct (rank_pieces p (firstn n r)) eqn:R; [|discriminate].
    exists (firstn n r), (skipn n r). rewrite firstn_skipn. split; [reflexivity|]. split.
    + eapply pieces_perm, R.
    + eapply turns_arranged, H.
Qed.

Lemma rank_arrangement bs : forall s acc i, rank_from bs s acc = Some i -> arrangement bs s.
Proof.
  induction bs as [|b bs IH]; intros [|r s] acc i; simpl; try discriminate.
  - constructor.
  - destruct (rank_row (holds b) r) eqn:R; [|discriminate]. intros H.
    constructor; [eapply row_arranged; eauto|eapply IH, H].
Qed.

(* ---- The rules prove the distances ---- *)
Section Rules.
Variables (P : puzzle) (dist : N -> N).
Hypothesis all_ok : forall s, arrangement (blocks P) s -> ok P dist s.

Lemma next_intro m s t : arrangement (blocks P) s -> In m (moves P) ->
  make (blocks P) m s = Some t ->
  exists j, rank (blocks P) t = Some j /\ next P s j /\ arrangement (blocks P) t.
Proof.
  intros A M T. destruct (all_ok s A) as (i & _ & R & _). specialize (R m t M T).
  destruct (rank (blocks P) t) as [j|] eqn:E; [|congruence]. exists j. split; [trivial|]. split.
  - exists m, t. auto.
  - eapply rank_arrangement, E.
Qed.

Lemma not_too_large k s : path P k s -> forall i, arrangement (blocks P) s ->
  rank (blocks P) s = Some i -> dist i <> 255 /\ dist i <= N.of_nat k.
Proof.
  induction 1 as [s G|k s m t M T _ IH]; intros i A R; destruct (all_ok s A) as (i' & R' & _ & H);
  rewrite R in R'; injection R' as <-; destruct H as [[_ E]|[(G' & E & F)|(G' & E & F & _)]];
  try tauto; try lia.
  - destruct (next_intro m s t A M T) as (j & Rj & Nj & At).
    destruct (IH j At Rj). apply F in Nj. lia.
  - destruct (next_intro m s t A M T) as (j & Rj & Nj & At).
    destruct (IH j At Rj). apply F in Nj. lia.
Qed.

Lemma not_too_small k : forall s i, arrangement (blocks P) s -> rank (blocks P) s = Some i ->
  dist i <> 255 -> dist i = N.of_nat k -> path P k s.
Proof.
  induction k as [|k IH]; intros s i A R U D; destruct (all_ok s A) as (i' & R' & _ & H);
  rewrite R in R'; injection R' as <-;
  destruct H as [[G E]|[(G & E & F)|(G & E & F & j & (m & t & M & T & Rj) & L)]];
  try tauto; try lia.
  - now constructor.
  - apply path_move with m t; trivial. apply (IH t j); trivial; try lia.
    eapply rank_arrangement, Rj.
Qed.

Theorem rules_correct : forall s, arrangement (blocks P) s ->
  exists i, rank (blocks P) s = Some i /\ is_distance P s (dist i).
Proof.
  intros s A. destruct (all_ok s A) as (i & R & _). exists i. split; trivial. unfold is_distance.
  destruct (N.eqb_spec (dist i) 255) as [E|E].
  - intros k H. destruct (not_too_large k s H i A R). tauto.
  - split.
    + apply (not_too_small _ s i); trivial. lia.
    + intros k H. destruct (not_too_large k s H i A R). lia.
Qed.
End Rules.
