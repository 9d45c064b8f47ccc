import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A word of a bot as it is written, against which misspelled ones are held. */
@Entity({ schema: 'bot_search', name: 'words' })
@Check('words_entries_check', 'entries >= 0')
// GIN, which TypeORM cannot write.
@Index('words_keys', { synchronize: false })
export class BotSearchWord {
  @PrimaryColumn('integer', { name: 'bot_number', primaryKeyConstraintName: 'words_pkey' })
  botNumber: number;

  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'words_pkey' })
  word: string;

  /** Entries that have it. */
  @Column('integer')
  entries: number;

  @Column('text', { array: true })
  lexemes: string[];

  /** Hashes of what is left of it without a letter or two. */
  @Column('integer', { array: true })
  keys: number[];
}
