import { mailOf, postfixNotification } from './notification.fixture';
import { readNotification } from './read-notification';

const reportsOf = (raw: Buffer) => {
  const notification = readNotification(raw);
  return notification?.kind === 'delivery' ? notification.reports : null;
};

const report = (type: string, ...status: string[]) =>
  mailOf(
    `Content-Type: ${type}`,
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'words',
    '--b',
    'Content-Type: message/delivery-status',
    ...status,
    '--b--',
  );
const dsn = (...status: string[]) => report('multipart/report; report-type=delivery-status; boundary=b', '', ...status);
const FAILED = { action: 'failed', status: '5.1.1', diagnostic: null };

describe('a delivery notification', () => {
  it('from Postfix is parsed', () => {
    expect(reportsOf(postfixNotification('x@returns.example'))).toEqual([
      { action: 'failed', status: '5.1.1', diagnostic: '550 5.1.1 <jane@acme.example>: no such user' },
    ]);
  });

  it('from Exim is parsed, with the more precise status of the quoted response', () => {
    const raw = mailOf(
      'Auto-Submitted: auto-replied',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=1763773200-eximdsn-804289383',
      'MIME-Version: 1.0',
      '',
      '--1763773200-eximdsn-804289383',
      'Content-type: text/plain; charset=us-ascii',
      '',
      'A message that you sent could not be delivered.',
      '',
      '--1763773200-eximdsn-804289383',
      'Content-type: message/delivery-status',
      '',
      'Reporting-MTA: dns; exim.acme.example',
      '',
      'Action: failed',
      'Final-Recipient: rfc822;jane@acme.example',
      'Status: 5.0.0',
      'Remote-MTA: dns; mx.acme.example',
      'Diagnostic-Code: smtp; 550-5.1.1 no such user here.',
      ' 550 5.1.1 Check the address.',
      '',
      '--1763773200-eximdsn-804289383',
      'Content-type: message/rfc822',
      '',
      'Subject: Hello',
      '',
      '--1763773200-eximdsn-804289383--',
    );
    expect(reportsOf(raw)).toEqual([
      { action: 'failed', status: '5.1.1', diagnostic: '550-5.1.1 no such user here. 550 5.1.1 Check the address.' },
    ]);
  });

  it('from Exchange is parsed, including base64 and empty lines', () => {
    const status = Buffer.from(
      'Reporting-MTA: dns;EX01.acme.example\r\nReceived-From-MTA: dns;mail.example\r\n\r\n' +
        'Final-Recipient: rfc822;jane@acme.example\r\nAction: failed\r\nStatus: 5.1.10\r\n' +
        'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found\r\nX-Display-Name: Jäne\r\n\r\n',
    ).toString('base64');
    const raw = mailOf(
      'Content-Type: multipart/report; report-type=delivery-status;',
      '\tboundary="_001_abc_"',
      '',
      '--_001_abc_',
      'Content-Type: multipart/alternative; differences=Content-Type;',
      '\tboundary="_002_abc_"',
      '',
      '--_002_abc_',
      'Content-Type: text/html; charset="us-ascii"',
      '',
      '<p>Delivery has failed</p>',
      '--_002_abc_--',
      '',
      '--_001_abc_',
      'Content-Type: message/delivery-status',
      'Content-Transfer-Encoding: base64',
      '',
      status,
      '--_001_abc_--',
    );
    expect(reportsOf(raw)).toEqual([
      {
        action: 'failed',
        status: '5.1.10',
        diagnostic: '550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found',
      },
    ]);
  });

  it('from Gmail is parsed, including bare line feeds and a nested multipart/related part', () => {
    const raw = Buffer.from(
      [
        'Content-Type: multipart/report; boundary="00000000000a"; report-type=delivery-status',
        'X-Failed-Recipients: jane@acme.example',
        '',
        '--00000000000a',
        'Content-Type: multipart/related; boundary="00000000000b"',
        '',
        '--00000000000b',
        'Content-Type: text/html; charset="UTF-8"',
        '',
        '<b>Address not found</b>',
        '--00000000000b--',
        '--00000000000a',
        'Content-Type: message/delivery-status',
        '',
        'Reporting-MTA: dns; googlemail.com',
        'X-Original-Message-ID: <a@b>',
        '',
        'Final-Recipient: rfc822; jane@acme.example',
        'Action: failed',
        'Status: 5.1.1',
        'Diagnostic-Code: smtp; 550-5.1.1 The account does not exist.',
        ' 550-5.1.1 Please check for typos.',
        ' 550 5.1.1  https://support.provider.example - gsmtp',
        'Last-Attempt-Date: Sat, 21 Nov 2026 17:00:00 -0800 (PST)',
        '',
        '--00000000000a--',
      ].join('\n'),
    );
    expect(reportsOf(raw)?.[0]).toMatchObject({ action: 'failed', status: '5.1.1' });
    expect(reportsOf(raw)?.[0]?.diagnostic).toContain('Please check for typos. 550 5.1.1');
  });

  it.each([
    ['Action: FAILED', 'failed'],
    ['ACTION:failed (undeliverable)', 'failed'],
    ['Action: (see below) Delivered', 'delivered'],
    ['Action:\r\n  delayed', 'delayed'],
    ['action : relayed', 'relayed'],
    ['Action: "expanded"', undefined],
    ['Action: exploded', undefined],
    ['Action: failure', 'failed'],
    ['Action: expired', 'failed'],
    ['Action: undeliverable', 'failed'],
    ['Action: Undelivered (x)', 'failed'],
  ])('with the field %j has the action %s', (field, action) => {
    expect(reportsOf(dsn('Reporting-MTA: dns; x', '', field, 'Status: 2.0.0'))?.[0]?.action).toBe(action);
  });

  it.each([
    ['5.1.1 (bad destination mailbox address)', '5.1.1'],
    ['(x) 4.4.7', '4.4.7'],
    ['5.1', null],
    ['511', null],
    ['5.1.1234', null],
    ['3.1.1', null],
  ])('with the status field "%s" has the status %s', (field, status) => {
    expect(reportsOf(dsn('', `Status: ${field}`, 'Action: failed'))).toEqual([{ ...FAILED, status }]);
  });

  it.each([
    ['5.0.0', 'smtp; 550 5.1.1 unknown', '5.1.1'],
    ['5.0.0', 'smtp; 550 (#5.7.1) unwanted', '5.7.1'],
    ['5.0.0', 'smtp; 450 4.2.2 full', '5.0.0'],
    ['5.2.2', 'smtp; 550 5.1.1 unknown', '5.2.2'],
    ['', 'smtp; 550 5.1.2 unknown', '5.1.2'],
    ['', 'smtp; 550 host 5.1.1.7 said no', null],
  ])('with the status %j and the diagnostic %j has the status %j', (status, diagnostic, expected) => {
    expect(
      reportsOf(dsn('', `Status: ${status}`, 'Action: failed', `Diagnostic-Code: ${diagnostic}`))?.[0]?.status,
    ).toBe(expected);
  });

  it('has a report for each recipient, also with several empty lines between them', () => {
    const raw = dsn(
      '',
      'Reporting-MTA: dns; x',
      '',
      '',
      ' ',
      'Action: failed',
      'Status: 5.1.1',
      '',
      'Action: delivered',
      'Status: 2.0.0',
    );
    expect(reportsOf(raw)?.map(({ action }) => action)).toEqual(['failed', 'delivered']);
  });

  it('is found in a nested multipart, but not in an attached message', () => {
    const inner = dsn('Action: failed', 'Status: 5.1.1').toString();
    const wrapped = (type: string, body: string) =>
      mailOf('Content-Type: multipart/mixed; boundary="out er"', '', '--out er', type, '', body, '--out er--');
    const [head, ...body] = inner.split('\r\n\r\n');
    expect(reportsOf(wrapped(head!, body.join('\r\n\r\n')))).toEqual([FAILED]);
    expect(readNotification(wrapped('Content-Type: message/rfc822', inner))).toBeNull();
  });

  it('is not truncated at a line that resembles a boundary', () => {
    const raw = dsn('Action: failed', 'X-Words: see --b', '--bb', ' --b', '--b-- and on', 'Status: 5.1.1');
    expect(reportsOf(raw)).toEqual([FAILED]);
  });

  it('keeps non-ASCII text of the diagnostic in UTF-8 and Latin-1', () => {
    const utf8 = dsn('Action: failed', 'Status: 5.1.1', 'Diagnostic-Code: smtp; 550 Empfänger unbekannt 收件人');
    expect(reportsOf(utf8)?.[0]?.diagnostic).toBe('550 Empfänger unbekannt 收件人');
    const latin1 = Buffer.from(utf8.toString().replace('收件人', ''), 'latin1');
    expect(reportsOf(latin1)?.[0]?.diagnostic).toBe('550 Empfänger unbekannt');
  });

  it('can be encoded as quoted-printable', () => {
    const raw = report(
      'multipart/report; boundary=b',
      'Content-Transfer-Encoding: Quoted-Printable',
      '',
      'Action: fai=',
      'led',
      'Status=3A 5.1.1',
    );
    expect(reportsOf(raw)).toEqual([FAILED]);
  });

  it.each([
    [['Final-Recipient: rfc822; jane@acme.example', 'Status: 5.1.1'], '5.1.1'],
    [['Final-Recipient: rfc822; jane@acme.example', 'Status: 4.4.7'], '4.4.7'],
    [['Final-Recipient: rfc822; jane@acme.example', 'Diagnostic-Code: smtp; 550 no such user'], null],
    [['Action: exploded', 'Status: 5.7.1'], '5.7.1'],
  ])('without a known action is a failure if the fields %j say so', (fields, status) => {
    expect(reportsOf(dsn('', 'Reporting-MTA: dns; x', '', ...fields))).toMatchObject([{ action: 'failed', status }]);
  });

  it.each([[['Status: 4.2.2']], [['Status: 2.0.0']], [['Diagnostic-Code: smtp; 450 later']], [['Remote-MTA: dns; x']]])(
    'without a known action is nothing if the fields are %j',
    (fields) => expect(reportsOf(dsn('', 'Reporting-MTA: dns; x', '', ...fields))).toBeNull(),
  );

  it('is parsed in a multipart/mixed, or as the whole mail', () => {
    const failed = ['', 'Action: failed', 'Status: 5.1.1'];
    expect(reportsOf(report('multipart/mixed; boundary=b', ...failed))).toEqual([FAILED]);
    expect(reportsOf(mailOf('Content-Type: message/delivery-status', ...failed))).toEqual([FAILED]);
  });

  it('is not recognized without a report', () => {
    expect(readNotification(report('multipart/report', '', 'Action: failed'))).toBeNull();
    expect(readNotification(dsn('Reporting-MTA: dns; x'))).toBeNull();
    expect(readNotification(dsn())).toBeNull();
  });
});

