-- Cancels the next waiting messages of a canceled campaign in order of their ids after `after`; see sms.cancel_waiting. Returns the id of the
-- last message, or NULL if none waits after `after`. Messages that a worker has claimed are skipped: call the function from the start again
-- until no message waits.
CREATE OR REPLACE FUNCTION sms.cancel_campaign(campaign uuid, after uuid, most integer)
RETURNS uuid
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  ids uuid[];
BEGIN
  SELECT array_agg(w.id ORDER BY w.id) INTO ids FROM (
    SELECT m.id FROM sms.messages AS m
    WHERE m.campaign_id = campaign AND m.id > after AND m.status IN ('queued', 'scheduled') ORDER BY m.id LIMIT most) AS w;
  IF ids IS NULL THEN
    RETURN NULL;
  END IF;
  PERFORM sms.cancel_waiting(ids);
  RETURN ids[cardinality(ids)];
END $$;
