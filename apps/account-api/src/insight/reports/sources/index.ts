import type { ReportType } from '../report';
import { campaign } from './campaign';
import { chatappMessages } from './chatapp-messages';
import { contacts } from './contacts';
import { creditTransactions } from './credit-transactions';
import { emailEvents } from './email-events';
import { emailMessages } from './email-messages';
import type { ReportSource } from './report-source';
import { smsMessages } from './sms-messages';

export const REPORT_SOURCES: Readonly<Record<ReportType, ReportSource>> = {
  sms_messages: smsMessages,
  email_messages: emailMessages,
  email_events: emailEvents,
  chatapp_messages: chatappMessages,
  credit_transactions: creditTransactions,
  contacts,
  campaign,
};
