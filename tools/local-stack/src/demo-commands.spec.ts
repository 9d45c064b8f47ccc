import { readFileSync } from 'node:fs';
import path from 'node:path';
import { emptyReport, readProvisioningFile } from '@heliograph/provision';
import { findDemoCall } from './demo-call';
import { demoCommands } from './demo-commands';

const demoFile = readFileSync(path.join(__dirname, '../demo.yaml'), 'utf8');
const read = (yaml: string) => readProvisioningFile(yaml, 'file.yaml').file;

describe('the demo call', () => {
  it('is found in the demo file', () => {
    expect(findDemoCall(read(demoFile), emptyReport())).toEqual({
      organization: 'demo',
      key: 'msg_live_demoDEMOdemoDEMOdemoDEMOdemo0001',
      from: 'DEMOIN',
      to: '+918123456789',
      template: 'otp',
      variables: { code: '123456' },
    });
  });

  it('is none when nothing can be sent', () => {
    expect(findDemoCall(read(''), emptyReport())).toBeNull();
    expect(findDemoCall(read('organizations: [{ slug: acme }]'), emptyReport())).toBeNull();
  });
});

describe('demoCommands', () => {
  it('quotes what a shell would take apart', () => {
    const call = { organization: 'o', key: 'k', from: "A'B", to: '+1', template: 'a & b', variables: { x: '<1>' } };
    const [json, query, , xml] = demoCommands('http://localhost:1', call).map(([, line]) => line);
    expect(json).toContain(`"from":"A'\\''B"`);
    expect(query).toContain(`--data-urlencode 'var.x=<1>'`);
    expect(xml).toContain('<template>a &#38; b</template>');
    expect(xml).toContain('<x>&#60;1&#62;</x>');
  });
});
