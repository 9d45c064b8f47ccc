/** Who answered a conversation from a place in its transcript on. */
export interface Rule {
  conversationId: string;
  /** What was said up to here was said before. */
  seq: number;
  status: 'open' | 'ended' | 'closed' | 'archived';
  isTakenOver: boolean;
}

/**
 * Writes down, in the database itself, when conversations end, open again, and go from the bot to a person and back.
 * Whoever changes one holds it locked, as everybody does who says something in it, so the place in the transcript is
 * the true order of the two, which no clock could tell.
 */
export const BOTS_WITNESS = `
CREATE SCHEMA IF NOT EXISTS chaos;
CREATE TABLE chaos.rules (
  number bigint GENERATED ALWAYS AS IDENTITY,
  conversation_id uuid NOT NULL,
  seq integer NOT NULL,
  status text NOT NULL,
  is_taken_over boolean NOT NULL
);
CREATE FUNCTION chaos.rule_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos.rules (conversation_id, seq, status, is_taken_over)
  VALUES (NEW.id, NEW.last_seq, NEW.status, NEW.is_taken_over);
  RETURN NULL;
END $$;
CREATE TRIGGER witness AFTER UPDATE ON bots.conversations
  FOR EACH ROW WHEN (OLD.status <> NEW.status OR OLD.is_taken_over <> NEW.is_taken_over)
  EXECUTE FUNCTION chaos.rule_changed()`;
