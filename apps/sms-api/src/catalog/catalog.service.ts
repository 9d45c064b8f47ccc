import { Inject, Injectable } from '@nestjs/common';
import { newId } from '@heliograph/database';
import { DataSource, type EntityManager } from 'typeorm';
import { Onboarding, type OnboardingStatus } from './onboarding.entity';
import { Rate } from './rate.entity';
import { Sender } from './sender.entity';
import { Template } from './template.entity';

export interface OnboardingDetails {
  name: string;
  country: string;
  status: OnboardingStatus;
  dltEntityId: string | null;
}

export interface SenderDetails {
  header: string;
  onboardingId: string;
  dltSenderId: string | null;
  isActive: boolean;
}

export interface TemplateDetails {
  name: string;
  onboardingId: string;
  body: string;
  dltTemplateId: string | null;
  isActive: boolean;
}

/** Writes the catalog. Each entry is found by its natural key: there, it is updated; not there, it is made. */
@Injectable()
export class CatalogService {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  async putOnboarding(
    organizationId: string,
    details: OnboardingDetails,
    transaction: EntityManager = this.dataSource.manager,
  ): Promise<Onboarding> {
    const repository = transaction.getRepository(Onboarding);
    const existing = await repository.findOneBy({ organizationId, name: details.name });
    return repository.save(repository.create({ ...(existing ?? { id: newId(), organizationId }), ...details }));
  }

  async putSender(
    organizationId: string,
    details: SenderDetails,
    transaction: EntityManager = this.dataSource.manager,
  ): Promise<Sender> {
    const repository = transaction.getRepository(Sender);
    const existing = await repository.findOneBy({ organizationId, header: details.header });
    return repository.save(repository.create({ ...(existing ?? { id: newId(), organizationId }), ...details }));
  }

  async putTemplate(
    organizationId: string,
    details: TemplateDetails,
    transaction: EntityManager = this.dataSource.manager,
  ): Promise<Template> {
    const repository = transaction.getRepository(Template);
    const existing = await repository.findOneBy({
      organizationId,
      onboardingId: details.onboardingId,
      name: details.name,
    });
    return repository.save(repository.create({ ...(existing ?? { id: newId(), organizationId }), ...details }));
  }

  async putRate(country: string, rate: number, transaction: EntityManager = this.dataSource.manager): Promise<void> {
    await transaction.getRepository(Rate).save({ country, rate });
  }
}
