import type { OutlineGroup } from '@heliograph/api-reference';

/** The pages about users, organizations and money. */
export const ACCOUNT_GROUPS: readonly OutlineGroup[] = [
  {
    slug: 'account',
    title: 'Account',
    description: 'API keys, access tokens, users, members, workspaces and the audit log of an organization.',
    pages: [
      {
        slug: 'api-keys',
        title: 'API keys',
        description: 'Create, rotate and revoke keys, and check which key a call uses.',
        paths: { 'account-api': ['/api/organization/api-keys'], 'sms-api': ['/api/me'] },
      },
      {
        slug: 'request-log',
        title: 'Request log',
        description: 'The calls of your API keys in the last 30 days, with their bodies and responses.',
        paths: { v1: ['/api/v1/requests'] },
      },
      {
        slug: 'test-mode',
        title: 'Test mode',
        description: 'The clock of the test data, with which schedules, windows and retries can be tried.',
        paths: { v1: ['/api/v1/test'], 'account-api': ['/api/organization/test'] },
      },
      {
        slug: 'access-tokens',
        title: 'Access tokens',
        description: 'Register and log in users of an application that calls the v1 API on their behalf.',
        paths: { v1: ['/api/v1/auth'] },
      },
      {
        slug: 'device-logins',
        title: 'Device logins',
        description:
          'Give a program without a browser, such as the command line, an API key that a person approves in the console.',
        paths: { v1: ['/api/v1/auth/device'], 'account-api': ['/api/auth/device'] },
      },
      {
        slug: 'sessions',
        title: 'Sessions and password',
        description: 'Log in with a session cookie, list and end sessions, and change the profile and the password.',
        paths: { 'account-api': ['/api/auth'] },
      },
      {
        slug: 'multi-factor',
        title: 'Multi-factor authentication',
        description: 'Enroll an authenticator app, and renew recovery codes.',
        paths: { 'account-api': ['/api/auth/mfa'] },
      },
      {
        slug: 'organization',
        title: 'Organization',
        description: 'The name of the organization, and the addresses that may use its API keys.',
        paths: { 'account-api': ['/api/organization'] },
      },
      {
        slug: 'members',
        title: 'Members and invitations',
        description: 'Who belongs to the organization with which role, and who is invited.',
        paths: {
          'account-api': ['/api/organization/members', '/api/organization/invitations', '/api/auth/invitations'],
        },
      },
      {
        slug: 'workspaces',
        title: 'Workspaces',
        description: 'Parts of an organization with their own credits, messages and bots.',
        paths: { 'account-api': ['/api/workspaces'] },
      },
      {
        slug: 'audit-log',
        title: 'Audit log',
        description: 'Who changed what, when and from which address.',
        paths: { 'account-api': ['/api/organization/audit-log'] },
      },
    ],
  },
  {
    slug: 'credits',
    title: 'Credits and billing',
    description: 'Balances, the ledger, purchases, transfers, subscriptions and invoices.',
    pages: [
      {
        slug: 'balances',
        title: 'Balances and transactions',
        description: 'The credits of a workspace, every change of them, and alerts before they run out.',
        paths: {
          v1: ['/api/v1/credits/balance', '/api/v1/credits/transactions'],
          'account-api': ['/api/workspaces/{id}/credits'],
        },
      },
      {
        slug: 'purchases',
        title: 'Purchases',
        description: 'Buy packages of credits at the checkout of the payment processor.',
        paths: { v1: ['/api/v1/credits', '/api/v1/credits/purchase', '/api/v1/credits/purchases'] },
      },
      {
        slug: 'transfers',
        title: 'Transfers',
        description: 'Move credits from one workspace to another.',
        paths: { v1: ['/api/v1/credits/transfer'], 'account-api': ['/api/workspaces/{id}/credits/transfers'] },
      },
      {
        slug: 'billing',
        title: 'Subscriptions and invoices',
        description: 'The plan of a workspace, its invoices and receipts.',
        paths: { 'account-api': ['/api/workspaces/{id}/billing'] },
      },
    ],
  },
];
