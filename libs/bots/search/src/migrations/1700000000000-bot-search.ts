import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The search index of the bots. Each lexeme of a bot has its own postings, so the work for a question does not grow with
 * the number of bots. Every write updates the word statistics and the vocabulary.
 */
export class BotSearch1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE bot_search.bots (
        bot_id uuid NOT NULL,
        number integer GENERATED ALWAYS AS IDENTITY,
        faqs integer NOT NULL DEFAULT 0,
        passages integer NOT NULL DEFAULT 0,
        CONSTRAINT bots_pkey PRIMARY KEY (bot_id),
        CONSTRAINT bots_counts_check CHECK (faqs >= 0 AND passages >= 0)
      ) WITH (fillfactor = 50)`);
    await runner.query('CREATE UNIQUE INDEX bots_number ON bot_search.bots (number)');
    await runner.query(`
      CREATE TABLE bot_search.entries (
        id bigint GENERATED ALWAYS AS IDENTITY,
        bot_number integer NOT NULL,
        passage integer NOT NULL,
        kind text NOT NULL,
        item_id text NOT NULL,
        title text NOT NULL,
        text text NOT NULL,
        forms text NOT NULL,
        body text NOT NULL,
        words text[] NOT NULL,
        lexemes bigint[] NOT NULL,
        asked bigint[] NOT NULL,
        CONSTRAINT entries_pkey PRIMARY KEY (id),
        CONSTRAINT entries_kind_check CHECK (kind IN ('f', 'k'))
      )`);
    await runner.query('CREATE UNIQUE INDEX entries_item ON bot_search.entries (bot_number, kind, item_id, passage)');
    // The key contains all columns, so that a question reads only the index and no table pages.
    await runner.query(`
      CREATE TABLE bot_search.postings (
        lexeme bigint NOT NULL,
        kind text NOT NULL,
        entry_id bigint NOT NULL,
        CONSTRAINT postings_pkey PRIMARY KEY (lexeme, kind, entry_id)
      )`);
    await runner.query(`
      CREATE TABLE bot_search.lexemes (
        number bigint GENERATED ALWAYS AS IDENTITY,
        bot_number integer NOT NULL,
        lexeme text COLLATE "C" NOT NULL,
        faqs integer NOT NULL,
        passages integer NOT NULL,
        CONSTRAINT lexemes_pkey PRIMARY KEY (number),
        CONSTRAINT lexemes_counts_check CHECK (faqs >= 0 AND passages >= 0)
      ) WITH (fillfactor = 70)`);
    await runner.query('CREATE UNIQUE INDEX lexemes_lexeme ON bot_search.lexemes (bot_number, lexeme)');
    await runner.query(
      'CREATE INDEX lexemes_reversed ON bot_search.lexemes (bot_number, (reverse(lexeme) COLLATE "C"))',
    );
    await runner.query(`
      CREATE TABLE bot_search.words (
        bot_number integer NOT NULL,
        word text COLLATE "C" NOT NULL,
        entries integer NOT NULL,
        lexemes text[] NOT NULL,
        keys integer[] NOT NULL,
        CONSTRAINT words_pkey PRIMARY KEY (bot_number, word),
        CONSTRAINT words_entries_check CHECK (entries >= 0)
      ) WITH (fillfactor = 80)`);
    // With a pending list, every question would have to scan it.
    await runner.query('CREATE INDEX words_keys ON bot_search.words USING gin (keys) WITH (fastupdate = off)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['words', 'lexemes', 'postings', 'entries', 'bots'])
      await runner.query(`DROP TABLE bot_search.${table}`);
  }
}
