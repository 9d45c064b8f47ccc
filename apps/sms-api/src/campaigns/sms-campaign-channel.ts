import { originOf, type Tenant } from '@heliograph/auth';
import { Injectable } from '@nestjs/common';
import {
  constantText,
  parsePersonalized,
  personalize,
  type CampaignChannel,
  type CampaignOwner,
  type ComposedMessage,
  type PersonalizedText,
  type QueuedAgain,
  type Recipient,
  type SkipReason,
  type WaitingMessage,
} from '@heliograph/campaigns';
import { clientOf, messagingNow, newId } from '@heliograph/database';
import { AppError, type ErrorCode } from '@heliograph/errors';
import { fieldError, Turns } from '@heliograph/service-kit';
import { assertValues, missingTokens } from '@heliograph/sms-text';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import type { EntityManager } from 'typeorm';
import { AcceptService } from '../messages/accept.service';
import type { AcceptanceRow } from '../messages/acceptance';
import { toAcceptanceRow } from '../messages/accepted-message';
import { MessageChecks, type Owner } from '../messages/message-checks';
import type { VariableValue } from '../messages/send-request.dto';
import { V1ContentService, type CommonContent } from '../v1/v1-content.service';
import { withV1Fields } from '../v1/v1-errors';
import type { V1SmsContent } from '../v1/v1-send.dto';
import { CampaignMessagesRepository } from './campaign-messages.repository';

const BATCH = 500;

interface SmsContent {
  content: CommonContent;
  /** Null if the campaign uses a template. */
  text: PersonalizedText | null;
  variables: (readonly [string, PersonalizedText])[];
}

/** The data that all messages of a campaign share. */
interface SmsCall extends SmsContent {
  owner: CampaignOwner;
  campaignId: string;
  flash: boolean;
}

/** Errors of a send that concern one contact only. The campaign skips the contact and continues. */
const SKIPPED: Partial<Record<ErrorCode, SkipReason>> = {
  INVALID_RECIPIENT: 'invalid',
  INVALID_REQUEST: 'invalid',
  MISSING_VARIABLES: 'invalid',
  INVALID_VARIABLES: 'invalid',
  TEMPLATE_NOT_MATCHED: 'invalid',
  TEMPLATE_AMBIGUOUS: 'invalid',
  RECIPIENT_OPTED_OUT: 'suppressed',
};

/**
 * Errors of the sender. They skip one contact if each contact has its own sender, and fail the campaign if all contacts have
 * the same sender.
 */
const OF_UNKNOWN_SENDER = new Set<ErrorCode>([
  'INVALID_SENDER',
  'SENDER_TEMPLATE_MISMATCH',
  'DLT_SENDER_REQUIRED',
  'DLT_TEMPLATE_REQUIRED',
]);

/** Sends the messages of campaigns with the checks and the acceptance of single sends. */
@Injectable()
export class SmsCampaignChannel implements CampaignChannel<SmsCall, AcceptanceRow> {
  readonly name = 'sms';
  readonly pastScheduleCode = 'SCHEDULED_AT_IN_PAST';

  constructor(
    private readonly contents: V1ContentService,
    private readonly checks: MessageChecks,
    private readonly accepts: AcceptService,
    private readonly workspaces: WorkspaceDirectory,
    private readonly messages: CampaignMessagesRepository,
  ) {}

  async check(caller: Tenant, given: V1SmsContent): Promise<void> {
    await this.contentOf(caller, given);
  }

  async begin(owner: CampaignOwner, given: V1SmsContent, campaignId: string): Promise<SmsCall> {
    const content = await this.contentOf(owner, given);
    await this.workspaces.sending(owner);
    return { ...content, owner, campaignId, flash: given.flash ?? false };
  }

