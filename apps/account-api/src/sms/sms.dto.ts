import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ONBOARDING_STATUSES,
  type Onboarding,
  type OnboardingStatus,
  type Sender,
  type Template,
} from '@heliograph/sms-catalog';
import { parseTemplate, type MessagePreview, type SmsEncoding } from '@heliograph/sms-text';
import { IsFilledText, IsFlag, IsIdText, IsOneOf, IsText, MayBeAbsent, MayBeEmpty, rule } from '../http/rules';
import { PageQuery } from '../http/query';

const optionalText = { type: String, nullable: true } as const;
const optionalMoment = { type: String, format: 'date-time', nullable: true } as const;
const FLAGS = ['true', 'false'] as const;

export class OnboardingRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  name: string;
  @ApiProperty({ example: 'IN', description: 'ISO 3166: recipients have numbers of this country' })
  country: string;
  @ApiProperty({ enum: ONBOARDING_STATUSES })
  status: OnboardingStatus;
  @ApiProperty({ ...optionalText, description: "The organization's id in the country's DLT register" })
  dltEntityId: string | null;
  @ApiProperty(optionalText)
  rejectionReason: string | null;
  @ApiProperty(optionalMoment)
  submittedAt: string | null;
  @ApiProperty(optionalMoment)
  decidedAt: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of(onboarding: Onboarding): OnboardingRecord {
    const { id, name, country, status, dltEntityId, rejectionReason } = onboarding;
    return {
      ...{ id, name, country, status, dltEntityId, rejectionReason },
      submittedAt: onboarding.submittedAt?.toISOString() ?? null,
      decidedAt: onboarding.decidedAt?.toISOString() ?? null,
      createdAt: onboarding.createdAt.toISOString(),
    };
  }
}

export class OneOnboarding {
  @ApiProperty()
  onboarding: OnboardingRecord;
}

export class OnboardingList {
  @ApiProperty({ type: [OnboardingRecord] })
  onboardings: OnboardingRecord[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class OnboardingQuery extends PageQuery {
  @ApiPropertyOptional({ enum: ONBOARDING_STATUSES })
  @MayBeAbsent()
  @IsOneOf(ONBOARDING_STATUSES)
  status?: OnboardingStatus;
}

export class CreateOnboardingRequest {
  @ApiProperty({ example: 'india' })
  @IsFilledText(200)
  name: string;
  @ApiProperty({ example: 'IN' })
  @IsFilledText(10)
  country: string;
  @ApiPropertyOptional({ ...optionalText, example: '1101000000000000001' })
  @MayBeEmpty()
  @IsText(100)
  dltEntityId: string | null = null;
}

export class ChangeOnboardingRequest {
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsFilledText(200)
  name?: string;
  @ApiPropertyOptional({ ...optionalText, description: 'Another entity needs another approval' })
  @MayBeEmpty()
  @IsText(100)
  dltEntityId?: string | null;
}

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

export class OneSender {
  @ApiProperty()
  sender: SenderAnswer;
}

export class SenderPage {
  @ApiProperty({ type: [SenderAnswer] })
  senders: SenderAnswer[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

/** Of senders and of templates. */
export class RegistrationQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid' })
  @MayBeAbsent()
  @IsIdText()
  onboardingId?: string;
  @ApiPropertyOptional({ enum: FLAGS })
  @MayBeAbsent()
  @IsOneOf(FLAGS)
  isActive?: (typeof FLAGS)[number];
}

export class CreateSenderRequest {
  @ApiProperty({ example: 'ACMEIN' })
  @IsFilledText(50)
  header: string;
  @ApiProperty({ format: 'uuid' })
  @IsFilledText(100)
  onboardingId: string;
  @ApiPropertyOptional({ ...optionalText, example: '1105000000000000001' })
  @MayBeEmpty()
  @IsText(100)
  dltSenderId: string | null = null;
  @ApiPropertyOptional({ default: true })
  @MayBeAbsent()
  @IsFlag()
  isActive: boolean = true;
}

export class ChangeSenderRequest {
  @ApiPropertyOptional(optionalText)
  @MayBeEmpty()
  @IsText(100)
  dltSenderId?: string | null;
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsFlag()
  isActive?: boolean;
}

export class TemplateAnswer {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ example: 'otp' })
  name: string;
  @ApiProperty({ format: 'uuid' })
  onboardingId: string;
  @ApiProperty({ example: 'Your code is {{code}}' })
  body: string;
  @ApiProperty({ type: [String], description: 'What a send must fill' })
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

export class OneTemplate {
  @ApiProperty()
  template: TemplateAnswer;
}

export class TemplatePage {
  @ApiProperty({ type: [TemplateAnswer] })
  templates: TemplateAnswer[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class CreateTemplateRequest {
  @ApiProperty({ example: 'otp' })
  @IsFilledText(200)
  name: string;
  @ApiProperty({ format: 'uuid' })
  @IsFilledText(100)
  onboardingId: string;
  @ApiProperty({ example: 'Your code is {{code}}', description: 'Placeholders: {{token}} and {#var#}' })
  @IsFilledText()
  body: string;
  @ApiPropertyOptional({ ...optionalText, example: '1107000000000000001' })
  @MayBeEmpty()
  @IsText(100)
  dltTemplateId: string | null = null;
  @ApiPropertyOptional({ default: true })
  @MayBeAbsent()
  @IsFlag()
  isActive: boolean = true;
}

export class ChangeTemplateRequest {
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsFilledText(200)
  name?: string;
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsFilledText()
  body?: string;
  @ApiPropertyOptional(optionalText)
  @MayBeEmpty()
  @IsText(100)
  dltTemplateId?: string | null;
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsFlag()
  isActive?: boolean;
}

const MAX_VARIABLES = 100;

const IsVariables = () =>
  rule(
    'isVariables',
    `must map at most ${MAX_VARIABLES} tokens to text, numbers or booleans`,
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length <= MAX_VARIABLES &&
      Object.values(value).every(isVariable),
  );

function isVariable(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= 100_000 && value.isWellFormed() && !value.includes('\0');
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

export class PreviewRequest {
  @ApiProperty({ example: 'Your code is {{code}}' })
  @IsFilledText()
  body: string;
  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' }, example: { code: '123456' } })
  @MayBeAbsent()
  @IsVariables()
  variables: Record<string, string | number | boolean> = {};
  @ApiPropertyOptional({ example: 'IN', description: 'For the rate; without it 1 credit a segment' })
  @MayBeAbsent()
  @IsFilledText(10)
  country?: string;
}

export class Preview {
  @ApiProperty()
  body: string;
  @ApiProperty({ enum: ['gsm-7', 'ucs-2'] satisfies SmsEncoding[] })
  encoding: SmsEncoding;
  @ApiProperty({ type: 'integer' })
  segments: number;
  @ApiProperty({ type: 'integer', description: 'Septets (gsm-7) or UTF-16 units (ucs-2) of the last segment in use' })
  unitsUsed: number;
  @ApiProperty({ type: 'integer', description: 'Those that are left in it' })
  unitsLeft: number;
  @ApiProperty({ type: 'integer', description: 'Credits' })
  creditsCost: number;
  @ApiProperty({ type: [String], description: 'Tokens without a value; in body they stand as placeholders' })
  missing: string[];

  static of({ body, encoding, segments, unitsUsed, unitsLeft, cost, missing }: MessagePreview): Preview {
    return { body, encoding, segments, unitsUsed, unitsLeft, creditsCost: cost, missing };
  }
}
