import {
  isReference,
  type ApiView,
  type Operation,
  type OperationView,
  type Parameter,
  type SchemaOrReference,
} from '../api-view';
import { shapeOf } from '../schema-shape';
import { callName, camelCase } from './call-name';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data';
const WORKSPACE_PATH = '/api/workspaces/{id}/';
const WORKSPACE_FIELD = 'workspace_id';
/** Pages and scripts for browsers, other styles of a call, and documents. */
const EXCLUDED_TAGS = ['Widget', 'SOAP', 'v1: reference', 'Platform operator', 'Platform'];
const EXCLUDED_CALLS = ['GET /sms/send', 'GET /chatapp/send'];

/** How a list is read page by page. */
export interface Paging {
  /** The field of the response with the entries. */
  items: string;
  /** The query parameter that takes the cursor. */
  cursorParameter: string;
  /** The field of the response with the cursor of the next page. */
  cursorField: string;
  /** The field that says whether more entries are stored, if the cursor is on every page. */
  hasMoreField?: string;
}

/** A call of the SDKs: what a client needs to know of an operation. */
export interface SdkCall {
  /** Such as `sms.campaigns.start`. */
  name: string;
  method: string;
  path: string;
  /** Parameters that callers give by position: those of the path, and an `id` of the query. */
  positions: string[];
  /** `path`: the client's workspace is part of the path; `query`, `body`: a field that the client completes. */
  workspace?: 'path' | 'query' | 'body';
  /** Fields of the input that are sent in the query string. */
  query: string[];
  /** How the other fields of the input are sent. */
  body?: 'json' | 'form';
  /** Whether a call without input is possible. */
  isInputOptional: boolean;
  /** Whether repeated calls with the same Idempotency-Key have one effect. */
  isIdempotent: boolean;
  auth: 'key' | 'session' | 'conversation' | 'none';
  result: 'none' | 'json' | 'file' | 'events';
  /** Fields of the response around the result, from outside to inside: `data`, `bot`. */
  envelope: string[];
  paging?: Paging;
}

/** The call of an operation, or null if the SDKs do not have it. */
export function sdkCallOf(api: ApiView, { method, path, operation }: OperationView): SdkCall | null {
  if (operation.tags?.some((tag) => EXCLUDED_TAGS.includes(tag))) return null;
  if (EXCLUDED_CALLS.includes(`${method} ${path}`)) return null;
  const auth = authOf(operation);
  if (auth === null) return null;
  const parameters = plainParametersOf(operation);
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const isInWorkspace = path.startsWith(WORKSPACE_PATH);
  const queryId = parameters.find((one) => one.in === 'query' && one.name === 'id' && one.required);
  const order = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const positions = order.filter((name) => inPath.includes(name) && !(isInWorkspace && name === 'id'));
  if (queryId) positions.push('id');
  const query = parameters.filter((one) => one.in === 'query' && one !== queryId);
  const body = bodyOf(operation);
  const fields = body ? shapeOf(api, body.schema) : undefined;
  const { result, envelope, paging } = resultOf(api, operation, parameters);
  const hasWorkspaceField = fields?.properties.some(([name]) => name === WORKSPACE_FIELD);
  const hasWorkspaceQuery = query.some(({ name }) => name === WORKSPACE_FIELD);
  const workspace = isInWorkspace ? 'path' : hasWorkspaceField ? 'body' : hasWorkspaceQuery ? 'query' : undefined;
  const isList = paging !== undefined || (method === 'GET' && isPlainList(api, operation));
  return {
    name: callName(method, path, isList),
    method,
    path,
    positions,
    ...(workspace ? { workspace } : {}),
    query: query.map(({ name }) => name),
    ...(body ? { body: body.kind } : {}),
    isInputOptional: query.every(({ required }) => !required) && (!fields || fields.required.length === 0),
    isIdempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
    auth,
    result,
    envelope,
    ...(paging ? { paging } : {}),
  };
}

/** Parameters, without those that frameworks declare twice. */
export function plainParametersOf({ parameters = [] }: Operation): Parameter[] {
  return parameters.flatMap((parameter) => (isReference(parameter) ? [] : [parameter]));
}

