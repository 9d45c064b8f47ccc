import { isReference, type ApiView, type OperationView, type SchemaOrReference } from '../api-view';
import { hintsOf, lastSegment, literalOf } from '../curl-sample';
import { exampleOf } from '../example-of';
import type { SampleValue } from '../sample-hints';
import { shapeOf } from '../schema-shape';
import { camelCase } from './call-name';
import { bodyOf, plainParametersOf, responseOf, sdkCallOf, withoutEnvelope, type SdkCall } from './sdk-call';

/** A value of a sample that is not a literal. */
export class Reference {
  /** @param path fields of the variable; numbers are positions in a list */
  constructor(
    readonly variable: string,
    readonly path: readonly (string | number)[],
  ) {}
}

/** A value that the reader sets as an environment variable. */
export class Given {
  constructor(
    readonly name: string,
    readonly note: string,
  ) {}
}

/** A small text file that is uploaded. */
export class SampleFile {
  constructor(
    readonly name: string,
    readonly content: string,
    readonly type: string,
  ) {}
}

export interface Entry {
  /** The field that lists the entries. Null: the call resolves with a page. */
  items: string | null;
  /** The entry whose field has a value. Null: the first one. */
  match: readonly [field: string, value: string] | null;
}

export interface Step {
  call: SdkCall;
  positions: unknown[];
  input: Record<string, unknown> | null;
  /** The variable for the result, if a later step uses it. */
  variable: string | null;
  /** The entry of a list that the variable holds. Null: the whole result. */
  entry: Entry | null;
}

/** What a sample does, in any language. */
export interface SamplePlan {
  steps: Step[];
  /** The call that the sample explains. Null: a download by a URL. */
  last: Step | null;
  /** The URL of a download. */
  url: unknown;
  given: Given[];
  /** Remarks that precede the call. */
  notes: string[];
  auth: SdkCall['auth'];
}

/** The steps of the sample of an operation, or null if the SDKs do not have it. */
export function samplePlan(api: ApiView, view: OperationView): SamplePlan | null {
  const call = sdkCallOf(api, view);
  return call ? new Planner(api, view, call).plan() : null;
}

const CREATED_FILE = /^printf '((?:[^'\\]|\\.)*)' > (\S+)$/;

class Planner {
  private readonly steps: Step[] = [];
  private readonly given = new Map<string, Given>();
  /** References by the hint that they stand for. */
  private readonly known = new Map<string, unknown>();
  private readonly variables = new Set<string>(['client', 'result', 'file']);
  private readonly hints;

  constructor(
    private readonly api: ApiView,
    private readonly view: OperationView,
    private readonly call: SdkCall,
  ) {
    this.hints = hintsOf(view.operation);
  }

