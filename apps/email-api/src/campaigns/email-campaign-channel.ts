import { Injectable } from '@nestjs/common';
import {
  parsePersonalized,
  personalize,
  type CampaignChannel,
  type CampaignOwner,
  type ComposedMessage,
  type QueuedAgain,
  type Recipient,
  type WaitingMessage,
} from '@heliograph/campaigns';
import type { Tenant } from '@heliograph/auth';
import { newId } from '@heliograph/database';
import { addressKey } from '@heliograph/addresses';
import {
  parseEmailTemplate,
  renderEmailTemplate,
  type ParsedEmailTemplate,
  type RenderedEmail,
} from '@heliograph/email-text';
import { AppError, type ErrorCode } from '@heliograph/errors';
import { fieldError, Turns } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { AcceptService } from '../messages/acceptance/accept.service';
import type { NewSend } from '../messages/acceptance/acceptance';
import type { Content } from '../messages/checks/send-checks';
import { V1CallService, type Sender, type V1Call, type V1CallContent } from '../v1/v1-call.service';
import { withV1Fields } from '../v1/v1-errors';
import type { V1EmailContent } from '../v1/v1-send.dto';
import { CampaignEmailsRepository } from './campaign-emails.repository';

interface EmailContent {
  common: V1CallContent;
  /** The parts of the request, which may contain placeholders. */
  parts: ParsedEmailTemplate;
  /** Returns the variables of the request with the placeholders replaced by the fields of a contact. */
  variables: (fields: Record<string, unknown>) => Record<string, unknown>;
}

/** The data that all emails of a campaign share. */
interface EmailCall extends EmailContent {
  call: V1Call;
  campaignId: string;
  characters: number;
}

const BATCH = 500;
/** Maximum stored size of a batch, in characters. It limits the memory that a batch needs. */
const BATCH_CHARACTERS = 8_000_000;
/** Fields of contacts. They are empty when the content is checked without a contact. */
const BLANK = ['contact_id', 'email', 'phone', 'first_name', 'last_name', 'language', 'country', 'time_zone'];
/** Errors of a send that concern one contact only. The campaign skips the contact and continues. */
const INVALID = new Set<ErrorCode>(['INVALID_REQUEST', 'MISSING_VARIABLES', 'INVALID_TEMPLATE']);
const PARTS = ['subject', 'html', 'text'] as const;

/** Sends the emails of campaigns with the checks and the acceptance of single sends. */
@Injectable()
export class EmailCampaignChannel implements CampaignChannel<EmailCall, NewSend> {
  readonly name = 'email';
  readonly pastScheduleCode = 'INVALID_SEND_TIME';

  constructor(
    private readonly calls: V1CallService,
    private readonly accepts: AcceptService,
    private readonly pool: Pool,
    private readonly emails: CampaignEmailsRepository,
  ) {}

  async check(caller: Tenant, given: V1EmailContent): Promise<void> {
    await this.contentOf(caller, given);
  }

  async begin(owner: CampaignOwner, given: V1EmailContent, campaignId: string): Promise<EmailCall> {
    const content = await this.contentOf(owner, given);
    const call = await this.calls.begin(content.common, campaignId);
    const { template } = call;
    const { subject, html, text } = given;
    const characters = [subject ?? '', html ?? template?.html ?? '', text ?? template?.text ?? ''].join('').length;
    const attached = (call.attachments ?? []).reduce((sum, { contentBase64 }) => sum + contentBase64.length, 0);
    return { ...content, call, campaignId, characters: characters + attached };
  }

  /** Checks the content with empty fields of a contact. A part may be empty then: contacts for whom it stays empty are skipped. */
  private async contentOf(owner: Sender, given: V1EmailContent): Promise<EmailContent> {
    const common = await this.calls.contentOf(owner, given);
    const parts = parseEmailTemplate({
      subject: given.subject || null,
      html: given.html || null,
      text: given.text || null,
    });
    const content = { common, parts, variables: variablesOf(given) };
    const blank = Object.fromEntries(BLANK.map((name) => [name, '']));
    await withV1Fields(() => contentFor(content, { ...blank, attributes: {} }));
    return content;
  }

  batchSize({ characters }: EmailCall): number {
    return Math.max(1, Math.min(BATCH, Math.floor(BATCH_CHARACTERS / Math.max(1, characters))));
  }

  async compose(call: EmailCall, recipients: readonly Recipient[]): Promise<ComposedMessage<NewSend>[]> {
    const suppressed = await this.suppressed(call, recipients);
    const composed: ComposedMessage<NewSend>[] = [];
    const turns = new Turns();
    for (const recipient of recipients) {
      const isSuppressed = suppressed.has(addressKey(recipient.contact.email ?? ''));
      composed.push(isSuppressed ? { kind: 'skipped', reason: 'suppressed' } : await this.composeOne(call, recipient));
      await turns.next();
    }
    return composed;
  }

