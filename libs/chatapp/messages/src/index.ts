export { chatappMigrations } from './migration-set';
export { readContent, type MessageContent, type Reply } from './message-content';
export type { AcceptanceResult, AcceptanceRow, AnswerResult, AnswerRow, InboundRow, StatusRow } from './rows';
export { allowanceUsesOf, readConversationState } from './conversation-state';
export { termsOf, type SendTerms } from './send-policy';
export {
  acceptMessages,
  NO_ANSWER,
  matchUnmatchedStatuses,
  recordAnswers,
  recordInbound,
  recordStatuses,
  settleOverdue,
} from './write-messages';
