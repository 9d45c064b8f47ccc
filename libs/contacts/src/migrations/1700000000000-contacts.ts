import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Contacts1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE contacts.contacts (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        email text,
        phone text,
        first_name text,
        last_name text,
        language text,
        country text,
        time_zone text,
        attributes jsonb NOT NULL DEFAULT '{}',
        consent_sms text NOT NULL DEFAULT 'unknown',
        consent_email text NOT NULL DEFAULT 'unknown',
        consent_chatapp text NOT NULL DEFAULT 'unknown',
        source text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT contacts_pkey PRIMARY KEY (id),
        CONSTRAINT contacts_address_check CHECK (email IS NOT NULL OR phone IS NOT NULL)
      )`);
    // The operator classes make the indexes usable for prefix searches in every locale.
    await runner.query(`
      CREATE UNIQUE INDEX contacts_email ON contacts.contacts (organization_id, lower(email) text_pattern_ops)
        WHERE email IS NOT NULL;
      CREATE UNIQUE INDEX contacts_phone ON contacts.contacts (organization_id, phone text_pattern_ops)
        WHERE phone IS NOT NULL;
      CREATE INDEX contacts_name ON contacts.contacts
        (organization_id, lower(coalesce(first_name, '') || ' ' || coalesce(last_name, '')) text_pattern_ops);
      CREATE INDEX contacts_last_name ON contacts.contacts (organization_id, lower(last_name) text_pattern_ops);
      CREATE INDEX contacts_created ON contacts.contacts (organization_id, id);
      CREATE INDEX contacts_updated ON contacts.contacts (organization_id, updated_at, id)`);
    await runner.query(`
      CREATE TABLE contacts.groups (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        name text NOT NULL,
        description text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT groups_pkey PRIMARY KEY (id),
        CONSTRAINT groups_name UNIQUE (organization_id, name)
      )`);
    await runner.query(`
      CREATE TABLE contacts.memberships (
        group_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        CONSTRAINT memberships_pkey PRIMARY KEY (group_id, contact_id),
        CONSTRAINT memberships_group_fkey FOREIGN KEY (group_id) REFERENCES contacts.groups (id) ON DELETE CASCADE,
        CONSTRAINT memberships_contact_fkey FOREIGN KEY (contact_id) REFERENCES contacts.contacts (id) ON DELETE CASCADE
      );
      CREATE INDEX memberships_contact ON contacts.memberships (contact_id)`);
    await runner.query(`
      CREATE TABLE contacts.consents (
        id uuid NOT NULL,
        contact_id uuid NOT NULL,
        channel text NOT NULL,
        status text NOT NULL,
        source text NOT NULL,
        address text,
        text text,
        occurred_at timestamptz(3) NOT NULL,
        CONSTRAINT consents_pkey PRIMARY KEY (id),
        CONSTRAINT consents_contact_fkey FOREIGN KEY (contact_id) REFERENCES contacts.contacts (id) ON DELETE CASCADE
      );
      CREATE INDEX consents_contact ON contacts.consents (contact_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE contacts.consents, contacts.memberships, contacts.groups, contacts.contacts');
  }
}
