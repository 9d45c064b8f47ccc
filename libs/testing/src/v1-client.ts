import { httpCall, type HttpResponse, type HttpCallOptions } from './http-call';
import type { OpenApiCheck } from './openapi-check';

export type V1Fields = Record<string, unknown>;

/** Sends requests to a v1 API. Each response is validated against the OpenAPI document. */
export class V1Client {
  /**
   * @param base the URL of the service
   * @param prefix the first part of the paths
   * @param parents the segments of paths that an id follows
   * @param key the API key of requests without an explicit key
   */
  constructor(
    private readonly base: string,
    private readonly prefix: string,
    private readonly parents: readonly string[],
    private readonly openApi: OpenApiCheck,
    private readonly key: string,
  ) {}

  get(path: string, key = this.key): Promise<HttpResponse> {
    return this.request('GET', path, { key });
  }

  post(
    path: string,
    body: unknown,
    key: string | null = this.key,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse> {
    return this.request('POST', path, { json: body, key, headers });
  }

  put(path: string, body: unknown, key: string | null = this.key): Promise<HttpResponse> {
    return this.request('PUT', path, { json: body, key });
  }

  /** Returns the entries of a list. */
  async listed(path: string, key = this.key): Promise<V1Fields[]> {
    return (await this.get(path, key)).body['data'] as V1Fields[];
  }

  private async request(method: 'GET' | 'POST' | 'PUT', path: string, options: HttpCallOptions): Promise<HttpResponse> {
    const answer = await httpCall(`${this.base}${this.prefix}${path}`, { ...options, method });
    const id = new RegExp(`^(/(?:${this.parents.join('|')})/)(?!estimate)[^/]+`);
    const described = this.prefix + path.replace(/\?.*/, '').replace(id, '$1{id}');
    const type = answer.headers.get('content-type');
    expect(this.openApi.problems(method.toLowerCase(), described, answer.status, type, answer.body)).toBeNull();
    return answer;
  }
}
