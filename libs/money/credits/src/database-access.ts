import { APPEND, WRITE, type TableAccess } from '@heliograph/database';

/** The tables of a service that charges or refunds. It also needs the sequence `credits.ledger_position`. */
export const LEDGER_ACCESS: TableAccess = {
  'credits.accounts': WRITE,
  'credits.ledger': APPEND,
};
