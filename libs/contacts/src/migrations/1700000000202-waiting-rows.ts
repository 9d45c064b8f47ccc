import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WaitingRows1700000000202 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A waiting row is read, and is counted in `total` when it is imported at the end of the file.
    await runner.query(`
      ALTER TABLE contacts.imports ADD COLUMN error_code text;
      ALTER TABLE contacts.imports ADD COLUMN waiting integer NOT NULL DEFAULT 0;
      UPDATE contacts.imports
      SET error_code = CASE WHEN error LIKE 'The import failed because of an internal error%' THEN 'INTERNAL_ERROR'
        ELSE 'INVALID_REQUEST' END
      WHERE error IS NOT NULL;
      CREATE TABLE contacts.import_waiting_rows (
        import_id uuid NOT NULL,
        row integer NOT NULL,
        email_key text NOT NULL,
        phone text,
        content jsonb NOT NULL,
        CONSTRAINT import_waiting_rows_pkey PRIMARY KEY (import_id, row),
        CONSTRAINT import_waiting_rows_import_fkey FOREIGN KEY (import_id) REFERENCES contacts.imports (id)
          ON DELETE CASCADE
      );
      CREATE INDEX import_waiting_rows_email ON contacts.import_waiting_rows (import_id, email_key)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE contacts.import_waiting_rows;
      ALTER TABLE contacts.imports DROP COLUMN waiting;
      ALTER TABLE contacts.imports DROP COLUMN error_code`);
  }
}
