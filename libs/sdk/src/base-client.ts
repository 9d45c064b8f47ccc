import type { CallDefinition } from './call-definition';
import { Caller } from './caller';
import type { ServerEvent } from './event-stream';
import type { FileDownload } from './files';
import type { ClientOptions, RequestOptions } from './options';
import type { PagePromise } from './page';

/** What every client can do, with all groups of calls or with some of them. */
export class BaseClient {
  protected readonly caller: Caller;

  constructor(options: ClientOptions) {
    this.caller = new Caller(options);
  }

  /** Makes a call by its definition, for programs that choose the call at run time. */
  call(
    definition: CallDefinition,
    positions: readonly string[],
    input?: object,
    options?: RequestOptions,
  ): Promise<unknown> {
    return this.caller.call(definition, positions, input, options);
  }

  /** The same for a list that is read page by page. */
  list(
    definition: CallDefinition,
    positions: readonly string[],
    input?: object,
    options?: RequestOptions,
  ): PagePromise<unknown> {
    return this.caller.list(definition, positions, input, options);
  }

  /** The same for a stream of server-sent events. */
  stream(
    definition: CallDefinition,
    positions: readonly string[],
    input?: object,
    options?: RequestOptions,
  ): AsyncGenerator<ServerEvent> {
    return this.caller.events(definition, positions, input, options);
  }

  /** Downloads a file by the URL in a response, such as `download_url` of a report. No key is sent to the URL. */
  download(url: string, options?: RequestOptions): Promise<FileDownload> {
    return this.caller.download(url, options);
  }
}

type Groups = Readonly<Record<string, (caller: Caller) => unknown>>;

/**
 * Makes a client with some groups of calls, so that a bundler leaves out the others.
 *
 * @example
 * const client = createClient({ apiKey, baseUrl }, { sms, email });
 */
export function createClient<Chosen extends Groups>(
  options: ClientOptions,
  groups: Chosen,
): BaseClient & { readonly [Name in keyof Chosen]: ReturnType<Chosen[Name]> } {
  const caller = new Caller(options);
  const entries = Object.entries(groups).map(([name, group]) => [name, group(caller)] as const);
  return Object.assign(new BaseClient(options), Object.fromEntries(entries)) as BaseClient & {
    readonly [Name in keyof Chosen]: ReturnType<Chosen[Name]>;
  };
}
