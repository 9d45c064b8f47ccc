-- Claims messages for submission, each for its `lease_ms`. Outcomes: 'claimed', with all data that the carrier needs (`submits` above 1
-- means that an earlier submit ended without a recorded outcome); 'busy', another worker holds the claim for another `busy_ms`; 'over', the
-- message is sent, canceled or failed, or its campaign is paused or canceled: the message of a paused campaign is queued again when the campaign
-- is resumed. Claimed messages are returned first; the same message may be returned again as 'busy'.
--
-- PostgreSQL caches plans that it made while the tables were small. Other plan types are disabled, so that a cached plan always uses index
-- look-ups by arrays of keys and hash joins with the batch. JIT is off because disabled plan types raise the estimated cost.
CREATE OR REPLACE FUNCTION sms.claim(ids uuid[], lease_ms integer[])
RETURNS TABLE (id uuid, outcome text, busy_ms integer, submits smallint, header text, recipient text, country text,
  body text, encoding text, flash boolean, dlt_entity_id text, dlt_template_id text)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  claimed integer;
BEGIN
  RETURN QUERY
  UPDATE sms.messages AS m
  SET claimed_at = coalesce(m.claimed_at, now()), claimed_until = now() + w.lease_ms * interval '1 millisecond', submits = m.submits + 1
  FROM unnest(ids, lease_ms) AS w (id, lease_ms)
  WHERE m.id = ANY (ids) AND m.id = w.id AND m.status IN ('queued', 'scheduled') AND (m.claimed_until IS NULL OR m.claimed_until <= now())
    AND CASE WHEN m.campaign_id IS NULL THEN true ELSE NOT campaigns.is_stopped(m.campaign_id) END
  RETURNING m.id, 'claimed', 0, m.submits, m.header, m.recipient, m.country, m.body, m.encoding, m.flash,
    m.dlt_entity_id, m.dlt_template_id;
  GET DIAGNOSTICS claimed = ROW_COUNT;
  IF claimed = cardinality(ids) THEN
    RETURN;
  END IF;
  RETURN QUERY
  SELECT m.id, CASE WHEN m.status NOT IN ('queued', 'scheduled') THEN 'over'
                    WHEN m.campaign_id IS NULL THEN 'busy'
                    WHEN campaigns.is_stopped(m.campaign_id) THEN 'over'
                    ELSE 'busy' END,
    greatest(0, ceil(extract(epoch FROM m.claimed_until - now()) * 1000))::integer,
    m.submits, '', '', '', '', '', false, NULL, NULL
  FROM sms.messages AS m WHERE m.id = ANY (ids);
END $$;
