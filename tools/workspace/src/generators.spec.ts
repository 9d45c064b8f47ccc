import { readFileSync } from 'node:fs';
import path from 'node:path';
import { StackProcess } from '@heliograph/harness';
import { outputOf, runCommand, WorkspaceCopy } from './workspace-copy';

const workspace = new WorkspaceCopy();
afterAll(() => workspace.remove());

const run = (script: string, ...args: string[]) =>
  runCommand(workspace.root, process.execPath, [path.join(workspace.root, 'node_modules', script), ...args]);

describe('the generators', () => {
  it('create a service and a library that lint, compile and pass their tests', async () => {
    outputOf(await workspace.nx('generate', './tools/generators:service', 'parcel-api'));
    outputOf(await workspace.nx('generate', './tools/generators:lib', 'sms/opt-outs'));

    const checked = ['run-many', '-t', 'lint', 'typecheck', '-p', 'parcel-api,sms-opt-outs', '--output-style=static'];
    outputOf(await workspace.nx(...checked));
    const changed = ['apps/parcel-api', 'libs/sms/opt-outs', 'tools/local-stack/src', 'tools/workspace/src', 'docker'];
    outputOf(await run('prettier/bin/prettier.cjs', '--check', ...changed));
    const tested = ['run-many', '-t', 'test', '-p', 'parcel-api,sms-opt-outs', '--output-style=static'];
    outputOf(await workspace.nx(...tested));
    // The second run reads the results and the counts from the cache.
    const repeated = outputOf(await workspace.nx(...tested));
    expect(repeated).toContain('2 out of 2 tasks');
    expect(repeated).toMatch(/^parcel-api: [1-9]\d* passed, 0 failed$/m);
    expect(repeated).toMatch(/^sms-opt-outs: [1-9]\d* passed, 0 failed$/m);
  }, 300_000);

  it('connect the service to the compose file, the database roles and the gateway', async () => {
    outputOf(await runCommand(workspace.root, process.execPath, ['tools/gateway-config.mjs']));
    outputOf(await runCommand(workspace.root, process.execPath, ['tools/config-reference.mjs']));
    const specs = ['docker', 'database-roles', 'routes', 'nginx-config', 'configuration'];
    const args = [
      '-c',
      'jest.config.cjs',
      '--selectProjects',
      'workspace',
      'local-stack',
      '--testPathPatterns',
      ...specs,
    ];
    outputOf(await run('jest/bin/jest.js', ...args));
  }, 120_000);

  it('connect the service to the local stack and the API reference', async () => {
    const stack = await StackProcess.prepare({}, workspace.root);
    try {
      await stack.start();
      const gateway = `http://localhost:${stack.port}`;
      const greeting = await fetch(`${gateway}/api/parcel-api/greeting`);
      expect(await greeting.json()).toEqual({ service: 'parcel-api' });
      expect((await fetch(`${gateway}/docs/parcel-api/openapi.json`)).status).toBe(200);
    } finally {
      await stack.remove();
    }
  }, 120_000);

  it('add an import path for each', () => {
    const { compilerOptions } = JSON.parse(readFileSync(path.join(workspace.root, 'tsconfig.base.json'), 'utf8')) as {
      compilerOptions: { paths: Record<string, string[]> };
    };
    expect(compilerOptions.paths).toMatchObject({
      '@heliograph/parcel-api': ['./apps/parcel-api/src/index.ts'],
      '@heliograph/sms-opt-outs': ['./libs/sms/opt-outs/src/index.ts'],
    });
  });

  it('do not change existing files', async () => {
    const { status, output } = await workspace.nx('generate', './tools/generators:lib', 'sms/catalog');
    expect(status).not.toBe(0);
    expect(output).toContain('libs/sms/catalog already exists');
  }, 60_000);
});
