import { Injectable } from '@nestjs/common';
import { REAL_SEND, type QuotedChecks, type SendChecksRun } from '@heliograph/credits';
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
import type { V1SendRequest, V1SmsContent } from './v1-send.dto';

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
  checks: SendChecksRun;
}

export interface OneRecipient {
  to: string;
  variables?: Variables | undefined;
  message?: string | undefined;
  reference?: string | undefined;
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
    { ownMessages = false, checks = REAL_SEND }: { ownMessages?: boolean; checks?: SendChecksRun } = {},
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
      const sender =
        reference === null ? null : await checks.run('sender', () => this.checks.findSender(caller, reference));
      if (sender && templateId !== null) await this.registeredTemplate(caller, sender, templateId, checks);
      if (message !== undefined) await checks.run('content', () => composeText(message));
      return { sender, templateId, message, variables: request.variables ?? {}, matched: new Map(), checks };
    });
  }

  /** Matches the common text with the templates of the common sender, if both are given. Throws the error codes of a send. */
  async assertCommonText(caller: Owner, common: CommonContent): Promise<void> {
    const { sender, message } = common;
    if (sender && message !== undefined) await withV1Fields(() => this.match(caller, sender, message, common));
  }

  /** Composes the message to one recipient. */
  compose(caller: Owner, common: CommonContent, to: OneRecipient): Promise<ComposedContent> {
    return withV1Fields(async () => {
      const { checks } = common;
      const sender = common.sender ?? (await this.onlySenderFor(caller, to.to, checks));
      const text = to.message ?? common.message;
      const template = text === undefined ? await this.templateOf(caller, sender, common) : null;
      const matched = text === undefined ? null : await this.match(caller, sender, text, common);
      const recipient = await checks.run('recipient', () => this.checks.recipientOf(sender, to.to));
      const variables = { ...common.variables, ...to.variables };
      const composed = await checks.run('content', () =>
        template ? composeMessage(template.parsed, asText(variables)) : composeText(text ?? ''),
      );
      const creditsCost = await this.costOf(composed, recipient);
      return { sender, template: template ?? matched, recipient, composed, creditsCost };
    });
  }

  async costOf({ segments }: ComposedMessage, { country }: Recipient): Promise<number> {
    return segments * (await this.catalog.rateOf(country));
  }

  /** Runs the checks of the content behind a failed one in a quote, as far as they can be made without it. */
  async attemptRest(caller: Owner, request: V1SendRequest, checks: QuotedChecks): Promise<ComposedMessage | null> {
    const { to, template_id: templateId } = request;
    const text = request.message ?? null;
    const sender = await this.attemptSender(caller, request, checks);
    if (sender) await checks.attempt('recipient', () => withV1Fields(() => this.checks.recipientOf(sender, to)));
    else await checks.attemptPart('recipient', () => withV1Fields(() => parsedRecipient(to)));
    if (templateId) {
      const template = await this.attemptTemplate(caller, sender, templateId, checks);
      const variables = asText(request.variables ?? {});
      return (
        template && checks.attempt('content', () => withV1Fields(() => composeMessage(template.parsed, variables)))
      );
    }
    const composed =
      text === null ? null : await checks.attempt('content', () => withV1Fields(() => composeText(text)));
    if (sender && text !== null && composed) await this.attemptMatch(caller, sender, text, checks);
    return composed;
  }

  /** The sender of the request, even if it is inactive or its onboarding is not approved. */
  private async attemptSender(
    caller: Owner,
    { sender_id: reference, to }: V1SendRequest,
    checks: QuotedChecks,
  ): Promise<RegisteredSender | null> {
    if (reference) {
      await checks.attempt('sender', () => withV1Fields(() => this.checks.findSender(caller, reference)));
      return this.catalog.sender(caller.organizationId, reference);
    }
    const recipient = await checks.attempt('recipient', () => withV1Fields(() => parsedRecipient(to)));
    return recipient && checks.attempt('sender', () => this.onlySenderOf(caller, recipient.country));
  }

  /** The template of the request, even if the sender cannot use it. */
  private async attemptTemplate(
    caller: Owner,
    sender: RegisteredSender | null,
    reference: string,
    checks: QuotedChecks,
  ): Promise<RegisteredTemplate | null> {
    if (!sender) {
      return checks.attemptPart('template', () =>
        withV1Fields(() => this.checks.findTemplateWithoutSender(caller, reference)),
      );
    }
    await checks.attempt('template', () => withV1Fields(() => this.checks.findTemplate(caller, sender, reference)));
    const template = await this.catalog.template(caller.organizationId, reference, sender.onboardingId);
    const assertDltIds = () => withV1Fields(() => this.checks.assertDltIds(sender, template));
    if (template) await checks.attempt('dlt', assertDltIds);
    else await checks.attemptPart('dlt', assertDltIds);
    return template;
  }

  private async attemptMatch(
    { organizationId }: Owner,
    sender: RegisteredSender,
    text: string,
    checks: QuotedChecks,
  ): Promise<void> {
    const isMatched = this.checks.requiresDlt(sender.onboarding.country);
    const template = await checks.attempt('template', async () =>
      isMatched
        ? withV1Fields(async () =>
            findMatchingTemplate(await this.catalog.activeTemplatesOf(organizationId, sender.onboardingId), text),
          )
        : null,
    );
    const assertDltIds = () => withV1Fields(() => this.checks.assertDltIds(sender, template));
    if (template || !isMatched) await checks.attempt('dlt', assertDltIds);
    else await checks.attemptPart('dlt', assertDltIds);
  }

  private async onlySenderFor(caller: Owner, to: string, checks: SendChecksRun): Promise<RegisteredSender> {
    const { country } = await checks.run('recipient', () => parsedRecipient(to));
    return checks.run('sender', () => this.onlySenderOf(caller, country));
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
    checks: SendChecksRun,
  ): Promise<RegisteredTemplate> {
    const template = await checks.run('template', () => this.checks.findTemplate(caller, sender, templateId));
    await checks.run('dlt', () => this.checks.assertDltIds(sender, template));
    return template;
  }

  private async templateOf(
    caller: Owner,
    sender: RegisteredSender,
    { templateId, checks }: CommonContent,
  ): Promise<RegisteredTemplate> {
    if (templateId === null) {
      throw fieldError(
        'INVALID_REQUEST',
        'message',
        'This message has no text. Send message for this recipient, message for all recipients, or template_id.',
      );
    }
    return this.registeredTemplate(caller, sender, templateId, checks);
  }

  /** The registered template that matches the text; null if the country requires no templates. */
  private async match(
    { organizationId }: Owner,
    sender: RegisteredSender,
    text: string,
    { matched, checks }: CommonContent,
  ): Promise<RegisteredTemplate | null> {
    await checks.run('content', () => composeText(text));
    if (!this.checks.requiresDlt(sender.onboarding.country)) return null;
    const key = `${sender.onboardingId} ${text}`;
    let found = matched.get(key);
    if (!found) {
      const templates = await this.catalog.activeTemplatesOf(organizationId, sender.onboardingId);
      found = findMatchingTemplate(templates, text);
      if (matched.size === MAX_MATCHES) matched.clear();
      matched.set(key, found);
    }
    const template = await checks.run('template', () => found);
    await checks.run('dlt', () => this.checks.assertDltIds(sender, template));
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
