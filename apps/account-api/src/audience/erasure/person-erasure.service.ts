import { Injectable } from '@nestjs/common';
import { Erasures, readPersonAddress, UnitOfWork, type Write } from '@heliograph/tenancy';
import { AppError } from '@heliograph/errors';
import type { Caller } from '../../access/caller';
import { OneErasure, type ErasePersonRequest } from './erasures.dto';

@Injectable()
export class PersonErasureService {
  constructor(
    private readonly erasures: Erasures,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The audit entry does not contain the address. */
  erase(write: Write, { organizationId }: Caller, { address }: ErasePersonRequest): Promise<OneErasure> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const person = readPersonAddress(address);
      if (!person)
        throw new AppError(
          'VALIDATION_ERROR',
          'address: must be an email address, or a phone number in international format.',
        );
      const erasure = await this.erasures.request(transaction, organizationId, person, write.actor.requestId);
      await audit({
        organizationId,
        action: 'person.erased',
        target: { type: 'person', id: erasure.id },
        before: null,
        after: { kind: person.kind },
      });
      return OneErasure.of(erasure);
    });
  }

  async get({ organizationId }: Caller, id: string): Promise<OneErasure> {
    return OneErasure.of(await this.erasures.read(organizationId, id));
  }
}
