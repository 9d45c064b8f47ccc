import type { OpenAPIObject } from '@nestjs/swagger';
import { METHODS } from '../operations-of';
import { FIELD_WORDS } from './field-words';
import { OBJECT_WORDS } from './object-words';
import { PARAMETER_WORDS } from './parameter-words';

type JsonObject = Record<string, unknown>;

const SCHEMAS = '#/components/schemas/';
/** Parts of the names of schemas that say nothing about the object. */
const AFFIXES =
  /^(?:V1|One|New|Sent|Open|Stored|Create|Change|Add|Added|Set|Operator|Record(?=Chatapp))+|(?:Record|Answer|Response|Request|Entry|Details|Summary|Changes|Body)$/g;
/** The objects of schemas whose names say something else. */
const NOUNS: Readonly<Record<string, string>> = {
  Key: 'API key',
  Sms: 'message',
  SmsMessage: 'message',
  Email: 'email',
  Entry: 'ledger entry',
  EntryRecord: 'ledger entry',
  Send: 'message',
  Status: 'message',
  Log: 'message',
  Transaction: 'ledger entry',
  Chatapp: 'chat app',
  AuditRecord: 'change',
  Audit: 'change',
  BulkResult: 'message',
  Identity: 'API key',
  AgentReply: 'message',
  Reply: 'message',
  ConversationMessage: 'message',
  SendMessage: 'message',
  MessageExcerpt: 'message',
  Attempt: 'attempt',
  Bulk: 'bulk send',
  DeliveryReport: 'email',
  EmailEvent: 'event',
  ReportEvent: 'event',
  TimelineEvent: 'event',
  GroupName: 'group',
  NamedBot: 'bot',
  WidgetConfig: 'bot',
  BotVersion: 'version',
  StartedConversation: 'conversation',
  SmsCampaign: 'campaign',
  EmailCampaign: 'campaign',
  TemplateCreated: 'template',
  TemplateDeleted: 'template',
  MediaLookup: 'media file',
  SessionWorkspace: 'workspace',
  ContactImport: 'import',
  ImportedFaq: 'FAQ',
  ReceivedInvitation: 'invitation',
  ChatappAllowance: 'allowance',
  ChatappAllowanceUsage: 'allowance',
  ChatappPrice: 'price',
  EmailDns: 'DNS record',
  ChatappTemplate: 'template',
  ChatappConsent: 'consent',
};

/**
 * Describes the fields and parameters of a document that have no description, by the vocabulary of all APIs, and states the zone of every
 * timestamp. What the vocabulary does not know stays without a description, which the check of the documents reports.
 */
export function describeFields(document: OpenAPIObject): void {
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) describeSchema(schema, name);
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      for (const parameter of operation.parameters ?? [])
        if (!('$ref' in parameter)) describeParameter(parameter, path);
      describeSchema(operation.requestBody ?? {}, '');
      describeSchema(operation.responses, '');
    }
  }
}

function describeParameter(
  parameter: { name: string; in: string; description?: string; schema?: object },
  path: string,
): void {
  const { name, schema } = parameter;
  const isTime = (schema as JsonObject | undefined)?.['format'] === 'date-time';
  const own = parameter.description ?? ((schema as JsonObject | undefined)?.['description'] as string | undefined);
  const text = own ?? (parameter.in === 'path' ? pathWords(name, path) : parameterWords(name));
  if (text !== undefined) parameter.description = isTime ? withZone(text, REQUEST_ZONE) : text;
  describeSchema(schema ?? {}, '');
}

function parameterWords(name: string): string | undefined {
  return PARAMETER_WORDS[name] ?? PARAMETER_WORDS[camelCase(name)];
}

/** An id in a path belongs to the segment before it: `/workspaces/{id}` has the id of a workspace. */
function pathWords(name: string, path: string): string | undefined {
  const isId = /^(?:id|cid|\w+Id)$/.test(name);
  const [, segment = ''] = new RegExp(`([\\w-]+)/\\{${name}\\}`).exec(path) ?? [];
  if (!isId || segment === '') return parameterWords(name);
  const singular = segment.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ');
  const noun = NAMED_SEGMENTS[segment] ?? singular;
  return `Id of the ${noun}`;
}

const NAMED_SEGMENTS: Readonly<Record<string, string>> = {
  'api-keys': 'API key',
  keys: 'API key',
  import: 'import',
  logs: 'delivery',
  faqs: 'FAQ',
  knowledge: 'article',
  delivery: 'message',
  embed: 'bot',
  c: 'bot',
  media: 'media file',
  members: 'user',
};