describe('a bounce from qmail', () => {
  const qmail = (...paragraphs: string[]) =>
    mailOf('From: MAILER-DAEMON@acme.example', 'Subject: failure notice', '', ...paragraphs);
  const GREETING = 'Hi. This is the qmail-send program at acme.example.';

  it('is parsed from its text', () => {
    const raw = qmail(
      GREETING,
      "I'm afraid I wasn't able to deliver your message.",
      '',
      '<jane@acme.example>:',
      '192.0.2.7 does not like recipient.',
      'Remote host said: 550 no mailbox here by that name. (#5.1.1)',
      'Giving up.',
      '',
      '--- Below this line is a copy of the message.',
      '',
      '<copy@acme.example>:',
      'not a reason (#5.7.1)',
    );
    const reports = reportsOf(raw);
    expect(reports).toMatchObject([{ action: 'failed', status: '5.1.1' }]);
    expect(reports?.[0]?.diagnostic).toContain('no mailbox here');
  });

  it('is not recognized in a message from a person', () => {
    expect(
      readNotification(qmail('Hi. I am away until Monday.', '', '<jane@acme.example>:', 'writes: 5.1.1')),
    ).toBeNull();
    expect(readNotification(qmail(GREETING))).toBeNull();
  });
});

describe('a bounce from Yahoo', () => {
  it('is parsed from its text', () => {
    const raw = mailOf(
      'From: MAILER-DAEMON@yahoo.example',
      'Subject: Failure Notice',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Sorry, we were unable to deliver your message to the following address.',
      '',
      '<jane@yahoo.example>:',
      'Remote host said:',
      "554 delivery error: dd This user doesn't have a yahoo.example account (jane@=",
      'yahoo.example) [0]',
      '',
      '--- Original message follows.',
    );
    const [found] = reportsOf(raw)!;
    expect(found).toMatchObject({ action: 'failed', status: null });
    expect(found?.diagnostic).toContain("This user doesn't have a yahoo.example account (jane@yahoo.example)");
  });
});

