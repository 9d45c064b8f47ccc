import type { Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { toMessagingTimestamp } from '@heliograph/database';
import type { EmailTemplateSummary, RegisteredEmailSender } from '@heliograph/email-catalog';

export class SenderRecord {
  senderId: Uuid;
  /** Email address of the sender. */
  from: string;
  fromName: string | null;
  domain: string;
  @ApiProperty({ enum: ['verified'] })
  domainStatus: string;
  /** True for the default sender, used when a send request has no `from`. */
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
  senders: SenderRecord[];
}

export class TemplateRecord {
  templateId: Uuid;
  slug: string;
  name: string;
  subject: string | null;
  /** Names of the top-level variables that the template uses. */
  variables: string[];
  /** @example 2026-11-20T10:12:28.123000 */
  updatedAt: string;

  static of({ id, slug, name, subject, variables, updatedAt }: EmailTemplateSummary): TemplateRecord {
    return { templateId: id, slug, name, subject, variables, updatedAt: toMessagingTimestamp(updatedAt) };
  }
}

export class TemplateList {
  templates: TemplateRecord[];
}
