import { ApiProperty } from '@nestjs/swagger';
import { toMessagingTimestamp } from '@heliograph/database';
import type { EmailTemplateSummary, RegisteredEmailSender } from '@heliograph/email-catalog';

export class SenderRecord {
  @ApiProperty({ format: 'uuid' })
  senderId: string;
  @ApiProperty({ description: 'The address that mail is sent from' })
  from: string;
  @ApiProperty({ type: String, nullable: true })
  fromName: string | null;
  @ApiProperty()
  domain: string;
  @ApiProperty({ enum: ['verified'] })
  domainStatus: string;
  @ApiProperty({ description: 'Sends what names no sender' })
  isMain: boolean;

  static of({ id, address, name, isMain, domain }: RegisteredEmailSender): SenderRecord {
    return {
      senderId: id,
      from: address,
      fromName: name,
      domain: domain.name,
      domainStatus: domain.status,
      isMain,
    };
  }
}

export class SenderList {
  @ApiProperty({ type: [SenderRecord] })
  senders: SenderRecord[];
}

export class TemplateRecord {
  @ApiProperty({ format: 'uuid' })
  templateId: string;
  @ApiProperty()
  slug: string;
  @ApiProperty()
  name: string;
  @ApiProperty({ type: String, nullable: true })
  subject: string | null;
  @ApiProperty({ type: [String], description: 'The root names that the template uses' })
  variables: string[];
  @ApiProperty({ type: String, example: '2026-11-20T10:12:28.123000' })
  updatedAt: string;

  static of({ id, slug, name, subject, variables, updatedAt }: EmailTemplateSummary): TemplateRecord {
    return { templateId: id, slug, name, subject, variables, updatedAt: toMessagingTimestamp(updatedAt) };
  }
}

export class TemplateList {
  @ApiProperty({ type: [TemplateRecord] })
  templates: TemplateRecord[];
}
