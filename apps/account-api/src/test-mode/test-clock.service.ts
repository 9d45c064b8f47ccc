import { Injectable } from '@nestjs/common';
import { clientOf } from '@heliograph/database';
import { fieldError } from '@heliograph/service-kit';
import { Organization, UnitOfWork, type Write } from '@heliograph/tenancy';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../access/caller';
import { toDate } from '../http/timestamps';
import { readDuration } from './duration';
import { assertTestMode } from './organization-in';
import type { V1TestClock, V1TestClockRequest } from './test-mode.dto';

const DAY_SECONDS = 86_400;
const MAX_ADVANCE_SECONDS = 366 * DAY_SECONDS;
const MAX_TOTAL_SECONDS = 3_660 * DAY_SECONDS;

/**
 * The clock of a test organization. Advancing it moves the times of all its objects into the past, so that everything else, such as
 * the queries of workers, uses the time of the machine.
 */
@Injectable()
export class TestClockService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Throws STATE_CONFLICT in live mode. */
  async get(caller: Caller): Promise<V1TestClock> {
    assertTestMode(caller);
    return clockOf(await advancedSecondsOf(this.dataSource.manager, caller));
  }

  /** Throws STATE_CONFLICT in live mode, INVALID_REQUEST. */
  advance(write: Write, caller: Caller, request: V1TestClockRequest): Promise<V1TestClock> {
    return this.unitOfWork.once(write, async () => {
      assertTestMode(caller);
      const { organizationId } = caller;
      const { field, seconds } = advanceOf(request);
      return this.unitOfWork.run(write, async ({ transaction, audit }) => {
        const before = await advancedSecondsOf(transaction, caller);
        if (before + seconds > MAX_TOTAL_SECONDS) {
          throw fieldError('INVALID_REQUEST', field, 'All advances of the clock together must not exceed ten years.');
        }
        const client = await clientOf(transaction);
        const { rows } = await client.query<{ seconds: number }>(
          'SELECT tenancy.advance_clock($1, make_interval(secs => $2)) AS seconds',
          [organizationId, seconds],
        );
        const after = rows[0]?.seconds ?? before;
        await audit({
          organizationId,
          action: 'test.clock_advanced',
          target: { type: 'organization', id: organizationId },
          before: { advancedSeconds: before },
          after: { advancedSeconds: after },
        });
        return clockOf(after);
      });
    });
  }
}

/** Throws INVALID_REQUEST. */
function advanceOf({ advance, until }: V1TestClockRequest): { field: 'advance' | 'until'; seconds: number } {
  const isDuration = typeof advance === 'string';
  if (isDuration === (typeof until === 'string')) {
    throw fieldError('INVALID_REQUEST', 'advance', 'Send either advance, such as "P3D", or until, but not both.');
  }
  const field = isDuration ? 'advance' : 'until';
  const seconds = isDuration ? readDuration(advance) : secondsUntil(toDate(until ?? null));
  if (seconds !== null && seconds > 0 && seconds <= MAX_ADVANCE_SECONDS) return { field, seconds };
  throw fieldError(
    'INVALID_REQUEST',
    field,
    isDuration
      ? 'advance must be an ISO 8601 duration from PT1S to P366D, such as P3D or PT1H30M, without months and years.'
      : 'until must be a time in the future, at most 366 days from now. The clock only goes forward.',
  );
}

/** Rounded up, so that what is due at that time is due afterwards. */
function secondsUntil(time: Date | null | undefined): number | null {
  return time ? Math.ceil((time.getTime() - Date.now()) / 1_000) : null;
}

async function advancedSecondsOf(manager: EntityManager, { organizationId: id }: Caller): Promise<number> {
  return (await manager.getRepository(Organization).findOneByOrFail({ id })).testClockSeconds;
}

function clockOf(advancedSeconds: number): V1TestClock {
  return { now: new Date().toISOString(), advanced_seconds: advancedSeconds };
}
