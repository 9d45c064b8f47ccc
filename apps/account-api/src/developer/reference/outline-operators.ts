import type { OutlineGroup } from '@heliograph/api-reference';

/** The pages for operators of an installation, apart from those for customers. */
export const OPERATOR_GROUPS: readonly OutlineGroup[] = [
  {
    slug: 'operator',
    title: 'Operator API',
    description: 'Manage all organizations of an installation with the operator token.',
    audience: 'operators',
    pages: [
      {
        slug: 'organizations',
        title: 'Organizations and workspaces',
        description: 'Create organizations, members, workspaces and keys, and grant credits.',
        paths: { 'account-api': ['/api/platform'] },
      },
      {
        slug: 'sms',
        title: 'SMS onboardings and rates',
        description: 'Decide about onboardings, and set the credits per segment by country.',
        paths: { 'account-api': ['/api/platform/sms'] },
      },
      {
        slug: 'chat-app',
        title: 'Chat-app prices and sending',
        description: 'Set prices and free allowances, and switch sending off.',
        paths: { 'account-api': ['/api/platform/chatapp'] },
      },
    ],
  },
  {
    slug: 'receivers',
    title: 'Receivers',
    description: 'The endpoints that the chat-app provider and the payment processor call.',
    audience: 'operators',
    pages: [
      {
        slug: 'chat-app',
        title: 'Chat-app provider',
        description: 'Inbound messages, statuses and consents from the provider.',
        paths: { 'chatapp-hook': ['/api/chatapp'] },
      },
      {
        slug: 'payments',
        title: 'Payment processor',
        description: 'Events of purchases, subscriptions and invoices.',
        paths: { 'billing-hook': ['/api/webhooks'] },
      },
    ],
  },
];
