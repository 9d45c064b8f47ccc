import type { HttpResponse } from '@heliograph/testing';
import type { BotFixture, Message } from './bot-fixture';
import type { MadeBot } from './make-bot';

export const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export const HOURS = 'What are your opening hours?';
export const NINE_TO_FIVE = '9 to 5, Monday to Friday';

export const refusal = ({ status, body }: HttpResponse) => [status, body['ok'], body['code']];
export const messageOf = ({ body }: HttpResponse, name: string) => body[name] as Message;

/** Creates a bot with an FAQ, an article, a shortcut and a form. */
export function acmeBot(bots: BotFixture): Promise<MadeBot> {
  return bots.bot({
    name: 'Acme Help',
    slug: 'acme-help',
    settings: { welcomeMessage: 'Welcome to Acme', handoff: { enabled: true } },
    version: { number: 3 },
    faqs: [{ id: 'hours', question: HOURS, answer: NINE_TO_FIVE, label: 'Opening hours' }],
    knowledge: [{ title: 'Returns', body: 'Goods can be returned within 30 days.' }],
    shortcuts: [{ id: 'returns', label: 'Returns', command: '/returns', description: 'Our policy', query: 'returns' }],
    forms: [
      {
        id: 'lead',
        title: 'Leave your details',
        keywords: ['demo'],
        fields: [
          { key: 'email', label: 'Email', type: 'email', required: true },
          { key: 'size', label: 'Size', type: 'select', options: ['S', 'L'] },
        ],
      },
    ],
  });
}
