import { Controller, Get, Injectable, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AppError } from '@heliograph/errors';
import { Public } from '../access';
import { AdmittedByService } from '../limits/admitted-by-service.decorator';
import { HttpResult } from '../http/http-result';
import { otherService } from '../http/starting-responses';

/** Resolves when the dependency works; rejects with the reason otherwise. */
export type HealthCheck = () => Promise<void> | void;

/** A failed check whose reason may be shown to anyone who asks for the readiness. */
export class HealthProblem extends Error {}

interface Check {
  name: string;
  /** Whether the service needs the dependency to answer calls. Without it the service is not ready. */
  required: boolean;
  check: HealthCheck;
}

interface HealthState {
  ready: boolean;
  /** `ok`, or the problem, by the name of the dependency. */
  checks: Record<string, string>;
  /** The dependencies without which the service is not ready. */
  required: string[];
}

const CHECK_TIMEOUT_MS = 2_000;

/** The dependencies of the service, registered by its features. */
@Injectable()
export class Health {
  private readonly checks: Check[] = [];
  private readonly ends: (() => void)[] = [];
  private stopping = false;

  /** @param service The name under which the process reports its readiness. */
  constructor(readonly service = '') {}

  register(name: string, required: boolean, check: HealthCheck): void {
    this.checks.push({ name, required, check });
  }

  /** Marks the service as not ready because it is stopping. It still takes calls. */
  stop(): void {
    this.stopping = true;
  }

  /** Ends the long-running calls, after which the service takes no more calls. */
  endCalls(): void {
    for (const end of this.ends) end();
  }

  /** Registers a callback that ends long-running calls when the service takes no more calls. */
  onStop(end: () => void): void {
    this.ends.push(end);
  }

  async look(): Promise<HealthState> {
    const results = await Promise.all(
      this.checks.map(async ({ name, required, check }) => {
        const problem = await withTimeout(check);
        return { name, ok: problem === null, required, text: problem ?? 'ok' };
      }),
    );
    return {
      ready: !this.stopping && results.every(({ ok, required }) => ok || !required),
      checks: Object.fromEntries(results.map(({ name, text }) => [name, text])),
      required: results.filter(({ required }) => required).map(({ name }) => name),
    };
  }
}

async function withTimeout(check: HealthCheck): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await Promise.race([
      check(),
      new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error('the health check timed out')), CHECK_TIMEOUT_MS);
      }),
    ]);
    return null;
  } catch (error) {
    if (error instanceof HealthProblem) return `down: ${error.message}`;
    // Any other reason is logged by the owner of the dependency and not returned.
    return 'down';
  } finally {
    clearTimeout(timer);
  }
}

@ApiExcludeController()
@Public()
@AdmittedByService()
@Controller('health')
export class HealthController {
  constructor(private readonly health: Health) {}

  /** Liveness: the process runs. Dependencies are not checked, because a restart would not repair them. */
  @Get('live')
  live(): { status: string } {
    return { status: 'ok' };
  }

  /**
   * Readiness: 200 when the service can handle calls, otherwise 503. The status is `degraded` while a dependency is down
   * that calls do not need.
   */
  @Get('ready')
  async ready(): Promise<HttpResult> {
    const { ready, checks } = await this.health.look();
    const isWhole = Object.values(checks).every((text) => text === 'ok');
    const status = !ready ? 'unavailable' : isWhole ? 'ok' : 'degraded';
    return new HttpResult({ status: ready ? 200 : 503, body: { status, checks } });
  }

  /**
   * Readiness of the service with this name; 404 if this process belongs to another service. A proxy that sends its calls to a wrong
   * process, for example after an address was assigned again, is not ready this way.
   */
  @Get('ready/:service')
  async readyAs(@Param('service') service: string): Promise<HttpResult> {
    if (service === this.health.service) return this.ready();
    throw new AppError('NOT_FOUND', otherService(this.health.service));
  }
}
