import { randomBytes } from 'node:crypto';
import type { StoredMail } from './inbox';
import { headerBlock } from './mail-headers';

/** The name of the reporting server. */
const REPORTER = 'mx.mailbox.example';
const RETRY_FOR_MS = 4 * 24 * 3_600_000;

export type NotifyAction = 'delivered' | 'delayed' | 'failed';

export interface DeliveryNotice {
  to: string;
  action: NotifyAction;
  /** RFC 3463, such as `5.1.1`. */
  status: string;
}

const OUTCOMES: Record<NotifyAction, { subject: string; words: string; reply: string }> = {
  delivered: { subject: 'Delivery Status Notification (Success)', words: 'was delivered', reply: '250' },
  delayed: { subject: 'Delivery Status Notification (Delay)', words: 'could not be delivered yet', reply: '451' },
  failed: { subject: 'Undelivered Mail Returned to Sender', words: 'could not be delivered', reply: '550' },
};

/** Writes a delivery notification (RFC 3464) about an email. */
export function writeNotification(mail: StoredMail, { to, action, status }: DeliveryNotice): Buffer {
  const { subject, words, reply } = OUTCOMES[action];
  const now = new Date();
  const report = [
    `Reporting-MTA: dns; ${REPORTER}`,
    `Arrival-Date: ${mailDate(mail.at)}`,
    '',
    `Final-Recipient: rfc822; ${to}`,
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${reply} ${status} The mail ${words}`,
    `Last-Attempt-Date: ${mailDate(now)}`,
    ...(action === 'delayed' ? [`Will-Retry-Until: ${mailDate(new Date(now.getTime() + RETRY_FOR_MS))}`] : []),
  ];
  return writeReport({
    type: 'delivery-status',
    from: `Mail Delivery System <mailer-daemon@${REPORTER}>`,
    to: mail.envelope.from,
    subject,
    text: `This is the mail system of ${REPORTER}.\r\n\r\nYour email to <${to}> ${words} (status ${status}).`,
    report,
    original: { contentType: 'text/rfc822-headers', content: headerBlock(mail.raw) },
  });
}

/** Writes an abuse report (RFC 5965) about an email. */
export function writeComplaint(mail: StoredMail, to: string): Buffer {
  const sender = mail.envelope.from;
  const report = [
    'Feedback-Type: abuse',
    `User-Agent: ${REPORTER}/1.0`,
    'Version: 1',
    `Original-Mail-From: <${sender}>`,
    `Original-Rcpt-To: <${to}>`,
    `Arrival-Date: ${mailDate(mail.at)}`,
    'Source-IP: 127.0.0.1',
    `Reported-Domain: ${sender.slice(sender.lastIndexOf('@') + 1)}`,
    'Incidents: 1',
  ];
  return writeReport({
    type: 'feedback-report',
    from: `Abuse Reports <abuse@${REPORTER}>`,
    to: sender,
    subject: 'Abuse report',
    text: `<${to}> reported the email below as spam.`,
    report,
    original: { contentType: 'message/rfc822', content: mail.raw },
  });
}

interface Report {
  type: 'delivery-status' | 'feedback-report';
  from: string;
  to: string;
  subject: string;
  text: string;
  report: string[];
  original: { contentType: string; content: Buffer };
}

/** Writes a multipart/report (RFC 6522): a text, the report fields and the original email. */
function writeReport({ type, from, to, subject, text, report, original }: Report): Buffer {
  const boundary = `report-${randomBytes(12).toString('hex')}`;
  const part = (contentType: string): string => `\r\n--${boundary}\r\nContent-Type: ${contentType}\r\n`;
  const eightBit = 'Content-Transfer-Encoding: 8bit\r\n\r\n';
  const head = [
    `From: ${from}`,
    `To: <${to}>`,
    `Subject: ${subject}`,
    `Date: ${mailDate(new Date())}`,
    `Message-ID: <${randomBytes(16).toString('hex')}@${REPORTER}>`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary="${boundary}"`,
    '',
  ];
  return Buffer.concat([
    Buffer.from(`${head.join('\r\n')}${part('text/plain; charset=utf-8')}${eightBit}${text}\r\n`),
    Buffer.from(`${part(`message/${type}`)}\r\n${report.join('\r\n')}\r\n`),
    Buffer.from(`${part(original.contentType)}${eightBit}`),
    original.content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

/** A date in RFC 5322 format, which does not allow `GMT`. */
function mailDate(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000');
}
