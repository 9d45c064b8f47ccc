import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import { escapeHtml, scriptJson } from './escape-html';

describe('escapeHtml', () => {
  it('leaves no character that could start a tag or end an attribute', () => {
    fc.assert(fc.property(fc.string({ unit: anyCodePoint }), (text) => !/[<>"']/.test(escapeHtml(text))));
    expect(escapeHtml(`<a href="x" title='y'>&amp;`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;');
  });
});

describe('scriptJson', () => {
  it('has the same value and can end neither the element nor a line', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = scriptJson(value);
        expect(text).not.toMatch(/[<>&\u2028\u2029]/);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(scriptJson('</script><!--\u2028')).toBe('"\\u003c/script\\u003e\\u003c!--\\u2028"');
  });
});
