(* Different arrangements have different ranks, and all are below the total. *)
Require Import List Arith NArith Permutation Bool Lia.
Require Import Model Rules.
Import ListNotations.
Open Scope N_scope.

Lemma size_length l : size l = N.of_nat (length l).
Proof. induction l; simpl size; simpl length; lia. Qed.
Lemma mixed k p q a b : k * a + p = k * b + q -> p < k -> q < k -> a = b /\ p = q.
Proof. intros E P Q. assert (a = b) by nia. subst. lia. Qed.

(* ---- Different pieces, and pieces that appear once ---- *)
Lemma take_bound x l p r : take x l = Some (p, r) ->
  p < N.of_nat (length l) /\ length l = S (length r).
Proof.
  intros H. apply take_split in H as (a & b & -> & -> & ->). rewrite !app_length. simpl. lia.
Qed.
Lemma app_cut {A} (a c : list A) : forall b d,
  a ++ b = c ++ d -> length a = length c -> a = c /\ b = d.
Proof.
  revert c. induction a as [|x a IH]; intros [|y c] b d; simpl; try discriminate; [auto|].
  intros [= -> E] [= L]. destruct (IH _ _ _ E L). now subst.
Qed.
(* The place tells the piece; and with the piece, what is left tells the row. *)
Lemma take_place x y l p r t : take x l = Some (p, r) -> take y l = Some (p, t) -> x = y /\ r = t.
Proof.
  intros H K. apply take_split in H as (a & b & -> & -> & ->).
  apply take_split in K as (c & d & E & -> & L). apply app_cut in E as [-> E]; [|lia].
  now injection E as -> ->.
Qed.
Lemma take_row x l k p r : take x l = Some (p, r) -> take x k = Some (p, r) -> l = k.
Proof.
  intros H K. apply take_split in H as (a & b & -> & -> & ->).
  apply take_split in K as (c & d & -> & E & L). now apply app_cut in E as [-> ->]; [|lia].
Qed.

Lemma taken_bound once : forall r acc a rest, rank_taken once r acc = Some (a, rest) ->
  acc * falling (length r) (length once) <= a < (acc + 1) * falling (length r) (length once).
Proof.
  induction once as [|x once IH]; intros r acc a rest; simpl.
  - intros [= <- _]. lia.
  - destruct (take x r) as [[p t]|] eqn:T; [|discriminate]. intros H. apply IH in H.
    apply take_bound in T as [B L]. rewrite size_length in H. rewrite L in *.
    cbn [pred falling]. nia.
Qed.
Lemma taken_row once : forall r s acc acc' a rest rest', rank_taken once r acc = Some (a, rest) ->
  rank_taken once s acc' = Some (a, rest') -> length r = length s ->
  acc = acc' /\ (rest = rest' -> r = s).
Proof.
  induction once as [|x once IH]; intros r s acc acc' a rest rest'; simpl.
  - intros [= -> ->] [= -> ->]. auto.
  - destruct (take x r) as [[p t]|] eqn:T; [|discriminate].
    destruct (take x s) as [[q u]|] eqn:U; [|discriminate]. intros R S L.
    assert (B := take_bound _ _ _ _ T). assert (C := take_bound _ _ _ _ U).
    destruct (IH _ _ _ _ _ _ _ R S) as [E F]; [lia|]. rewrite !size_length, L in E.
    apply mixed in E as [-> ->]; [|lia|lia]. split; [reflexivity|]. intros G.
    apply F in G as <-. eapply take_row; eauto.
Qed.

Lemma taken_pieces r : forall s l k acc acc' a, rank_taken r l acc = Some (a, []) ->
  rank_taken s k acc' = Some (a, []) -> length l = length k -> acc = acc' /\ (l = k -> r = s).
Proof.
  induction r as [|x r IH]; intros [|y s] l k acc acc' a; simpl.
  - intros [= -> ->] [= -> _]. auto.
  - intros [= _ ->]. destruct k; simpl; [discriminate|]. discriminate.
  - intros H [= _ ->]. destruct l; simpl in *; discriminate.
  - destruct (take x l) as [[p t]|] eqn:T; [|discriminate].
    destruct (take y k) as [[q u]|] eqn:U; [|discriminate]. intros R S L.
    assert (B := take_bound _ _ _ _ T). assert (C := take_bound _ _ _ _ U).
    destruct (IH _ _ _ _ _ _ R S) as [E F]; [lia|]. rewrite !size_length, L in E.
    apply mixed in E as [-> ->]; [|lia|lia]. split; [reflexivity|]. intros <-.
    destruct (take_place _ _ _ _ _ _ T U) as [-> ->]. f_equal. auto.
