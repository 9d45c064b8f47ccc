import { abuseReport, mailOf } from './notification.fixture';
import { readNotification } from './read-notification';

describe('an abuse report', () => {
  it('identifies the original email by the fields that it quotes', () => {
    const raw = abuseReport({
      mailFrom: 'token@returns.example',
      quoted: [
        'Return-Path: <other@returns.example>',
        'Message-ID: <a@acme.example>',
        'List-Unsubscribe: <mailto:u@x>,',
        ' <https://t.example/email/u/x>',
      ],
    });
    expect(readNotification(raw)).toEqual({
      kind: 'complaint',
      feedbackType: 'abuse',
      original: {
        returnPaths: ['token@returns.example', 'other@returns.example'],
        messageId: '<a@acme.example>',
        listUnsubscribe: '<mailto:u@x>, <https://t.example/email/u/x>',
      },
    });
  });

  it('from Outlook is parsed, although the original email is base64-encoded', () => {
    const quoted = 'X-HmXmrOriginalRecipient: <jane@acme.example>\r\nMessage-ID:\r\n <a@acme.example>\r\n\r\nHello';
    const raw = mailOf(
      'From: staff@provider.example',
      'Content-Type: multipart/report; report-type="feedback-report";',
      ' boundary="----=_Part (1)"',
      '',
      '------=_Part (1)',
      'Content-Type: message/feedback-report',
      '',
      'Feedback-Type: abuse',
      'Original-Mail-From: token@returns.example',
      '',
      '------=_Part (1)',
      'Content-Type: message/rfc822',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(quoted).toString('base64'),
      '------=_Part (1)--',
    );
    expect(readNotification(raw)).toMatchObject({
      original: { returnPaths: ['token@returns.example'], messageId: '<a@acme.example>' },
    });
  });

  it('does not identify the original email by its body text', () => {
    expect(readNotification(abuseReport())).toMatchObject({ original: { messageId: null, returnPaths: [] } });
  });

  it('contains its feedback type', () => {
    expect(readNotification(abuseReport({ feedbackType: 'Not-Spam (sorry)' }))).toMatchObject({
      feedbackType: 'not-spam',
    });
    expect(readNotification(abuseReport({ feedbackType: '' }))).toBeNull();
  });
});
