-- Whether the accepted messages of a campaign must not leave: a user paused or canceled it. If the campaign was paused because the credits
-- were used up, the messages that are already paid for are sent. Call it only for messages of a campaign.
CREATE OR REPLACE FUNCTION campaigns.is_stopped(campaign uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM campaigns.campaigns AS c
    WHERE c.id = campaign AND (c.status = 'canceled' OR c.status = 'paused' AND c.error IS NULL))
$$;
