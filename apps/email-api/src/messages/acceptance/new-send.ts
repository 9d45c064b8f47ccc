import type { MessageOrigin } from '@heliograph/auth';
import type { JobKind } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import type { Claim } from '@heliograph/idempotency';
import type { SentMessage } from '../../sending/sent-message';
import type { RecipientKind } from '../checks/recipients';
import type { NewSend } from './acceptance';

export interface SendOptions {
  recipients: string[];
  /** The kinds of the recipients of one mail to all of them; null for a separate mail to each recipient. */
  kinds?: RecipientKind[] | null;
  /** Time requested by the caller. */
  scheduledAt: string | null;
  /** Time at which a worker sends it; null if the accepting process sends it. */
  dueAt: string | null;
  origin: MessageOrigin;
  claim: Claim | null;
  templateId?: string | null;
  tags?: string[];
  /** The caller's own identifier of the send. */
  reference?: string | null;
  campaignId?: string | null;
  kind: JobKind;
}

/** Returns the row of a send for `email.accept`. */
export function toNewSend(sent: SentMessage, options: SendOptions): NewSend {
  const { recipients, kinds = null, scheduledAt, dueAt, origin, claim } = options;
  return {
    id: sent.id,
    entry_id: newId(),
    organization_id: sent.organizationId,
    workspace_id: sent.workspaceId,
    domain_id: sent.domainId,
    from_address: sent.fromAddress,
    from_name: sent.fromName,
    reply_to: sent.replyTo,
    headers: sent.headers,
    subject: sent.subject,
    html: sent.html,
    text: sent.text,
    attachments: sent.attachments,
    track_opens: sent.trackOpens,
    track_clicks: sent.trackClicks,
    unsubscribe_scope: sent.unsubscribeScope,
    recipients,
    shares_header: kinds !== null,
    recipient_kinds: kinds,
    scheduled_at: scheduledAt,
    due_at: dueAt,
    created_at: sent.createdAt,
    correlation_id: sent.correlationId,
    ...origin,
    template_id: options.templateId ?? null,
    tags: options.tags ?? [],
    reference: options.reference ?? null,
    campaign_id: options.campaignId ?? null,
    kind: options.kind,
    ...(claim
      ? {
          caller_id: claim.callerId,
          endpoint: claim.endpoint,
          idempotency_key: claim.key,
          fingerprint: claim.fingerprint,
        }
      : {}),
  };
}