Qed.

(* ---- Pieces that appear several times: a multinomial coefficient is the sum of those of what can
   stand first ---- *)
Definition sum (f : nat * list (nat * nat) -> N) cs := fold_right (fun c a => f c + a) 0 cs.
Lemma sum_app f l k : sum f (l ++ k) = sum f l + sum f k.
Proof. unfold sum. induction l; simpl; lia. Qed.
Lemma sum_map f g k l : sum (fun c => f (g c) * k) l = sum f (map g l) * k.
Proof. unfold sum. induction l; simpl; [reflexivity|]. rewrite IHl. ring. Qed.
Lemma factorial_pos n : 1 <= factorial n.
Proof. induction n; cbn [factorial]; lia. Qed.
Lemma repeats_pos l : 1 <= repeats l.
Proof. induction l as [|[x k] l IH]; cbn [repeats]; [lia|]. assert (H := factorial_pos k). nia. Qed.
Lemma choices_amount l : forall c, In c (choices l) -> amount l = S (amount (snd c)).
Proof.
  intros [x r] H. apply choices_perm, Permutation_length in H. simpl in H.
  now rewrite !amount_all in H.
Qed.
Lemma sum_choices l : forall f V, (forall c, In c (choices l) -> f c * repeats (snd c) = V) ->
  sum f (choices l) * repeats l = N.of_nat (amount l) * V.
Proof.
  induction l as [|[x k] l IH]; intros f V H; cbn [choices]; [simpl; lia|]. rewrite sum_app.
  set (g := fun c : nat * list (nat * nat) => (fst c, (x, k) :: snd c)) in *.
  assert (E : sum f (map g (choices l)) * (factorial k * repeats l) = N.of_nat (amount l) * V).
  { rewrite <- (IH (fun c => f (g c) * factorial k)).
    - now rewrite sum_map, N.mul_assoc.
    - intros c I. rewrite <- N.mul_assoc. apply (H (g c)). cbn [choices]. apply in_or_app. right.
      now apply in_map. }
  cbn [repeats amount]. destruct k as [|j]; [exact E|].
  assert (F := H (x, (x, j) :: l) ltac:(now left)). cbn [snd repeats] in F.
  rewrite N.mul_add_distr_r, E. cbn [sum fold_right factorial] in *.
  replace (f (x, (x, j) :: l) + 0) with (f (x, (x, j) :: l)) by lia.
  replace (f (x, (x, j) :: l) * (N.of_nat (S j) * factorial j * repeats l)) with
    (N.of_nat (S j) * (f (x, (x, j) :: l) * (factorial j * repeats l))) by ring.
  rewrite F. lia.
Qed.
Lemma ways_exact n : forall l, amount l = n -> ways l * repeats l = factorial n.
Proof.
  induction n as [|n IH]; intros l A.
  - unfold ways. rewrite A. assert (E : repeats l = 1); [|now rewrite E].
    induction l as [|[x [|k]] l IH]; simpl in *; try discriminate; [reflexivity|]. now rewrite IH.
  - assert (S : sum (fun c => ways (snd c)) (choices l) * repeats l = factorial (S n)).
    { rewrite (sum_choices l _ (factorial n)), A; [reflexivity|].
      intros c I. apply IH. apply choices_amount in I. lia. }
    assert (P := repeats_pos l). unfold ways. rewrite A, <- S, N.div_mul by lia. reflexivity.
Qed.
Lemma ways_sum l : amount l <> O -> sum (fun c => ways (snd c)) (choices l) = ways l.
Proof.
  destruct (amount l) as [|n] eqn:A; [easy|]. intros _. assert (P := repeats_pos l).
  apply N.mul_cancel_r with (p := repeats l); [lia|]. rewrite (ways_exact (S n)) by trivial.
  rewrite (sum_choices l _ (factorial n)), A; [reflexivity|].
  intros c I. apply ways_exact. apply choices_amount in I. lia.
Qed.

Lemma skip_bound x cs : forall p l, skip x cs = Some (p, l) ->
  p + ways l <= sum (fun c => ways (snd c)) cs.
Proof.
  induction cs as [|[y k] cs IH]; simpl; intros p l; [discriminate|].
  destruct (Nat.eqb x y). { intros [= <- <-]. lia. }
  destruct (skip x cs) as [[q r]|]; [|discriminate]. intros [= <- <-].
  specialize (IH _ _ eq_refl). lia.
