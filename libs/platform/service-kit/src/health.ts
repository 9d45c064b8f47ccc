import { Controller, Get, Injectable, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from './access';

/** Resolves when the dependency works; rejects with what is wrong. */
export type HealthCheck = () => Promise<void> | void;

interface Check {
  name: string;
  /** Without a required dependency the service cannot answer, and must get no traffic. */
  required: boolean;
  check: HealthCheck;
}

const CHECK_TIMEOUT_MS = 2_000;

/** What the service stands on, as its features register it. */
@Injectable()
export class Health {
  private readonly checks: Check[] = [];
  private readonly ends: (() => void)[] = [];
  private stopping = false;

  register(name: string, required: boolean, check: HealthCheck): void {
    this.checks.push({ name, required, check });
  }

  /** From now on the service is not ready: it is about to stop. */
  stop(): void {
    this.stopping = true;
    for (const end of this.ends) end();
  }

  /** Has `end` called when the service is about to stop: what would keep a call open for long ends it. */
  onStop(end: () => void): void {
    this.ends.push(end);
  }

  async look(): Promise<{ ready: boolean; checks: Record<string, string> }> {
    const results = await Promise.all(
      this.checks.map(async ({ name, required, check }) => {
        const problem = await withTimeout(check);
        return { name, ok: problem === null, required, text: problem ?? 'ok' };
      }),
    );
    return {
      ready: !this.stopping && results.every(({ ok, required }) => ok || !required),
      checks: Object.fromEntries(results.map(({ name, text }) => [name, text])),
    };
  }
}

async function withTimeout(check: HealthCheck): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await Promise.race([
      check(),
      new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error('no answer')), CHECK_TIMEOUT_MS);
      }),
    ]);
    return null;
  } catch {
    // The reason goes to the log of whoever owns the dependency, not to whoever asks.
    return 'down';
  } finally {
    clearTimeout(timer);
  }
}

@ApiExcludeController()
@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly health: Health) {}

  /** The process runs. Says nothing of what it stands on: restarting it would not mend that. */
  @Get('live')
  live(): { status: string } {
    return { status: 'ok' };
  }

  /** 200 when it can take traffic, else 503. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<object> {
    const { ready, checks } = await this.health.look();
    response.status(ready ? 200 : 503);
    return { status: ready ? 'ok' : 'unavailable', checks };
  }
}
