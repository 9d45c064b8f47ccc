import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { balanceOf } from '@heliograph/credits';
import { AppError, type ErrorCode } from '@heliograph/errors';
import { FairJobs, LaneObserver, type JobTurns } from '@heliograph/fairness';
import { LOGGER, Periodic, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { Campaign, ComposedMessage, Skipped } from '../campaign';
import { CAMPAIGN_CHANNEL, type CampaignChannel } from '../campaign-channel';
import { CampaignSweeper } from './campaign-sweeper';
import { CampaignPace } from './campaign-pace';
import { composeBatch } from './compose-batch';
import { RunsRepository, type Progress, type Zone } from './runs.repository';
import { isOpen, nextOpening } from './send-window';

/** Interval at which a process looks for due campaigns; a pause or a start takes effect within this time. */
const POLL_MS = 1_000;
const ROLLUP_MS = 2_000;
const LEASE_MS = 30_000;
const HEARTBEAT_MS = 5_000;
/** Maximum number of campaigns whose messages a process accepts concurrently. */
const CONCURRENCY = 4;
/** Time after which a campaign yields to other due campaigns of its organization. */
const TURN_MS = 2_000;
/** Delay after a temporary error, such as an outage. */
const RETRY_MS = 5_000;
/** Delay before the messages of a canceled campaign are checked again that workers were submitting. */
const SUBMITTING_MS = 1_000;
/**
 * Delay before the next check for waiting messages, as a multiple of the duration of the last check, which is long for a
 * large campaign with few waiting messages.
 */
const WAITING_FACTOR = 50;
const SHORTEST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;

/** Errors after which a campaign can be resumed. */
const PAUSES = new Set<ErrorCode>(['NO_WORKSPACE', 'SENDER_NOT_VERIFIED']);

/** The result of a step of a campaign: continue, or end the turn and wait, in addition to its pace. */
type Step = { kind: 'more' } | { kind: 'wait'; delayMs: number } | { kind: 'over' };

/**
 * Runs campaigns, in slices that alternate between organizations. The cursor of a campaign is committed together with the messages up to it, so that no contact is
 * skipped or gets two messages, even if the process crashes.
 */
@Injectable()
export class CampaignRunner implements OnModuleDestroy {
  private readonly jobs: FairJobs<Campaign>;

  constructor(
    private readonly runs: RunsRepository,
    private readonly sweeper: CampaignSweeper,
    private readonly dataSource: DataSource,
    private readonly pool: Pool,
    @Inject(CAMPAIGN_CHANNEL) private readonly channel: CampaignChannel,
    @Inject(LOGGER) private readonly log: Logger,
    observer: LaneObserver,
  ) {
    this.jobs = new FairJobs({
      stage: `${channel.name}-campaigns`,
      slots: CONCURRENCY,
      claim: (request) => runs.claimAcrossTenants(channel.name, request, LEASE_MS),
      run: (campaign, turns) => this.run(campaign, turns),
      release: (campaign) => this.release(campaign, 0),
      observer,
    });
  }

  @Periodic({ everyMs: POLL_MS, role: 'worker' })
  async runDue(): Promise<void> {
    await this.jobs.fill();
  }

  @Periodic({ everyMs: HEARTBEAT_MS, role: 'worker' })
  async keepLeases(): Promise<void> {
    const ids = this.jobs.open().map(({ id }) => id);
    if (ids.length > 0) await this.runs.extendLeases(ids, LEASE_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.jobs.stop();
  }

  /** Resolves when no campaign runs in this process, and none is due. */
  idle(): Promise<void> {
    return this.jobs.idle();
  }

  @Periodic({ everyMs: ROLLUP_MS, role: 'worker' })
  async rollUp(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.runs.rollUp()) > 0);
  }

  private async run(campaign: Campaign, turns: JobTurns): Promise<void> {
    let delayMs = 0;
    try {
      delayMs = await this.takeTurn(campaign, turns);
    } catch (error) {
      delayMs = await this.interrupted(campaign, error);
    }
    await this.release(campaign, delayMs);
  }

  /** Returns the delay before the next turn. */
  private async interrupted(campaign: Campaign, error: unknown): Promise<number> {
    try {
      if (error instanceof AppError && error.status < 500) return await this.stop(campaign, error);
      this.logInterruption(campaign, error);
    } catch (failure) {
      this.logInterruption(campaign, failure);
    }
    return RETRY_MS;
  }

  private async release(campaign: Campaign, delayMs: number): Promise<void> {
    await this.runs.release(campaign.id, delayMs).catch((error: unknown) => this.logInterruption(campaign, error));
  }

  private logInterruption({ id }: Campaign, error: unknown): void {
    this.log.warn({ err: error, campaignId: id }, 'a campaign was interrupted; it will be retried');
  }

  /**
   * Stops a campaign whose content is no longer valid, for example because its template was deleted, or pauses it because of a
   * condition that can end, such as a locked workspace. A campaign fails when none of its messages waits any more. Returns
   * the delay before the next turn.
   */
  private async stop({ id }: Campaign, { code, message }: AppError): Promise<number> {
    const status = PAUSES.has(code) ? 'paused' : 'failed';
    if (status === 'failed' && (await this.channel.hasWaiting(id))) return RETRY_MS;
    await this.runs.stop(this.dataSource, id, status, { code, message });
    return 0;
  }

  private async takeTurn(campaign: Campaign, turns: JobTurns): Promise<number> {
    const until = Date.now() + TURN_MS;
    const mayContinue = async (): Promise<boolean> => Date.now() < until && (await turns.next());
    const isSwept = await this.sweeper.sweep(campaign, LEASE_MS, mayContinue);
    if (campaign.status === 'canceled') return isSwept || !(await mayContinue()) ? 0 : SUBMITTING_MS;
    if (!isSwept) return 0;
    const started = await this.started(campaign, mayContinue);
    if (!started) return 0;
    if ((await this.runs.zones(started.id)).length === 0) return this.complete(started);
    const call = await this.channel.begin(started, started.content, started.id);
    const pace = new CampaignPace(started.ratePerMinute, started.dueAt, Date.now());
    while (await mayContinue()) {
      const step = await this.step(started, call, pace);
      if (step.kind === 'wait') return pace.delayMs + step.delayMs;
      if (step.kind === 'over') return 0;
    }
    return pace.delayMs;
  }

  /** Stores the audience of a campaign that has not started. Null if the turn ends before, or the campaign must not start any more. */
  private async started(campaign: Campaign, mayContinue: () => Promise<boolean>): Promise<Campaign | null> {
    let started: Campaign | null = campaign;
    while (started?.startedAt === null) {
      if (!(await mayContinue())) return null;
      started = await this.runs.continueStart(this.dataSource, campaign.id);
    }
    return started;
  }

  /** Completes a campaign that has accepted all messages, when none of them waits any more. Returns the delay before the next check. */
  private async complete({ id }: Campaign): Promise<number> {
    const start = performance.now();
    if (await this.channel.hasWaiting(id)) {
      const delayMs = WAITING_FACTOR * (performance.now() - start);
      return Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, delayMs));
    }
    await this.runs.stop(this.dataSource, id, 'completed', null);
    return 0;
  }

  private async step(campaign: Campaign, call: unknown, pace: CampaignPace): Promise<Step> {
    const zones = await this.runs.zones(campaign.id);
    if (zones.length === 0) return { kind: 'wait', delayMs: await this.complete(campaign) };
    const now = new Date();
    const open = zones.find(({ zone }) => this.isOpen(campaign, zone, now));
    if (!open) return { kind: 'wait', delayMs: this.opensInMs(campaign, zones, now) };
    const limit = pace.limit(this.channel.batchSize(call), now.getTime());
    const sent = await this.sendBatch(campaign, call, open, limit);
    if (sent === null) return { kind: 'over' };
    pace.add(sent);
    return pace.isDue(Date.now()) ? { kind: 'more' } : { kind: 'wait', delayMs: 0 };
  }

  /** Returns the number of messages; null if the campaign stops. */
  private async sendBatch(campaign: Campaign, call: unknown, zone: Zone, limit: number): Promise<number | null> {
    const contacts = await this.runs.members(campaign.id, zone, limit);
    const composed = await composeBatch(this.channel, call, contacts);
    const all = await this.commit(campaign, zone, composed);
    if (all !== 'insufficient') return all ? countOf(composed) : null;
    const balance = await balanceOf(this.pool, campaign.workspaceId, this.channel.name);
    const affordable = affordablePrefix(composed, balance);
    if (affordable.length > 0) {
      const some = await this.commit(campaign, zone, affordable);
      if (some === false) return null;
      // The workspace was topped up in the meantime.
      if (some === true && affordable.length === composed.length) return countOf(composed);
    }
    await this.runs.stop(this.dataSource, campaign.id, 'paused', {
      code: 'INSUFFICIENT_CREDITS',
      message: 'The workspace has too few credits. Top it up, then resume the campaign.',
    });
    return null;
  }

  /** False if the campaign no longer runs in this process. */
  private async commit(
    { id }: Campaign,
    { zone, position }: Zone,
    composed: readonly ComposedMessage<unknown>[],
  ): Promise<boolean | 'insufficient'> {
    const messages = composed.flatMap((one) => (one.kind === 'message' ? [one] : []));
    const progress: Progress = {
      zone,
      from: position,
      to: position + composed.length,
      queued: messages.length,
      credits: messages.reduce((sum, { credits }) => sum + credits, 0),
      skipped: skippedOf(composed),
    };
    try {
      const done = await this.dataSource.transaction(async (transaction) => {
        if (!(await this.runs.lockRunning(transaction, id, progress))) return false;
        if (messages.length > 0) {
          const rows = messages.map(({ row }) => row);
          const { suppressed } = await this.channel.accept(transaction, rows);
          if (suppressed > 0) {
            progress.queued -= suppressed;
            progress.credits -= suppressed;
            progress.skipped.suppressed = (progress.skipped.suppressed ?? 0) + suppressed;
          }
        }
        await this.runs.advance(transaction, id, progress, LEASE_MS);
        return true;
      });
      if (done) this.channel.committed(messages.length);
      return done;
    } catch (error) {
      if (error instanceof AppError && error.code === 'INSUFFICIENT_CREDITS') return 'insufficient';
      throw error;
    }
  }

  private isOpen({ sendWindow }: Campaign, zone: string, at: Date): boolean {
    return sendWindow === null || isOpen(sendWindow, zone || sendWindow.time_zone, at);
  }

  private opensInMs({ sendWindow }: Campaign, zones: readonly Zone[], now: Date): number {
    if (sendWindow === null) return 0;
    const openings = zones.map(({ zone }) => nextOpening(sendWindow, zone || sendWindow.time_zone, now).getTime());
    return Math.max(0, Math.min(...openings) - now.getTime());
  }
}

function countOf(composed: readonly ComposedMessage<unknown>[]): number {
  return composed.filter(({ kind }) => kind === 'message').length;
}

function skippedOf(composed: readonly ComposedMessage<unknown>[]): Skipped {
  const skipped: Skipped = {};
  for (const one of composed) if (one.kind === 'skipped') skipped[one.reason] = (skipped[one.reason] ?? 0) + 1;
  return skipped;
}

/** The longest prefix of the messages that the balance covers. */
function affordablePrefix(
  composed: readonly ComposedMessage<unknown>[],
  balance: number,
): readonly ComposedMessage<unknown>[] {
  let remaining = balance;
  const end = composed.findIndex((one) => one.kind === 'message' && (remaining -= one.credits) < 0);
  return end === -1 ? composed : composed.slice(0, end);
}
