import {
  ApiView,
  bodyOf,
  plainParametersOf,
  responseOf,
  sdkCallOf,
  shapeOf,
  withoutEnvelope,
  type Operation,
  type OperationView,
  type SchemaOrReference,
  type SdkCall,
} from '@heliograph/api-reference';
import { CUSTOMER_SERVICES, type CustomerService, type ServiceDocuments } from './documents';
import { eventSchemas, type EventSchemas } from './event-schemas';

export type Schemas = Record<string, SchemaOrReference>;

/** A call with the names of the schemas that describe its input and result. */
export interface ModelledCall extends SdkCall {
  summary: string;
  description?: string;
  /** The schema of the input, if the call takes any. */
  input?: string;
  /** The type of the result: a schema, or that of the entries of a list. */
  output?: SchemaOrReference;
  /** The schema of a whole page. */
  page?: string;
  operation: Operation;
  view: OperationView;
  api: ApiView;
}

/** All calls of the SDKs, by name, and the schemas that they use. */
export interface SdkModel {
  calls: ModelledCall[];
  schemas: Schemas;
  events: EventSchemas;
  /** The codes of all errors. */
  errorCodes: string[];
}

/** The prefix of the schemas of a service, because services have different schemas with the same name. */
const PREFIXES: Readonly<Record<CustomerService, string>> = {
  'sms-api': 'Sms',
  'email-api': 'Email',
  'chatapp-api': 'Chatapp',
  'bot-runtime': 'Chat',
  'account-api': '',
};
const REFERENCE = '#/components/schemas/';

/** Reads the calls from the documents. Throws if two operations have the same name. */
export function modelOf(documents: ServiceDocuments): SdkModel {
  const calls = new Map<string, ModelledCall>();
  const known: Schemas = {};
  const errorCodes = new Set<string>();
  for (const service of CUSTOMER_SERVICES) {
    const document = documents[service];
    const names = schemaNames(Object.keys(document.components?.schemas ?? {}), PREFIXES[service], known);
    const renamed = JSON.parse(
      JSON.stringify(document).replace(
        /"#\/components\/schemas\/([^"]+)"/g,
        (_, name: string) => `"${REFERENCE}${names.get(name) ?? name}"`,
      ),
    ) as typeof document;
    const schemas = Object.entries(renamed.components?.schemas ?? {}).map(
      ([name, schema]) => [names.get(name) ?? name, schema] as const,
    );
    const api = new ApiView({
      ...renamed,
      components: { ...renamed.components, schemas: Object.fromEntries(schemas) },
    });
    for (const [name, schema] of schemas) {
      if (name in known) throw new Error(`Two services have a schema ${name}. Rename one.`);
      known[name] = schema;
    }
    for (const view of api.operations) {
      addErrorCodes(view.operation, errorCodes);
      const call = sdkCallOf(api, view);
      if (!call) continue;
      const other = calls.get(call.name);
      // Every messaging API serves /api/me.
      if (other?.path === call.path && other.method === call.method) continue;
      if (other)
        throw new Error(`${call.method} ${call.path} and ${other.method} ${other.path} are both ${call.name}.`);
      calls.set(call.name, modelled(api, view, call, known));
    }
  }
  const sorted = [...calls.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  refuseAmbiguousNames(sorted);
  const events = eventSchemas();
  const used = usedSchemas(sorted, { ...known, ...events.schemas }, Object.keys(events.schemas));
  return { calls: sorted, schemas: used, events, errorCodes: [...errorCodes].sort() };
}

/**
 * The names of the schemas of a service: without the version, with the prefix of the service. Of `V1Template` and
 * `Template`, the latter is `UnversionedTemplate`. A schema of account-api whose name is taken gets the prefix `Account`.
 */
function schemaNames(names: string[], prefix: string, known: Schemas): Map<string, string> {
  return new Map(
    names.map((name) => {
      const plain = name.replace(/^V1/, '');
      const isOther = plain === name && names.includes(`V1${name}`);
      const prefixed = plain.includes(prefix) ? plain : `${prefix}${plain}`;
      const chosen = isOther ? `Unversioned${prefixed}` : prefixed;
      return [name, chosen in known && prefix === '' ? `Account${chosen}` : chosen];
    }),
  );
}

