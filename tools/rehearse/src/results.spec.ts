import { atMost, holds, information } from './rehearsal';
import { hasPassed, sectionOf, tableOf, withSection } from './results';

const findings = [
  information('image', '180 MB'),
  atMost('failed requests', 0, 0),
  atMost('start', 131.5, 120, 's'),
  holds('balances equal the ledger', true),
];

describe('the results of rehearsals', () => {
  it('are a Markdown table in the format of Prettier', () => {
    expect(tableOf(findings)).toBe(
      [
        '| Subject                   | Measured | Required      | Result |',
        '| ------------------------- | -------- | ------------- | ------ |',
        '| image                     | 180 MB   |               |        |',
        '| failed requests           | 0        | 0             | passed |',
        '| start                     | 131.50 s | at most 120 s | FAILED |',
        '| balances equal the ledger | yes      | yes           | passed |',
      ].join('\n'),
    );
  });

  it('pass only if every row passes and there is at least one row', () => {
    expect(hasPassed(findings)).toBe(false);
    expect(hasPassed(findings.filter(({ passed }) => passed))).toBe(true);
    expect(hasPassed([])).toBe(false);
  });

  it('are added before the older ones', () => {
    const result = { name: 'compose', revision: 'abc1234', durationSeconds: 61.4, findings: findings.slice(0, 2) };
    const older = sectionOf({ ...result, finishedAt: new Date('2026-01-01T10:00:00Z') });
    const newer = sectionOf({ ...result, finishedAt: new Date('2026-01-02T10:00:00Z') });
    const document = withSection(withSection('# Results\n', older), newer);
    expect(document.match(/^## .*$/gm)).toEqual([
      '## compose, 2026-01-02 10:00 UTC',
      '## compose, 2026-01-01 10:00 UTC',
    ]);
    expect(document).toContain('Revision `abc1234`, 61 s: passed.');
  });
});
