import { canInstallPackages, installPackages } from './debian.mjs';

/** Whether the server has the extension that checks SQL functions: Debian's package, installed if possible. */
export async function havePlpgsqlCheck({ url, log = () => undefined }) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const isAvailable = async () =>
      (await client.query(`SELECT FROM pg_available_extensions WHERE name = 'plpgsql_check'`)).rowCount > 0;
    if (await isAvailable()) return true;
    const { rows } = await client.query(`SELECT current_setting('server_version_num')::integer / 10000 AS major`);
    const debianPackage = `postgresql-${rows[0].major}-plpgsql-check`;
    if (canInstallPackages()) {
      log(`plpgsql_check: installing Debian's ${debianPackage}`);
      try {
        installPackages(debianPackage);
      } catch (error) {
        log(`plpgsql_check: could not be installed. ${error.message}`);
      }
    }
    if (await isAvailable()) return true;
    log(`plpgsql_check is missing: install it (Debian: ${debianPackage}). The check of the SQL functions is skipped.`);
    return false;
  } finally {
    await client.end();
  }
}
