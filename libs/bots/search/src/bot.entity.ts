import { Check, Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';

/** A bot of which something is, or was, indexed. Whoever writes its index holds the lock of this row. */
@Entity({ schema: 'bot_search', name: 'bots' })
@Check('bots_counts_check', 'faqs >= 0 AND passages >= 0')
@Index('bots_number', ['number'], { unique: true })
export class BotSearchBot {
  @PrimaryColumn('uuid', { name: 'bot_id', primaryKeyConstraintName: 'bots_pkey' })
  botId: string;

  /** Stands for the bot within the schema, and before each lexeme that finds its entries. */
  @Column('integer')
  @Generated('increment')
  number: number;

  @Column('integer', { default: 0 })
  faqs: number;

  @Column('integer', { default: 0 })
  passages: number;
}
