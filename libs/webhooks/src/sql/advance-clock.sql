-- Moves the times of a test organization into the past; see tenancy.advance_clock. Times of leases stay, because they are those of running
-- processes.
CREATE OR REPLACE FUNCTION webhooks.advance_clock(organization uuid, by interval)
RETURNS void LANGUAGE sql AS $$
  UPDATE webhooks.subscriptions AS t SET
    previous_secret_until = t.previous_secret_until - by,
    disabled_at = t.disabled_at - by,
    failing_since = t.failing_since - by,
    open_until = t.open_until - by,
    created_at = t.created_at - by,
    updated_at = t.updated_at - by
  WHERE t.organization_id = organization;
  UPDATE webhooks.queue AS t SET
    due_at = t.due_at - by,
    first_tried_at = t.first_tried_at - by
  FROM webhooks.subscriptions AS s
  WHERE s.organization_id = organization AND t.subscription_id = s.id;
  UPDATE webhooks.deliveries AS t SET
    first_tried_at = t.first_tried_at - by,
    next_attempt_at = t.next_attempt_at - by,
    created_at = t.created_at - by
  WHERE t.organization_id = organization;
  UPDATE webhooks.events AS t SET
    created_at = t.created_at - by
  WHERE t.organization_id = organization;
$$;
