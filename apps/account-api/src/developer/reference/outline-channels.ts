import type { OutlineGroup } from '@heliograph/api-reference';

const BOT = '/api/workspaces/{id}/bots/{botId}';

/** The pages about sending and about bots. */
export const CHANNEL_GROUPS: readonly OutlineGroup[] = [
  {
    slug: 'sms',
    title: 'SMS',
    description: 'Send SMS with registered senders and DLT templates, and get their status.',
    pages: [
      {
        slug: 'messages',
        title: 'Messages',
        description: 'Send one message or up to 1,000 with one call, check a send in advance, and get the status.',
        paths: { v1: ['/api/v1/sms/send', '/api/v1/sms/bulk', '/api/v1/sms'] },
      },
      {
        slug: 'templates',
        title: 'Templates',
        description: 'The registered texts of messages, with their placeholders and DLT ids.',
        paths: { v1: ['/api/v1/sms/templates'], 'account-api': ['/api/organization/sms/templates'] },
      },
      {
        slug: 'senders',
        title: 'Senders',
        description: 'The headers that recipients see as the sender of a message.',
        paths: { 'account-api': ['/api/organization/sms/senders'] },
      },
      {
        slug: 'onboardings',
        title: 'Onboardings',
        description: 'The registration of an organization for a country, which the operator approves.',
        paths: { 'account-api': ['/api/organization/sms/onboardings'] },
      },
      {
        slug: 'calls-without-version',
        title: 'Calls without version',
        description: 'Send by JSON, form or query string, and look up status, senders, templates and balance.',
        paths: { 'sms-api': ['/sms/send', '/sms'] },
      },
      {
        slug: 'soap',
        title: 'SOAP and XML',
        description: 'Send by XML or SOAP 1.1 and 1.2, with a WSDL description.',
        paths: { 'sms-api': ['/sms/soap'] },
      },
    ],
  },
  {
    slug: 'email',
    title: 'Email',
    description: 'Send email from verified domains, and follow delivery, opens, clicks and bounces.',
    pages: [
      {
        slug: 'messages',
        title: 'Messages',
        description: 'Send an email to one or many recipients, check a send in advance, and get the events.',
        paths: { v1: ['/api/v1/email/send', '/api/v1/email/bulk', '/api/v1/email'] },
      },
      {
        slug: 'templates',
        title: 'Templates',
        description: 'Stored subjects and bodies with variables, and previews of them.',
        paths: { v1: ['/api/v1/email/templates'], 'account-api': ['/api/organization/email/templates'] },
      },
      {
        slug: 'domains',
        title: 'Domains',
        description: 'Sending domains, their DNS records and their verification.',
        paths: { 'account-api': ['/api/organization/email/domains'] },
      },
      {
        slug: 'senders',
        title: 'Senders',
        description: 'From addresses on verified domains.',
        paths: { 'account-api': ['/api/organization/email/senders'] },
      },
      {
        slug: 'suppressions',
        title: 'Suppressions',
        description: 'Addresses that get no email after a bounce, a complaint or an unsubscribe.',
        paths: { 'account-api': ['/api/organization/email/suppressions'] },
      },
      {
        slug: 'tracking',
        title: 'Tracking settings',
        description: 'Whether opens and clicks are tracked, by workspace or API key.',
        paths: { 'account-api': ['/api/organization/email/tracking'] },
      },
      {
        slug: 'calls-without-version',
        title: 'Calls without version',
        description: 'Send by JSON with the fields of the unversioned API, and look up status, senders and templates.',
        paths: { 'email-api': ['/email/send', '/email'] },
      },
    ],
  },
  {
    slug: 'chat-app',
    title: 'Chat app',
    description: 'Send texts, templates, media and interactive messages in a chat app, and answer inbound messages.',
    pages: [
      {
        slug: 'messages',
        title: 'Messages',
        description: 'Send a message, check a send in advance, and get the status and the log.',
        paths: { 'chatapp-api': ['/chatapp/send', '/api/v1/chatapp/quote', '/chatapp'] },
      },
      {
        slug: 'media',
        title: 'Media',
        description: 'Upload files for messages, and download those that arrived.',
        paths: { 'chatapp-api': ['/chatapp/media'] },
      },
      {
        slug: 'templates',
        title: 'Templates',
        description: 'Templates for messages outside of the conversation window, and their review by the provider.',
        paths: {
          'chatapp-api': ['/chatapp/templates'],
          'account-api': ['/api/organization/chatapp/templates'],
        },
      },
      {
        slug: 'consents',
        title: 'Consents and windows',
        description: 'Opt-ins and opt-outs of phone numbers, and the window for free-form messages.',
        paths: {
          'chatapp-api': ['/chatapp/consents'],
          'account-api': ['/api/organization/chatapp/consents', '/api/workspaces/{id}/chatapp/window'],
        },
      },
      {
        slug: 'account',
        title: 'Account and allowances',
        description: 'Whether sending is enabled, the credit balance, and the free messages of the month.',
        paths: {
          'chatapp-api': ['/chatapp/account', '/chatapp/balance'],
          'account-api': ['/api/workspaces/{id}/chatapp/allowances'],
        },
      },
    ],
  },
  {
    slug: 'bots',
    title: 'Bots',
    description: 'Build bots from FAQs, articles and forms, put them on a website, and answer visitors.',
    pages: [
      {
        slug: 'bots',
        title: 'Bots',
        description: 'Create, publish, pause and preview bots.',
        paths: { 'account-api': ['/api/workspaces/{id}/bots'] },
      },
      {
        slug: 'faqs',
        title: 'FAQs',
        description: 'Questions and answers of a bot, one by one or up to 1,000 with one call.',
        paths: { 'account-api': [`${BOT}/faqs`] },
      },
      {
        slug: 'knowledge',
        title: 'Knowledge articles',
        description: 'Longer texts in which a bot finds its replies.',
        paths: { 'account-api': [`${BOT}/knowledge`] },
      },
      {
        slug: 'shortcuts',
        title: 'Shortcuts',
        description: 'Commands and buttons that a bot offers.',
        paths: { 'account-api': [`${BOT}/shortcuts`] },
      },
      {
        slug: 'forms',
        title: 'Forms',
        description: 'Forms that a bot shows in a conversation.',
        paths: { 'account-api': [`${BOT}/forms`] },
      },
      {
        slug: 'widget',
        title: 'Widget and hosted pages',
        description: 'The script and the pages that show a bot to visitors.',
        paths: { 'bot-runtime': ['/bots', '/c'] },
      },
      {
        slug: 'conversations',
        title: 'Conversations of visitors',
        description: 'The calls of a chat client of your own: start a conversation, send messages, stream replies.',
        paths: { 'bot-runtime': ['/api/v1/chat/conversations'] },
      },
      {
        slug: 'inbox',
        title: 'Inbox',
        description: 'Conversations with visitors, replies of agents, and the contacts of visitors.',
        paths: { 'account-api': ['/api/workspaces/{id}/conversations', '/api/workspaces/{id}/contacts'] },
      },
      {
        slug: 'submissions',
        title: 'Form submissions',
        description: 'What visitors submitted, as JSON or CSV.',
        paths: { 'account-api': ['/api/workspaces/{id}/submissions'] },
      },
    ],
  },
];