  private async contentOf(owner: Owner, given: V1SmsContent): Promise<SmsContent> {
    const content = await this.contents.common(owner, given);
    const variables = Object.entries(content.variables).map(
      ([token, value]) => [token, parseField(`variables.${token}`, String(value))] as const,
    );
    if (content.sender && content.templateId !== null) {
      const { parsed } = await this.checks.findTemplate(owner, content.sender, content.templateId);
      const missing = missingTokens(parsed, (name) => variables.some(([token]) => token === name));
      if (missing.length > 0) {
        throw fieldError('MISSING_VARIABLES', 'variables', `The template needs variables: ${missing.join(', ')}.`);
      }
      // Values with fields of contacts are checked for each contact.
      const constants = new Map(
        variables.flatMap(([token, value]) => {
          const constant = constantText(value);
          return constant === null ? [] : [[token, constant] as const];
        }),
      );
      await withV1Fields(() => assertValues(parsed, constants));
    }
    const text = content.message === undefined ? null : parseField('message', content.message);
    if (text && constantText(text) !== null) await this.contents.assertCommonText(owner, content);
    return { content, variables, text };
  }

  batchSize(): number {
    return BATCH;
  }

  async compose(call: SmsCall, recipients: readonly Recipient[]): Promise<ComposedMessage<AcceptanceRow>[]> {
    const composed: ComposedMessage<AcceptanceRow>[] = [];
    const createdAt = messagingNow();
    const turns = new Turns();
    for (const recipient of recipients) {
      composed.push(await this.composeOne(call, recipient, createdAt));
      await turns.next();
    }
    return composed;
  }

  async accept(transaction: EntityManager, rows: readonly AcceptanceRow[]): Promise<{ suppressed: number }> {
    const [first] = rows;
    if (first) await this.accepts.assertRoom({ organizationId: first.organization_id }, 0);
    await this.accepts.acceptWithin(await clientOf(transaction), rows);
    return { suppressed: 0 };
  }

  committed(count: number): void {
    this.accepts.committed(count);
  }

  hasWaiting(campaignId: string): Promise<boolean> {
    return this.messages.hasWaiting(campaignId);
  }

  waiting(transaction: EntityManager, campaignId: string, after: string, limit: number): Promise<WaitingMessage[]> {
    return this.messages.waiting(transaction, campaignId, after, limit);
  }

  requeue(transaction: EntityManager, waiting: readonly QueuedAgain[]): Promise<void> {
    return this.messages.requeue(transaction, waiting);
  }

  cancel(transaction: EntityManager, campaignId: string, after: string, limit: number): Promise<string | null> {
    return this.messages.cancel(transaction, campaignId, after, limit);
  }

  private async composeOne(
    { owner, campaignId, content, text, variables, flash }: SmsCall,
    { contact, variables: fields }: Recipient,
    createdAt: string,
  ): Promise<ComposedMessage<AcceptanceRow>> {
    try {
      const values = variables.map(([token, value]) => [token, personalize(value, fields)] as const);
      const message = await this.contents.compose(owner, content, {
        to: contact.phone ?? '',
        variables: Object.fromEntries(values) as Record<string, VariableValue>,
        message: text ? personalize(text, fields) : undefined,
      });
      await this.checks.refuseErased(owner, message.recipient);
      const { organizationId, workspaceId } = owner;
      const shared = { organizationId, workspaceId, flash, createdAt, scheduledAt: null, reference: null };
      const checked = { ...message, ...shared, correlationId: campaignId, origin: originOf(owner) };
      const row = toAcceptanceRow(newId(), checked, 'campaign');
      const { segments, credits_cost: credits } = row;
      return { kind: 'message', row: { ...row, campaign_id: campaignId }, credits, segments };
    } catch (error) {
      const reason = skipReasonOf(error, content);
      if (!reason) throw error;
      return { kind: 'skipped', reason };
    }
  }
}

function skipReasonOf(error: unknown, { sender }: CommonContent): SkipReason | undefined {
  if (!(error instanceof AppError)) return undefined;
  // If the campaign has no sender, the sender depends on the country of the contact.
  if (sender === null && OF_UNKNOWN_SENDER.has(error.code)) return 'invalid';
  return SKIPPED[error.code];
}

function parseField(field: string, text: string): PersonalizedText {
  try {
    return parsePersonalized(text);
  } catch (error) {
    throw error instanceof AppError ? fieldError(error.code, field, `${field}, ${error.message}`) : error;
  }
}
