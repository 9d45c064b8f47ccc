-- Counts a day on which mail to the domain of an address bounced because the domain has no mail server. From the day `suppress_after_days`,
-- the address is suppressed. A delivery to the domain, or 30 days without a failure, delete the count.
CREATE OR REPLACE FUNCTION email.fail_domain(organization uuid, failing text, message uuid, at timestamptz, suppress_after_days smallint)
RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  days smallint;
BEGIN
  INSERT INTO email.failing_domains AS d (organization_id, domain, failures, failed_at)
  VALUES (organization, email.domain_of(failing), 1, at)
  ON CONFLICT (organization_id, domain) DO UPDATE SET failures = least(d.failures + 1, 1000), failed_at = excluded.failed_at
    WHERE excluded.failed_at >= d.failed_at + interval '1 day';
  SELECT d.failures INTO days FROM email.failing_domains AS d
  WHERE d.organization_id = organization AND d.domain = email.domain_of(failing);
  IF days >= suppress_after_days THEN
    PERFORM email.suppress(organization, failing, 'all', 'bounced', message);
  END IF;
END $$;
