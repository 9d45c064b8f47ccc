/**
 * Claims messages for submitting, each for its `lease_ms`. Outcomes: 'claimed' (with all that the carrier needs; `unresolved`
 * when an earlier claim ended without a recorded outcome), 'busy' (another worker has it, for `busy_ms` more),
 * 'over' (sent, canceled or failed already).
 */
export const CLAIM = `
CREATE FUNCTION sms.claim(ids uuid[], lease_ms integer[])
RETURNS TABLE (id uuid, outcome text, busy_ms integer, unresolved boolean, submits smallint, header text,
  recipient text, country text, body text, encoding text, flash boolean, dlt_entity_id text, dlt_template_id text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH before AS (
    SELECT m.id, m.status, m.claimed_until FROM sms.messages AS m WHERE m.id = ANY (ids) ORDER BY m.id FOR UPDATE
  ), claimed AS (
    UPDATE sms.messages AS m
    SET claimed_until = now() + lease_ms[array_position(ids, m.id)] * interval '1 millisecond', submits = m.submits + 1
    FROM before AS b
    WHERE m.id = ANY (ids) AND m.id = b.id AND b.status IN ('queued', 'scheduled')
      AND (b.claimed_until IS NULL OR b.claimed_until <= now())
    RETURNING m.id, b.claimed_until IS NOT NULL AS unresolved, m.submits, m.header, m.recipient, m.country, m.body,
      m.encoding, m.flash, m.dlt_entity_id, m.dlt_template_id
  )
  SELECT c.id, 'claimed', 0, c.unresolved, c.submits, c.header, c.recipient, c.country, c.body, c.encoding, c.flash,
    c.dlt_entity_id, c.dlt_template_id
  FROM claimed AS c
  UNION ALL
  SELECT b.id, CASE WHEN b.status IN ('queued', 'scheduled') THEN 'busy' ELSE 'over' END,
    greatest(0, ceil(extract(epoch FROM b.claimed_until - now()) * 1000))::integer,
    false, 0::smallint, '', '', '', '', '', false, NULL, NULL
  FROM before AS b WHERE b.id NOT IN (SELECT c.id FROM claimed AS c);
END $$`;
