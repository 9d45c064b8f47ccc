import { Entity, PrimaryColumn } from 'typeorm';

/** That a lexeme is in an entry, for finding entries of a kind by it. */
@Entity({ schema: 'bot_search', name: 'postings' })
export class BotSearchPosting {
  /** Number of the lexeme, and so of one bot alone. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'postings_pkey' })
  lexeme: string;

  /** As of the entry. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'postings_pkey' })
  kind: string;

  @PrimaryColumn('bigint', { name: 'entry_id', primaryKeyConstraintName: 'postings_pkey' })
  entryId: string;
}
