import { Injectable } from '@nestjs/common';
import { REAL_SEND, type QuoteProgress, type SendProgress } from '@heliograph/credits';
import { AppError } from '@heliograph/errors';
import { parseRecipient, type Recipient } from '@heliograph/addresses';
import { fieldError } from '@heliograph/service-kit';
import { Catalog, type RegisteredSender, type RegisteredTemplate } from '@heliograph/sms-catalog';
import { composeMessage, composeText, type ComposedMessage } from '@heliograph/sms-text';
import type { CheckedMessage } from '../messages/accepted-message';
import { MessageChecks, type Owner } from '../messages/message-checks';
import type { VariableValue } from '../messages/send-request.dto';
import { findMatchingTemplate } from './template-matcher';
import { withV1Fields } from './v1-errors';
import type { V1BulkRecipient, V1SendRequest, V1SmsContent } from './v1-send.dto';

type Variables = Record<string, VariableValue>;

/** Maximum size of the cache `matched`. It limits the memory of a campaign whose text differs for each contact. */
const MAX_MATCHES = 1_000;

/** The sender and the content of all messages of a call. */
export interface CommonContent {
  /** Null if the sender depends on the country of each recipient. */
  sender: RegisteredSender | null;
  templateId: string | null;
  /** The whole text; undefined if a template is used or each recipient has its own text. */
  message: string | undefined;
  variables: Variables;
  /** Cache of the matching templates, by onboarding and text. */
  matched: Map<string, Promise<RegisteredTemplate>>;
  progress: SendProgress;
}

export type ComposedContent = Pick<CheckedMessage, 'sender' | 'template' | 'recipient' | 'composed' | 'creditsCost'>;

/** Resolves sender, template and text of the v1 API. */
@Injectable()
export class V1ContentService {
  constructor(
    private readonly catalog: Catalog,
    private readonly checks: MessageChecks,
  ) {}

  /** Checks the common fields of all messages. If `ownMessages` is true, recipients can have their own text. */
  async common(
    caller: Owner,
    request: V1SmsContent,
    { ownMessages = false, progress = REAL_SEND }: { ownMessages?: boolean; progress?: SendProgress } = {},
  ): Promise<CommonContent> {
    return withV1Fields(async () => {
      const reference = request.sender_id ?? null;
      const templateId = request.template_id ?? null;
      const message = request.message ?? undefined;
      if (message !== undefined && templateId !== null) {
        throw fieldError(
          'INVALID_REQUEST',
          'message',
          'Send either message (the whole text) or template_id, not both.',
        );
      }
      if (message === undefined && templateId === null && !ownMessages) {
        throw fieldError('INVALID_REQUEST', 'message', 'Send message (the whole text), or template_id with variables.');
      }
      let sender: RegisteredSender | null = null;
      if (reference !== null) {
        progress.enter('sender');
        sender = await this.checks.findSender(caller, reference);
      }
      if (sender && templateId !== null) await this.registeredTemplate(caller, sender, templateId, progress);
      if (message !== undefined) {
        progress.enter('content');
        composeText(message);
      }
      progress.leave();
      return { sender, templateId, message, variables: request.variables ?? {}, matched: new Map(), progress };
    });
  }

  /** Matches the common text with the templates of the common sender, if both are given. Throws the error codes of a send. */
  async assertCommonText(caller: Owner, common: CommonContent): Promise<void> {
    const { sender, message } = common;
    if (sender && message !== undefined) await withV1Fields(() => this.match(caller, sender, message, common));
  }

  /** Composes the message to one recipient. */
  compose(caller: Owner, common: CommonContent, to: V1BulkRecipient): Promise<ComposedContent> {
    return withV1Fields(async () => {
      const { progress } = common;
      const sender = common.sender ?? (await this.onlySenderFor(caller, to.to, progress));
      const text = to.message ?? common.message;
      const template = text === undefined ? await this.templateOf(caller, sender, common) : null;
      const matched = text === undefined ? null : await this.match(caller, sender, text, common);
      progress.enter('recipient');
      const recipient = this.checks.recipientOf(sender, to.to);
      progress.enter('content');
      const variables = { ...common.variables, ...to.variables };
      const composed = template ? composeMessage(template.parsed, asText(variables)) : composeText(text ?? '');
      progress.leave();
      const creditsCost = await this.costOf(composed, recipient);
      return { sender, template: template ?? matched, recipient, composed, creditsCost };
    });
  }

  async costOf({ segments }: ComposedMessage, { country }: Recipient): Promise<number> {
    return segments * (await this.catalog.rateOf(country));
  }

  /** Runs the checks of the content behind a failed one in a quote, as far as they can be made without it. */
  async attemptRest(caller: Owner, request: V1SendRequest, progress: QuoteProgress): Promise<ComposedMessage | null> {
    const { to, template_id: templateId } = request;
    const text = request.message ?? null;
    const sender = await this.attemptSender(caller, request, progress);
    if (sender) await progress.attempt('recipient', () => this.checks.recipientOf(sender, to));
    else await progress.attemptPart('recipient', () => parsedRecipient(to));
    if (templateId) {
      const template = await this.attemptTemplate(caller, sender, templateId, progress);
      const variables = asText(request.variables ?? {});
      return template && progress.attempt('content', () => composeMessage(template.parsed, variables));
    }
    const composed = text === null ? null : await progress.attempt('content', () => composeText(text));
    if (sender && text !== null && composed) await this.attemptMatch(caller, sender, text, progress);
    return composed;
  }

