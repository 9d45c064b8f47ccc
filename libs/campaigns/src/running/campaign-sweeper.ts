import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Campaign, QueuedAgain, WaitingMessage } from '../campaign';
import { CAMPAIGN_CHANNEL, type CampaignChannel } from '../campaign-channel';
import { RunsRepository } from './runs.repository';
import { nextOpening } from './send-window';
import { timeZoneOf } from './time-zone-of';

const BATCH = 500;

/**
 * Processes the accepted messages that have not left: cancels and refunds those of a canceled campaign, and queues those of
 * a resumed campaign again, because workers drop the jobs of a paused campaign. The position is committed with each batch.
 */
@Injectable()
export class CampaignSweeper {
  constructor(
    private readonly runs: RunsRepository,
    private readonly dataSource: DataSource,
    @Inject(CAMPAIGN_CHANNEL) private readonly channel: CampaignChannel,
  ) {}

  /** Returns false if messages remain when the turn ends, or if messages of a canceled campaign are being submitted. */
  async sweep(campaign: Campaign, leaseMs: number, mayContinue: () => Promise<boolean>): Promise<boolean> {
    for (let after = campaign.sweptTo; after !== null;) {
      if (!(await mayContinue())) return false;
      after = await this.sweepBatch(campaign, after, leaseMs);
    }
    if (campaign.status !== 'canceled') return true;
    const isOver = !(await this.channel.hasWaiting(campaign.id));
    await this.runs.endCanceling(campaign.id, isOver);
    return isOver;
  }

  /** Returns the position after the batch; null at the end. */
  private sweepBatch(campaign: Campaign, after: string, leaseMs: number): Promise<string | null> {
    return this.dataSource.transaction(async (transaction) => {
      if (!(await this.runs.lockSweep(transaction, campaign, after))) return null;
      const last =
        campaign.status === 'canceled'
          ? await this.channel.cancel(transaction, campaign.id, after, BATCH)
          : await this.requeue(transaction, campaign, after);
      await this.runs.advanceSweep(transaction, campaign, last, leaseMs);
      return last;
    });
  }

  private async requeue(transaction: EntityManager, campaign: Campaign, after: string): Promise<string | null> {
    const messages = await this.channel.waiting(transaction, campaign.id, after, BATCH);
    if (messages.length > 0)
      await this.channel.requeue(transaction, await this.dueTimes(transaction, campaign, messages));
    return messages.at(-1)?.id ?? null;
  }

  /** A message that waited during a pause leaves within the send window. */
  private async dueTimes(
    transaction: EntityManager,
    { channel, organizationId, sendWindow }: Campaign,
    messages: readonly WaitingMessage[],
  ): Promise<QueuedAgain[]> {
    const now = new Date();
    if (sendWindow === null) return messages.map(({ id }) => ({ id, dueAt: now }));
    if (sendWindow.time_zone !== 'contact') {
      const dueAt = nextOpening(sendWindow, sendWindow.time_zone, now);
      return messages.map(({ id }) => ({ id, dueAt }));
    }
    const addresses = messages.map(({ address }) => address);
    const contacts = await this.runs.contactsAt(transaction, channel, organizationId, addresses);
    return messages.map(({ id, address }) => {
      const contact = contacts.get(address.toLowerCase()) ?? {
        timeZone: null,
        country: null,
        phone: channel === 'sms' ? address : null,
      };
      return { id, dueAt: nextOpening(sendWindow, timeZoneOf(contact), now) };
    });
  }
}