describe('a bounce with X-Failed-Recipients', () => {
  const headers = ['X-Failed-Recipients: jane@acme.example', 'Auto-Submitted: auto-replied'];
  const EXIM = [
    'This message was created automatically by mail delivery software.',
    '',
    'A message that you sent could not be delivered to one or more of its',
    'recipients. This is a permanent error. The following address(es) failed:',
    '',
    '  jane@acme.example',
    '    SMTP error from remote mail server after RCPT TO:<jane@acme.example>:',
    '    host mx.acme.example [192.0.2.1]: 550 5.1.1 <jane@acme.example>:',
    '    User unknown',
    '',
    '------ This is a copy of the message, including all the headers. ------',
    '',
    'Subject: Your delayed parcel',
  ];

  it('is parsed from the text of Exim', () => {
    const raw = mailOf(...headers, 'Subject: Mail delivery failed: returning message to sender', '', ...EXIM);
    expect(reportsOf(raw)).toEqual([
      {
        action: 'failed',
        status: '5.1.1',
        diagnostic: expect.stringMatching(/^SMTP error .* 550 5\.1\.1 <jane@acme\.example>: User unknown$/) as string,
      },
    ]);
  });

  it('is parsed from a reason beside the address, and without a status', () => {
    const raw = mailOf(...headers, '', 'The following address failed:', '', '  jane@acme.example: Unrouteable address');
    expect(reportsOf(raw)).toEqual([{ action: 'failed', status: null, diagnostic: 'Unrouteable address' }]);
  });

  it('is parsed from the text of Gmail', () => {
    const raw = mailOf(
      ...headers,
      'Subject: Delivery Status Notification (Failure)',
      '',
      'Delivery to the following recipient failed permanently:',
      '',
      '     jane@acme.example',
      '',
      'Technical details of permanent failure: ',
      'The error that the other server returned was: 550 550 5.7.1 Not welcome (state 14).',
      '',
      '----- Original message -----',
    );
    expect(reportsOf(raw)).toMatchObject([{ action: 'failed', status: '5.7.1' }]);
  });

  it('is parsed in a multipart without a report, and in one whose report is empty', () => {
    const text = ['--b', 'Content-Type: text/plain', '', ...EXIM.slice(0, 10)];
    const mixed = mailOf(...headers, 'Content-Type: multipart/mixed; boundary=b', '', ...text, '--b--');
    const empty = ['--b', 'Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; x', '--b--'];
    const report = mailOf(...headers, 'Content-Type: multipart/report; boundary=b', '', ...text, ...empty);
    for (const raw of [mixed, report]) expect(reportsOf(raw)).toMatchObject([{ action: 'failed', status: '5.1.1' }]);
  });

  it('is a delay if the text announces further attempts', () => {
    const warning = [
      '',
      'THIS IS A WARNING MESSAGE ONLY.',
      'YOU DO NOT NEED TO RESEND YOUR MESSAGE.',
      'jane@acme.example',
    ];
    expect(reportsOf(mailOf(...headers, ...warning))).toMatchObject([{ action: 'delayed' }]);
  });

  it('is a failure without a reason', () => {
    expect(reportsOf(mailOf(...headers, '', 'It failed.'))).toEqual([
      { action: 'failed', status: null, diagnostic: null },
    ]);
  });
});

describe('any other mail', () => {
  it.each([
    [
      'an out-of-office reply',
      mailOf('Auto-Submitted: auto-replied', 'Subject: Out of office', '', 'Action: failed', 'Status: 5.1.1'),
    ],
    ['a mail without a body', mailOf('Subject: x')],
    ['an empty message', Buffer.alloc(0)],
    [
      'a disposition notification',
      mailOf(
        'Content-Type: multipart/report; boundary=b',
        '',
        '--b',
        'Content-Type: message/disposition-notification',
        '',
        'Disposition: x',
        '--b--',
      ),
    ],
  ])('is not a notification: %s', (_what, raw) => {
    expect(readNotification(raw)).toBeNull();
  });
});
