import { Injectable } from '@nestjs/common';
import { originOf, type OriginOf, type Tenant } from '@heliograph/auth';
import type { JobKind } from '@heliograph/contracts';
import { REAL_SEND, type QuoteProgress, type SendProgress } from '@heliograph/credits';
import { messagingNow } from '@heliograph/database';
import {
  EmailCatalog,
  TRANSACTIONAL,
  unsubscribeScopeOf,
  type RegisteredEmailSender,
  type RegisteredEmailTemplate,
} from '@heliograph/email-catalog';
import { readEmailAddress } from '@heliograph/addresses';
import type { Claim } from '@heliograph/idempotency';
import { fieldError, parseScheduledAt, withFields, type V1Fields } from '@heliograph/service-kit';
import { WorkspaceDirectory, type Workspace } from '@heliograph/tenancy';
import type { NewSend } from '../messages/acceptance/acceptance';
import { toNewSend } from '../messages/acceptance/new-send';
import type { RecipientKind } from '../messages/checks/recipients';
import { SendChecks, type Content } from '../messages/checks/send-checks';
import type { MailAttachment } from '../sending/sent-message';
import { withV1Fields } from './v1-errors';
import { isOneClickHeader } from '../sending/mail-parts';
import { storedAttachments } from './v1-attachment.dto';
import type { V1EmailContent } from './v1-send.dto';

const UNKNOWN_TEMPLATE: V1Fields = {
  INVALID_TEMPLATE: {
    field: 'template_id',
    message: 'template_id must be the id or the slug of one of your templates. GET /api/v1/email/templates lists them.',
  },
};

/** The organization and workspace that send, and the API key that sends. */
export type Sender = Pick<Tenant, 'organizationId' | 'workspaceId'> & OriginOf;

/** The content of a call, before its variables are rendered. */
export interface V1CallContent {
  caller: Sender;
  request: V1EmailContent;
  template: RegisteredEmailTemplate | null;
}

/** The data that all emails of one call share. */
export interface V1Call extends V1CallContent {
  sender: RegisteredEmailSender;
  workspace: Workspace;
  tracking: { opens: boolean; clicks: boolean };
  unsubscribeScope: string;
  attachments: MailAttachment[] | null;
  scheduledAt: string | null;
  correlationId: string;
}

export interface OneSend {
  id: string;
  recipients: string[];
  /** The kinds of the recipients of one mail to all of them; left out for a separate mail to each recipient. */
  kinds?: RecipientKind[] | null;
  content: Content;
  reference: string | null;
  claim: Claim | null;
  campaignId?: string;
  kind: JobKind;
}

/** Checks and composes the sends of the v1 API, with the checks of the unversioned API. */
@Injectable()
export class V1CallService {
  constructor(
    private readonly catalog: EmailCatalog,
    private readonly workspaces: WorkspaceDirectory,
    private readonly checks: SendChecks,
  ) {}

  /** Finds the template of a call. Throws INVALID_TEMPLATE, SUBJECT_REQUIRED, BODY_REQUIRED. */
  contentOf(caller: Sender, request: V1EmailContent, progress: SendProgress = REAL_SEND): Promise<V1CallContent> {
    return withV1Fields(async () => {
      const { template_id: reference } = request;
      progress.enter('template');
      const template = reference
        ? await withFields(UNKNOWN_TEMPLATE, () => this.checks.findTemplate(caller, reference))
        : null;
      progress.enter('content');
      this.checks.assertParts(request, template);
      progress.leave();
      return { caller, request, template };
    });
  }

  /** Checks the schedule, the sender and the workspace of a call, after its content. Throws the error codes of a send. */
  begin(content: V1CallContent, correlationId: string, progress: SendProgress = REAL_SEND): Promise<V1Call> {
    return withV1Fields(async () => {
      const { caller, request, template } = content;
      const { from } = request;
      const scheduled = request.scheduled_at ? parseScheduledAt(request.scheduled_at) : null;
      progress.enter('schedule');
      assertInFuture(scheduled);
      progress.enter('sender');
      const sender = await this.checks.findSender(caller, from ? readEmailAddress(from) : null);
      progress.leave();
      const { organizationId } = caller;
      const workspaceId = await this.workspaces.chosen(caller, request.workspace_id);
      progress.enter('workspace');
      const workspace = await this.workspaces.sending({ organizationId, workspaceId });
      progress.leave();
      const allowed = await this.catalog.trackingOf(workspace.id, caller.keyId);
      const unsubscribeScope = unsubscribeScopeOf(request.unsubscribe_scope, template);
      assertOwnHeaders(request.headers, unsubscribeScope);
      return {
        ...content,
        sender,
        workspace,
        correlationId,
        tracking: {
          opens: (request.tracking?.opens ?? true) && allowed.opens,
          clicks: (request.tracking?.clicks ?? true) && allowed.clicks,
        },
        unsubscribeScope,
        attachments: storedAttachments(request.attachments),
        scheduledAt: scheduled?.timestamp ?? null,
      };
    });
  }