/** Describes the fields of a schema and of those inside it. */
function describeSchema(part: unknown, schemaName: string): void {
  if (Array.isArray(part)) return part.forEach((inner) => describeSchema(inner, schemaName));
  if (!isObject(part)) return;
  if (isObject(part['properties'])) {
    for (const [field, schema] of Object.entries(part['properties'])) {
      // The reference in the envelope of a response, which has no name, describes itself.
      const isEnvelope = schemaName === '' && isObject(schema) && '$ref' in schema;
      if (isObject(schema) && !isEnvelope) describeField(schema, field, schemaName);
    }
  }
  for (const [keyword, inner] of Object.entries(part)) if (keyword !== 'example') describeSchema(inner, schemaName);
}

function describeField(schema: JsonObject, field: string, schemaName: string): void {
  const known = schema['description'];
  const words = typeof known === 'string' && known !== '' ? known : wordsOf(schema, field, schemaName);
  if (words === undefined) return;
  const text = isTimestamp(schema, field) ? withZone(words, zoneOf(schema, schemaName)) : words;
  // Keywords beside a reference are ignored in OpenAPI 3.0.
  if (typeof schema['$ref'] === 'string') {
    schema['allOf'] = [{ $ref: schema['$ref'] }];
    Reflect.deleteProperty(schema, '$ref');
  }
  schema['description'] = text;
}

function wordsOf(schema: JsonObject, field: string, schemaName: string): string | undefined {
  const object = schemaName.replace(/^V1/, '');
  const name = camelCase(field);
  const words = OBJECT_WORDS[`${object}.${name}`] ?? FIELD_WORDS[name];
  const target = targetOf(schema);
  // The parts of a response, such as `{ bot: BotRecord }` and `{ bots: BotRecord[] }`.
  const isPart = target !== undefined && /^One|(?:Page|List)$/.test(schemaName);
  if (isPart && OBJECT_WORDS[`${object}.${name}`] === undefined) {
    return schemaName.endsWith('Page') ? `The ${spaced(field)} of this page` : `The ${spaced(field)}`;
  }
  const fitting = isNullable(schema) ? words : words?.replace(/; `null` .*$/, '');
  return (
    fitting?.replaceAll('{noun}', nounOf(schemaName)) ?? (target === undefined ? undefined : `The ${spaced(field)}`)
  );
}

/** The vocabulary says what null means; fields that are never null do not need it. */
function isNullable(schema: JsonObject): boolean {
  return schema['nullable'] === true || Array.isArray(schema['anyOf']);
}

/** The name of the schema that a field or its entries refer to. */
function targetOf(schema: JsonObject): string | undefined {
  const [only] = [schema['allOf'], schema['anyOf']].flatMap((parts) =>
    Array.isArray(parts) ? (parts as unknown[]) : [],
  );
  for (const one of [schema, schema['items'], only]) {
    const reference = isObject(one) ? one['$ref'] : undefined;
    if (typeof reference === 'string') return reference.slice(SCHEMAS.length);
  }
  return undefined;
}

function nounOf(schemaName: string): string {
  const name = schemaName.replace(AFFIXES, '');
  return NOUNS[schemaName] ?? NOUNS[name] ?? (name === '' ? 'object' : spaced(name));
}

/** `emailTemplate` as `email template`. */
function spaced(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/\b(?:sms|api|faq|dlt|dns|ip|id)(s?)\b/g, (word, plural: string) =>
      plural ? `${word.slice(0, -1).toUpperCase()}s` : word.toUpperCase(),
    )
    .replace(/\bchatapp\b/g, 'chat-app');
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const REQUEST_ZONE = 'RFC 3339 with `Z` or an offset';
const RESPONSE_ZONE = 'RFC 3339 in UTC';
const PLAIN_ZONE = 'In UTC, without a zone, such as `2026-11-20T10:12:28.123456`';

function isTimestamp(schema: JsonObject, field: string): boolean {
  if (schema['format'] === 'date-time') return true;
  return schema['type'] === 'string' && schema['format'] === undefined && /(?:[a-z]At|_at)$/.test(field);
}

function zoneOf(schema: JsonObject, schemaName: string): string {
  if (schema['format'] !== 'date-time') return PLAIN_ZONE;
  return /(?:Request|Changes|Filter)$/.test(schemaName) ? REQUEST_ZONE : RESPONSE_ZONE;
}

/** The descriptions of some timestamps say it already. */
function withZone(text: string, zone: string): string {
  if (/\bUTC\b|RFC 3339|time zone/.test(text)) return text;
  return `${text.replace(/\.$/, '')}. ${zone}`;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}
