/** An entry of the change log: who answers a conversation from a position of its transcript on. */
export interface ConversationChange {
  conversationId: string;
  /** The number of messages before the change. */
  seq: number;
  status: 'open' | 'ended' | 'closed' | 'archived';
  isTakenOver: boolean;
}

/**
 * A trigger that logs when conversations end, reopen, and change between the bot and an agent. A change holds the same
 * lock on the conversation as a new message, so the position in the transcript is their true order; timestamps are not
 * precise enough.
 */
export const CONVERSATION_CHANGE_LOG = `
CREATE SCHEMA IF NOT EXISTS chaos;
CREATE TABLE chaos.conversation_changes (
  number bigint GENERATED ALWAYS AS IDENTITY,
  conversation_id uuid NOT NULL,
  seq integer NOT NULL,
  status text NOT NULL,
  is_taken_over boolean NOT NULL
);
CREATE FUNCTION chaos.log_conversation_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos.conversation_changes (conversation_id, seq, status, is_taken_over)
  VALUES (NEW.id, NEW.last_seq, NEW.status, NEW.is_taken_over);
  RETURN NULL;
END $$;
CREATE TRIGGER chaos_log AFTER UPDATE ON bots.conversations
  FOR EACH ROW WHEN (OLD.status <> NEW.status OR OLD.is_taken_over <> NEW.is_taken_over)
  EXECUTE FUNCTION chaos.log_conversation_change()`;
