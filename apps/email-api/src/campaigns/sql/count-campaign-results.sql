-- Trigger that adds status changes of a recipient to the results of its campaign. Refunds of refused emails, opens, clicks and unsubscribes
-- are added by the functions that record them.
CREATE OR REPLACE FUNCTION email.count_campaign_result()
RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO campaigns.results (campaign_id, kind, amount)
  SELECT NEW.campaign_id, c.kind, c.amount
  FROM (VALUES
    ('sent', (NEW.state = 'sent')::integer - (OLD.state = 'sent')::integer),
    ('failed', (NEW.state = 'failed')::integer - (OLD.state = 'failed')::integer),
    ('delivered', (NEW.outcome IS NOT DISTINCT FROM 'delivered')::integer - (OLD.outcome IS NOT DISTINCT FROM 'delivered')::integer),
    ('bounced', (NEW.outcome IS NOT DISTINCT FROM 'bounced')::integer - (OLD.outcome IS NOT DISTINCT FROM 'bounced')::integer),
    ('canceled', (NEW.state = 'canceled')::integer - (OLD.state = 'canceled')::integer),
    -- The recipient was suppressed after the email was accepted, or the email was canceled. The charge was refunded.
    ('suppressed', (NEW.state = 'skipped')::integer - (OLD.state = 'skipped')::integer),
    ('queued', CASE WHEN NEW.state = 'skipped' AND OLD.state <> 'skipped' THEN -1 ELSE 0 END),
    ('credits', CASE WHEN NEW.state IN ('skipped', 'canceled') AND OLD.state NOT IN ('skipped', 'canceled') THEN -1 ELSE 0 END)
  ) AS c (kind, amount)
  WHERE c.amount <> 0;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_campaign_result AFTER UPDATE ON email.recipients
FOR EACH ROW WHEN (NEW.campaign_id IS NOT NULL AND (OLD.state, OLD.outcome) IS DISTINCT FROM (NEW.state, NEW.outcome))
EXECUTE FUNCTION email.count_campaign_result();
