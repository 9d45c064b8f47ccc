import type { ApiView, OperationView } from './api-view';
import { curlSample } from './curl-sample';
import { exampleOf } from './example-of';
import type { Sample } from './guides/samples';
import { responsesOf } from './operation-facts';

/** The request of an operation in all languages. */
export function samplesOf(api: ApiView, view: OperationView, baseUrl: string): Sample[] {
  return [{ language: 'sh', code: curlSample(api, view, baseUrl) }];
}

/** The first successful JSON response; null if there is none. */
export function responseExample(api: ApiView, view: OperationView): { status: string; json: string } | null {
  for (const [status, { content }] of responsesOf(view)) {
    const json = content?.['application/json'];
    if (Number(status) >= 400 || !json?.schema) continue;
    return { status, json: JSON.stringify(json.example ?? exampleOf(api, json.schema), null, 2) };
  }
  return null;
}
