import { ApiProperty } from '@nestjs/swagger';
import type { RegisteredTemplate, Sender } from '@heliograph/sms-catalog';

export class SenderRecord {
  @ApiProperty({ format: 'uuid' })
  senderId: string;
  @ApiProperty({ description: 'Sender header that the recipient sees' })
  from: string;
  @ApiProperty({ format: 'uuid' })
  onboardingId: string;
  @ApiProperty({ type: String, nullable: true })
  dltSenderId: string | null;
  @ApiProperty()
  isActive: boolean;

  static of(sender: Sender): SenderRecord {
    return {
      senderId: sender.id,
      from: sender.header,
      onboardingId: sender.onboardingId,
      dltSenderId: sender.dltSenderId,
      isActive: sender.isActive,
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
  name: string;
  @ApiProperty({ description: 'Template text with placeholders' })
  body: string;
  @ApiProperty({ type: [String], description: 'Names of the placeholders that need a value' })
  variables: string[];
  @ApiProperty({ format: 'uuid' })
  onboardingId: string;
  @ApiProperty({ type: String, nullable: true })
  dltTemplateId: string | null;
  @ApiProperty()
  isActive: boolean;

  static of(template: RegisteredTemplate): TemplateRecord {
    return {
      templateId: template.id,
      name: template.name,
      body: template.body,
      variables: [...template.parsed.tokens],
      onboardingId: template.onboardingId,
      dltTemplateId: template.dltTemplateId,
      isActive: template.isActive,
    };
  }
}

export class TemplateList {
  @ApiProperty({ type: [TemplateRecord] })
  templates: TemplateRecord[];
}
