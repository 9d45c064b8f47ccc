import type { MigrationSet } from '../migrations/migration-set';
import createWeek from '../sql/create-week.sql';
import dropWeek from '../sql/drop-week.sql';
import requireMaintainer from '../sql/require-maintainer.sql';
import weekName from '../sql/week-name.sql';

/** Functions that create and drop weekly partitions for services that do not own the table. */
export const partitionsMigrations: MigrationSet = {
  schema: 'partitions',
  migrations: [],
  repeatable: [
    { name: 'week-name', sql: weekName },
    { name: 'require-maintainer', sql: requireMaintainer },
    { name: 'create-week', sql: createWeek },
    { name: 'drop-week', sql: dropWeek },
  ],
};