/** The name of a positional parameter in a program. */
export function positionName(call: SdkCall, position: string): string {
  if (position !== 'id') return camelCase(position);
  const segments = call.path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const resource = segments.at(-1) === 'workspaces' ? 'workspaceId' : 'id';
  return resource;
}

/** The body with the most types: a form with a file, or JSON. */
export function bodyOf({ requestBody }: Operation): { kind: 'json' | 'form'; schema: SchemaOrReference } | undefined {
  if (!requestBody || isReference(requestBody)) return undefined;
  const form = requestBody.content[FORM_TYPE]?.schema;
  if (form) return { kind: 'form', schema: form };
  const json = requestBody.content[JSON_TYPE]?.schema;
  return json ? { kind: 'json', schema: json } : undefined;
}

function authOf({ security = [] }: Operation): SdkCall['auth'] | null {
  const names = security.flatMap((one) => Object.keys(one));
  if (names.includes('bearer')) return 'key';
  if (names.includes('conversationToken')) return 'conversation';
  if (names.includes('session')) return 'session';
  return names.length === 0 ? 'none' : null;
}

/** The schema of the successful JSON response. */
export function responseOf({ responses }: Operation): SchemaOrReference | undefined {
  for (const [status, response] of Object.entries(responses)) {
    if (status >= '300' || !response || isReference(response)) continue;
    const schema = response.content?.[JSON_TYPE]?.schema;
    if (schema) return schema;
  }
  return undefined;
}

function resultOf(
  api: ApiView,
  operation: Operation,
  parameters: Parameter[],
): Pick<SdkCall, 'result' | 'envelope' | 'paging'> {
  const json = responseOf(operation);
  if (!json) {
    const types = Object.entries(operation.responses)
      .filter(([status]) => status < '300')
      .flatMap(([, response]) => (response && !isReference(response) ? Object.keys(response.content ?? {}) : []));
    if (types.includes('text/event-stream')) return { result: 'events', envelope: [] };
    return { result: types.length > 0 ? 'file' : 'none', envelope: [] };
  }
  const { envelope, schema } = withoutEnvelope(api, json);
  const paging = pagingOf(api, schema, parameters);
  if (paging) return { result: 'json', envelope, paging };
  const [only, ...others] = envelope.length > 0 ? shapeOf(api, schema).properties : [];
  // `{ok, data: {bot}}`: the result is the bot.
  const isRecord = only !== undefined && others.length === 0 && shapeOf(api, only[1]).properties.length > 0;
  return { result: 'json', envelope: isRecord ? [...envelope, only[0]] : envelope };
}

/** The content of `{ok, data}` of the account API. */
export function withoutEnvelope(
  api: ApiView,
  schema: SchemaOrReference,
): { envelope: string[]; schema: SchemaOrReference } {
  const { properties } = shapeOf(api, schema);
  const data = properties.find(([name]) => name === 'data');
  const isEnvelope = properties.length === 2 && properties.some(([name]) => name === 'ok') && data;
  return isEnvelope ? { envelope: ['data'], schema: data[1] } : { envelope: [], schema };
}

function pagingOf(api: ApiView, schema: SchemaOrReference, parameters: Parameter[]): Paging | undefined {
  const { properties } = shapeOf(api, schema);
  const items = properties.find(([, field]) => shapeOf(api, field).items !== undefined)?.[0];
  const cursorField = properties.find(([name]) => /^next_?cursor$/i.test(name))?.[0];
  const names = parameters.map(({ name }) => name);
  const cursorParameter = names.includes('cursor') ? 'cursor' : 'after';
  if (items === undefined || cursorField === undefined || !names.includes(cursorParameter)) return undefined;
  const hasMore = properties.some(([name]) => name === 'has_more') ? { hasMoreField: 'has_more' } : {};
  return { items, cursorParameter, cursorField, ...hasMore };
}

/** A response whose only field is an array: a list of a few entries. */
function isPlainList(api: ApiView, operation: Operation): boolean {
  const json = responseOf(operation);
  if (!json) return false;
  const { properties } = shapeOf(api, withoutEnvelope(api, json).schema);
  return properties.length === 1 && properties.every(([, field]) => shapeOf(api, field).items !== undefined);
}
