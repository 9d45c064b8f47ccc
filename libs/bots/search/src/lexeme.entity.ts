import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** In how many entries of a bot a lexeme is. */
@Entity({ schema: 'bot_search', name: 'lexemes' })
@Check('lexemes_counts_check', 'faqs >= 0 AND passages >= 0')
@Index('lexemes_lexeme', ['botNumber', 'lexeme'], { unique: true })
// Of an expression, which TypeORM cannot write.
@Index('lexemes_reversed', { synchronize: false })
export class BotSearchLexeme {
  /** Stands for it in postings and entries; never used again. */
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'lexemes_pkey',
  })
  number: string;

  @Column('integer', { name: 'bot_number' })
  botNumber: number;

  @Column({ type: 'text', collation: 'C' })
  lexeme: string;

  @Column('integer')
  faqs: number;

  @Column('integer')
  passages: number;
}
