import { spawnSync } from 'node:child_process';
import path from 'node:path';

const folder = path.join(__dirname, '../../../sdk/python');

describe('the Python SDK', () => {
  it('passes its tests, and imports without warnings', () => {
    const args = ['-B', '-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'];
    const { status, stderr } = spawnSync('python3', args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PYTHONPATH: path.join(folder, 'src') },
      timeout: 60_000,
    });
    expect(status === 0 ? stderr.match(/^Ran (\d+) tests/m)?.[1] : stderr).toMatch(/^\d+$/);
  }, 90_000);
});
