import { BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { isTestId, newId } from '@heliograph/database';
import { FairQueue } from '@heliograph/fairness';
import {
  EndedRequests,
  Health,
  LOGGER,
  METRICS,
  type IdentifiedRequest,
  type Logger,
  type RequestEnd,
} from '@heliograph/service-kit';
import type { Response } from 'express';
import { Counter, type Registry } from 'prom-client';
import { loggableBody } from './loggable-body';
import { CONNECTION_CLOSED, type LoggedRequest } from './logged-request';
import { RequestLogRepository } from './request-log.repository';

/** Time in which calls are collected for one statement. */
const WRITE_AFTER_MS = 250;
const MAX_BATCH = 500;
/** Calls that wait for the database. The limit of one organization leaves room for the others. */
const MAX_WAITING = 20_000;
const MAX_WAITING_OF_ORGANIZATION = 10_000;
const TOO_MANY_REQUESTS = 429;

/**
 * Writes each call of an API key to the request log. A call does not wait for it: the calls are collected and written in batches, and if
 * the database does not take them, calls are dropped and counted. The organizations take turns, so that one with many calls does
 * not displace the calls of others.
 */
@Injectable()
export class RequestRecorder implements BeforeApplicationShutdown {
  private readonly waiting = new FairQueue<LoggedRequest>();
  private readonly waitingOf = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> | null = null;
  private readonly dropped: Counter;

  constructor(
    ended: EndedRequests,
    private readonly repository: RequestLogRepository,
    private readonly health: Health,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.dropped = new Counter({
      name: 'request_log_dropped_total',
      help: 'Calls that are not in the request log, because the database did not take them in time',
      registers: [registry],
    });
    ended.register((request, response, end) => this.record(request, response, end));
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    await this.writing;
    // One statement at a time, until the queue is empty or the database is unavailable.
    while (this.waiting.size > 0) {
      const before = this.waiting.size;
      await this.write();
      if (this.waiting.size >= before) break;
    }
  }

  private record(request: IdentifiedRequest, response: Response, end: RequestEnd): void {
    const { organizationId, workspaceId = null, keyId, method, ip: address = null } = request;
    if (organizationId === undefined || keyId === undefined) return;
    const waitingOfOrganization = this.waitingOf.get(organizationId) ?? 0;
    if (this.waiting.size >= MAX_WAITING || waitingOfOrganization >= MAX_WAITING_OF_ORGANIZATION) {
      this.dropped.inc();
      return;
    }
    const { statusCode: status } = response;
    const code: unknown = response.locals['errorCode'];
    const hasBodies = (status >= 400 || isTestId(organizationId)) && status !== TOO_MANY_REQUESTS;
    this.waitingOf.set(organizationId, waitingOfOrganization + 1);
    this.waiting.push([organizationId], {
      id: newId(),
      organizationId,
      workspaceId,
      keyId,
      requestId: end.requestId,
      service: this.health.service,
      method,
      path: end.path,
      status,
      error: end.isAborted ? CONNECTION_CLOSED : typeof code === 'string' ? code : null,
      durationMs: Math.round(end.seconds * 1000),
      address,
      requestBody: hasBodies ? bodyOf(request.body) : null,
      responseBody: hasBodies ? bodyOf(response.locals['body']) : null,
    });
    if (this.waiting.size >= MAX_BATCH) this.start();
    else this.timer ??= setTimeout(() => this.start(), WRITE_AFTER_MS).unref();
  }

  private start(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.writing ??= this.write().finally(() => {
      this.writing = null;
      if (this.waiting.size === 0) return;
      if (this.waiting.size >= MAX_BATCH) setImmediate(() => this.start());
      else this.timer ??= setTimeout(() => this.start(), WRITE_AFTER_MS).unref();
    });
  }

  /** Writes a batch. A batch that fails is dropped, so that later batches do not wait for it. */
  private async write(): Promise<void> {
    const batch: LoggedRequest[] = [];
    while (batch.length < MAX_BATCH) {
      const next = this.waiting.shift();
      if (next === undefined) break;
      batch.push(next);
      const left = (this.waitingOf.get(next.organizationId) ?? 0) - 1;
      if (left > 0) this.waitingOf.set(next.organizationId, left);
      else this.waitingOf.delete(next.organizationId);
    }
    if (batch.length === 0) return;
    try {
      await this.repository.append(batch);
    } catch (error) {
      this.dropped.inc(batch.length);
      this.log.warn({ err: error, calls: batch.length }, 'calls could not be written to the request log');
    }
  }
}

/** The body that a method received is an object, also if it is invalid; one that could not be read has no fields. */
function bodyOf(body: unknown): string | null {
  return typeof body === 'object' && body !== null && !Buffer.isBuffer(body) ? loggableBody(body) : null;
}
