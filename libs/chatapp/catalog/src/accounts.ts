import { Injectable } from '@nestjs/common';
import { CachedLookup, ChangeFeed, newId } from '@heliograph/database';
import { DataSource } from 'typeorm';
import { ChatappAccount } from './account.entity';

/** The business accounts through which messages are sent. */
@Injectable()
export class ChatappAccounts {
  private readonly accounts: CachedLookup<ChatappAccount>;

  constructor(
    private readonly dataSource: DataSource,
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
    const repository = this.dataSource.getRepository(ChatappAccount);
    const known = await repository.findOneBy({ phoneNumberId });
    if (known && (businessAccountId === null || known.businessAccountId === businessAccountId)) return known;
    await this.dataSource.query(
      `INSERT INTO chatapp.accounts AS a (id, owner_type, phone_number_id, business_account_id)
       VALUES ($1, 'platform', $2, $3)
       ON CONFLICT (phone_number_id) DO UPDATE
       SET business_account_id = coalesce(excluded.business_account_id, a.business_account_id)`,
      [newId(), phoneNumberId, businessAccountId],
    );
    return repository.findOneByOrFail({ phoneNumberId });
  }
}
