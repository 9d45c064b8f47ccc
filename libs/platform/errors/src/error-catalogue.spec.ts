import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ERROR_STATUS } from './error-codes';
import { ERROR_SECTIONS, errorCodesAsMarkdown } from './error-catalogue';

const GUIDE = path.join(__dirname, '../../../../docs/guides/errors.md');
/** The part of the guide that is generated starts with this heading. */
const START = '## All APIs\n';

describe('the explanations of error codes', () => {
  it('exist exactly once for every code', () => {
    const explained = Object.values(ERROR_SECTIONS).flatMap((errors) => Object.keys(errors));
    expect(explained.sort()).toEqual(Object.keys(ERROR_STATUS).sort());
  });

  it('are the end of docs/guides/errors.md; UPDATE_DOCS=true writes it', () => {
    const text = readFileSync(GUIDE, 'utf8');
    const written = text.slice(0, text.indexOf(START));
    expect(text).toContain(START);
    if (process.env['UPDATE_DOCS'] === 'true') writeFileSync(GUIDE, written + errorCodesAsMarkdown());
    expect(readFileSync(GUIDE, 'utf8').slice(written.length)).toBe(errorCodesAsMarkdown());
  });
});