  /** The sender of the request, even if it is inactive or its onboarding is not approved. */
  private async attemptSender(
    caller: Owner,
    { sender_id: reference, to }: V1SendRequest,
    progress: QuoteProgress,
  ): Promise<RegisteredSender | null> {
    if (reference) {
      await progress.attempt('sender', () => withV1Fields(() => this.checks.findSender(caller, reference)));
      return this.catalog.sender(caller.organizationId, reference);
    }
    const recipient = await progress.attempt('recipient', () => parsedRecipient(to));
    return recipient && progress.attempt('sender', () => this.onlySenderOf(caller, recipient.country));
  }

  /** The template of the request, even if the sender cannot use it. */
  private async attemptTemplate(
    caller: Owner,
    sender: RegisteredSender | null,
    reference: string,
    progress: QuoteProgress,
  ): Promise<RegisteredTemplate | null> {
    if (!sender) {
      return progress.attemptPart('template', () =>
        withV1Fields(() => this.checks.findTemplateWithoutSender(caller, reference)),
      );
    }
    await progress.attempt('template', () => withV1Fields(() => this.checks.findTemplate(caller, sender, reference)));
    const template = await this.catalog.template(caller.organizationId, reference, sender.onboardingId);
    const assertDltIds = () => this.checks.assertDltIds(sender, template);
    if (template) await progress.attempt('dlt', assertDltIds);
    else await progress.attemptPart('dlt', assertDltIds);
    return template;
  }

  private async attemptMatch(
    { organizationId }: Owner,
    sender: RegisteredSender,
    text: string,
    progress: QuoteProgress,
  ): Promise<void> {
    const isMatched = this.checks.requiresDlt(sender.onboarding.country);
    const template = await progress.attempt('template', async () =>
      isMatched
        ? findMatchingTemplate(await this.catalog.activeTemplatesOf(organizationId, sender.onboardingId), text)
        : null,
    );
    const assertDltIds = () => this.checks.assertDltIds(sender, template);
    if (template || !isMatched) await progress.attempt('dlt', assertDltIds);
    else await progress.attemptPart('dlt', assertDltIds);
  }

  private async onlySenderFor(caller: Owner, to: string, progress: SendProgress): Promise<RegisteredSender> {
    progress.enter('recipient');
    const { country } = parsedRecipient(to);
    progress.enter('sender');
    const sender = await this.onlySenderOf(caller, country);
    progress.leave();
    return sender;
  }

  private async onlySenderOf({ organizationId }: Owner, country: string): Promise<RegisteredSender> {
    const [only, another] = await this.catalog.activeSendersOf(organizationId, country);
    if (only && !another) return only;
    const message = only
      ? `sender_id is required, because several senders are active for ${country}. GET /api/sms/senders lists them.`
      : `No active sender with an approved onboarding exists for ${country}. GET /api/organization/sms/onboardings shows the onboardings; create a sender of an approved one with POST /api/organization/sms/senders.`;
    throw fieldError('INVALID_SENDER', 'sender_id', message);
  }

  private async registeredTemplate(
    caller: Owner,
    sender: RegisteredSender,
    templateId: string,
    progress: SendProgress,
  ): Promise<RegisteredTemplate> {
    progress.enter('template');
    const template = await this.checks.findTemplate(caller, sender, templateId);
    progress.enter('dlt');
    this.checks.assertDltIds(sender, template);
    progress.leave();
    return template;
  }

  private async templateOf(
    caller: Owner,
    sender: RegisteredSender,
    { templateId, progress }: CommonContent,
  ): Promise<RegisteredTemplate> {
    if (templateId === null) {
      throw fieldError(
        'INVALID_REQUEST',
        'message',
        'This message has no text. Send message for this recipient, message for all recipients, or template_id.',
      );
    }
    return this.registeredTemplate(caller, sender, templateId, progress);
  }

  /** The registered template that matches the text; null if the country requires no templates. */
  private async match(
    { organizationId }: Owner,
    sender: RegisteredSender,
    text: string,
    { matched, progress }: CommonContent,
  ): Promise<RegisteredTemplate | null> {
    progress.enter('content');
    composeText(text);
    progress.leave();
    if (!this.checks.requiresDlt(sender.onboarding.country)) return null;
    const key = `${sender.onboardingId} ${text}`;
    let found = matched.get(key);
    if (!found) {
      const templates = await this.catalog.activeTemplatesOf(organizationId, sender.onboardingId);
      found = findMatchingTemplate(templates, text);
      if (matched.size === MAX_MATCHES) matched.clear();
      matched.set(key, found);
    }
    progress.enter('template');
    const template = await found;
    progress.enter('dlt');
    this.checks.assertDltIds(sender, template);
    progress.leave();
    return template;
  }
}

function parsedRecipient(to: string): Recipient {
  const recipient = parseRecipient(to);
  if (recipient) return recipient;
  throw new AppError('INVALID_RECIPIENT', 'to must be a valid phone number in E.164 format, such as +919876543210.');
}

function asText(variables: Variables): ReadonlyMap<string, string> {
  return new Map(Object.entries(variables).map(([token, value]) => [token, String(value)]));
}
