-- A UUID version 7 (RFC 9562) of a point in time: the partitions of deliveries require it.
CREATE OR REPLACE FUNCTION webhooks.new_id(at timestamptz) RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT (substr(t.hex, 1, 8) || '-' || substr(t.hex, 9, 4) || '-7' || substr(r.hex, 1, 3) || '-a' || substr(r.hex, 4, 3)
    || '-' || substr(r.hex, 8, 12))::uuid
  FROM (SELECT lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') AS hex) AS t,
    (SELECT replace(gen_random_uuid()::text, '-', '') AS hex) AS r
$$;
