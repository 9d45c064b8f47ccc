export { ChatappAllowanceUse } from './allowance-use.entity';
export { ChatappMedia } from './media.entity';
export { ChatappMessage, type MessageStatus } from './message.entity';
export { chatappEntities, chatappMigrations } from './migration-set';
export { ChatappNumber, ChatappNumberAlias } from './number.entity';
export { ChatappUnmatchedStatus } from './unmatched-status.entity';
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