  async accept(transaction: EntityManager, rows: readonly NewSend[]): Promise<{ suppressed: number }> {
    const organizationId = rows[0]?.organization_id;
    if (organizationId) await this.accepts.assertRoom({ organizationId }, 0);
    const accepted = await this.accepts.acceptAll(transaction, [...rows]);
    return { suppressed: accepted.filter(({ skipped }) => skipped.length > 0).length };
  }

  committed(count: number): void {
    this.accepts.committed(count);
  }

  hasWaiting(campaignId: string): Promise<boolean> {
    return this.emails.hasWaiting(campaignId);
  }

  waiting(transaction: EntityManager, campaignId: string, after: string, limit: number): Promise<WaitingMessage[]> {
    return this.emails.waiting(transaction, campaignId, after, limit);
  }

  requeue(transaction: EntityManager, waiting: readonly QueuedAgain[]): Promise<void> {
    return this.emails.requeue(transaction, waiting);
  }

  cancel(transaction: EntityManager, campaignId: string, after: string, limit: number): Promise<string | null> {
    return this.emails.cancel(transaction, campaignId, after, limit);
  }

  private async composeOne(begun: EmailCall, { contact, variables }: Recipient): Promise<ComposedMessage<NewSend>> {
    let content: Content;
    try {
      // Liquid rejects undefined variables, so fields without a value are set to the empty string.
      const fields = Object.entries(variables).map(([name, value]) => [name, value ?? ''] as const);
      content = contentFor(begun, Object.fromEntries(fields));
    } catch (error) {
      if (error instanceof AppError && INVALID.has(error.code)) return { kind: 'skipped', reason: 'invalid' };
      throw error;
    }
    if (isBlank(content.subject) || (isBlank(content.html) && isBlank(content.text)))
      return { kind: 'skipped', reason: 'invalid' };
    const { call, campaignId } = begun;
    const row = await this.calls.sendOf(call, {
      id: newId(),
      recipients: [contact.email ?? ''],
      content,
      reference: null,
      claim: null,
      campaignId,
      kind: 'campaign',
    });
    if (row.recipients[0]?.startsWith('erased:')) return { kind: 'skipped', reason: 'suppressed' };
    return { kind: 'message', row, credits: 1, segments: 1 };
  }

  private async suppressed({ call }: EmailCall, recipients: readonly Recipient[]): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ address_key: string }>(
      `SELECT a.key AS address_key FROM unnest($2::text[]) AS a (key)
       WHERE EXISTS (SELECT FROM email.suppression_of($1, a.key, $3))`,
      [
        call.caller.organizationId,
        recipients.map(({ contact }) => addressKey(contact.email ?? '')),
        call.unsubscribeScope,
      ],
    );
    return new Set(rows.map(({ address_key: key }) => key));
  }
}

/** Renders the parts of the request, and the parts of the template that the request does not replace. */
function contentFor({ common, parts, variables }: EmailContent, fields: Record<string, unknown>): Content {
  const all = { ...fields, ...variables(fields) };
  const own = ownParts(parts, all);
  const inherited = PARTS.filter((part) => own[part] === null);
  const rendered = common.template && renderEmailTemplate(common.template.parsed, all, inherited);
  return {
    subject: own.subject ?? rendered?.subject ?? '',
    html: own.html ?? rendered?.html ?? null,
    text: own.text ?? rendered?.text ?? null,
  };
}

/** The message of an error starts with the part. */
function ownParts(parts: ParsedEmailTemplate, variables: Record<string, unknown>): RenderedEmail {
  try {
    return renderEmailTemplate(parts, variables);
  } catch (error) {
    const part = error instanceof AppError ? PARTS.find((one) => error.message.startsWith(one)) : undefined;
    throw part && error instanceof AppError ? fieldError(error.code, part, error.message) : error;
  }
}

function isBlank(text: string | null): boolean {
  return (text ?? '').trim() === '';
}

/** Variables of a request that are strings may contain placeholders. */
function variablesOf({ variables = {} }: V1EmailContent): EmailCall['variables'] {
  const parsed = Object.entries(variables).map(([name, value]) => {
    if (typeof value !== 'string') return [name, () => value] as const;
    try {
      const text = parsePersonalized(value);
      return [name, (fields: Record<string, unknown>) => personalize(text, fields)] as const;
    } catch (error) {
      const field = `variables.${name}`;
      throw error instanceof AppError ? fieldError(error.code, field, `${field}, ${error.message}`) : error;
    }
  });
  return (fields) => Object.fromEntries(parsed.map(([name, write]) => [name, write(fields)]));
}
