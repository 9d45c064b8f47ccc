-- For processes of the release before sms.conclude_submits, during a deployment. They send no attempts.
CREATE OR REPLACE FUNCTION sms.record_submits(batch json) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM sms.conclude_submits((
    SELECT json_agg(json_build_object(
      'id', r.id, 'outcome', r.outcome, 'carrier', r.carrier, 'upstream_ids', r.upstream_ids, 'error', r.error, 'at', r.at,
      'attempts', CASE WHEN r.error IS NOT NULL AND r.outcome <> 'released' THEN json_build_array(json_build_object(
        'at', messaging.rfc3339(r.at), 'upstream', r.carrier, 'outcome', r.outcome, 'error', r.error)) END))
    FROM json_populate_recordset(NULL::sms.submit_result, batch) AS r));
END $$;
