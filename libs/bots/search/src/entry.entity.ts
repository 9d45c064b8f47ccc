import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** What can be found: a FAQ, or a passage of an article. */
@Entity({ schema: 'bot_search', name: 'entries' })
@Check('entries_kind_check', "kind IN ('f', 'k')")
@Index('entries_item', ['botNumber', 'kind', 'itemId', 'passage'], { unique: true })
export class BotSearchEntry {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'entries_pkey',
  })
  id: number;

  @Column('integer', { name: 'bot_number' })
  botNumber: number;

  @Column('integer')
  passage: number;

  /** `f` for a FAQ, `k` for knowledge. */
  @Column('text')
  kind: string;

  @Column('text', { name: 'item_id' })
  itemId: string;

  @Column('text')
  title: string;

  @Column('text')
  text: string;

  /** Tokens of each way to ask it, a line each, or of the title. */
  @Column('text')
  forms: string;

  /** Tokens of the answer, or of the passage. */
  @Column('text')
  body: string;

  /** Misspellable words in it, for the statistics. */
  @Column('text', { array: true })
  words: string[];

  /** Numbers of the lexemes that find it. */
  @Column('bigint', { array: true })
  lexemes: string[];

  /** Of these, the ones whose frequencies tell how much of a FAQ is asked for: content words of its first forms. */
  @Column('bigint', { array: true })
  asked: string[];
}
