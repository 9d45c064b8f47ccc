import type { Uuid } from '@heliograph/contracts';
import type { RegisteredTemplate, Sender } from '@heliograph/sms-catalog';

export class SenderRecord {
  senderId: Uuid;
  /** Sender header that the recipient sees. */
  from: string;
  onboardingId: Uuid;
  dltSenderId: string | null;
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
  senders: SenderRecord[];
}

export class TemplateRecord {
  templateId: Uuid;
  name: string;
  /** Template text with placeholders. */
  body: string;
  /** Names of the placeholders that need a value. */
  variables: string[];
  onboardingId: Uuid;
  dltTemplateId: string | null;
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
  templates: TemplateRecord[];
}