function addErrorCodes({ responses }: Operation, codes: Set<string>): void {
  for (const [status, response] of Object.entries(responses)) {
    if (status < '400' || !response || !('description' in response)) continue;
    for (const code of (response.description ?? '').match(/\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b/g) ?? []) codes.add(code);
  }
}

function modelled(api: ApiView, view: OperationView, call: SdkCall, schemas: Schemas): ModelledCall {
  const { summary = call.name, description } = view.operation;
  const input = inputOf(call, view, schemas);
  const json = responseOf(view.operation);
  const common = {
    ...call,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(input === undefined ? {} : { input }),
    operation: view.operation,
    view,
    api,
  };
  if (!json || call.result !== 'json') return common;
  const data = withoutEnvelope(api, json).schema;
  if (call.paging) {
    const { items } = shapeOf(api, fieldOf(api, data, call.paging.items));
    if (items) return { ...common, output: items, page: nameOf(data) };
  }
  const inner = call.envelope.slice(1).reduce<SchemaOrReference>((schema, name) => fieldOf(api, schema, name), data);
  return { ...common, output: inner };
}

function fieldOf(api: ApiView, schema: SchemaOrReference, name: string): SchemaOrReference {
  const field = shapeOf(api, schema).properties.find(([one]) => one === name)?.[1];
  if (!field) throw new Error(`A response has no field ${name}.`);
  // A reference with a description.
  const [only, ...others] = 'allOf' in field ? (field.allOf ?? []) : [];
  return only && others.length === 0 ? only : field;
}

export function nameOf(schema: SchemaOrReference): string {
  return '$ref' in schema ? schema.$ref.slice(REFERENCE.length) : '';
}

/** Adds the schema of the input of a call, and returns its name. */
function inputOf(call: SdkCall, { operation }: OperationView, schemas: Schemas): string | undefined {
  const body = bodyOf(operation);
  const parameters = plainParametersOf(operation).filter((one) => one.in === 'query' && call.query.includes(one.name));
  if (parameters.length === 0) {
    if (!body) return undefined;
    if ('$ref' in body.schema) return nameOf(body.schema);
  }
  const name = call.name.split('.').map(capitalized).join('') + (body ? 'Input' : 'Query');
  const query = {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name: field, schema = {}, description }) => [
        field,
        description === undefined || '$ref' in schema ? schema : { ...schema, description },
      ]),
    ),
    required: parameters.filter(({ required }) => required).map((parameter) => parameter.name),
  };
  const withQuery = body && parameters.length > 0 ? { allOf: [body.schema, query] } : body?.schema;
  schemas[name] = withQuery ?? query;
  return name;
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `analytics.sms` cannot be a call and a group of calls. */
function refuseAmbiguousNames(calls: ModelledCall[]): void {
  const names = new Set(calls.map(({ name }) => name));
  for (const { name, method, path } of calls) {
    const parts = name.split('.');
    const group = parts.map((_, at) => parts.slice(0, at).join('.')).find((prefix) => names.has(prefix));
    if (group !== undefined) {
      throw new Error(`${method} ${path} is ${name}, but ${group} is a call. Name one of them in call-name.ts.`);
    }
  }
}

/** The schemas that inputs, results and events refer to, sorted by name. */
function usedSchemas(calls: ModelledCall[], known: Schemas, events: string[]): Schemas {
  const used = new Set<string>(events);
  const follow = (part: unknown): void => {
    for (const [, name = ''] of (JSON.stringify(part) ?? '').matchAll(/"#\/components\/schemas\/([^"]+)"/g)) use(name);
  };
  const use = (name: string): void => {
    if (used.has(name)) return;
    used.add(name);
    follow(known[name]);
  };
  for (const { input, output, page } of calls) {
    if (input !== undefined) use(input);
    if (page !== undefined) use(page);
    follow(output);
  }
  for (const name of events) follow(known[name]);
  return Object.fromEntries([...used].sort().map((name) => [name, known[name] ?? {}]));
}
