-- Trigger that adds status changes of a message to the results of its campaign. A message counts as sent once it was accepted by the
-- carrier, even if it failed or was delivered afterwards. Refunds of refused messages are added by the functions that post them.
CREATE OR REPLACE FUNCTION sms.count_campaign_result()
RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was_sent boolean := OLD.status IN ('sent', 'delivered') OR OLD.status = 'failed' AND OLD.sent_at IS NOT NULL;
  is_sent boolean := NEW.status IN ('sent', 'delivered') OR NEW.status = 'failed' AND NEW.sent_at IS NOT NULL;
BEGIN
  INSERT INTO campaigns.results (campaign_id, kind, amount)
  SELECT NEW.campaign_id, c.kind, c.amount
  FROM (VALUES
    ('sent', is_sent::integer - was_sent::integer),
    ('delivered', (NEW.status = 'delivered')::integer - (OLD.status = 'delivered')::integer),
    ('failed', (NEW.status = 'failed')::integer - (OLD.status = 'failed')::integer),
    ('canceled', (NEW.status = 'canceled')::integer - (OLD.status = 'canceled')::integer),
    ('credits', CASE WHEN NEW.status = 'canceled' AND OLD.status <> 'canceled' THEN -NEW.credits_cost ELSE 0 END)
  ) AS c (kind, amount)
  WHERE c.amount <> 0;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_campaign_result AFTER UPDATE ON sms.messages
FOR EACH ROW WHEN (NEW.campaign_id IS NOT NULL AND OLD.status IS DISTINCT FROM NEW.status)
EXECUTE FUNCTION sms.count_campaign_result();
