/** Joins the lines of a mail with CRLF. */
export function mailOf(...lines: string[]): Buffer {
  return Buffer.from(`${lines.join('\r\n')}\r\n`);
}

export interface StatusFields {
  action?: string;
  status?: string | null;
  diagnostic?: string | null;
}

/** Builds a delivery notification in the format of Postfix. */
export function postfixNotification(to: string, fields: StatusFields = {}): Buffer {
  const {
    action = 'failed',
    status = '5.1.1',
    diagnostic = 'smtp; 550 5.1.1 <jane@acme.example>: no such user',
  } = fields;
  return mailOf(
    'Return-Path: <>',
    'Received: by mx.acme.example (Postfix)',
    '\tid 4cXy7T1kPqz9; Sun, 22 Nov 2026 01:00:00 +0000 (UTC)',
    'Date: Sun, 22 Nov 2026 01:00:00 +0000 (UTC)',
    'From: MAILER-DAEMON@mx.acme.example (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    `To: ${to}`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="4cXy7T1kPqz9.1763773200/mx.acme.example"',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--4cXy7T1kPqz9.1763773200/mx.acme.example',
    'Content-Description: Notification',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Your message could not be delivered.',
    '',
    '--4cXy7T1kPqz9.1763773200/mx.acme.example',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.acme.example',
    'X-Postfix-Queue-ID: 4cXy7T1kPqz9',
    'Arrival-Date: Sun, 22 Nov 2026 00:59:59 +0000 (UTC)',
    '',
    'Final-Recipient: rfc822; jane@acme.example',
    'Original-Recipient: rfc822;jane@acme.example',
    `Action: ${action}`,
    ...(status === null ? [] : [`Status: ${status}`]),
    ...(diagnostic === null ? [] : [`Diagnostic-Code: ${diagnostic}`]),
    '',
    '--4cXy7T1kPqz9.1763773200/mx.acme.example',
    'Content-Description: Undelivered Message Headers',
    'Content-Type: text/rfc822-headers',
    '',
    'Subject: Hello',
    '',
    '--4cXy7T1kPqz9.1763773200/mx.acme.example--',
  );
}

export interface ReportFields {
  feedbackType?: string;
  /** Header fields of the quoted mail. */
  quoted?: string[];
  mailFrom?: string | null;
}

/** Builds an abuse report in the format of large providers. */
export function abuseReport({ feedbackType = 'abuse', quoted = [], mailFrom = null }: ReportFields = {}): Buffer {
  return mailOf(
    'From: <feedback@arf.provider.example>',
    'To: fbl@returns.example',
    'Subject: Complaint about a message',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; boundary="=_arf-1"; report-type="feedback-report"',
    '',
    '--=_arf-1',
    'Content-Type: text/plain; charset="US-ASCII"',
    'Content-Transfer-Encoding: 7bit',
    '',
    'This is an abuse report for a message from 192.0.2.1.',
    '--=_arf-1',
    'Content-Type: message/feedback-report',
    'Content-Disposition: inline',
    '',
    `Feedback-Type: ${feedbackType}`,
    'User-Agent: Provider-Feedback/2.0',
    'Version: 1',
    ...(mailFrom === null ? [] : [`Original-Mail-From: <${mailFrom}>`]),
    'Source-IP: 192.0.2.1',
    '',
    '--=_arf-1',
    'Content-Type: message/rfc822',
    'Content-Disposition: inline',
    '',
    'From: Acme <hello@acme.example>',
    'To: redacted@provider.example',
    ...quoted,
    'Subject: Hello',
    '',
    'Hello, and a line that looks like a field',
    'Message-ID: <forged@acme.example>',
    '--=_arf-1--',
  );
}
