import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a bot has asked of the language model on one day. */
@Entity({ schema: 'bots', name: 'model_uses' })
export class ModelUse {
  @PrimaryColumn('uuid', { name: 'bot_id', primaryKeyConstraintName: 'model_uses_pkey' })
  botId: string;

  /** UTC */
  @PrimaryColumn('date', { primaryKeyConstraintName: 'model_uses_pkey' })
  day: string;

  /** Of questions and answers together: those that were used, and those that calls under way may use. */
  @Column('bigint')
  tokens: number;
}
