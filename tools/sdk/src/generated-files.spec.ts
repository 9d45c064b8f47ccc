import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { ApiView, sdkCallOf, sdkSample, type OperationView } from '@heliograph/api-reference';
import { readDocuments, type ServiceDocuments } from './documents';
import { GENERATED_FOLDERS, generatedFiles } from './generated-files';
import { pythonFiles } from './python';
import { modelOf } from './sdk-model';

const root = path.join(__dirname, '../../..');

const NONE = { openapi: '3.0.0', info: { title: '', version: '' }, paths: {} };
const EMPTY: ServiceDocuments = {
  'sms-api': NONE,
  'email-api': NONE,
  'chatapp-api': NONE,
  'bot-runtime': NONE,
  'account-api': NONE,
};

let documents: ServiceDocuments;
beforeAll(async () => {
  documents = await readDocuments();
});

const views = (): [ApiView, OperationView][] =>
  Object.values(documents).flatMap((document) => {
    const api = new ApiView(document);
    return api.operations.map((operation): [ApiView, OperationView] => [api, operation]);
  });

describe('the generated files of the SDKs', () => {
  it('are what the OpenAPI documents give; otherwise run `npm run sdk:generate`', async () => {
    const files = await generatedFiles(documents);
    const different = Object.keys(files).filter((file) => {
      try {
        return readFileSync(path.join(root, file), 'utf8') !== files[file];
      } catch {
        return true;
      }
    });
    expect(different).toEqual([]);
    for (const folder of GENERATED_FOLDERS) {
      const known = (await readdir(path.join(root, folder))).filter((name) => !name.startsWith('__'));
      expect(known.filter((name) => !(path.posix.join(folder, name) in files))).toEqual([]);
    }
  });

  it.each(['sms-api', 'email-api', 'chatapp-api', 'bot-runtime', 'account-api'] as const)(
    'differ after a field of %s was renamed',
    (service) => {
      const committed = readFileSync(path.join(root, 'sdk/python/src/heliograph/types.py'), 'utf8');
      const renamed = structuredClone(documents);
      const { calls } = modelOf({ ...EMPTY, [service]: renamed[service] });
      const view = calls.find(({ method, body }) => method === 'POST' && body === 'json')?.view;
      const request = Object.entries(renamed[service].components?.schemas ?? {}).find(([name]) =>
        JSON.stringify(renamed[service].paths[view?.path ?? '']?.post?.requestBody).includes(`/${name}"`),
      )?.[1] as { properties: Record<string, object> };
      const [field = ''] = Object.keys(request.properties);
      request.properties[`${field}Renamed`] = request.properties[field]!;
      delete request.properties[field];
      expect(pythonFiles(modelOf(documents))['types.py']).toBe(committed);
      expect(pythonFiles(modelOf(renamed))['types.py']).not.toBe(committed);
    },
  );

  it('contain a call for every operation of customers, and none for those of operators', () => {
    const { calls } = modelOf(documents);
    expect(calls.length).toBeGreaterThan(200);
    const missing = views()
      .filter(([api, view]) => sdkCallOf(api, view) === null)
      .map(([, { method, path: route }]) => `${method} ${route}`);
    // Pages for browsers, other styles of sends, and documents.
    expect(missing.filter((one) => !one.includes('/api/platform/')).sort()).toEqual([
      'GET /api/v1/docs',
      'GET /api/v1/openapi.json',
      'GET /bots/embed/{botId}',
      'GET /bots/widget.js',
      'GET /bots/widget/config',
      'GET /c/{botId}',
      'GET /chatapp/send',
      'GET /sms/send',
      'GET /sms/soap',
      'POST /sms/soap',
    ]);
    expect(calls.filter(({ path: route }) => route.includes('/platform/'))).toEqual([]);
  });

  it('have no two operations with one name', () => {
    const twice = structuredClone(documents);
    const paths = twice['sms-api'].paths;
    paths['/api/v1/sms/other/messages'] = { get: { ...paths['/api/v1/sms/messages']?.get, responses: {} } };
    paths['/api/v1/sms/other/{id}/messages'] = { get: { ...paths['/api/v1/sms/messages']?.get, responses: {} } };
    expect(() => modelOf(twice)).toThrow('are both sms.other.messages.get');
  });
});

describe('samples with the SDKs', () => {
  it('exist in each language for every call, without placeholders', () => {
    const problems: string[] = [];
    for (const [api, view] of views()) {
      const call = sdkCallOf(api, view);
      if (!call) continue;
      for (const language of ['js', 'python', 'cli'] as const) {
        const sample = sdkSample(api, view, 'http://localhost:8080', language);
        const isExpected = language !== 'cli' || (call.auth !== 'session' && !/download/.test(call.name));
        if (sample === null ? isExpected : /undefined|\[object|\bNaN\b|the value of the path/.test(sample)) {
          problems.push(`${language} ${call.name}\n${sample}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });
});