  /**
   * Runs the checks of `contentOf`, `contentFor` and `begin` behind a failed one in a quote, as far as they can be made without it. Returns
   * the unsubscribe scope of the email; null if it depends on a template that was not found.
   */
  async attemptRest(caller: Sender, request: V1EmailContent, progress: QuoteProgress): Promise<string | null> {
    const { from, scheduled_at: scheduled, template_id: reference } = request;
    const template = await progress.attempt('template', () =>
      reference ? withFields(UNKNOWN_TEMPLATE, () => this.checks.findTemplate(caller, reference)) : null,
    );
    const isTemplateKnown = !reference || template !== null;
    const isComplete = Boolean(request.subject && request.html && request.text);
    if (isTemplateKnown || isComplete) {
      await progress.attempt('content', () => this.contentFor({ caller, request, template }));
    }
    await progress.attempt('schedule', () => assertInFuture(scheduled ? parseScheduledAt(scheduled) : null));
    await progress.attempt('sender', () => this.checks.findSender(caller, from ? readEmailAddress(from) : null));
    await progress.attempt('workspace', async () => {
      const workspaceId = await this.workspaces.chosen(caller, request.workspace_id);
      return this.workspaces.sending({ organizationId: caller.organizationId, workspaceId });
    });
    return isTemplateKnown ? unsubscribeScopeOf(request.unsubscribe_scope, template) : null;
  }

  /** Replaces the addresses of erased persons who had opted out with masks, which are not charged. */
  maskErased({ organizationId }: Sender, recipients: string[]): Promise<string[]> {
    return this.checks.maskErased(organizationId, recipients);
  }

  /** The workspace that would send, even if it is locked; null if there is none. */
  findWorkspace(caller: Sender, { workspace_id: named }: V1EmailContent): Promise<Workspace | null> {
    return this.workspaces.findChosen(caller, named);
  }

  /** Renders the content with the common variables and the variables of a recipient, which take precedence. */
  contentFor({ request, template }: V1CallContent, variables: Record<string, unknown> = {}): Promise<Content> {
    const merged = { ...request.variables, ...variables };
    return withV1Fields(() => this.checks.contentOf({ ...request, variables: merged }, template));
  }

  /** Builds a send that is immediately due. A worker sends it, so that the call does not wait for the mail server. */
  async sendOf(
    call: V1Call,
    { id, recipients, kinds, content, reference, claim, campaignId, kind }: OneSend,
  ): Promise<NewSend> {
    const { caller, request, sender, workspace, template, tracking, scheduledAt, correlationId } = call;
    const createdAt = `${messagingNow()}Z`;
    const headers = Object.entries(request.headers ?? {});
    return toNewSend(
      {
        id,
        organizationId: caller.organizationId,
        workspaceId: workspace.id,
        domainId: sender.domain.id,
        fromAddress: sender.address,
        fromName: request.from_name || sender.name,
        replyTo: request.reply_to ? [request.reply_to].flat() : null,
        headers: headers.length > 0 ? Object.fromEntries(headers) : null,
        shownRecipients: null,
        ...content,
        attachments: call.attachments,
        trackOpens: tracking.opens,
        trackClicks: tracking.clicks,
        unsubscribeScope: call.unsubscribeScope,
        createdAt,
        correlationId,
      },
      {
        recipients: await this.checks.maskErased(caller.organizationId, recipients),
        kinds: kinds ?? null,
        dueAt: scheduledAt ?? createdAt,
        templateId: template?.id ?? null,
        tags: request.tags ?? [],
        scheduledAt,
        origin: originOf(caller),
        reference,
        claim,
        campaignId: campaignId ?? null,
        kind,
      },
    );
  }
}

function assertInFuture(scheduled: { date: Date } | null): void {
  if (!scheduled || scheduled.date.getTime() > Date.now()) return;
  const message = 'scheduled_at must be in the future. Omit it to send immediately.';
  throw fieldError('INVALID_SEND_TIME', 'scheduled_at', message);
}

/** Throws INVALID_REQUEST for headers that would replace the one-click unsubscribe of the service. */
function assertOwnHeaders(headers: Record<string, string> | undefined, unsubscribeScope: string): void {
  const name = Object.keys(headers ?? {}).find(isOneClickHeader);
  if (name === undefined || unsubscribeScope === TRANSACTIONAL) return;
  const message =
    `headers must not contain ${name}, because the service adds its one-click unsubscribe link to this email. ` +
    'Omit the header, or set unsubscribe_scope to transactional if the email is transactional.';
  throw fieldError('INVALID_REQUEST', 'headers', message);
}
