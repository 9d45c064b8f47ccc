import { createPrivateKey } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { emailDomainOf } from '@heliograph/addresses';
import { EmailCatalog, TRANSACTIONAL, type EmailSigningKey } from '@heliograph/email-catalog';
import { htmlToText, splitAtUnsubscribeTags } from '@heliograph/email-text';
import DKIM from 'nodemailer/lib/dkim';
import MailComposerLibrary from 'nodemailer/lib/mail-composer';
import type { Attachment as MailAttachmentOptions, Options as MailOptions } from 'nodemailer/lib/mailer';
import { CONFIG } from '@heliograph/service-kit';
import { trackingUrlOf, type EmailApiConfig } from '../email-api.config';
import type { RecipientRef } from '../events/recipient-event';
import { RecipientTokens, type ClickTarget } from '../tokens/recipient-tokens';
import { inTurns } from '@heliograph/service-kit';
import { prepareTracking } from '../tracking/prepare-tracking';
import { isMail, isOneClickHeader } from './mail-parts';
import { inPieces } from './in-pieces';
import type { MailAttachment, SentMessage, ShownRecipients } from './sent-message';
import type { OutboundMail } from './smtp/submit-outcome';

/**
 * Headers signed with DKIM. The default list of the library lacks the headers that one-click unsubscribe requires (RFC
 * 8058).
 */
const SIGNED_HEADERS = [
  'From',
  'To',
  'Cc',
  'Subject',
  'Date',
  'Message-ID',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'Reply-To',
].join(':');

/** Converting a part of this length to text takes milliseconds. */
const LONG_PART = 50_000;
/** For longer texts, the library would block the event loop while it compares encodings, so base64 is used without a comparison. */
const MAX_COMPARED_LENGTH = 200_000;

/** A send whose common parts are composed once for all recipients. */
export interface PreparedSend {
  /** Composes the mail for one recipient. */
  mailTo: (recipient: { position: number; address: string }) => Promise<OutboundMail>;
}

/** The parts of a mail that differ between recipients. */
interface OneMail {
  address: string;
  unsubscribeUrl: string;
  html: string | null;
  text: string | null;
}

/** Composes mails: MIME, tracked links, return path, one-click unsubscribe and DKIM signature. */
@Injectable()
export class MailComposer {
  private readonly trackingUrl: string;
  private readonly platformSigner: DKIM | null;

  constructor(
    private readonly catalog: EmailCatalog,
    private readonly tokens: RecipientTokens,
    @Inject(CONFIG) private readonly config: EmailApiConfig,
  ) {
    this.trackingUrl = trackingUrlOf(config);
    const { EMAIL_PLATFORM_DKIM_KEY: privateKey, EMAIL_PLATFORM_DKIM_SELECTOR: selector } = config;
    const domain = emailDomainOf(config.EMAIL_PLATFORM_FROM);
    this.platformSigner = privateKey ? signerOf({ domain, selector, privateKey: createPrivateKey(privateKey) }) : null;
  }

  async prepare(sent: SentMessage): Promise<PreparedSend> {
    const { signer, returnPathHost } = await this.domainOf(sent);
    const html = withLineFeeds(sent.html);
    const tracked = html === null ? null : await inTurns(prepareTracking(html));
    const targets = new Map<string, ClickTarget>();
    const targetOf = (url: string): ClickTarget => {
      const target = targets.get(url) ?? this.tokens.clickTargetOf(url);
      targets.set(url, target);
      return target;
    };
    const text = withLineFeeds(sent.text) ?? (html === null ? null : await textOf(html));
    const textPieces = text === null ? null : splitAtUnsubscribeTags(text);
    return {
      mailTo: async ({ position, address }) => {
        const ref: RecipientRef = { messageId: sent.id, position };
        const click = (url: string): string => this.trackingUrl + this.tokens.clickPath(ref, targetOf(url));
        const links = {
          click: sent.trackClicks ? click : null,
          openUrl: sent.trackOpens ? this.trackingUrl + this.tokens.openPath(ref) : null,
          unsubscribeUrl: this.trackingUrl + this.tokens.unsubscribePath(ref),
        };
        const content = tracked && (await inTurns(tracked.render(links)));
        const { unsubscribeUrl } = links;
        const plain = textPieces && textPieces.join(unsubscribeUrl);
        const composed = await this.compose(sent, ref, { address, unsubscribeUrl, html: content, text: plain });
        return {
          from: `${this.tokens.returnPathOf(ref)}@${returnPathHost}`,
          to: address,
          raw: signer ? await sign(composed, signer) : composed,
        };
      },
    };
  }

