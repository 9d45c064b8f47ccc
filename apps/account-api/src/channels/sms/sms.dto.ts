import type { Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { v1Timestamp } from '@heliograph/service-kit';
import { ONBOARDING_STATUSES, type Onboarding, type Sender, type Template } from '@heliograph/sms-catalog';
import { parseTemplate, PLACEHOLDERS_DESCRIPTION } from '@heliograph/sms-text';
import { One, ListOf } from '../../http/answers';
import { ChangesOf } from '../../http/changes-of';
import { PageQuery } from '../../http/page.query';
import {
  IsText,
  IsNonBlankText,
  Optional,
  OptionalNullable,
  IsTrueOrFalse,
  IsWellFormedId,
  IsOneOf,
  FLAGS,
} from '../../http/rules';

export class OnboardingRecord {
  id: Uuid;
  name: string;
  /**
   * ISO 3166-1 alpha-2 country of the recipients.
   * @example IN
   */
  country: string;
  status: (typeof ONBOARDING_STATUSES)[number];
  /** Principal entity id of the organization in the DLT registry of the country. */
  dltEntityId: string | null;
  rejectionReason: string | null;
  submittedAt: Timestamp | null;
  decidedAt: Timestamp | null;
  createdAt: Timestamp;

  static of(onboarding: Onboarding): OnboardingRecord {
    const { id, name, country, status, dltEntityId, rejectionReason } = onboarding;
    return {
      id,
      name,
      country,
      status,
      dltEntityId,
      rejectionReason,
      submittedAt: v1Timestamp(onboarding.submittedAt),
      decidedAt: v1Timestamp(onboarding.decidedAt),
      createdAt: onboarding.createdAt.toISOString(),
    };
  }
}

export class OneOnboarding extends One('onboarding', OnboardingRecord) {}

export class OnboardingList extends ListOf('onboardings', OnboardingRecord) {}

export class OnboardingQuery extends PageQuery {
  @Optional()
  @IsOneOf(ONBOARDING_STATUSES)
  status?: (typeof ONBOARDING_STATUSES)[number];
}

export class CreateOnboardingRequest {
  /** @example india */
  @IsNonBlankText(200)
  name: string;
  /** @example IN */
  @IsNonBlankText(10)
  country: string;
  /**
   * Entity id in the DLT registry. A changed id requires another approval.
   * @example "1101000000000000001"
   */
  @OptionalNullable()
  @IsText(100)
  dltEntityId: string | null = null;
}

export class ChangeOnboardingRequest extends ChangesOf(CreateOnboardingRequest, ['name', 'dltEntityId']) {}

export class SenderAnswer {
  id: Uuid;
  /** @example ACMEIN */
  header: string;
  onboardingId: Uuid;
  dltSenderId: string | null;
  isActive: boolean;
  createdAt: Timestamp;

  static of({ id, header, onboardingId, dltSenderId, isActive, createdAt }: Sender): SenderAnswer {
    return { id, header, onboardingId, dltSenderId, isActive, createdAt: createdAt.toISOString() };
  }
}

export class OneSender extends One('sender', SenderAnswer) {}

export class SenderPage extends ListOf('senders', SenderAnswer) {}

/** Fields that senders and templates have in common. */
export class RegistrationQuery extends PageQuery {
  @Optional()
  @IsWellFormedId()
  onboardingId?: Uuid;
  @Optional()
  @IsOneOf(FLAGS)
  isActive?: (typeof FLAGS)[number];
}

export class CreateSenderRequest {
  /** @example ACMEIN */
  @IsNonBlankText(50)
  header: string;
  @IsNonBlankText(100)
  onboardingId: Uuid;
  /** @example "1105000000000000001" */
  @OptionalNullable()
  @IsText(100)
  dltSenderId: string | null = null;
  /** @default true */
  @Optional()
  @IsTrueOrFalse()
  isActive: boolean = true;
}

export class ChangeSenderRequest extends ChangesOf(CreateSenderRequest, ['dltSenderId', 'isActive']) {}

export class TemplateAnswer {
  id: Uuid;
  /** @example otp */
  name: string;
  onboardingId: Uuid;
  /** @example Your code is {{code}} */
  body: string;
  /** Variables that a send must contain. */
  variables: string[];
  dltTemplateId: string | null;
  isActive: boolean;
  createdAt: Timestamp;

  static of({ id, name, onboardingId, body, dltTemplateId, isActive, createdAt }: Template): TemplateAnswer {
    const variables = [...parseTemplate(body).tokens];
    return { id, name, onboardingId, body, variables, dltTemplateId, isActive, createdAt: createdAt.toISOString() };
  }
}

export class OneTemplate extends One('template', TemplateAnswer) {}

export class TemplatePage extends ListOf('templates', TemplateAnswer) {}

export class CreateTemplateRequest {
  /** @example otp */
  @IsNonBlankText(200)
  name: string;
  @IsNonBlankText(100)
  onboardingId: Uuid;
  /** @example Your code is {{code}} */
  @ApiProperty({ description: PLACEHOLDERS_DESCRIPTION })
  @IsNonBlankText()
  body: string;
  /** @example "1107000000000000001" */
  @OptionalNullable()
  @IsText(100)
  dltTemplateId: string | null = null;
  /** @default true */
  @Optional()
  @IsTrueOrFalse()
  isActive: boolean = true;
}

export class ChangeTemplateRequest extends ChangesOf(CreateTemplateRequest, [
  'name',
  'body',
  'dltTemplateId',
  'isActive',
]) {}