Qed.
Lemma skip_one x y cs : forall p l q k i, skip x cs = Some (p, l) -> skip y cs = Some (q, k) ->
  p <= i < p + ways l -> q <= i < q + ways k -> x = y /\ p = q /\ l = k.
Proof.
  induction cs as [|[z m] cs IH]; simpl; intros p l q k i; [discriminate|].
  destruct (Nat.eqb_spec x z), (Nat.eqb_spec y z).
  - intros [= <- <-] [= <- <-]. subst. auto.
  - intros [= <- <-]. destruct (skip y cs) as [[]|]; [|discriminate]. intros [= <- <-]. lia.
  - destruct (skip x cs) as [[]|]; [|discriminate]. intros [= <- <-] [= <- <-]. lia.
  - destruct (skip x cs) as [[p' l']|]; [|discriminate].
    destruct (skip y cs) as [[q' k']|]; [|discriminate]. intros [= <- <-] [= <- <-] P Q.
    destruct (IH _ _ _ _ (i - ways m) eq_refl eq_refl) as (-> & -> & ->); [lia|lia|auto].
Qed.
Lemma many_bound r : forall l q, rank_many l r = Some q -> q < ways l.
Proof.
  induction r as [|x r IH]; intros l q; simpl.
  - destruct (amount l) eqn:A; [|discriminate]. intros [= <-].
    assert (E := ways_exact O l A). simpl in E. nia.
  - destruct (skip x (choices l)) as [[p k]|] eqn:S; [|discriminate].
    destruct (rank_many k r) eqn:R; [|discriminate]. intros [= <-]. apply IH in R.
    assert (B := skip_bound _ _ _ _ S). rewrite ways_sum in B; [lia|].
    apply skip_in, choices_amount in S. lia.
Qed.
Lemma many_one r : forall s l q, rank_many l r = Some q -> rank_many l s = Some q ->
  length r = length s -> r = s.
