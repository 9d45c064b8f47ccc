import type { MessageOrigin } from '@heliograph/auth';
import type { JobKind } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import type { Claim } from '@heliograph/idempotency';
import type { Recipient } from '@heliograph/addresses';
import type { RegisteredSender, RegisteredTemplate } from '@heliograph/sms-catalog';
import type { ComposedMessage } from '@heliograph/sms-text';
import type { AcceptanceRow } from './acceptance';

/** A message that passed every check. */
export interface CheckedMessage {
  organizationId: string;
  workspaceId: string;
  sender: RegisteredSender;
  /** Null if the text needs no template. */
  template: RegisteredTemplate | null;
  recipient: Recipient;
  composed: ComposedMessage;
  creditsCost: number;
  flash: boolean;
  /** RFC 3339 with a zone; null to send immediately. */
  scheduledAt: string | null;
  /** Timestamp in the format of the messaging API: UTC with microseconds and without a zone. */
  createdAt: string;
  correlationId: string;
  origin: MessageOrigin;
  /** The caller's own reference. */
  reference: string | null;
}

export function toAcceptanceRow(id: string, message: CheckedMessage, kind: JobKind): AcceptanceRow {
  const { sender, template, recipient, composed } = message;
  return {
    id,
    entry_id: newId(),
    organization_id: message.organizationId,
    workspace_id: message.workspaceId,
    sender_id: sender.id,
    template_id: template?.id ?? null,
    header: sender.header,
    recipient: recipient.e164,
    country: recipient.country,
    body: composed.body,
    encoding: composed.encoding,
    segments: composed.segments,
    credits_cost: message.creditsCost,
    flash: message.flash,
    dlt_entity_id: sender.onboarding.dltEntityId,
    dlt_template_id: template?.dltTemplateId ?? null,
    scheduled_at: message.scheduledAt,
    created_at: `${message.createdAt}Z`,
    correlation_id: message.correlationId,
    reference: message.reference,
    campaign_id: null,
    kind,
    ...message.origin,
  };
}

/** The claim of an Idempotency-Key and the response to repeated calls, which are committed with the messages. */
export function withClaim(row: AcceptanceRow, claim: Claim | null, answer: object): AcceptanceRow {
  if (!claim) return row;
  return {
    ...row,
    caller_id: claim.callerId,
    endpoint: claim.endpoint,
    idempotency_key: claim.key,
    fingerprint: claim.fingerprint,
    answer,
  };
}
