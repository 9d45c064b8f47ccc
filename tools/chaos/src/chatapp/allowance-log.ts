/** An entry of the allowance log. */
export interface AllowanceEntry {
  /**
   * 'used': the counter was set. 'free', 'charged': a message was sent. 'returned', 'retaken': the free message was
   * returned to the allowance, or used again.
   */
  kind: 'used' | 'free' | 'charged' | 'returned' | 'retaken';
  /** The counter, for 'used' entries. */
  used: number | null;
  messageId: string | null;
}

/**
 * Triggers that log every change of the allowance of free service messages. Each change holds a lock on the workspace's
 * counter, so the numbers of the entries are their true order; timestamps are not precise enough.
 */
export const ALLOWANCE_LOG = `
CREATE SCHEMA chaos;
CREATE TABLE chaos.allowance_log (
  number bigint GENERATED ALWAYS AS IDENTITY,
  workspace_id uuid NOT NULL,
  kind text NOT NULL,
  used integer,
  message_id uuid
);
CREATE FUNCTION chaos.log_counter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos.allowance_log (workspace_id, kind, used) VALUES (NEW.workspace_id, 'used', NEW.used);
  RETURN NULL;
END $$;
CREATE TRIGGER chaos_log AFTER INSERT OR UPDATE ON chatapp.allowance_uses
  FOR EACH ROW WHEN (NEW.category = 'service') EXECUTE FUNCTION chaos.log_counter();
CREATE FUNCTION chaos.log_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos.allowance_log (workspace_id, kind, message_id)
  VALUES (NEW.workspace_id, CASE WHEN NEW.is_free THEN 'free' ELSE 'charged' END, NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER chaos_log_insert AFTER INSERT ON chatapp.messages
  FOR EACH ROW WHEN (NEW.category = 'service' AND NEW.direction = 'outbound') EXECUTE FUNCTION chaos.log_message();
CREATE FUNCTION chaos.log_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A failure that is the only known outcome returns the place for good.
  IF OLD.status = 'accepted' AND NEW.status = 'failed' AND NEW.upstream_id IS NULL THEN
    INSERT INTO chaos.allowance_log (workspace_id, kind, message_id) VALUES (NEW.workspace_id, 'returned', NEW.id);
  ELSIF OLD.is_presumed AND NOT NEW.is_presumed
    AND (NEW.status = 'accepted' OR coalesce(NEW.sent_at, NEW.delivered_at, NEW.read_at) IS NOT NULL) THEN
    INSERT INTO chaos.allowance_log (workspace_id, kind, message_id) VALUES (NEW.workspace_id, 'retaken', NEW.id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER chaos_log_update AFTER UPDATE ON chatapp.messages
  FOR EACH ROW WHEN (NEW.category = 'service' AND NEW.is_free) EXECUTE FUNCTION chaos.log_status()`;
