import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { CachedLookup, ChangeFeed, newId } from '@heliograph/database';
import { Repository } from 'typeorm';
import { ChatappAccount } from './account.entity';

/** The business accounts through which messages are sent. */
@Injectable()
export class ChatappAccounts {
  private readonly accounts: CachedLookup<ChatappAccount>;

  constructor(
    @InjectRepository(ChatappAccount) private readonly table: Repository<ChatappAccount>,
    changes: ChangeFeed,
  ) {
    this.accounts = new CachedLookup(changes, {
      tables: ['chatapp.accounts'],
      load: (key) => this.load(...(JSON.parse(key) as [string, string | null])),
    });
  }

  /** The operator's account. Creates it on first use. */
  operatorAccount(phoneNumberId: string, businessAccountId: string | null): Promise<ChatappAccount> {
    return this.accounts.get(JSON.stringify([phoneNumberId, businessAccountId]));
  }

  private async load(phoneNumberId: string, businessAccountId: string | null): Promise<ChatappAccount> {
    const known = await this.table.findOneBy({ phoneNumberId });
    if (known && (businessAccountId === null || known.businessAccountId === businessAccountId)) return known;
    await this.table.query(
      `INSERT INTO chatapp.accounts AS a (id, owner_type, phone_number_id, business_account_id)
       VALUES ($1, 'platform', $2, $3)
       ON CONFLICT (phone_number_id) DO UPDATE
       SET business_account_id = coalesce(excluded.business_account_id, a.business_account_id)`,
      [newId(), phoneNumberId, businessAccountId],
    );
    return this.table.findOneByOrFail({ phoneNumberId });
  }
}
