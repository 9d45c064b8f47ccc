import type { DemoBot } from './demo-bot';
import type { DemoCall } from './demo-call';
import type { DemoChat } from './demo-chat';
import { demoChatCommands, demoCommands, demoEmailCommands, demoWebhookCommands } from './demo-commands';
import type { DemoEmail } from './demo-email';
import type { DemoLogin } from './demo-login';
import type { DemoWebhook } from './demo-webhook';

export interface BannerFacts {
  gatewayUrl: string;
  controlUrl: string;
  services: ReadonlyMap<string, number>;
  /** The location of the database. */
  database: string;
  logs: string;
  demo: DemoCall | null;
  /** A user who can sign in to the console. */
  demoLogin: DemoLogin | null;
  demoEmail: DemoEmail | null;
  demoChat: DemoChat | null;
  demoBot: DemoBot | null;
  /** The URL of the demo site with the bot. */
  demoPageUrl: string | null;
  demoWebhook: DemoWebhook | null;
  operatorToken: string;
  /** Whether all upstreams are simulators. */
  staysHere: boolean;
  startedInMs: number;
}

/** The URLs of all parts, and commands to try first. */
export function banner({
  gatewayUrl,
  controlUrl,
  services,
  database,
  logs,
  demo,
  demoLogin,
  demoEmail,
  demoChat,
  demoBot,
  demoPageUrl,
  demoWebhook,
  operatorToken,
  staysHere,
  startedInMs,
}: BannerFacts): string {
  const inboxUrl = `${controlUrl}/mailbox`;
  const places: [string, string][] = [
    ['Gateway', gatewayUrl],
    ['Console', `${gatewayUrl}/console${demoLogin ? `   ${demoLogin.email}, password: ${demoLogin.password}` : ''}`],
    ['API reference', `${gatewayUrl}/docs`],
    ...[...services].map(([name, port]): [string, string] => [
      name,
      `http://localhost:${port}   API reference: http://localhost:${port}/docs`,
    ]),
    ['Simulators', `${controlUrl}   sent messages: ${controlUrl}/carrier/messages, ${controlUrl}/platform/messages`],
    ['Inbox', `${inboxUrl}   every sent email`],
    ...(demoWebhook ? [['Webhooks', `${demoWebhook.inboxUrl}   every delivered event`] as [string, string]] : []),
    ...(demoBot && demoPageUrl
      ? ([
          ['Demo page', `${demoPageUrl}   a site that embeds the bot "${demoBot.name}"`],
          ['Hosted chat', `${gatewayUrl}/c/${encodeURIComponent(demoBot.publicId)}   the same bot as a hosted page`],
        ] as [string, string][])
      : []),
    ['Database', database],
    ['Logs', logs],
    ['Operator', `${operatorToken}   (Bearer token of ${gatewayUrl}/api/platform)`],
    ...(demo ? [['API key', `${demo.key}   (organization ${demo.organization})`] as [string, string]] : []),
  ];
  const width = Math.max(...places.map(([name]) => name.length)) + 2;
  const commands = [
    ...(demo ? demoCommands(gatewayUrl, demo) : []),
    ...(demoEmail ? demoEmailCommands(gatewayUrl, inboxUrl, demoEmail) : []),
    ...(demoChat ? demoChatCommands(gatewayUrl, controlUrl, demoChat) : []),
    ...(demoWebhook ? demoWebhookCommands(demoWebhook) : []),
  ];
  return [
    '',
    `Heliograph is ready (${(startedInMs / 1000).toFixed(1)} s).${staysHere ? ' No data leaves this machine.' : ''} Press Ctrl-C to stop.`,
    '',
    ...places.map(([name, place]) => `  ${name.padEnd(width)}${place}`),
    ...commands.flatMap(([title, line]) => ['', `  # ${title}`, `  ${line}`]),
    '',
  ].join('\n');
}
