/** Names are those of `TurnRow`. */
export const TURN_TYPE = `
CREATE TYPE bots.turn AS (
  ord integer,
  conversation_id uuid,
  start jsonb,
  expected_seq integer,
  expected_revision integer,
  at timestamptz,
  question jsonb,
  reply jsonb,
  state jsonb,
  is_handoff boolean,
  submission jsonb,
  contact jsonb,
  question_events json,
  reply_events json,
  endpoint text,
  idempotency_key text,
  fingerprint text
)`;

/**
 * Records turns of conversations, each as a whole or not at all, in the order of their conversations and of \`ord\`.
 * Outcomes: 'recorded'; 'paused' (a person has taken over: the question alone is recorded); 'closed' (the conversation is
 * not open); 'moved' (it is not as it was when the reply was made: make another); 'repeated' (another call holds the
 * idempotency key); 'unknown'. Only the first two leave a trace. A turn with \`start\` begins its conversation.
 */
export const RECORD_TURNS = `
CREATE FUNCTION bots.record_turns(batch json)
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
  -- Contacts are found by mail address or number, in any order: whoever writes one waits for the others that do, once, and
  -- always in the same order, so that nobody is there twice and nobody waits in a circle.
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
        -- What moved it may be the first call with this very key.
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
      INSERT INTO idempotency.answers AS a (caller_id, endpoint, key, fingerprint, status, body, expires_at)
      VALUES (t.conversation_id, t.endpoint, t.idempotency_key, t.fingerprint, 201,
        json_build_object('questionId', t.question->>'id', 'replyId', CASE WHEN answers THEN t.reply->>'id' END,
          'submissionId', t.submission->>'id', 'paused', c.is_taken_over),
        now() + interval '24 hours')
      ON CONFLICT (caller_id, endpoint, key) DO UPDATE
        SET fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body, expires_at = excluded.expires_at
        WHERE a.expires_at <= now();
      IF NOT FOUND THEN
        ord := t.ord; outcome := 'repeated'; RETURN NEXT; CONTINUE;
      END IF;
    END IF;

    seq := c.last_seq;
    IF t.question IS NOT NULL THEN
      seq := seq + 1;
      INSERT INTO bots.messages (conversation_id, seq, id, role, content, content_type, metadata, created_at)
      VALUES (t.conversation_id, seq, (t.question->>'id')::uuid, 'user', t.question->>'content',
        t.question->>'content_type', t.question->'metadata', t.at);
    END IF;
    IF answers THEN
      seq := seq + 1;
      INSERT INTO bots.messages (
        conversation_id, seq, id, role, content, content_type, metadata, quick_replies, form, created_at)
      VALUES (t.conversation_id, seq, (t.reply->>'id')::uuid, 'assistant', t.reply->>'content', t.reply->>'content_type',
        t.reply->'metadata', nullif(t.reply->'quick_replies', 'null'), nullif(t.reply->'form', 'null'),
        t.at + interval '1 millisecond');
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
END $$`;

/**
 * The contact of a conversation with what it has just said of itself: whoever has that mail address, else, of those
 * without one, whoever has that number, else whom the conversation has already; else a new one. What is known stays when
 * nothing new is said.
 */
export const PUT_CONTACT = `
CREATE FUNCTION bots.put_contact(organization uuid, workspace uuid, known uuid, details jsonb, at timestamptz)
RETURNS uuid
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  given_email text := details->>'email';
  given_phone text := details->>'phone';
  found uuid;
BEGIN
  IF given_email IS NOT NULL THEN
    SELECT c.id INTO found FROM bots.contacts AS c
    WHERE c.workspace_id = workspace AND c.email = given_email AND c.email IS NOT NULL;
  END IF;
  IF found IS NULL AND given_phone IS NOT NULL THEN
    SELECT c.id INTO found FROM bots.contacts AS c
    WHERE c.workspace_id = workspace AND c.phone = given_phone AND c.phone IS NOT NULL
      AND (given_email IS NULL OR c.email IS NULL)
    ORDER BY c.id LIMIT 1;
  END IF;
  IF found IS NULL THEN
    SELECT c.id INTO found FROM bots.contacts AS c
    WHERE c.id = known AND (given_email IS NULL OR c.email IS NULL);
  END IF;
  IF found IS NULL THEN
    INSERT INTO bots.contacts (id, organization_id, workspace_id, name, email, phone, created_at, updated_at)
    VALUES ((details->>'id')::uuid, organization, workspace, details->>'name', given_email, given_phone, at, at)
    RETURNING id INTO found;
  ELSE
    UPDATE bots.contacts AS c SET name = coalesce(details->>'name', c.name), email = coalesce(given_email, c.email),
      phone = coalesce(given_phone, c.phone), updated_at = at
    WHERE c.id = found;
  END IF;
  RETURN found;
END $$`;
