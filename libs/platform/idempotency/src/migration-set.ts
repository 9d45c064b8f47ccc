import type { MigrationSet } from '@heliograph/database';
import { IdempotentAnswer } from './answer.entity';
import { Answers1700000000000 } from './migrations/1700000000000-answers';

export const idempotencyMigrations: MigrationSet = { schema: 'idempotency', migrations: [Answers1700000000000] };
export const idempotencyEntities = [IdempotentAnswer];
