-- Records attempts: the outcome in the log, the next attempt in the queue, the state of the circuit at the subscription.
-- An attempt whose delivery has left the queue changes nothing, so that a repeated call is safe.
CREATE OR REPLACE FUNCTION webhooks.record(items json, at timestamptz) RETURNS void
LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  item json;
  delivery uuid;
  endpoint uuid;
  next_at timestamptz;
BEGIN
  FOR item IN
    SELECT i.item FROM json_array_elements(items) AS i(item) ORDER BY i.item ->> 'subscriptionId', i.item ->> 'deliveryId'
  LOOP
    delivery := (item ->> 'deliveryId')::uuid;
    endpoint := (item ->> 'subscriptionId')::uuid;
    next_at := (item ->> 'nextAttemptAt')::timestamptz;
    IF (item ->> 'status') = 'delivered' THEN
      UPDATE webhooks.subscriptions SET failing_since = NULL, failures = 0, failures_in_row = 0, open_until = NULL
      WHERE id = endpoint AND (failures > 0 OR failures_in_row > 0 OR failing_since IS NOT NULL);
    ELSE
      UPDATE webhooks.subscriptions AS s SET failing_since = coalesce(s.failing_since, (item ->> 'at')::timestamptz),
        failures = s.failures + 1, failures_in_row = s.failures_in_row + 1,
        open_until = CASE WHEN s.failures_in_row + 1 >= 10
          THEN at + least(300, 5 * 2 ^ least(10, s.failures_in_row + 1 - 10)) * interval '1 second' END
      WHERE id = endpoint;
    END IF;
    UPDATE webhooks.deliveries SET status = item ->> 'status', next_attempt_at = next_at, tried = tried + 1,
      first_tried_at = coalesce(first_tried_at, (item ->> 'at')::timestamptz),
      attempts = CASE WHEN jsonb_array_length(attempts) < 20 THEN attempts ELSE attempts - 5 END || (item -> 'attempt')::jsonb
    WHERE id = delivery AND EXISTS (SELECT FROM webhooks.queue AS q WHERE q.delivery_id = delivery);
    IF next_at IS NULL THEN
      DELETE FROM webhooks.queue WHERE delivery_id = delivery;
    ELSE
      UPDATE webhooks.queue SET due_at = next_at, leased = false WHERE delivery_id = delivery;
    END IF;
  END LOOP;
END $$;
