import type { Tenant } from '@heliograph/auth';
import type { ErrorCode } from '@heliograph/errors';
import type { EntityManager } from 'typeorm';
import type {
  CampaignChannelName,
  CampaignOwner,
  ComposedMessage,
  QueuedAgain,
  Recipient,
  WaitingMessage,
} from './campaign';

/** The channel that sends the messages of campaigns. `Call` is the part that all messages of a campaign share. */
export interface CampaignChannel<Call = unknown, Row = unknown> {
  readonly name: CampaignChannelName;
  /** Code of a `scheduled_at` in the past, as in a send. */
  readonly pastScheduleCode: ErrorCode;
  /** Checks the content, which comes before the workspace that sends. Throws the error codes of a send. */
  check(caller: Tenant, content: Record<string, unknown>): Promise<void>;
  /** Checks the shared part, as a send does. Throws the error codes of a send. */
  begin(owner: CampaignOwner, content: Record<string, unknown>, campaignId: string): Promise<Call>;
  /** Maximum number of messages that are composed and accepted together. */
  batchSize(call: Call): number;
  /**
   * Composes the messages to contacts, in the order of the contacts. Every contact must have an address for the
   * channel.
   */
  compose(call: Call, recipients: readonly Recipient[]): Promise<ComposedMessage<Row>[]>;
  /**
   * Charges and stores all messages in the transaction. Returns how many were suppressed in the meantime; these are not
   * charged. Throws INSUFFICIENT_CREDITS, which leaves the transaction unusable.
   */
  accept(transaction: EntityManager, rows: readonly Row[]): Promise<{ suppressed: number }>;
  /** Called after the transaction committed. */
  committed(count: number): void;
  /** Whether accepted messages of the campaign have not left and may still leave. */
  hasWaiting(campaignId: string): Promise<boolean>;
  /** The waiting messages with ids after `after`, in order. */
  waiting(transaction: EntityManager, campaignId: string, after: string, limit: number): Promise<WaitingMessage[]>;
  /** Creates the jobs of waiting messages again. Jobs of messages that have left have no effect. */
  requeue(transaction: EntityManager, messages: readonly QueuedAgain[]): Promise<void>;
  /**
   * Cancels and refunds the next waiting messages with ids after `after` that no worker is submitting. Returns the id of the
   * last message, or null if no message waits after `after`.
   */
  cancel(transaction: EntityManager, campaignId: string, after: string, limit: number): Promise<string | null>;
}

/** Token of the campaign channel of a service. */
export const CAMPAIGN_CHANNEL = Symbol('CampaignChannel');
