import { HOSTILE } from '../receipts/receipt.fixture';
import { lockedMail, reminderMail, type Reminder } from './reminder-mail';

const DAYS = [0, 3, 5, 7] as const;

function aReminder(changes: Partial<Reminder> = {}): Reminder {
  return {
    day: 0,
    workspaceName: 'Acme Main',
    amountDue: 2900,
    currency: 'usd',
    invoiceNumber: 'ACME-0007',
    payUrl: 'https://pay.example/i/1?a=1&b=2',
    lockOn: new Date('2026-12-05T00:00:00Z'),
    issuerName: 'Heliograph',
    supportEmail: 'billing@heliograph.example',
    ...changes,
  };
}

describe.each(DAYS)('the reminder of day %d', (day) => {
  it('names the amount due, the invoice, the workspace, the lock date and the payment link', () => {
    const { subject, text, html } = reminderMail(aReminder({ day }));
    expect(subject).toContain('Acme Main');
    for (const words of ['$29.00', 'ACME-0007', 'Acme Main', '5 December 2026', 'billing@heliograph.example']) {
      expect(text).toContain(words);
      expect(html).toContain(words);
    }
    expect(text).toContain('Pay now: https://pay.example/i/1?a=1&b=2');
    expect(html).toContain('<a href="https://pay.example/i/1?a=1&amp;b=2"');
  });

  it.each([null, '', 'javascript:alert(1)', 'data:text/html,x', ' jAvascript:alert(1)', '//pay.example', 'ftp://x/'])(
    'does not link to %j',
    (payUrl) => {
      const { text, html } = reminderMail(aReminder({ day, payUrl }));
      expect(html).not.toMatch(/<a |javascript:|data:/i);
      expect(text).not.toContain('Pay now');
    },
  );
});

describe('the payment reminders', () => {
  it('have a different subject each day', () => {
    expect(new Set(DAYS.map((day) => reminderMail(aReminder({ day })).subject)).size).toBe(4);
  });

  it('mention the lock from day 5 on, and the last reminder on day 7', () => {
    const spoken = DAYS.map((day) => reminderMail(aReminder({ day })).text.split('Amount due')[0]!);
    expect(spoken.map((words) => words.includes('locked'))).toEqual([false, false, true, true]);
    expect(spoken.map((words) => words.includes('last reminder'))).toEqual([false, false, false, true]);
  });

  it('omit the number of an invoice without a number', () => {
    expect(reminderMail(aReminder({ invoiceNumber: null })).text).not.toMatch(/Invoice number|null/);
  });
});

describe('the email about the lock', () => {
  it('names the amount due, and explains that a payment unlocks the workspace', () => {
    const { subject, text, html } = lockedMail(aReminder());
    expect(subject).toBe('Acme Main is locked: your payment is still missing');
    for (const words of ['$29.00', 'ACME-0007', 'unlocked as soon as the payment arrives']) {
      expect(text).toContain(words);
      expect(html).toContain(words);
    }
    expect(text).toContain('Pay now: https://pay.example/');
  });
});

it.each([
  ['reminder', reminderMail],
  ['notice', lockedMail],
])('a %s escapes hostile text', (_what, mailOf) => {
  const hostile = { workspaceName: HOSTILE, currency: HOSTILE, invoiceNumber: HOSTILE, issuerName: HOSTILE };
  const payUrl = `https://pay.example/"><script>alert(1)</script>`;
  const { subject, text, html } = mailOf(aReminder({ ...hostile, supportEmail: HOSTILE, payUrl }));
  expect(subject).not.toMatch(/[\r\n\0]/);
  expect(text).not.toMatch(/^Bcc:/m);
  expect(html).not.toMatch(/<img|<script/);
  expect(html).toContain('href="https://pay.example/%22%3E%3Cscript%3Ealert(1)%3C/script%3E"');
});
