import type { ApiView, OperationView } from './api-view';
import { curlSample } from './curl-sample';
import { exampleOf } from './example-of';
import type { Sample } from './guides/samples';
import { responsesOf } from './operation-facts';
import { sdkSample, type SdkLanguage } from './sdk/sdk-sample';

/** The languages of the SDKs by the names of their fences. */
const SDK_LANGUAGES: readonly (readonly [fence: string, language: SdkLanguage])[] = [
  ['js', 'js'],
  ['py', 'python'],
  ['cli', 'cli'],
];

/** The request of an operation in all languages. Operators and receivers have no SDK. */
export function samplesOf(api: ApiView, view: OperationView, baseUrl: string): Sample[] {
  const others = SDK_LANGUAGES.flatMap(([fence, language]) => {
    const code = sdkSample(api, view, baseUrl, language);
    return code === null ? [] : [{ language: fence, code }];
  });
  return [{ language: 'sh', code: curlSample(api, view, baseUrl) }, ...others];
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
