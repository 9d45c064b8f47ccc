import type { EntityManager } from 'typeorm';
import type { CampaignChannelName, CampaignOwner, ComposedMessage, Recipient } from './campaign';

/** The channel that sends the messages of campaigns. `Call` is what all messages of a campaign share. */
export interface CampaignChannel<Call = unknown, Row = unknown> {
  readonly name: CampaignChannelName;
  /** Checks what all messages share, as a send does. Throws the error codes of a send. */
  begin(owner: CampaignOwner, content: Record<string, unknown>, campaignId: string): Promise<Call>;
  /** How many messages may be composed and accepted together. */
  batchSize(call: Call): number;
  /** Composes the messages to contacts, in their order. Contacts without an address are not among them. */
  compose(call: Call, recipients: readonly Recipient[]): Promise<ComposedMessage<Row>[]>;
  /**
   * Charges and stores all messages in the transaction, and returns how many were suppressed meanwhile, whose credits are
   * not charged. Throws INSUFFICIENT_CREDITS and leaves the transaction unusable.
   */
  accept(transaction: EntityManager, rows: readonly Row[]): Promise<{ suppressed: number }>;
  /** Called after the transaction committed. */
  committed(count: number): void;
}

/** The provider of the channel of a service. */
export const CAMPAIGN_CHANNEL = Symbol('CampaignChannel');
