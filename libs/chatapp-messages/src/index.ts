export { ChatappAllowanceUse } from './allowance-use.entity';
export { ChatappMedia } from './media.entity';
export { ChatappMessage, type MessageStatus } from './message.entity';
export { chatappEntities, chatappMigrations } from './migration-set';
export { ChatappNumber, ChatappNumberAlias } from './number.entity';
export { ChatappParkedStatus } from './parked-status.entity';
export type { AcceptanceResult, AcceptanceRow, AnswerResult, AnswerRow, InboundRow, StatusRow } from './rows';
export { allowanceUsesOf, numberStanding, type AllowanceUses, type NumberStanding } from './standing';
export {
  acceptMessages,
  matchParkedStatuses,
  recordAnswers,
  recordInbound,
  recordStatuses,
  settleOverdue,
} from './write-messages';
