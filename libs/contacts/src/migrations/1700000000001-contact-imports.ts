import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ContactImports1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE contacts.imports (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        status text NOT NULL,
        format text NOT NULL,
        options jsonb NOT NULL DEFAULT '{}',
        total integer NOT NULL DEFAULT 0,
        created integer NOT NULL DEFAULT 0,
        updated integer NOT NULL DEFAULT 0,
        skipped integer NOT NULL DEFAULT 0,
        invalid integer NOT NULL DEFAULT 0,
        error text,
        lease_until timestamptz,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        finished_at timestamptz(3),
        CONSTRAINT imports_pkey PRIMARY KEY (id),
        CONSTRAINT imports_status_check CHECK (status IN ('uploading', 'queued', 'running', 'completed', 'failed'))
      )`);
    await runner.query(`
      CREATE INDEX imports_waiting ON contacts.imports (created_at) WHERE status IN ('queued', 'running');
      CREATE INDEX imports_created ON contacts.imports (created_at)`);
    await runner.query(`
      CREATE TABLE contacts.import_chunks (
        import_id uuid NOT NULL,
        position integer NOT NULL,
        content bytea NOT NULL,
        CONSTRAINT import_chunks_pkey PRIMARY KEY (import_id, position),
        CONSTRAINT import_chunks_import_fkey FOREIGN KEY (import_id) REFERENCES contacts.imports (id) ON DELETE CASCADE
      );
      CREATE TABLE contacts.import_errors (
        import_id uuid NOT NULL,
        row integer NOT NULL,
        field text,
        message text NOT NULL,
        CONSTRAINT import_errors_pkey PRIMARY KEY (import_id, row),
        CONSTRAINT import_errors_import_fkey FOREIGN KEY (import_id) REFERENCES contacts.imports (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE contacts.import_errors, contacts.import_chunks, contacts.imports');
  }
}
