import { notifyChanges } from '@heliograph/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const LIVE_COLUMNS = `
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        bot_id uuid NOT NULL,
        is_enabled boolean NOT NULL DEFAULT true,
        is_published boolean NOT NULL DEFAULT true,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()`;
const CACHED_TABLES = ['bots.bots', 'bots.versions', 'bots.faqs', 'bots.shortcuts', 'bots.forms'];

export class BotCatalog1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE bots.bots (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        public_id text NOT NULL,
        name text NOT NULL,
        slug text NOT NULL,
        locale text NOT NULL DEFAULT 'en',
        status text NOT NULL DEFAULT 'draft',
        avatar_url text,
        settings jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT bots_pkey PRIMARY KEY (id),
        CONSTRAINT bots_status_check CHECK (status IN ('draft', 'active', 'paused'))
      )`);
    await runner.query('CREATE UNIQUE INDEX bots_public_id ON bots.bots (public_id)');
    await runner.query('CREATE UNIQUE INDEX bots_slug ON bots.bots (workspace_id, slug)');
    await runner.query('CREATE INDEX bots_organization ON bots.bots (organization_id, id)');
    await runner.query(`
      CREATE TABLE bots.versions (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        bot_id uuid NOT NULL,
        number integer NOT NULL,
        tone text NOT NULL,
        note text,
        published_by uuid,
        published_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT versions_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE UNIQUE INDEX versions_number ON bots.versions (bot_id, number)');
    await runner.query(`
      CREATE TABLE bots.faqs (${LIVE_COLUMNS},
        public_id text NOT NULL,
        question text NOT NULL,
        phrasings text[] NOT NULL DEFAULT '{}',
        answer text NOT NULL,
        label text,
        display_order integer NOT NULL DEFAULT 0,
        CONSTRAINT faqs_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE UNIQUE INDEX faqs_public_id ON bots.faqs (bot_id, public_id)');
    await runner.query('CREATE INDEX faqs_order ON bots.faqs (bot_id, display_order, id)');
    await runner.query(`
      CREATE TABLE bots.articles (${LIVE_COLUMNS},
        title text NOT NULL,
        body text NOT NULL,
        url text,
        CONSTRAINT articles_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE INDEX articles_bot ON bots.articles (bot_id, id)');
    await runner.query('CREATE UNIQUE INDEX articles_title ON bots.articles (bot_id, title)');
    await runner.query(`
      CREATE TABLE bots.shortcuts (${LIVE_COLUMNS},
        public_id text NOT NULL,
        label text NOT NULL,
        command text NOT NULL,
        description text NOT NULL DEFAULT '',
        type text NOT NULL,
        query text,
        display_order integer NOT NULL DEFAULT 0,
        CONSTRAINT shortcuts_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE UNIQUE INDEX shortcuts_public_id ON bots.shortcuts (bot_id, public_id)');
    await runner.query('CREATE UNIQUE INDEX shortcuts_command ON bots.shortcuts (bot_id, command)');
    await runner.query('CREATE INDEX shortcuts_order ON bots.shortcuts (bot_id, display_order, id)');
    await runner.query(`
      CREATE TABLE bots.forms (${LIVE_COLUMNS},
        public_id text NOT NULL,
        title text NOT NULL,
        trigger_keywords text[] NOT NULL DEFAULT '{}',
        fields jsonb NOT NULL,
        confirmation text,
        display_order integer NOT NULL DEFAULT 0,
        CONSTRAINT forms_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE UNIQUE INDEX forms_public_id ON bots.forms (bot_id, public_id)');
    for (const table of CACHED_TABLES) {
      for (const statement of notifyChanges(table, 'organization_id')) await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['forms', 'shortcuts', 'articles', 'faqs', 'versions', 'bots']) {
      await runner.query(`DROP TABLE bots.${table}`);
    }
    for (const table of CACHED_TABLES) await runner.query(`DROP FUNCTION ${table}_changed()`);
  }
}
