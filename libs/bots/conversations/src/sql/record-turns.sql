-- Records turns, each completely or not at all, ordered by conversation and `ord`. Outcomes: 'recorded'; 'paused' (a person has
-- taken over: only the question is recorded); 'closed' (the conversation is not open); 'moved' (the conversation changed after the
-- reply was computed: compute another); 'repeated' (another request holds the idempotency key); 'unknown'. Only 'recorded' and
-- 'paused' store data. A turn with `start` creates its conversation.
CREATE OR REPLACE FUNCTION bots.record_turns(batch json)
RETURNS TABLE (ord integer, outcome text)
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  t bots.turn;
  c bots.conversations;
  seq integer;
  contact uuid;
  answers boolean;
  refused text;
BEGIN
  -- Contacts are found by email address or phone number. Advisory locks, taken in one order, prevent duplicate contacts
  -- and deadlocks.
  PERFORM pg_advisory_xact_lock(names.key) FROM (
    SELECT DISTINCT hashtextextended('bots.contacts ' || d.detail, 0) AS key
    FROM json_populate_recordset(NULL::bots.turn, batch) AS r
    CROSS JOIN LATERAL (VALUES (r.contact->>'email'), (r.contact->>'phone')) AS d (detail)
    WHERE d.detail IS NOT NULL
    ORDER BY key
  ) AS names;
  FOR t IN SELECT r.* FROM json_populate_recordset(NULL::bots.turn, batch) AS r ORDER BY r.conversation_id, r.ord LOOP
    IF t.start IS NOT NULL THEN
      INSERT INTO bots.conversations (
        id, organization_id, workspace_id, bot_id, version_id, token_hash, channel, client, last_message_at, created_at,
        updated_at)
      VALUES (t.conversation_id, (t.start->>'organization_id')::uuid, (t.start->>'workspace_id')::uuid,
        (t.start->>'bot_id')::uuid, (t.start->>'version_id')::uuid, decode(t.start->>'token_hash', 'hex'),
        t.start->>'channel', t.start->'client', t.at, t.at, t.at)
      RETURNING * INTO c;
    ELSE
      SELECT * INTO c FROM bots.conversations AS b WHERE b.id = t.conversation_id FOR UPDATE;
      IF NOT FOUND THEN
        ord := t.ord; outcome := 'unknown'; RETURN NEXT; CONTINUE;
      END IF;
      refused := (CASE WHEN c.status <> 'open' THEN 'closed'
        WHEN c.last_seq <> t.expected_seq OR c.revision <> t.expected_revision THEN 'moved' END);
      IF refused IS NOT NULL THEN
        -- The first request with this key may have changed the conversation.
        IF t.idempotency_key IS NOT NULL AND EXISTS (
          SELECT FROM idempotency.answers AS a
          WHERE a.caller_id = t.conversation_id AND a.endpoint = t.endpoint AND a.key = t.idempotency_key
            AND a.expires_at > now()
        ) THEN
          refused := 'repeated';
        END IF;
        ord := t.ord; outcome := refused; RETURN NEXT; CONTINUE;
      END IF;
    END IF;
    answers := t.reply IS NOT NULL AND NOT c.is_taken_over;

    IF t.idempotency_key IS NOT NULL THEN
      IF NOT idempotency.claim(
        t.conversation_id, t.endpoint, t.idempotency_key, t.fingerprint, 200::smallint,
        json_build_object('questionId', t.question->>'id', 'replyId', CASE WHEN answers THEN t.reply->>'id' END,
          'submissionId', t.submission->>'id', 'paused', c.is_taken_over)) THEN
        ord := t.ord; outcome := 'repeated'; RETURN NEXT; CONTINUE;
      END IF;
    END IF;

    seq := c.last_seq;
    IF t.question IS NOT NULL THEN
      seq := seq + 1;
      INSERT INTO bots.messages (
        conversation_id, seq, id, role, content, content_type, metadata, created_at, correlation_id, client_address)
      VALUES (t.conversation_id, seq, (t.question->>'id')::uuid, 'user', t.question->>'content',
        t.question->>'content_type', t.question->'metadata', t.at, t.correlation_id, t.client_address);
    END IF;
    IF answers THEN
      seq := seq + 1;
      INSERT INTO bots.messages (
        conversation_id, seq, id, role, content, content_type, metadata, quick_replies, form, created_at,
        correlation_id, client_address)
      VALUES (t.conversation_id, seq, (t.reply->>'id')::uuid, 'assistant', t.reply->>'content', t.reply->>'content_type',
        t.reply->'metadata', nullif(t.reply->'quick_replies', 'null'), nullif(t.reply->'form', 'null'),
        t.at + interval '1 millisecond', t.correlation_id, t.client_address);
    END IF;

    contact := c.contact_id;
    IF t.contact IS NOT NULL THEN
      contact := bots.put_contact(c.organization_id, c.workspace_id, c.contact_id, t.contact, t.at);
    END IF;
    IF t.submission IS NOT NULL THEN
      INSERT INTO bots.submissions (
        id, organization_id, workspace_id, bot_id, conversation_id, contact_id, form_id, form_title, answers, created_at)
      VALUES ((t.submission->>'id')::uuid, c.organization_id, c.workspace_id, c.bot_id, t.conversation_id, contact,
        t.submission->>'form_id', t.submission->>'form_title', t.submission->'answers', t.at);
    END IF;
    UPDATE bots.conversations SET
      last_seq = seq,
      state = (CASE WHEN answers THEN coalesce(t.state, c.state) ELSE c.state END),
      contact_id = contact,
      handoff_requested_at = (CASE WHEN t.is_handoff AND answers THEN t.at ELSE c.handoff_requested_at END),
      last_message_at = greatest(c.last_message_at, t.at), updated_at = greatest(c.updated_at, t.at)
    WHERE id = t.conversation_id;

    INSERT INTO messaging.outbox (id, type, payload)
    SELECT (e.value->>'id')::uuid, e.value->>'type',
      (CASE WHEN e.value->>'type' = 'lead.captured'
        THEN jsonb_set(e.value::jsonb, '{data,contactId}', coalesce(to_jsonb(contact), 'null'))::json ELSE e.value END)
    FROM (
      SELECT value FROM json_array_elements(t.question_events)
      UNION ALL SELECT value FROM json_array_elements(t.reply_events) WHERE answers
    ) AS e;
    ord := t.ord; outcome := (CASE WHEN c.is_taken_over THEN 'paused' ELSE 'recorded' END); RETURN NEXT;
  END LOOP;
END $$;
