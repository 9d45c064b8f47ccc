import type { InvariantChecker } from '../invariant-checker';
import { IMPORT_ROWS, type NoiseWorkload } from './noise-workload';

/** Of what the noisy organization sent and imported, everything that was acknowledged is stored once, and nothing else. */
export async function checkNoise(
  checker: InvariantChecker,
  noise: NoiseWorkload,
  organizationId: string,
): Promise<void> {
  checker.add(noise.problems);
  checker.sameEntries(
    'acknowledged and stored bulk SMS',
    noise.sms,
    await checker.column('SELECT id FROM sms.messages WHERE organization_id = $1', [organizationId]),
  );
  checker.sameEntries(
    'acknowledged and stored bulk emails',
    noise.emails,
    await checker.column('SELECT id FROM email.messages WHERE organization_id = $1', [organizationId]),
  );
  checker.sameEntries(
    'acknowledged imports of the neighbour and completed imports with all contacts',
    noise.imports,
    await checker.column(
      `SELECT id FROM contacts.imports
       WHERE organization_id = $1 AND (status, total, created, updated, skipped, invalid) = ('completed', $2, $2, 0, 0, 0)`,
      [organizationId, IMPORT_ROWS],
    ),
  );
  checker.sameEntries(
    'imported and stored contacts of the neighbour',
    [String(noise.imports.length * IMPORT_ROWS)],
    await checker.column('SELECT count(*) FROM contacts.contacts WHERE organization_id = $1', [organizationId]),
  );
}
