import { ApiProperty } from '@nestjs/swagger';
import { toMessagingTimestamp } from '@heliograph/database';
import type { EmailTemplateSummary, RegisteredEmailSender } from '@heliograph/email-catalog';

export class SenderRecord {
  @ApiProperty({ format: 'uuid' })
  senderId: string;
  @ApiProperty({ description: 'Email address of the sender' })
  from: string;
  @ApiProperty({ type: String, nullable: true })
  fromName: string | null;
  @ApiProperty()
  domain: string;
  @ApiProperty({ enum: ['verified'] })
  domainStatus: string;
  @ApiProperty({ description: 'True for the default sender, used when a send request has no `from`' })
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
  @ApiProperty({ type: [String], description: 'Names of the top-level variables that the template uses' })
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
