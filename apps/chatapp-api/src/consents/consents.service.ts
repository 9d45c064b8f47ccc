import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { ChatappConsents, ConsentLimit } from '@heliograph/chatapp-catalog';
import { AppError } from '@heliograph/errors';
import { respondOnce, IdempotencyService, type Claim } from '@heliograph/idempotency';
import { parseNumber } from '@heliograph/addresses';
import { DataSource } from 'typeorm';
import { ConsentList, ConsentRecord, INVALID_NUMBER, type ConsentRequest } from './consents.dto';

const LIST_SIZE = 500;

@Injectable()
export class ConsentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly consents: ChatappConsents,
    private readonly limit: ConsentLimit,
    private readonly idempotency: IdempotencyService,
  ) {}

  async list({ organizationId }: Tenant): Promise<ConsentList> {
    const consents = await this.consents.list(organizationId, LIST_SIZE);
    return { consents: consents.map((consent) => ConsentRecord.of(consent)) };
  }

  /** Records a consent. Throws LIMIT_REACHED. */
  record(
    { organizationId }: Tenant,
    request: ConsentRequest,
    correlationId: string,
    claim: Claim | null,
  ): Promise<ConsentRecord> {
    return this.idempotency.run(claim, async () => {
      const number = parseNumber(request.number)?.e164;
      if (number === undefined) throw new AppError('INVALID_NUMBER', INVALID_NUMBER);
      await this.limit.assertRoom(organizationId, number);
      return this.dataSource.transaction((transaction) =>
        respondOnce(transaction, claim, async () =>
          ConsentRecord.of(
            await this.consents.record(transaction, organizationId, { ...request, number }, correlationId),
          ),
        ),
      );
    });
  }
}
