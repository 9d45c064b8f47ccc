import type { OutlineGroup } from '@heliograph/api-reference';

/** The pages about contacts, campaigns, figures and events. */
export const AUDIENCE_GROUPS: readonly OutlineGroup[] = [
  {
    slug: 'audience',
    title: 'Contacts and campaigns',
    description: 'Keep contacts with their consents, and send campaigns to groups of them.',
    pages: [
      {
        slug: 'contacts',
        title: 'Contacts',
        description: 'Create, search, update and erase contacts, and read the history of their consents.',
        paths: { v1: ['/api/v1/contacts'] },
      },
      {
        slug: 'groups',
        title: 'Groups',
        description: 'Named sets of contacts for campaigns.',
        paths: { v1: ['/api/v1/contacts/groups'] },
      },
      {
        slug: 'imports',
        title: 'Imports',
        description: 'Create or update up to 1,000,000 contacts from a file.',
        paths: { v1: ['/api/v1/contacts/import'] },
      },
      {
        slug: 'sms-campaigns',
        title: 'SMS campaigns',
        description: 'Send a template to groups of contacts by SMS; estimate, schedule, pause and cancel.',
        paths: { v1: ['/api/v1/sms/campaigns'] },
      },
      {
        slug: 'email-campaigns',
        title: 'Email campaigns',
        description: 'Send an email to groups of contacts; estimate, schedule, pause and cancel.',
        paths: { v1: ['/api/v1/email/campaigns'] },
      },
      {
        slug: 'erasures',
        title: 'Erasure of persons',
        description: 'Erase the data of a person in all channels by email address or phone number.',
        paths: { 'account-api': ['/api/organization/erasures'] },
      },
    ],
  },
  {
    slug: 'insights',
    title: 'All channels',
    description: 'Costs, timelines, analytics and reports of messages of every channel.',
    pages: [
      {
        slug: 'quotes',
        title: 'Quotes',
        description: 'Run every check of a send and get its cost, without sending.',
        paths: { v1: ['/api/v1/quote'] },
      },
      {
        slug: 'messages',
        title: 'Messages',
        description: 'The messages of all channels: a list, a live stream, their content, and resends.',
        paths: { v1: ['/api/v1/messages'] },
      },
      {
        slug: 'timelines',
        title: 'Timelines',
        description: 'Everything that happened to a message, in order.',
        paths: { v1: ['/api/v1/messages/{messageId}/timeline'] },
      },
      {
        slug: 'analytics',
        title: 'Analytics',
        description: 'Metrics by hour, day or month, and by country, sender, template or campaign.',
        paths: { v1: ['/api/v1/analytics'] },
      },
      {
        slug: 'reports',
        title: 'Reports',
        description: 'Messages, events, transactions and contacts as CSV, NDJSON or XLSX files.',
        paths: { v1: ['/api/v1/reports'] },
      },
      {
        slug: 'openapi',
        title: 'OpenAPI',
        description: 'The description of the v1 API for generators.',
        paths: { v1: ['/api/v1/openapi.json', '/api/v1/docs'] },
      },
    ],
  },
  {
    slug: 'events',
    title: 'Webhooks and events',
    description: 'Receive events of all channels by signed webhooks, or read them from a feed.',
    pages: [
      {
        slug: 'webhooks',
        title: 'Webhooks',
        description: 'Endpoints for events: their filters, secrets, tests and replays.',
        paths: { v1: ['/api/v1/webhooks'] },
      },
      {
        slug: 'deliveries',
        title: 'Deliveries',
        description: 'What was sent to a webhook, with the responses, and retries.',
        paths: { v1: ['/api/v1/webhooks/{webhookId}/logs'] },
      },
      {
        slug: 'events',
        title: 'Events',
        description: 'The event types with schema and example, and the feed of the last 30 days.',
        paths: { v1: ['/api/v1/webhooks/events', '/api/v1/events'] },
      },
    ],
  },
];
