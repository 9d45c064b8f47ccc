import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { KeyRing } from '@heliograph/secrets';
import { MoreThan, Repository } from 'typeorm';
import { EmailDomain } from './domain.entity';
import { EMAIL_KEY_RING, readPrivateKey } from './domain-secrets';

const BATCH = 200;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Checks the stored DKIM keys of all organizations. */
@Injectable()
export class DomainKeys {
  constructor(
    @InjectRepository(EmailDomain) private readonly domains: Repository<EmailDomain>,
    @Inject(EMAIL_KEY_RING) private readonly keys: KeyRing,
  ) {}

  /** Returns the number of stored DKIM keys that this process cannot decrypt. For the operator, of all organizations. */
  async countUnreadableAcrossTenants(): Promise<number> {
    let unreadable = 0;
    for (let after = LOWEST_ID; ;) {
      const batch = await this.domains.find({
        select: { id: true, dkimPrivateKey: true },
        where: { id: MoreThan(after) },
        order: { id: 'ASC' },
        take: BATCH,
      });
      for (const { id, dkimPrivateKey } of batch) {
        if (dkimPrivateKey !== undefined && readPrivateKey(this.keys, id, dkimPrivateKey) === null) unreadable++;
      }
      const last = batch.at(-1);
      if (!last || batch.length < BATCH) return unreadable;
      after = last.id;
      await nextTurn();
    }
  }
}