Proof.
  induction r as [|x r IH]; intros [|y s] l q; simpl; try discriminate; [reflexivity|].
  destruct (skip x (choices l)) as [[p k]|] eqn:S; [|discriminate].
  destruct (rank_many k r) as [a|] eqn:R; [|discriminate]. intros [= <-].
  destruct (skip y (choices l)) as [[p' k']|] eqn:T; [|discriminate].
  destruct (rank_many k' s) as [b|] eqn:Q; [|discriminate]. intros [= E] L.
  assert (A := many_bound _ _ _ R). assert (B := many_bound _ _ _ Q).
  destruct (skip_one _ _ _ _ _ _ _ (p + a) S T) as (-> & -> & ->); try lia.
  f_equal. apply (IH s k' a); [trivial| |lia]. rewrite Q. f_equal. lia.
Qed.

(* ---- Rows and states ---- *)
Lemma pieces_rank p r q : rank_pieces p r = Some q -> q < total_pieces p /\
  forall s, rank_pieces p s = Some q -> r = s.
Proof.
  intros H. assert (PR := pieces_perm _ _ _ H).
  assert (L : forall s, rank_pieces p s = Some q -> length r = length s).
  { intros s S. apply pieces_perm in S.
    now rewrite <- (Permutation_length PR), <- (Permutation_length S). }
  destruct p as [n|once many]; simpl in *.
  - destruct (rank_taken r (seq 0 n) 0) as [[a [|]]|] eqn:A; try discriminate.
    injection H as <-. split.
    { apply taken_bound in A. apply Permutation_length in PR. rewrite <- PR, seq_length in A. lia. }
    intros s. destruct (rank_taken s (seq 0 n) 0) as [[b [|]]|] eqn:B; try discriminate.
    intros [= ->]. now destruct (taken_pieces _ _ _ _ _ _ _ A B eq_refl) as [_ E]; apply E.
  - destruct (rank_taken once r 0) as [[a rest]|] eqn:O; [|discriminate].
    destruct (rank_many many rest) as [b|] eqn:M; [|discriminate]. injection H as <-.
    assert (B := taken_bound _ _ _ _ _ O). assert (C := many_bound _ _ _ M).
    apply Permutation_length in PR. rewrite PR. split; [nia|]. intros s. specialize (L s).
    destruct (rank_taken once s 0) as [[a' rest']|] eqn:O'; [|discriminate].
    destruct (rank_many many rest') as [b'|] eqn:M'; [|discriminate]. intros [= E].
    assert (C' := many_bound _ _ _ M'). specialize (L ltac:(now rewrite E)).
    rewrite !(N.mul_comm _ (ways many)) in E. apply mixed in E as [-> ->]; trivial.
    apply (taken_row _ _ _ _ _ _ _ _ O O' L). apply (many_one _ _ _ _ M M').
    apply taken_perm, Permutation_length in O, O'. rewrite app_length in O, O'. lia.
Qed.
Lemma turns_rank base free ps : forall ts acc i, rank_turns base free ps ts acc = Some i ->
  (let k := power (N.of_nat base) (counted free ps) in
   acc * k <= i < (acc + 1) * k) /\
  forall us acc', rank_turns base free ps us acc' = Some i -> acc = acc' /\ ts = us.
Proof.
  unfold counted. induction ps as [|x ps IH]; intros [|t ts] acc i; simpl; try discriminate.
  - intros [= <-]. split; [simpl; lia|]. intros [|u us] acc'; [|discriminate]. now intros [= ->].
  - destruct (Nat.ltb_spec t base); [|discriminate]. simpl. destruct (mem x free); simpl.
    + destruct (Nat.eqb_spec t 0) as [->|]; [|discriminate]. intros R. apply IH in R as [B O].
      split; [exact B|]. intros [|u us] acc'; [discriminate|].
      destruct (Nat.ltb_spec u base); [|discriminate]. simpl.
      destruct (Nat.eqb_spec u 0) as [->|]; [|discriminate]. intros S. apply O in S as [-> ->].
      auto.
    + intros R. apply IH in R as [B O]. cbv zeta in *. split; [nia|].
      intros [|u us] acc'; [discriminate|].
      destruct (Nat.ltb_spec u base); [|discriminate]. simpl. intros S. apply O in S as [E ->].
      apply mixed in E as [-> E]; [|lia|lia]. split; [trivial|]. f_equal. lia.
Qed.
Lemma counted_perm free l k : Permutation l k -> counted free l = counted free k.
Proof.
  unfold counted. induction 1; simpl; trivial; try congruence; repeat destruct (negb _); simpl;
  congruence.
Qed.
Lemma row_rank k r q : rank_row k r = Some q -> q < total_row k /\
  forall s, rank_row k s = Some q -> r = s.
Proof.
  destruct k as [p|home base free|p base free]; simpl.
  - apply pieces_rank.
  - intros H. apply turns_rank in H as [B O]. cbv zeta in B. split; [lia|]. intros s S.
    now apply O in S.
  - set (n := length (values p)). destruct (rank_pieces p (firstn n r)) as [a|] eqn:A;
    [|discriminate]. intros T. assert (P := pieces_perm _ _ _ A). apply pieces_rank in A as [BA OA].
    apply turns_rank in T as [BT OT]. cbv zeta in BT. rewrite <- (counted_perm _ _ _ P) in BT.
    split; [nia|]. intros s. destruct (rank_pieces p (firstn n s)) as [c|] eqn:C; [|discriminate].
    intros T. assert (a = c); [|subst c].
    { assert (Q := pieces_perm _ _ _ C). apply turns_rank in T as [B _]. cbv zeta in B.
      rewrite <- (counted_perm _ _ _ Q) in B. nia. }
    apply OA in C. rewrite <- C in T. apply OT in T as [_ T].
    now rewrite <- (firstn_skipn n r), C, T, firstn_skipn.
Qed.
Lemma from_rank bs : forall s acc i, rank_from bs s acc = Some i ->
  (acc * total bs <= i < (acc + 1) * total bs) /\
  forall t acc', rank_from bs t acc' = Some i -> acc = acc' /\ s = t.
Proof.
  induction bs as [|b bs IH]; intros [|r s] acc i; simpl; try discriminate.
  - intros [= <-]. split; [lia|]. intros [|t] acc'; [|discriminate]. now intros [= ->].
  - destruct (rank_row (holds b) r) as [q|] eqn:R; [|discriminate]. intros H.
    apply IH in H as [B O].
    apply row_rank in R as [BR OR]. split; [nia|]. intros [|u t] acc'; [discriminate|].
    destruct (rank_row (holds b) u) as [p|] eqn:U; [|discriminate]. intros S.
    apply O in S as [E ->].
    assert (BU := proj1 (row_rank _ _ _ U)). apply mixed in E as [-> ->]; trivial.
    apply OR in U as ->. auto.
Qed.

Theorem rank_one bs s t i : rank bs s = Some i -> rank bs t = Some i -> i < total bs /\ s = t.
Proof. intros H T. apply from_rank in H as [B O]. apply O in T as [_ E]. split; [lia|trivial]. Qed.
