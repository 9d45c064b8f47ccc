/** What happened to the free service messages of a workspace. */
export interface Step {
  /** 'used': the counter was set. The others: a message was sent free or charged, or its place was given back or retaken. */
  step: 'used' | 'free' | 'charged' | 'returned' | 'retaken';
  /** The counter, where it was set. */
  used: number | null;
  messageId: string | null;
}

/**
 * Writes down, in the database itself, each step of the free service messages. Whoever takes such a step holds the
 * workspace's counter locked, so the numbers of the steps are their true order, which no clock could tell.
 */
export const WITNESS = `
CREATE SCHEMA chaos;
CREATE TABLE chaos.steps (
  number bigint GENERATED ALWAYS AS IDENTITY,
  workspace_id uuid NOT NULL,
  step text NOT NULL,
  used integer,
  message_id uuid
);
CREATE FUNCTION chaos.counter_set() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos.steps (workspace_id, step, used) VALUES (NEW.workspace_id, 'used', NEW.used);
  RETURN NULL;
END $$;
CREATE TRIGGER witness AFTER INSERT OR UPDATE ON chatapp.allowance_uses
  FOR EACH ROW WHEN (NEW.category = 'service') EXECUTE FUNCTION chaos.counter_set();
CREATE FUNCTION chaos.message_sent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos.steps (workspace_id, step, message_id)
  VALUES (NEW.workspace_id, CASE WHEN NEW.is_free THEN 'free' ELSE 'charged' END, NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER witness_sent AFTER INSERT ON chatapp.messages
  FOR EACH ROW WHEN (NEW.category = 'service' AND NEW.direction = 'outbound') EXECUTE FUNCTION chaos.message_sent();
CREATE FUNCTION chaos.message_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- That it failed is all that was ever heard of it: then it stays given back.
  IF OLD.status = 'accepted' AND NEW.status = 'failed' AND NEW.upstream_id IS NULL THEN
    INSERT INTO chaos.steps (workspace_id, step, message_id) VALUES (NEW.workspace_id, 'returned', NEW.id);
  ELSIF OLD.is_presumed AND NOT NEW.is_presumed
    AND (NEW.status = 'accepted' OR coalesce(NEW.sent_at, NEW.delivered_at, NEW.read_at) IS NOT NULL) THEN
    INSERT INTO chaos.steps (workspace_id, step, message_id) VALUES (NEW.workspace_id, 'retaken', NEW.id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER witness_moved AFTER UPDATE ON chatapp.messages
  FOR EACH ROW WHEN (NEW.category = 'service' AND NEW.is_free) EXECUTE FUNCTION chaos.message_moved()`;
