import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { v1Timestamp } from '@heliograph/service-kit';
import {
  ONBOARDING_STATUSES,
  type Onboarding,
  type OnboardingStatus,
  type Sender,
  type Template,
} from '@heliograph/sms-catalog';
import { parseTemplate, PLACEHOLDERS_DESCRIPTION } from '@heliograph/sms-text';
import { One, ListOf } from '../http/answers';
import { ChangesOf } from '../http/changes-of';
import { PageQuery } from '../http/page.query';
import { optionalText, optionalTimestamp } from '../http/schemas';
import {
  IsText,
  IsNonBlankText,
  Optional,
  OptionalNullable,
  IsTrueOrFalse,
  IsWellFormedId,
  IsOneOf,
  FLAGS,
  type Flag,
} from '../http/rules';

export class OnboardingRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  name: string;
  @ApiProperty({ example: 'IN', description: 'ISO 3166-1 alpha-2 country of the recipients' })
  country: string;
  @ApiProperty({ enum: ONBOARDING_STATUSES })
  status: OnboardingStatus;
  @ApiProperty({
    ...optionalText,
    description: 'Principal entity id of the organization in the DLT registry of the country',
  })
  dltEntityId: string | null;
  @ApiProperty(optionalText)
  rejectionReason: string | null;
  @ApiProperty(optionalTimestamp)
  submittedAt: string | null;
  @ApiProperty(optionalTimestamp)
  decidedAt: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

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
  @ApiPropertyOptional({ enum: ONBOARDING_STATUSES })
  @Optional()
  @IsOneOf(ONBOARDING_STATUSES)
  status?: OnboardingStatus;
}

export class CreateOnboardingRequest {
  @ApiProperty({ example: 'india' })
  @IsNonBlankText(200)
  name: string;
  @ApiProperty({ example: 'IN' })
  @IsNonBlankText(10)
  country: string;
  @ApiPropertyOptional({
    ...optionalText,
    example: '1101000000000000001',
    description: 'Entity id in the DLT registry. A changed id requires another approval',
  })
  @OptionalNullable()
  @IsText(100)
  dltEntityId: string | null = null;
}

export class ChangeOnboardingRequest extends ChangesOf(CreateOnboardingRequest, ['name', 'dltEntityId']) {}

export class SenderAnswer {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ example: 'ACMEIN' })
  header: string;
  @ApiProperty({ format: 'uuid' })
  onboardingId: string;
  @ApiProperty(optionalText)
  dltSenderId: string | null;
  @ApiProperty()
  isActive: boolean;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of({ id, header, onboardingId, dltSenderId, isActive, createdAt }: Sender): SenderAnswer {
    return { id, header, onboardingId, dltSenderId, isActive, createdAt: createdAt.toISOString() };
  }
}

export class OneSender extends One('sender', SenderAnswer) {}

export class SenderPage extends ListOf('senders', SenderAnswer) {}

/** Fields that senders and templates have in common. */
export class RegistrationQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid' })
  @Optional()
  @IsWellFormedId()
  onboardingId?: string;
  @ApiPropertyOptional({ enum: FLAGS })
  @Optional()
  @IsOneOf(FLAGS)
  isActive?: Flag;
}

export class CreateSenderRequest {
  @ApiProperty({ example: 'ACMEIN' })
  @IsNonBlankText(50)
  header: string;
  @ApiProperty({ format: 'uuid' })
  @IsNonBlankText(100)
  onboardingId: string;
  @ApiPropertyOptional({ ...optionalText, example: '1105000000000000001' })
  @OptionalNullable()
  @IsText(100)
  dltSenderId: string | null = null;
  @ApiPropertyOptional({ default: true })
  @Optional()
  @IsTrueOrFalse()
  isActive: boolean = true;
}

export class ChangeSenderRequest extends ChangesOf(CreateSenderRequest, ['dltSenderId', 'isActive']) {}

export class TemplateAnswer {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ example: 'otp' })
  name: string;
  @ApiProperty({ format: 'uuid' })
  onboardingId: string;
  @ApiProperty({ example: 'Your code is {{code}}' })
  body: string;
  @ApiProperty({ type: [String], description: 'Variables that a send must contain' })
  variables: string[];
  @ApiProperty(optionalText)
  dltTemplateId: string | null;
  @ApiProperty()
  isActive: boolean;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of({ id, name, onboardingId, body, dltTemplateId, isActive, createdAt }: Template): TemplateAnswer {
    const variables = [...parseTemplate(body).tokens];
    return { id, name, onboardingId, body, variables, dltTemplateId, isActive, createdAt: createdAt.toISOString() };
  }
}

export class OneTemplate extends One('template', TemplateAnswer) {}

export class TemplatePage extends ListOf('templates', TemplateAnswer) {}

export class CreateTemplateRequest {
  @ApiProperty({ example: 'otp' })
  @IsNonBlankText(200)
  name: string;
  @ApiProperty({ format: 'uuid' })
  @IsNonBlankText(100)
  onboardingId: string;
  @ApiProperty({
    example: 'Your code is {{code}}',
    description: PLACEHOLDERS_DESCRIPTION,
  })
  @IsNonBlankText()
  body: string;
  @ApiPropertyOptional({ ...optionalText, example: '1107000000000000001' })
  @OptionalNullable()
  @IsText(100)
  dltTemplateId: string | null = null;
  @ApiPropertyOptional({ default: true })
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
