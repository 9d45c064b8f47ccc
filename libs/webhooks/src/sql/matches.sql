-- Whether the events of a subscription, such as `sms.delivered`, `sms.*` and `*`, include a type.
CREATE OR REPLACE FUNCTION webhooks.matches(events text[], type text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT EXISTS (
    SELECT FROM unnest(events) AS e(name)
    WHERE e.name = '*' OR e.name = type OR right(e.name, 2) = '.*' AND starts_with(type, left(e.name, -1)))
$$;
