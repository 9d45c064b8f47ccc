-- Records events of emails that were sent: the event, the outcome of the recipient, the suppression, and the event to publish.
-- Outcomes: 'recorded'; 'repeated' (the recipient has `most` events of the type, default 1); 'unknown' (no such recipient, or nothing was
-- sent to it).
CREATE OR REPLACE FUNCTION email.record_events(batch json)
RETURNS TABLE (ord integer, outcome text)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  item record;
  person record;
  often bigint;
  stopped_scope text;
  is_repeated boolean;
  is_published boolean;
BEGIN
  -- All batches lock rows in the same order, so they cannot deadlock; events of one recipient are recorded one after the other.
  FOR item IN
    SELECT b.* FROM json_populate_recordset(NULL::email.event, coalesce(batch, '[]')) AS b
    ORDER BY b.message_id, b.position, b.ord
  LOOP
    ord := item.ord;
    SELECT r.state, r.outcome, r.copies, r.address, r.campaign_id, m.organization_id, m.workspace_id, m.correlation_id,
      m.unsubscribe_scope, email.message_id_of(item.mail_token, m.from_address) AS mail_message_id INTO person
    FROM email.recipients AS r JOIN email.messages AS m ON m.id = r.message_id
    WHERE r.message_id = item.message_id AND r.position = item.position
      AND (r.state = 'sent' OR r.state IN ('sending', 'deferred') AND r.copies > 0)
    FOR UPDATE OF r;
    IF NOT FOUND THEN
      outcome := 'unknown';
      RETURN NEXT;
      CONTINUE;
    END IF;
    -- Bounces and complaints suppress every email.
    stopped_scope := CASE item.type WHEN 'unsubscribed' THEN email.unsubscribed_scope(person.unsubscribe_scope) ELSE 'all' END;
    SELECT count(*) INTO often FROM email.events AS e
    WHERE e.message_id = item.message_id AND e.position = item.position AND e.type = item.type;
    is_repeated := often >= coalesce(item.most, 1);
    -- A person who has subscribed again and now unsubscribes again is reported again: consumers have restored the consent.
    is_published := NOT is_repeated OR item.type = 'unsubscribed' AND item.suppresses AND NOT EXISTS (
      SELECT FROM email.suppressions AS s
      WHERE s.organization_id = person.organization_id AND s.address_key = lower(person.address) AND s.scope = stopped_scope);

    IF NOT is_repeated THEN
      INSERT INTO email.events (message_id, id, position, occurred_at, type, url, reason, scope)
      VALUES (item.message_id, item.id, item.position, item.occurred_at, item.type, item.url, item.reason,
        CASE item.type WHEN 'unsubscribed' THEN stopped_scope END);
      -- An event proves that the email was sent, even if the SMTP answer is unknown.
      UPDATE email.recipients AS r SET
        state = CASE WHEN r.state = 'deferred' THEN 'sent' ELSE r.state END,
        next_try_at = CASE WHEN r.state = 'deferred' THEN NULL ELSE r.next_try_at END,
        outcome = CASE WHEN item.type = 'bounced' THEN 'bounced'
                       WHEN item.type = 'delivered' AND r.outcome IS NULL THEN 'delivered' ELSE r.outcome END
      WHERE r.message_id = item.message_id AND r.position = item.position;

      -- Campaigns count recipients, so only the first event of a type counts. Deliveries and bounces are counted as outcomes of the
      -- recipient.
      IF person.campaign_id IS NOT NULL AND often = 0 AND item.type IN ('opened', 'clicked', 'unsubscribed') THEN
        INSERT INTO campaigns.results (campaign_id, kind, amount) VALUES (person.campaign_id, item.type, 1);
      END IF;
    END IF;
    IF person.organization_id IS NOT NULL THEN
      -- Also for a repeated event: the suppression may have been removed since the first one.
      IF item.suppresses THEN
        PERFORM email.suppress(person.organization_id, person.address, stopped_scope, item.type, item.message_id);
      ELSIF NOT is_repeated AND item.suppress_after_days IS NOT NULL THEN
        PERFORM email.fail_domain(person.organization_id, person.address, item.message_id, item.occurred_at, item.suppress_after_days);
      ELSIF NOT is_repeated AND item.type = 'delivered' THEN
        DELETE FROM email.failing_domains AS d
        WHERE d.organization_id = person.organization_id AND d.domain = email.domain_of(person.address);
      END IF;
      IF is_published THEN
        INSERT INTO messaging.outbox (id, type, payload)
        VALUES (gen_random_uuid(), 'email.' || item.type, messaging.event(
          item.id, 'email.' || item.type, messaging.rfc3339(item.occurred_at), person.organization_id, person.workspace_id, person.correlation_id,
          json_build_object('messageId', item.message_id, 'recipient', person.address,
            'emailMessageId', person.mail_message_id, 'url', item.url, 'reason', item.reason,
            'scope', CASE item.type WHEN 'unsubscribed' THEN stopped_scope END)));
      END IF;
    END IF;
    outcome := CASE WHEN is_repeated THEN 'repeated' ELSE 'recorded' END;
    RETURN NEXT;
  END LOOP;
END $$;
