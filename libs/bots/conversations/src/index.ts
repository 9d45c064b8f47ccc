export {
  conversationClosed,
  endConversation,
  manageConversation,
  rateConversation,
  reopenConversation,
  sayAsAgent,
  type ChangeContext,
  type InboxChanges,
} from './conversation-changes';
export { erasePerson } from './erase-person';
export { Contact } from './entities/contact.entity';
export {
  BOT_CHANNELS,
  Conversation,
  CONVERSATION_STATUSES,
  type BotChannel,
  type ClientContext,
  type ConversationStatus,
} from './entities/conversation.entity';
export type { InlineForm, QuickReply } from './entities/message.entity';
export { Submission } from './entities/submission.entity';
export { botEntities, botMigrations, conversationEntities } from './migration-set';
export { recordTurns } from './record-turns';
export type {
  ContactRow,
  QuestionRow,
  ReplyRow,
  StartRow,
  StoredTurn,
  SubmissionRow,
  TurnOutcome,
  TurnRow,
} from './rows';
export { readMessages, readNewest, readTranscript, seqOf, type StoredMessage } from './transcript';
