import type { DemoCall } from './demo-call';
import type { DemoChat } from './demo-chat';
import type { DemoEmail } from './demo-email';
import type { DemoWebhook } from './demo-webhook';

/** Shell commands with titles: every call style, and the status of a message. */
export function demoCommands(
  baseUrl: string,
  { key, variables, ...fields }: DemoCall,
): [title: string, line: string][] {
  const curl = (url: string, ...args: string[]): string => curlWith(key, url, ...args);
  const flat = [...Object.entries(fields), ...Object.entries(variables).map(([name, value]) => [`var.${name}`, value])]
    .filter(([name]) => name !== 'organization')
    .map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`);
  const { from, to, template } = fields;
  const json = curl(`${baseUrl}/sms/send`, ...jsonBody({ from, to, template, variables }));
  const xml =
    `<SmsRequest>${element('from', from)}${element('to', to)}${element('template', template)}` +
    `<variables>${Object.entries(variables)
      .map(([name, value]) => element(name, value))
      .join('')}</variables></SmsRequest>`;
  const idOf = `sed 's/.*"messageId":"\\([^"]*\\)".*/\\1/'`;
  return [
    ['Send an SMS: JSON', json],
    ['The same: query string', curl(`${baseUrl}/sms/send`, '-G', ...flat)],
    ['The same: form', curl(`${baseUrl}/sms/send`, ...flat)],
    ['The same: SOAP/XML', curl(`${baseUrl}/sms/soap`, '-H', quote('Content-Type: application/xml'), '-d', quote(xml))],
    [
      'Send a message and get its status',
      `id=$(${json} | ${idOf}); sleep 1; ${curl(`${baseUrl}/sms/status`, '-G', '-d', '"id=$id"')}`,
    ],
  ];
}

/** The commands for email; the emails appear in the inbox. */
export function demoEmailCommands(
  baseUrl: string,
  inboxUrl: string,
  { key, from, to, template }: DemoEmail,
): [title: string, line: string][] {
  const html = `<h1>It works</h1><p>This email was received by <a href="${inboxUrl}">the mailbox</a>.</p>`;
  const send = (content: object): string =>
    curlWith(key, `${baseUrl}/email/send`, ...jsonBody({ from, to, ...content }));
  const inline = send({ subject: 'Hello from Heliograph', html });
  return [
    [`Send an email, and read it at ${inboxUrl}`, inline],
    ...(template
      ? ([['The same from a template', send({ template: template.slug, variables: template.variables })]] satisfies [
          string,
          string,
        ][])
      : []),
    [
      'The same through the v1 API, which does not wait for the mail server',
      curlWith(
        key,
        `${baseUrl}/api/v1/email/send`,
        ...jsonBody({ from, to, subject: 'Hello from Heliograph', html, tags: ['demo'] }),
      ),
    ],
    [
      'Send a campaign to all contacts',
      curlWith(
        key,
        `${baseUrl}/api/v1/email/campaigns`,
        ...jsonBody({
          name: 'Demo',
          from,
          subject: 'News for {{ first_name | default: "you" }}',
          text: 'Hello {{ first_name }}',
          audience: { filter: {} },
        }),
      ),
    ],
  ];
}

/** The commands for chat-app. An inbound message comes first: it opens the window for free-form text. */
export function demoChatCommands(
  baseUrl: string,
  controlUrl: string,
  { key, to }: DemoChat,
): [title: string, line: string][] {
  const inbound = { from: to, message: { type: 'text', text: { body: 'Hello?' } } };
  const write = ['curl -sS -f -o /dev/null', quote(`${controlUrl}/platform/inbound`), ...jsonBody(inbound)].join(' ');
  const send = curlWith(
    key,
    `${baseUrl}/chatapp/send`,
    ...jsonBody({ to, type: 'text', text: 'Hello from Heliograph' }),
  );
  return [['Receive a chat message and answer it', `${write} && ${send}`]];
}

/** Lists the events that the other commands caused. */
export function demoWebhookCommands({ inboxUrl }: DemoWebhook): [title: string, line: string][] {
  return [['List the events that the webhook of the demo received', `curl -sS ${quote(inboxUrl)}`]];
}

function curlWith(key: string, url: string, ...args: string[]): string {
  return ['curl -sS', quote(url), '-H', quote(`Authorization: Bearer ${key}`), ...args].join(' ');
}

function jsonBody(body: object): string[] {
  return ['-H', quote('Content-Type: application/json'), '-d', quote(JSON.stringify(body))];
}

function element(name: string, text: string): string {
  const escaped = text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<${name}>${escaped}</${name}>`;
}

/** Quotes a text as one word of a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
