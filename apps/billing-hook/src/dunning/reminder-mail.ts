import { composeMail, formatDay, formatMoney, type Mail } from '@heliograph/system-mail';
import { closing } from '../receipts/receipt-mail';

/** A failed payment and its workspace. */
export interface FailedPayment {
  workspaceName: string;
  /** Amount in minor units of the currency. */
  amountDue: number;
  currency: string;
  invoiceNumber: string | null;
  /** Payment page of the processor. */
  payUrl: string | null;
  issuerName: string;
  supportEmail: string | null;
}

export interface Reminder extends FailedPayment {
  /** Days since the first failure. */
  day: 0 | 3 | 5 | 7;
  /** Day on which the workspace will be locked. */
  lockOn: Date;
}

interface Words {
  subject: string;
  heading: string;
  paragraphs: string[];
}

/** Four reminders about a failed payment, with increasing urgency. */
export function reminderMail(reminder: Reminder): Mail {
  return mailOf(wordsOf(reminder), reminder, [['Workspace is locked on', formatDay(reminder.lockOn)]]);
}

/** Informs the payer that the workspace is locked and how to unlock it. */
export function lockedMail(notice: FailedPayment): Mail {
  const { workspaceName, payUrl } = notice;
  const words = {
    subject: `${workspaceName} is locked: your payment is still missing`,
    heading: 'Your workspace is locked',
    paragraphs: [
      `We could not collect the payment for ${workspaceName} for two weeks, so it no longer sends messages and cannot be changed. All data in the workspace is retained and can be read.`,
      `${howToPay(payUrl)} The workspace is unlocked as soon as the payment arrives.`,
    ],
  };
  return mailOf(words, notice, []);
}

function wordsOf({ day, workspaceName, lockOn, payUrl }: Reminder): Words {
  switch (day) {
    case 0:
      return {
        subject: `Your payment for ${workspaceName} did not go through`,
        heading: 'Your payment did not go through',
        paragraphs: [
          `Cards expire, and banks sometimes require a confirmation. ${workspaceName} continues to work, and we will try again.`,
          howToPay(payUrl),
        ],
      };
    case 3:
      return {
        subject: `Reminder: the payment for ${workspaceName} is still open`,
        heading: 'Your payment is still open',
        paragraphs: [
          `We tried again to collect the payment for ${workspaceName}, and it failed. Please check your payment method.`,
          howToPay(payUrl),
        ],
      };
    case 5:
      return {
        subject: `Action needed: the payment for ${workspaceName} is overdue`,
        heading: 'Your payment is overdue',
        paragraphs: [
          `The payment for ${workspaceName} has been failing for five days. Without it, the workspace is locked on ${formatDay(lockOn)} and stops sending messages.`,
          howToPay(payUrl),
        ],
      };
    case 7:
      return {
        subject: `Last reminder: ${workspaceName} will be locked on ${formatDay(lockOn)}`,
        heading: `Your workspace will be locked on ${formatDay(lockOn)}`,
        paragraphs: [
          `This is our last reminder. The payment for ${workspaceName} has been failing for a week. From ${formatDay(lockOn)} on, the workspace sends no messages and cannot be changed until it is paid.`,
          `${howToPay(payUrl)} If you have a problem with the payment, contact us before that day.`,
        ],
      };
  }
}

function mailOf({ subject, heading, paragraphs }: Words, payment: FailedPayment, more: [string, string][]): Mail {
  return composeMail(subject, [
    { kind: 'heading', text: heading },
    ...paragraphs.map((text) => ({ kind: 'paragraph' as const, text })),
    {
      kind: 'facts',
      facts: [
        ['Amount due', formatMoney(payment.amountDue, payment.currency)],
        ...(payment.invoiceNumber === null ? [] : [['Invoice number', payment.invoiceNumber] as [string, string]]),
        ['Workspace', payment.workspaceName],
        ...more,
      ],
    },
    { kind: 'button', label: 'Pay now', url: payment.payUrl },
    { kind: 'note', text: closing(payment.issuerName, payment.supportEmail) },
  ]);
}

function howToPay(payUrl: string | null): string {
  return payUrl === null
    ? 'Please update your payment method or settle the invoice.'
    : 'Please pay the invoice or update your payment method on the page below.';
}