  messageIdOf({ id, fromAddress }: Pick<SentMessage, 'id' | 'fromAddress'>, position: number): string {
    return this.tokens.messageIdOf({ messageId: id, position }, emailDomainOf(fromAddress));
  }

  private compose(
    sent: SentMessage,
    ref: RecipientRef,
    { address, unsubscribeUrl, html, text }: OneMail,
  ): Promise<Buffer> {
    return new MailComposerLibrary({
      from: { name: sent.fromName ?? '', address: sent.fromAddress },
      ...recipientHeaders(sent.shownRecipients ?? { to: [address], cc: [] }),
      subject: sent.subject,
      messageId: this.messageIdOf(sent, ref.position),
      date: new Date(),
      ...(text === null ? {} : { text: contentOf(text) }),
      ...(html === null ? {} : { html: contentOf(html) }),
      ...(sent.replyTo === null ? {} : { replyTo: sent.replyTo.map((one) => ({ name: '', address: one })) }),
      headers:
        sent.organizationId === null ? { 'Auto-Submitted': 'auto-generated' } : this.headersOf(sent, unsubscribeUrl),
      attachments: (sent.attachments ?? []).map(attachmentOf),
      // Content must not make this process read files or fetch URLs.
      disableFileAccess: true,
      disableUrlAccess: true,
      newline: 'windows',
    })
      .compile()
      .build();
  }

  /** The one-click link replaces headers of the caller. Transactional mail has no one-click link. */
  private headersOf({ headers, unsubscribeScope }: SentMessage, unsubscribeUrl: string): Record<string, string> {
    if (unsubscribeScope === TRANSACTIONAL) return { ...headers };
    const others = Object.entries(headers ?? {}).filter(([name]) => !isOneClickHeader(name));
    return {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      ...Object.fromEntries(others),
    };
  }

  private async domainOf(sent: SentMessage): Promise<{ signer: DKIM | null; returnPathHost: string }> {
    const common = this.config.EMAIL_RETURN_PATH_DOMAIN;
    if (sent.domainId === null) return { signer: this.platformSigner, returnPathHost: common };
    const key = await this.catalog.signingKey(sent.domainId);
    if (!key) return { signer: null, returnPathHost: common };
    return { signer: signerOf(key), returnPathHost: key.returnPathHost ?? common };
  }
}

/** The headers `To` and `Cc`. No copy has `Bcc`. An empty `To` becomes the group of RFC 5322, 3.6.3. */
function recipientHeaders({ to, cc }: ShownRecipients): Pick<MailOptions, 'to' | 'cc'> {
  const named = (address: string) => ({ name: '', address });
  return {
    to: to.length > 0 || cc.length > 0 ? to.map(named) : 'undisclosed-recipients:;',
    cc: cc.map(named),
  };
}

/** An attached mail has no transfer encoding, and CRLF line ends like the mail around it. Its content is 7-bit ASCII. */
function attachmentOf({ filename, contentType, contentBase64 }: MailAttachment): MailAttachmentOptions {
  const bytes = Buffer.from(contentBase64, 'base64');
  if (!isMail(contentType)) return { filename, contentType, content: inPieces(bytes) };
  const mail = Buffer.from(bytes.toString('latin1').replaceAll(/\r\n?|\n/g, '\r\n'), 'latin1');
  return {
    filename,
    contentType,
    content: inPieces(mail),
    contentTransferEncoding: '7bit',
    contentDisposition: 'attachment',
  };
}

function signerOf({ domain, selector, privateKey }: Pick<EmailSigningKey, 'domain' | 'selector' | 'privateKey'>): DKIM {
  return new DKIM({
    domainName: domain,
    keySelector: selector,
    // The library passes the key to node:crypto unchanged, but its types only allow a string.
    privateKey: privateKey as unknown as string,
    headerFieldNames: SIGNED_HEADERS,
  });
}

/** The conversion cannot be divided. A long part gets a turn of the event loop of its own, apart from the work before and after it. */
async function textOf(html: string): Promise<string> {
  if (html.length < LONG_PART) return htmlToText(html);
  await nextTurn();
  const text = htmlToText(html);
  await nextTurn();
  return text;
}

/** Normalizes line ends: servers treat a lone CR differently, which would break the signature. */
function withLineFeeds(text: string | null): string | null {
  return text === null ? null : text.replaceAll(/\r\n?/g, '\n');
}

async function sign(raw: Buffer, signer: DKIM): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of signer.sign(inPieces(raw))) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function contentOf(text: string): string | { content: Buffer | Readable; contentTransferEncoding: 'base64' } {
  return text.length <= MAX_COMPARED_LENGTH
    ? text
    : { content: inPieces(Buffer.from(text)), contentTransferEncoding: 'base64' };
}