  plan(): SamplePlan {
    const notes = (this.hints.before ?? [])
      .filter((line) => line.startsWith('#'))
      .map((line) => line.replace(/^#\s*/, ''));
    const url = this.hints.url ? this.resolve('url', this.hints.url) : null;
    const last = url === null ? this.lastStep() : null;
    return { steps: this.steps, last, url, given: [...this.given.values()], notes, auth: this.call.auth };
  }

  private lastStep(): Step {
    const { call, view } = this;
    const positions = this.positionsOf(call, view.path, call.positions);
    const input = { ...this.queryOf(view, call), ...this.bodyInput(view, true) };
    return { call, positions, input: this.orNull(call, input), variable: null, entry: null };
  }

  private orNull({ query, body }: SdkCall, input: Record<string, unknown>): Record<string, unknown> | null {
    const takesInput = query.length > 0 || body !== undefined;
    return takesInput && Object.keys(input).length > 0 ? input : null;
  }

  private positionsOf(call: SdkCall, path: string, names: readonly string[]): unknown[] {
    return names.map((name) => this.positionOf(call, path, name));
  }

  private positionOf(call: SdkCall, path: string, name: string): unknown {
    const hint = this.hints.values?.[name];
    const parameters = plainParametersOf(this.view.operation);
    const parameter = parameters.find((one) => one.name === name);
    const literal = parameter && parameter.in === 'path' ? literalOf(parameter, this.api) : undefined;
    const at = path.indexOf(`{${name}}`);
    const parent = at > 0 ? path.slice(0, at - 1) : call.path;
    const value = hint ?? literal ?? this.listAt(parent);
    return this.resolve(name === 'id' ? `${lastSegment(parent)}Id` : name, value);
  }

  private listAt(path: string): SampleValue {
    return this.api.document.paths[path]?.get ? { get: path } : { given: 'the value of the path' };
  }

  private queryOf({ operation }: OperationView, call: SdkCall): Record<string, unknown> {
    const values: Record<string, unknown> = { ...this.hints.query };
    for (const parameter of plainParametersOf(operation)) {
      const { name, required, schema = { type: 'string' } } = parameter;
      if (!call.query.includes(name) || name in values) continue;
      const hint = this.hints.values?.[name];
      if (hint) values[name] = this.resolve(name, hint);
      else if (required) values[name] = parameter.example ?? exampleOf(this.api, schema, {}, name);
    }
    return values;
  }

  /** The fields of the body, with the values that come from elsewhere if it is that of the explained operation. */
  private bodyInput({ operation }: OperationView, isExplained: boolean): Record<string, unknown> {
    const body = bodyOf(operation);
    const { requestBody } = operation;
    if (!body || !requestBody || isReference(requestBody)) return {};
    const type = body.kind === 'form' ? 'multipart/form-data' : 'application/json';
    const example: unknown = requestBody.content[type]?.example ?? exampleOf(this.api, body.schema, { sparse: true });
    const filled = isExplained ? this.withValues(example) : example;
    return this.withFiles(filled as Record<string, unknown>, body.kind);
  }

  private withValues(example: unknown): unknown {
    const { values = {} } = this.hints;
    const replace = (value: unknown, name?: string): unknown => {
      if (Array.isArray(value)) return value.map((item) => replace(item, name));
      if (typeof value === 'object' && value !== null) {
        return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, replace(inner, field)]));
      }
      const source = name === undefined ? undefined : values[name];
      return name !== undefined && source && typeof value === 'string' ? this.resolve(name, source) : value;
    };
    return replace(example);
  }

  private withFiles(fields: Record<string, unknown>, kind: 'json' | 'form'): Record<string, unknown> {
    if (kind === 'json') return fields;
    return Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        typeof value === 'string' && value.startsWith('@') ? this.fileOf(value) : value,
      ]),
    );
  }

  /** The file that the commands before the curl sample create. */
  private fileOf(reference: string): SampleFile {
    const [, type = ''] = /;type=(.+)$/.exec(reference) ?? [];
    for (const line of this.hints.before ?? []) {
      const [, content, name] = CREATED_FILE.exec(line) ?? [];
      if (content === undefined || name === undefined) continue;
      const mediaType = type || (name.endsWith('.csv') ? 'text/csv' : 'text/plain');
      return new SampleFile(name, content.replaceAll('\\n', '\n'), mediaType);
    }
    return new SampleFile('file.txt', 'Hello', type || 'text/plain');
  }

  private resolve(name: string, value: SampleValue): unknown {
    if (typeof value === 'string') return value;
    const key = JSON.stringify(value);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const resolved = this.resolveNew(name, value);
    this.known.set(key, resolved);
    return resolved;
  }

  private resolveNew(name: string, value: Exclude<SampleValue, string>): unknown {
    if ('given' in value) return this.give(name, value.given);
    if ('run' in value) return this.give(name, `the output of ${value.run}`);
    const found = 'get' in value ? this.fetched(value) : this.created(value);
    return found ?? this.give(name, `a value of ${'get' in value ? value.get : value.create}`);
  }

  private give(name: string, note: string): Given {
    const variable = name
      .replace(/([a-z])(?=[A-Z])/g, '$1_')
      .replace(/\W+/g, '_')
      .toUpperCase();
    const given = new Given(variable, note);
    this.given.set(variable, given);
    return given;
  }

  private fetched({ get, field = 'id', match }: Extract<SampleValue, { get: string }>): Reference | null {
    const [path = '', search = ''] = get.split('?');
    const target = this.viewAt('get', path);
    const call = target && sdkCallOf(this.api, target);
    if (!target || !call) return null;
    const response = this.entriesOf(target, call);
    const [, matchField, matchValue] = /^"(\w+)":"([^"]*)"$/.exec(match ?? '') ?? [];
    const input: Record<string, unknown> = Object.fromEntries(
      [...new URLSearchParams(search)].map(([name, text]) => [name, /^\d+$/.test(text) ? Number(text) : text]),
    );
    if (response.items !== undefined && match === undefined && call.query.includes('limit')) input['limit'] ??= 1;
    const fieldPath = this.pathTo(response.schema, field);
    if (!fieldPath) return null;
    const entry: Entry | null =
      response.items === undefined
        ? null
        : {
            items: response.items,
            match: matchField !== undefined && matchValue !== undefined ? [matchField, matchValue] : null,
          };
    const variable = this.variableFor(path);
    this.steps.push({
      call,
      positions: this.positionsOf(call, path, call.positions),
      input: this.orNull(call, input),
      variable,
      entry,
    });
    return new Reference(variable, fieldPath);
  }

  private created(value: Extract<SampleValue, { create: string }>): Reference | null {
    const { create, body, with: changes, field = 'id', then = [] } = value;
    const target = this.viewAt('post', create);
    const call = target && sdkCallOf(this.api, target);
    if (!target || !call) return null;
    const response = this.resultSchema(target, call);
    const fieldPath = response && this.pathTo(response, field);
    if (!fieldPath) return null;
    const fields = body ?? { ...this.bodyInput(target, false), ...changes };
    const given = this.withFiles(fields as Record<string, unknown>, call.body ?? 'json');
    // A form also takes its fields as JSON: contacts instead of a file.
    if (call.body === 'form' && !('file' in given)) return null;
    const variable = this.variableFor(create);
    this.steps.push({
      call,
      positions: this.positionsOf(call, create, call.positions),
      input: this.orNull(call, given),
      variable,
      entry: null,
    });
    const reference = new Reference(variable, fieldPath);
    for (const path of then) this.follow(path, reference);
    return reference;
  }

  private follow(path: string, reference: Reference): void {
    const target = this.viewAt('post', path);
    const call = target && sdkCallOf(this.api, target);
    if (call) this.steps.push({ call, positions: [reference], input: null, variable: null, entry: null });
  }

  private viewAt(method: 'get' | 'post', path: string): OperationView | null {
    const operation = this.api.document.paths[path]?.[method];
    return operation ? { anchor: '', method: method.toUpperCase(), path, operation } : null;
  }

  /** The schema of the entries of a list, or of the result. */
  private entriesOf(
    view: OperationView,
    call: SdkCall,
  ): { schema: SchemaOrReference; items: string | null | undefined } {
    const json = responseOf(view.operation) ?? {};
    const { schema } = withoutEnvelope(this.api, json);
    const { properties } = shapeOf(this.api, schema);
    const list = properties.find(([name, field]) =>
      call.paging ? name === call.paging.items : properties.length === 1 && shapeOf(this.api, field).items,
    );
    const items = list && shapeOf(this.api, list[1]).items;
    if (items) return { schema: items, items: call.paging ? null : (list[0] ?? null) };
    return { schema: this.resultSchema(view, call) ?? schema, items: undefined };
  }

  private resultSchema(view: OperationView, call: SdkCall): SchemaOrReference | null {
    const json = responseOf(view.operation);
    if (!json) return null;
    return call.envelope.reduce<SchemaOrReference | null>(
      (schema, name) => (schema && shapeOf(this.api, schema).properties.find(([field]) => field === name)?.[1]) ?? null,
      json,
    );
  }

  /** The path to the first field with a name, level by level. */
  private pathTo(schema: SchemaOrReference, field: string): (string | number)[] | null {
    let level: { path: (string | number)[]; schema: SchemaOrReference }[] = [{ path: [], schema }];
    for (let depth = 0; depth < 4; depth++) {
      const next: typeof level = [];
      for (const { path, schema: current } of level) {
        const { properties, items } = shapeOf(this.api, current);
        if (properties.some(([name]) => name === field)) return [...path, field];
        if (items) next.push({ path: [...path, 0], schema: items });
        for (const [name, inner] of properties) next.push({ path: [...path, name], schema: inner });
      }
      level = next;
    }
    return null;
  }

  private variableFor(path: string): string {
    const name = camelCase(lastSegment(path)) || 'value';
    const singular = name === 'send' || name === 'me' ? 'message' : name;
    const variable = this.variables.has(singular) ? `${singular}${this.variables.size}` : singular;
    this.variables.add(variable);
    return variable;
  }
}
