export { chatappMigrations } from './migration-set';
export type { AcceptanceResult, AcceptanceRow, AnswerResult, AnswerRow, InboundRow, StatusRow } from './rows';
export {
  allowanceUsesOf,
  readConversationState,
  type AllowanceUses,
  type ConversationState,
} from './conversation-state';
export {
  acceptMessages,
  matchUnmatchedStatuses,
  recordAnswers,
  recordInbound,
  recordStatuses,
  settleOverdue,
} from './write-messages';
